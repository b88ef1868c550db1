// Balanced views for tests whose levels lie in each other like onion skins: unlike the squares of view/, they
// meet above and below each other too, with many an edge and corner between three and four levels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf::test {

/// Within radius_m[n] of the middle nothing is coarser than level n; at that of `coarsest` the view ends.
struct BallView {
  Vec3f middle;
  std::array<float, kMaxLevel + 1> radius_m{};
  int coarsest = kMaxLevel;
};

/// A set of cubes, each once.
inline std::vector<TileKey> set_of(std::vector<TileKey> cubes) {
  std::sort(cubes.begin(), cubes.end(), [](const TileKey& a, const TileKey& b) { return before(a, b); });
  cubes.erase(std::unique(cubes.begin(), cubes.end()), cubes.end());
  return cubes;
}

inline bool set_holds(const std::vector<TileKey>& set, const TileKey& key) {
  return std::binary_search(set.begin(), set.end(), key,
                            [](const TileKey& a, const TileKey& b) { return before(a, b); });
}

/// Adds the cubes of a level that come nearer to a point than `radius_m`.
inline void add_near(Vec3f p, int level, float radius_m, std::vector<TileKey>& out) {
  const float edge = tile_m(level);
  const auto first = [&](float v) { return static_cast<std::int32_t>(std::floor((v - radius_m) / edge)); };
  const auto last = [&](float v) { return static_cast<std::int32_t>(std::floor((v + radius_m) / edge)); };
  const auto off = [edge](float v, std::int32_t tile) {
    const float from = edge * static_cast<float>(tile);
    return std::max({from - v, 0.0F, v - (from + edge)});
  };
  for (std::int32_t tz = first(p.z); tz <= last(p.z); ++tz)
    for (std::int32_t ty = first(p.y); ty <= last(p.y); ++ty)
      for (std::int32_t tx = first(p.x); tx <= last(p.x); ++tx) {
        const float x = off(p.x, tx), y = off(p.y, ty), z = off(p.z, tz);
        if (x * x + y * y + z * z < radius_m * radius_m) out.push_back({level, tx, ty, tz});
      }
}

/// The tiles that hold a stratum of this height. From the finest level up: cubes that finer tiles show,
/// around them one tile of the level at least, and what is near.
inline std::vector<TileKey> tiles_of(const BallView& view, float height_m) {
  std::vector<TileKey> tiles, split;
  const auto add_tile = [&](const TileKey& key) {
    const TileSpan span = stratum_tiles(key.level, height_m);
    if (!set_holds(split, key) && span.first <= key.tz && key.tz <= span.last) tiles.push_back(key);
  };
  for (int level = 0; level <= view.coarsest; ++level) {
    std::vector<TileKey> around;
    for (const TileKey& key : split)
      for (std::int32_t dz = -1; dz <= 1; ++dz)
        for (std::int32_t dy = -1; dy <= 1; ++dy)
          for (std::int32_t dx = -1; dx <= 1; ++dx)
            if (dx == 0 || dy == 0 || dz == 0)  // it shares a side or an edge
              around.push_back({level, key.tx + dx, key.ty + dy, key.tz + dz});
    const float radius_m = view.radius_m[static_cast<std::size_t>(level)];
    if (level == view.coarsest) {
      add_near(view.middle, level, radius_m, around);
      for (const TileKey& key : set_of(std::move(around))) add_tile(key);
      break;
    }
    // Whole cubes of the next level, so that its tiles fill the rest.
    for (TileKey& key : around) key = coarser(key);
    add_near(view.middle, level + 1, radius_m, around);
    around = set_of(std::move(around));
    for (const TileKey& cube : around)
      for (std::int32_t k = 0; k < 8; ++k)
        add_tile({level, 2 * cube.tx + (k & 1), 2 * cube.ty + (k >> 1 & 1), 2 * cube.tz + (k >> 2)});
    split = std::move(around);
  }
  return tiles;
}

}  // namespace vf::test

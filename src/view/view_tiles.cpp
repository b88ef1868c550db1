// From the finest level up: a set of cubes, each of which is shown by finer tiles; around it, one tile of its
// level at least before the next one begins. No set ever grows again, so nothing is balanced afterwards.
#include "view/view_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

using Cubes = std::vector<TileKey>;

constexpr auto kBefore = [](const TileKey& a, const TileKey& b) { return before(a, b); };

void make_set(Cubes& cubes) {
  std::sort(cubes.begin(), cubes.end(), kBefore);
  cubes.erase(std::unique(cubes.begin(), cubes.end()), cubes.end());
}

bool holds(const Cubes& set, const TileKey& key) {
  return std::binary_search(set.begin(), set.end(), key, kBefore);
}

/// Square of the distance from a point to a cube.
float distance2(Vec3f p, const TileKey& key) {
  const Vec3f low = tile_origin(key);
  const float edge = tile_m(key.level);
  const auto off = [edge](float v, float from) { return std::max({from - v, 0.0F, v - (from + edge)}); };
  const float x = off(p.x, low.x), y = off(p.y, low.y), z = off(p.z, low.z);
  return x * x + y * y + z * z;
}

/// Whether tiles of the cube's level, or of a finer one within it, hold part of the stratum.
bool in_stratum(const TileKey& key, float height_m) {
  const TileSpan span = stratum_tiles(key.level, height_m);
  return span.first <= key.tz && key.tz <= span.last;
}

/// Cubes of a level within the radius, and those within the hysteresis that `kept` holds already.
void add_near(Vec3f camera, int level, const ViewRings& rings, float radius_m, float height_m,
              const Cubes& kept, Cubes& out) {
  const float edge = tile_m(level), reach = radius_m + rings.hysteresis_m;
  const TileSpan span = stratum_tiles(level, height_m);
  const auto tile = [edge](float v) { return static_cast<std::int32_t>(std::floor(v / edge)); };
  const std::int32_t low_z = std::max(tile(camera.z - reach), span.first),
                     high_z = std::min(tile(camera.z + reach), span.last);
  for (std::int32_t tz = low_z; tz <= high_z; ++tz) {
    for (std::int32_t ty = tile(camera.y - reach); ty <= tile(camera.y + reach); ++ty) {
      for (std::int32_t tx = tile(camera.x - reach); tx <= tile(camera.x + reach); ++tx) {
        const TileKey key{level, tx, ty, tz};
        const float d2 = distance2(camera, key);
        if (d2 < radius_m * radius_m || (d2 < reach * reach && holds(kept, key))) out.push_back(key);
      }
    }
  }
}

/// All cubes that touch one of `cubes` in a side or an edge, and these themselves.
Cubes with_neighbours(const Cubes& cubes) {
  Cubes out;
  for (const TileKey& key : cubes)
    for (std::int32_t dz = -1; dz <= 1; ++dz)
      for (std::int32_t dy = -1; dy <= 1; ++dy)
        for (std::int32_t dx = -1; dx <= 1; ++dx)
          if (dx == 0 || dy == 0 || dz == 0)
            out.push_back({key.level, key.tx + dx, key.ty + dy, key.tz + dz});
  return out;
}

/// Cubes that tiles of a finer level show.
Cubes split_cubes(const ViewTiles& view) {
  Cubes out;
  for (TileKey key : view.tiles)
    while (key.level < kMaxLevel) out.push_back(key = coarser(key));
  make_set(out);
  return out;
}

void add_children(const TileKey& cube, const Cubes& split, float height_m, std::vector<TileKey>& out) {
  for (std::int32_t k = 0; k < 8; ++k) {
    const TileKey child{cube.level - 1, 2 * cube.tx + (k & 1), 2 * cube.ty + (k >> 1 & 1),
                        2 * cube.tz + (k >> 2)};
    if (!holds(split, child) && in_stratum(child, height_m)) out.push_back(child);
  }
}

}  // namespace

ViewTiles select_tiles(Vec3f camera, const ViewRings& rings, float height_m, const ViewTiles& shown) {
  VF_CHECK(rings.coarsest >= 0 && rings.coarsest <= kMaxLevel);
  const Cubes were_split = split_cubes(shown);
  ViewTiles view;
  Cubes split;  // of level n, shown by finer tiles
  for (int n = 0; n <= rings.coarsest; ++n) {
    const float radius_m = rings.radius_m[static_cast<std::size_t>(n)];
    if (n == rings.coarsest) {
      Cubes last = with_neighbours(split);
      add_near(camera, n, rings, radius_m, height_m, shown.tiles, last);
      // What was split to finer tiles is in the view too.
      add_near(camera, n, rings, radius_m, height_m, were_split, last);
      make_set(last);
      for (const TileKey& key : last)
        if (!holds(split, key) && in_stratum(key, height_m)) view.tiles.push_back(key);
      break;
    }
    // Whole cubes of the next level, so that its tiles fill the rest.
    Cubes next;
    for (const TileKey& key : with_neighbours(split)) next.push_back(coarser(key));
    add_near(camera, n + 1, rings, radius_m, height_m, were_split, next);
    make_set(next);
    for (const TileKey& cube : next) add_children(cube, split, height_m, view.tiles);
    split = std::move(next);
  }
  make_set(view.tiles);
  return view;
}

}  // namespace vf

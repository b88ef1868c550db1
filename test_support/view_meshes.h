// Views for tests: tiles of several levels of any function of the finest lattice, and their seams.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "field/simd_level.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesher.h"
#include "mesh/tile_samples.h"
#include "mesh/view_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "test_support/meshes.h"

namespace vf::test {

/// Signs about the origin: beyond `reach` samples of the finest lattice all is air.
struct Signs {
  SampleFunction value;  ///< of the finest lattice
  int reach = 0;
};

/// Bricks that hold nothing but air are not evaluated.
inline TileDensity density_of(const TileKey& key, const Signs& signs) {
  TileDensity out;
  out.key = key;
  const int step = 1 << key.level;
  for (int b = 0; b < kTileBricks; ++b) {
    const auto at = static_cast<std::size_t>(b);
    const std::array<int, 3> first{(key.tx * kTileEdge + (b & 3) * 8) * step,
                                   (key.ty * kTileEdge + (b >> 2 & 3) * 8) * step,
                                   (key.tz * kTileEdge + (b >> 4) * 8) * step};
    out.verdict[at] = Verdict::kAir;
    out.block[at] = -1;
    // One sample around the brick counts too.
    if (!std::all_of(first.begin(), first.end(),
                     [&](int v) { return v - step <= signs.reach && v + 8 * step >= -signs.reach; }))
      continue;
    out.verdict[at] = Verdict::kMixed;
    out.block[at] = static_cast<std::int16_t>(out.values.size() / kBrickSamples);
    for (int s = 0; s < kBrickSamples; ++s)
      out.values.push_back(
          signs.value(first[0] + (s & 7) * step, first[1] + (s >> 3 & 7) * step, first[2] + (s >> 6) * step));
  }
  return out;
}

/// The insides of a view's tiles.
inline std::vector<TileMesh> mesh_insides(std::span<const TileKey> tiles, const Signs& signs,
                                          GradientSource& gradients) {
  std::vector<TileMesh> out;
  TileMesher mesher(best_simd_level());
  for (const TileKey& key : tiles) {
    std::array<TileDensity, 8> densities;
    TileNeighbours neighbours;
    for (int k = 0; k < 8; ++k) {
      const auto at = static_cast<std::size_t>(k);
      densities[at] =
          density_of({key.level, key.tx + (k & 1), key.ty + (k >> 1 & 1), key.tz + (k >> 2)}, signs);
      neighbours.at[at] = &densities[at];
    }
    mesher.mesh(neighbours, gradients, out.emplace_back());
  }
  return out;
}

inline ViewMesh mesh_view(std::span<const TileKey> tiles, const Signs& signs, GradientSource& gradients) {
  ViewMesh view;
  view.tiles = mesh_insides(tiles, signs, gradients);
  mesh_seams(view, 1);
  return view;
}

/// The eight tiles of the next finer level in a tile's place.
inline void split(const TileKey& key, std::vector<TileKey>& out) {
  for (int k = 0; k < 8; ++k)
    out.push_back({key.level - 1, 2 * key.tx + (k & 1), 2 * key.ty + (k >> 1 & 1), 2 * key.tz + (k >> 2)});
}

/// Eight cubes of level `coarse` about the origin; where a bit of `fine` is set, eight tiles of the level
/// below.
inline std::vector<TileKey> two_levels(unsigned fine, int coarse = 1) {
  std::vector<TileKey> tiles;
  for (int k = 0; k < 8; ++k) {
    const TileKey key{coarse, (k & 1) - 1, (k >> 1 & 1) - 1, (k >> 2) - 1};
    if ((fine >> k & 1) != 0) {
      split(key, tiles);
    } else {
      tiles.push_back(key);
    }
  }
  return tiles;
}

/// Splits coarse tiles until the view is balanced.
inline std::vector<TileKey> balanced(std::vector<TileKey> tiles) {
  for (;;) {
    std::vector<TileKey> coarse;
    for (const Unbalanced& pair : unbalanced_tiles(tiles))
      if (std::find(coarse.begin(), coarse.end(), pair.coarse) == coarse.end()) coarse.push_back(pair.coarse);
    if (coarse.empty()) return tiles;
    for (const TileKey& key : coarse) {
      tiles.erase(std::find(tiles.begin(), tiles.end(), key));
      split(key, tiles);
    }
  }
}

/// Where a view ends: points within two cells of a place that none of its tiles holds.
class ViewEnds {
 public:
  explicit ViewEnds(std::vector<TileKey> tiles) : tiles_(std::move(tiles)) {
    std::sort(tiles_.begin(), tiles_.end(), [](const TileKey& a, const TileKey& b) { return before(a, b); });
  }
  [[nodiscard]] bool near(const MeshPoint& p) const {
    const int level = level_at(p);
    if (level < 0) return true;
    const std::int64_t reach = (std::int64_t{2} * kVoxelUnits) << level;
    for (std::int64_t dz = -reach; dz <= reach; dz += reach)
      for (std::int64_t dy = -reach; dy <= reach; dy += reach)
        for (std::int64_t dx = -reach; dx <= reach; dx += reach)
          if (level_at({p.x + dx, p.y + dy, p.z + dz}) < 0) return true;
    return false;
  }

 private:
  /// Of the tile that holds a point; -1: none.
  [[nodiscard]] int level_at(const MeshPoint& p) const {
    for (int level = 0; level <= kMaxLevel; ++level) {
      const std::int64_t edge = (std::int64_t{kTileEdge} * kVoxelUnits) << level;
      const auto tile = [edge](std::int64_t v) {
        return static_cast<std::int32_t>(v / edge - (v % edge < 0 ? 1 : 0));
      };
      const TileKey key{level, tile(p.x), tile(p.y), tile(p.z)};
      if (std::binary_search(tiles_.begin(), tiles_.end(), key,
                             [](const TileKey& a, const TileKey& b) { return before(a, b); }))
        return level;
    }
    return -1;
  }
  std::vector<TileKey> tiles_;
};

inline MeshAudit audit(const ViewMesh& view) {
  std::vector<TileKey> tiles;
  for (const TileMesh& tile : view.tiles) tiles.push_back(tile.inside.anchor);
  const ViewEnds ends(std::move(tiles));
  return audit_mesh(view.pieces(),
                    [&](const MeshPoint& a, const MeshPoint& b) { return ends.near(a) && ends.near(b); });
}

}  // namespace vf::test

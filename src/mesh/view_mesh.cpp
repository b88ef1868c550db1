#include "mesh/view_mesh.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/region_mesh.h"
#include "mesh/seam_key.h"
#include "mesh/seam_pieces.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

namespace {

/// The tiles of one level, and which they are.
struct LevelTiles {
  std::vector<TileKey> keys;
  std::vector<std::size_t> index;
};

std::array<LevelTiles, kMaxLevel + 1> by_level(std::span<const TileKey> tiles) {
  std::array<LevelTiles, kMaxLevel + 1> levels;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    VF_CHECK(tiles[i].level >= 0 && tiles[i].level <= kMaxLevel);
    LevelTiles& level = levels[static_cast<std::size_t>(tiles[i].level)];
    level.keys.push_back(tiles[i]);
    level.index.push_back(i);
  }
  return levels;
}

}  // namespace

std::vector<const MeshPiece*> ViewMesh::pieces() const {
  std::vector<const MeshPiece*> out;
  for (const TileMesh& tile : tiles) out.push_back(&tile.inside);
  for (const MeshPiece& seam : seams) out.push_back(&seam);
  return out;
}

std::size_t ViewMesh::triangle_count() const {
  std::size_t n = 0;
  for (const MeshPiece* piece : pieces()) n += piece->triangles.size();
  return n;
}

Box2f view_window(std::span<const TileKey> tiles) {
  Box2f window;
  bool any = false;
  for (const LevelTiles& level : by_level(tiles)) {
    if (level.keys.empty()) continue;
    const Box2f w = mesh_window(level.keys);
    window = any ? Box2f{std::min(window.min_x, w.min_x), std::min(window.min_y, w.min_y),
                         std::max(window.max_x, w.max_x), std::max(window.max_y, w.max_y)}
                 : w;
    any = true;
  }
  return window;
}

ViewMesh mesh_view(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                   const TileOptions& options, unsigned workers) {
  ViewMesh view;
  view.tiles.resize(tiles.size());
  for (const LevelTiles& level : by_level(tiles)) {
    if (level.keys.empty()) continue;
    const RegionDensity region = evaluate_for_mesh(field, level.keys, options, workers);
    std::vector<TileMesh> meshes = mesh_tiles(region, options.simd, workers);
    for (std::size_t i = 0; i < meshes.size(); ++i) view.tiles[level.index[i]] = std::move(meshes[i]);
  }
  mesh_seams(view, workers);
  return view;
}

void mesh_seams(ViewMesh& view, unsigned workers) {
  if (workers == 0) workers = default_workers();
  std::vector<const TileMesh*> tiles;
  for (const TileMesh& tile : view.tiles) tiles.push_back(&tile);
  std::sort(tiles.begin(), tiles.end(),
            [](const TileMesh* a, const TileMesh* b) { return before(a->inside.anchor, b->inside.anchor); });
  std::vector<TileKey> keys, surface;
  for (const TileMesh* tile : tiles) {
    keys.push_back(tile->inside.anchor);
    if (tile->has_surface()) surface.push_back(tile->inside.anchor);
  }
  view.seam_keys = seams_between(keys, surface);
  view.seams.assign(view.seam_keys.size(), {});
  std::vector<SeamPieceMesher> crew(workers);
  parallel_for(view.seams.size(), workers, [&](std::size_t i, unsigned worker) {
    const SeamKey& seam = view.seam_keys[i];
    const std::array<TileKey, 4> around = tiles_of(seam);
    std::array<const TileMesh*, 4> meshes{};
    for (std::size_t k = 0; k < seam.tile_count(); ++k) {
      const auto at = std::lower_bound(keys.begin(), keys.end(), around[k],
                                       [](const TileKey& a, const TileKey& b) { return before(a, b); });
      meshes[k] = tiles[static_cast<std::size_t>(at - keys.begin())];
    }
    crew[worker].mesh(seam, meshes, view.seams[i]);
  });
}

}  // namespace vf

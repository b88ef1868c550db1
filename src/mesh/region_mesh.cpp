#include "mesh/region_mesh.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "mesh/gradient_source.h"
#include "mesh/seams.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_mesher.h"
#include "mesh/tile_samples.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"

namespace vf {

namespace {

using Order = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

Order order_of(const TileKey& key) {
  return {key.ty, key.tx, key.tz};
}

TileKey moved(const TileKey& key, int neighbour, int direction) {
  return {key.level, key.tx + direction * (neighbour & 1), key.ty + direction * (neighbour >> 1 & 1),
          key.tz + direction * (neighbour >> 2)};
}

/// Finds tiles by their key.
class TileMap {
 public:
  void add(const TileKey& key, std::uint32_t index) { entries_.emplace_back(order_of(key), index); }
  void sort() { std::sort(entries_.begin(), entries_.end()); }
  [[nodiscard]] std::int32_t find(const TileKey& key) const {
    const auto it =
        std::lower_bound(entries_.begin(), entries_.end(), std::pair(order_of(key), std::uint32_t{0}));
    return it != entries_.end() && it->first == order_of(key) ? static_cast<std::int32_t>(it->second) : -1;
  }

 private:
  std::vector<std::pair<Order, std::uint32_t>> entries_;
};

TileMap map_of(std::span<const TileKey> tiles) {
  TileMap map;
  for (std::uint32_t i = 0; i < tiles.size(); ++i) map.add(tiles[i], i);
  map.sort();
  return map;
}

/// The tiles after those given, in x, y and z, that are not among them: their samples are needed too.
std::vector<TileKey> halo_tiles(std::span<const TileKey> tiles) {
  const TileMap map = map_of(tiles);
  std::vector<TileKey> halo;
  for (const TileKey& key : tiles)
    for (int k = 1; k < 8; ++k)
      if (const TileKey next = moved(key, k, 1); map.find(next) < 0) halo.push_back(next);
  std::sort(halo.begin(), halo.end(),
            [](const TileKey& a, const TileKey& b) { return order_of(a) < order_of(b); });
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  return halo;
}

/// `tiles`, then their halo.
std::vector<TileKey> with_halo(std::span<const TileKey> tiles) {
  std::vector<TileKey> all(tiles.begin(), tiles.end());
  const std::vector<TileKey> halo = halo_tiles(tiles);
  all.insert(all.end(), halo.begin(), halo.end());
  return all;
}

}  // namespace

Box2f mesh_window(std::span<const TileKey> tiles) {
  return window_of_tiles(with_halo(tiles));
}

RegionDensity evaluate_for_mesh(const std::shared_ptr<const BoundField>& field,
                                std::span<const TileKey> tiles, const TileOptions& options,
                                unsigned workers) {
  if (workers == 0) workers = default_workers();
  RegionDensity region;
  region.field = field;
  region.tiles.assign(tiles.begin(), tiles.end());
  const std::vector<TileKey> all = with_halo(tiles);
  const TileMap map = map_of(all);
  std::vector<BrickMask> wanted(all.size(), 0);
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    VF_CHECK(tiles[i].level == tiles[0].level);
    std::array<std::uint32_t, 8> after{};
    std::array<std::int32_t, 8> before{};
    for (int k = 0; k < 8; ++k) {
      const std::int32_t next = map.find(moved(tiles[i], k, 1));
      const std::int32_t previous = map.find(moved(tiles[i], k, -1));
      const auto at = static_cast<std::size_t>(k);
      after[at] = static_cast<std::uint32_t>(next);
      before[at] = previous >= 0 && static_cast<std::size_t>(previous) < tiles.size() ? previous : -1;
      wanted[after[at]] |= bricks_at_border(k);
    }
    region.after.push_back(after);
    region.before.push_back(before);
  }
  region.densities.resize(all.size());
  struct Worker {
    std::unique_ptr<TileEvaluator> evaluator;
    ProofCounts counts;
  };
  std::vector<Worker> crew(workers);
  for_tiles_by_column(all, workers, [&](std::size_t i, unsigned worker) {
    Worker& w = crew[worker];
    if (!w.evaluator) w.evaluator = std::make_unique<TileEvaluator>(field, options);
    w.evaluator->evaluate(all[i], region.densities[i], w.counts, wanted[i]);
  });
  for (const Worker& w : crew) region.counts += w.counts;
  return region;
}

std::vector<TileMesh> mesh_tiles(const RegionDensity& region, SimdLevel simd, unsigned workers) {
  if (workers == 0) workers = default_workers();
  struct Worker {
    std::unique_ptr<FieldGradients> gradients;
    std::unique_ptr<TileMesher> mesher;
  };
  std::vector<Worker> crew(workers);
  std::vector<TileMesh> meshes(region.tiles.size());
  parallel_for(meshes.size(), workers, [&](std::size_t i, unsigned worker) {
    Worker& w = crew[worker];
    if (!w.gradients) {
      w.gradients = std::make_unique<FieldGradients>(region.field, simd);
      w.mesher = std::make_unique<TileMesher>(simd);
    }
    TileNeighbours tiles;
    for (std::size_t k = 0; k < 8; ++k) tiles.at[k] = &region.densities[region.after[i][k]];
    w.mesher->mesh(tiles, *w.gradients, meshes[i]);
  });
  return meshes;
}

std::vector<MeshPiece> mesh_seams(const RegionDensity& region, std::span<const TileMesh> meshes,
                                  unsigned workers) {
  if (workers == 0) workers = default_workers();
  VF_CHECK(meshes.size() == region.tiles.size());
  std::vector<SeamMesher> crew(workers);
  std::vector<MeshPiece> seams(meshes.size());
  parallel_for(seams.size(), workers, [&](std::size_t i, unsigned worker) {
    TilesBefore tiles{&meshes[i]};
    for (std::size_t k = 1; k < 8; ++k)
      if (region.before[i][k] >= 0) tiles[k] = &meshes[static_cast<std::size_t>(region.before[i][k])];
    crew[worker].mesh(tiles, seams[i]);
  });
  return seams;
}

RegionMesh mesh_region(const RegionDensity& region, SimdLevel simd, unsigned workers) {
  RegionMesh mesh;
  mesh.tiles = mesh_tiles(region, simd, workers);
  mesh.seams = mesh_seams(region, mesh.tiles, workers);
  return mesh;
}

std::vector<const MeshPiece*> RegionMesh::pieces() const {
  std::vector<const MeshPiece*> out;
  for (const TileMesh& tile : tiles) out.push_back(&tile.inside);
  for (const MeshPiece& seam : seams) out.push_back(&seam);
  return out;
}

std::size_t RegionMesh::triangle_count() const {
  std::size_t n = 0;
  for (const MeshPiece* piece : pieces()) n += piece->triangles.size();
  return n;
}

}  // namespace vf

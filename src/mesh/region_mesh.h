// Tiles of one level -> their meshes and the seams between them. No clock here: callers take the times.
//
// Three steps, each a parallel loop whose result does not depend on the number of workers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

/// Densities of tiles, and of the bricks beyond them that their cells reach.
struct RegionDensity {
  std::shared_ptr<const BoundField> field;
  std::vector<TileKey> tiles;          ///< as asked for
  std::vector<TileDensity> densities;  ///< of `tiles`, then of those around them
  /// For each of `tiles`: which densities follow it (see TileNeighbours), and which tiles go before it.
  std::vector<std::array<std::uint32_t, 8>> after;
  std::vector<std::array<std::int32_t, 8>>
      before;  ///< index dx + 2 dy + 4 dz, counted down; -1: not in the region
  ProofCounts counts;
};

/// The part of plan that the mesh of the tiles reads: they, and those after them. The field's window must
/// hold it.
[[nodiscard]] Box2f mesh_window(std::span<const TileKey> tiles);

/// `tiles`: all of one level, each once; the field's window holds their mesh_window. `workers` 0: one a
/// core.
[[nodiscard]] RegionDensity evaluate_for_mesh(const std::shared_ptr<const BoundField>& field,
                                              std::span<const TileKey> tiles, const TileOptions& options,
                                              unsigned workers);

/// The meshes of a region's tiles.
struct RegionMesh {
  std::vector<TileMesh> tiles;
  std::vector<MeshPiece> seams;  ///< of each tile, to those before it

  [[nodiscard]] std::vector<const MeshPiece*> pieces() const;  ///< tiles, then seams
  [[nodiscard]] std::size_t triangle_count() const;
};

/// Both steps below.
[[nodiscard]] RegionMesh mesh_region(const RegionDensity& region, SimdLevel simd, unsigned workers);

/// The inside of each tile.
[[nodiscard]] std::vector<TileMesh> mesh_tiles(const RegionDensity& region, SimdLevel simd, unsigned workers);

/// What closes a tile against those before it: faces across x, y, z, then lines along x, y, z, in one piece
/// that counts from the tile. Seams to tiles outside of the region are missing: there it is open.
[[nodiscard]] std::vector<MeshPiece> mesh_seams(const RegionDensity& region, std::span<const TileMesh> meshes,
                                                unsigned workers);

}  // namespace vf

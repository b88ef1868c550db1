// The polygons between tiles of one level: around lattice edges that lie on their borders.
//
// A seam is a piece of its own with copies of the vertices that it joins, so that tiles never change when
// their neighbours do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/polygon.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// A tile and those before it: index dx + 2 dy + 4 dz, counted down; the tile itself at 0. Null: not there,
/// and open to that side.
using TilesBefore = std::array<const TileMesh*, 8>;

/// One a thread.
class SeamMesher {
 public:
  /// What closes a tile against those before it: the faces across x, y and z, and the lines along them where
  /// four tiles meet. `out` is written anew and counts from the tile.
  void mesh(const TilesBefore& tiles, MeshPiece& out);

 private:
  void polygon(int axis, const std::array<int, 4>& tiles, const std::array<const CellVertices*, 4>& around);
  Triangle* more_triangles(std::size_t count);
  std::uint32_t copy_vertex(int tile, std::uint32_t vertex);

  const TilesBefore* tiles_ = nullptr;
  std::array<std::vector<std::uint32_t>, 8> copied_;  ///< vertex of a tile -> of the seam
  std::vector<PolygonCorner> corners_;                ///< of each vertex of the seam
  MeshPiece* out_ = nullptr;
};

}  // namespace vf

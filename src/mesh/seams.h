// The polygons between tiles of one level: around lattice edges that lie on their borders.
//
// A seam is a piece of its own with copies of the vertices that it joins, so that tiles never change when
// their neighbours do. Here all that closes a tile is one piece, for regions that are made at once; views, in
// which tiles come and go and have several levels, take theirs from mesh/seam_pieces.h: the same triangles.
#pragma once

#include <array>
#include <cstddef>

#include "mesh/seam_vertices.h"
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
  SeamVertices vertices_;
};

}  // namespace vf

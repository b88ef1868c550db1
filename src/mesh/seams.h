// The polygons between tiles of one level: around lattice edges that lie on their borders.
//
// A seam is a piece of its own with copies of the vertices that it joins, so that tiles never change when
// their neighbours do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tile_mesh.h"

namespace vf {

/// One a thread. begin(), then any number of faces and edges of one tile, which stands highest in each.
class SeamMesher {
 public:
  /// `out` is written anew and counts from `tile`.
  void begin(const TileMesh& tile, MeshPiece& out);

  /// The face across `axis` (0 ... 2) between `low` and `high`, the tile that follows it on that axis. Edges
  /// on the rim of the face belong to lines.
  void add_face(int axis, const TileMesh& low, const TileMesh& high);

  /// The line along `axis` where four tiles meet; on the next two axes tile du + 2 dv follows tile 0 by du,
  /// dv.
  void add_edge(int axis, const std::array<const TileMesh*, 4>& tiles);

 private:
  struct Part {
    const TileMesh* mesh = nullptr;
    std::array<int, 3> shift{};         ///< [voxel / 512]
    std::vector<std::uint32_t> copied;  ///< vertex of the tile -> of the seam
  };
  int part_of(const TileMesh& mesh, const std::array<int, 3>& shift_tiles);
  std::uint32_t copy_vertex(int part, std::uint32_t vertex);
  [[nodiscard]] const CellVertices& cell_in(int part, const std::array<int, 3>& cell) const;
  void polygon(int axis, const std::array<int, 4>& parts, const std::array<const CellVertices*, 4>& around);

  std::vector<Part> parts_;
  int used_ = 0;
  MeshPiece* out_ = nullptr;
};

}  // namespace vf

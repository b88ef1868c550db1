// What all seams share: copies of the vertices that they join, and the polygon between four cells of one
// level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/polygon.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// The vertices of one seam. Its memory is used again from seam to seam.
class SeamVertices {
 public:
  using Source = std::size_t;

  /// `out` is emptied, and filled from then on.
  void begin(MeshPiece& out);
  /// Vertices to copy from; they may still become more. `origin`: where their zero lies in the seam [voxels
  /// of the seam]; `scale`: 2 when their voxels are twice as large.
  Source add_source(const std::vector<MeshVertex>& vertices, const std::array<int, 3>& origin, int scale);
  /// The number in the seam of a source's vertex.
  std::uint32_t copy(Source source, std::uint32_t vertex);
  std::uint32_t add(const MeshVertex& vertex);
  [[nodiscard]] const PolygonCorner& corner(std::uint32_t vertex) const { return corners_[vertex]; }
  /// Room for `count` more.
  Triangle* more_triangles(std::size_t count);

 private:
  struct Copy {
    std::uint32_t seam = 0;  ///< in which it was made
    std::uint32_t vertex = 0;
  };
  struct From {
    const std::vector<MeshVertex>* vertices = nullptr;
    std::array<int, 3> origin{};  ///< [units of the seam]
    int scale = 1;
    std::vector<Copy> copies;
  };
  MeshPiece* out_ = nullptr;
  std::uint32_t seam_ = 0;
  std::size_t used_ = 0;  ///< of `sources_`
  std::vector<From> sources_;
  std::vector<PolygonCorner> corners_;  ///< of each vertex of the seam
};

/// A cell at a seam, with the tile that it belongs to.
struct SeamCell {
  const CellVertices* cell = nullptr;
  const TileBorder* border = nullptr;
  SeamVertices::Source source = 0;
};

/// There must be one.
[[nodiscard]] const CellVertices& cell_in(const TileBorder& border, const std::array<int, 3>& cell);

/// Whether the edge is solid at its low end, as cell `k` around it (kAroundEdge) knows.
[[nodiscard]] bool solid_low_end(const CellVertices& cell, int axis, std::size_t k);

/// The polygon around a crossed lattice edge between four cells of one level.
void add_polygon(int axis, const std::array<SeamCell, 4>& around, SeamVertices& vertices);

}  // namespace vf

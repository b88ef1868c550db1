// Where a cell's vertex stands: the point that best lies on the planes through the edge crossings.
//
// Quadric error function after Ju et al., "Dual contouring of Hermite data" (2002). On a smooth sheet the
// planes nearly agree and the mean of the crossings decides; where they meet at an angle the vertex goes to
// their common line or point, so that edges and corners stay sharp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mesh/lanes.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// A point of the surface and its unit normal, out of the rock. [voxels]
struct SurfacePoint {
  Float4 at{};      ///< x, y, z, 0
  Float4 normal{};  ///< x, y, z, 1: a sum of normals counts them
};

/// Vertices keep this far from the cell's faces, so that no triangle is degenerate. [voxel / 512]
inline constexpr std::int32_t kCellMargin = 512 / 32;

/// Sums over the surface's points around one vertex. Plain arithmetic in a fixed order.
struct VertexSums {
  Float4 corner{};          ///< of the cell: x, y, z, 0. [voxels]
  Float4 x{}, y{}, z{};     ///< rows of sum n n^T
  Float4 rhs{};             ///< sum n (n . p), p from the corner
  Float4 mean{}, normal{};  ///< sums of p and n

  void add(const SurfacePoint& point) {
    const Float4 n = point.normal, p = point.at - corner;
    x += n * n[0];
    y += n * n[1];
    z += n * n[2];
    rhs += n * dot3(n, p);
    mean += p;
    normal += n;
  }
};

/// A vertex as polygons and buffers want it.
struct FittedVertex {
  Float4 at;          ///< x, y, z from the tile's first sample; whole numbers. [voxel / 512]
  Float4 normal;      ///< mean of the points' normals, length 1
  MeshVertex vertex;  ///< both of them, packed
  /// All points' normals lie so near to their mean that no two differ by more than 30 degrees. Never true
  /// without reason; false means that they must be looked at one by one.
  bool smooth;
};

/// Vertices within the margin of their cells; `out`: [count], and room for three more.
void fit_vertices(const VertexSums* sums, std::size_t count, FittedVertex* out);

/// The same on a face, for the two ends of a segment: normals and points projected on it; in the unit square.
[[nodiscard]] std::array<std::int32_t, 2> fit_on_face(const std::array<float, 2>& at_a,
                                                      const std::array<float, 2>& normal_a,
                                                      const std::array<float, 2>& at_b,
                                                      const std::array<float, 2>& normal_b);

}  // namespace vf

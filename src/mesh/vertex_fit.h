// Where a cell's vertex stands: the point that best lies on the planes through the edge crossings.
//
// Quadric error function after Ju et al., "Dual contouring of Hermite data" (2002). On a smooth sheet the
// planes nearly agree and the mean of the crossings decides; where they meet at an angle the vertex goes to
// their common line or point, so that edges and corners stay sharp.
#pragma once

#include <array>
#include <cstdint>

#include "math/vec.h"

namespace vf {

/// A point of the surface and its unit normal, out of the rock. [voxels]
struct SurfacePoint {
  Vec3f at, normal;
};

/// Vertices keep this far from the cell's faces, so that no triangle is degenerate. [voxel / 512]
inline constexpr std::int32_t kCellMargin = 512 / 32;

/// Adds up points of the surface in the unit cell, then solves. Plain arithmetic in a fixed order.
class VertexFit {
 public:
  void add(const SurfacePoint& point) {
    const Vec3f n = point.normal, p = point.at;
    xx_ += n.x * n.x;
    xy_ += n.x * n.y;
    xz_ += n.x * n.z;
    yy_ += n.y * n.y;
    yz_ += n.y * n.z;
    zz_ += n.z * n.z;
    rhs_ = rhs_ + n * (n.x * p.x + n.y * p.y + n.z * p.z);
    mean_ = mean_ + p;
    normal_ = normal_ + n;
    count_ += 1;
  }
  /// The vertex, within the margin of the unit cell. [voxel / 512]
  [[nodiscard]] Vec3i solve() const;
  [[nodiscard]] Vec3f normal_sum() const { return normal_; }

 private:
  // sum n n^T, sum n (n . p), sum p, sum n
  float xx_ = 0, xy_ = 0, xz_ = 0, yy_ = 0, yz_ = 0, zz_ = 0;
  Vec3f rhs_, mean_, normal_;
  float count_ = 0;
};

/// The same on a face, for the two ends of a segment: normals and points projected on it; in the unit square.
[[nodiscard]] std::array<std::int32_t, 2> fit_on_face(const std::array<float, 2>& at_a,
                                                      const std::array<float, 2>& normal_a,
                                                      const std::array<float, 2>& at_b,
                                                      const std::array<float, 2>& normal_b);

}  // namespace vf

// Where a cell's vertex stands: the point that best lies on the planes through the edge crossings.
//
// Quadric error function after Ju et al., "Dual contouring of Hermite data" (2002). On a smooth sheet the
// planes nearly agree and the mean of the crossings decides; where they meet at an angle the vertex goes to
// their common line or point, so that edges and corners stay sharp.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "math/vec.h"

namespace vf {

/// A point of the surface and its unit normal, out of the rock. [voxels] Padded, so that four lanes load it
/// whole.
struct alignas(16) SurfacePoint {
  Vec3f at;
  float unused_a = 0;
  Vec3f normal;
  float unused_b = 0;
};

/// Vertices keep this far from the cell's faces, so that no triangle is degenerate. [voxel / 512]
inline constexpr std::int32_t kCellMargin = 512 / 32;

/// Four floats; the compilers we build with make one instruction of each operation.
using Float4 = float __attribute__((vector_size(16)));

[[nodiscard]] inline Float4 load4(const Vec3f& padded) {
  Float4 v;
  std::memcpy(&v, &padded, sizeof v);
  return v;
}

/// Adds up points of the surface, then solves. Plain arithmetic in a fixed order.
class VertexFit {
 public:
  /// `corner`: of the unit cell, as x, y, z, 0.
  explicit VertexFit(Float4 corner) : corner_(corner) {}

  void add(const SurfacePoint& point) {
    const Float4 n = load4(point.normal), p = load4(point.at) - corner_, np = n * p;
    x_ += n * n[0];
    y_ += n * n[1];
    z_ += n * n[2];
    rhs_ += n * (np[0] + np[1] + np[2]);
    mean_ += p;
    normal_ += n;
    count_ += 1;
  }
  /// The vertex, within the margin of the cell, from its corner. [voxel / 512]
  [[nodiscard]] Vec3i solve() const;
  [[nodiscard]] Vec3f normal_sum() const { return {normal_[0], normal_[1], normal_[2]}; }

 private:
  Float4 corner_;
  Float4 x_{}, y_{}, z_{};  // rows of sum n n^T
  Float4 rhs_{};            // sum n (n . p)
  Float4 mean_{}, normal_{};
  float count_ = 0;
};

/// The same on a face, for the two ends of a segment: normals and points projected on it; in the unit square.
[[nodiscard]] std::array<std::int32_t, 2> fit_on_face(const std::array<float, 2>& at_a,
                                                      const std::array<float, 2>& normal_a,
                                                      const std::array<float, 2>& at_b,
                                                      const std::array<float, 2>& normal_b);

}  // namespace vf

// Rays, segments and triangles in double precision.
#pragma once

#include <array>
#include <optional>

#include "math/vec.h"

namespace vf {

struct TriangleHit {
  double t = 0;                     ///< in lengths of the direction, [>= 0]
  std::array<double, 3> weights{};  ///< of the corners; their sum is 1
};

/// Where the ray meets the triangle. Sides count as inside, and the test
/// of a side gives exactly opposite answers to the two triangles that share it, so that no ray passes between
/// them (after Woop et al., "Watertight ray/triangle intersection", 2013).
[[nodiscard]] std::optional<TriangleHit> ray_triangle(const Vec3d& origin, const Vec3d& direction,
                                                      const std::array<Vec3d, 3>& triangle);

/// Length 1; of an anticlockwise triangle, towards the viewer.
[[nodiscard]] Vec3d triangle_normal(const std::array<Vec3d, 3>& triangle);

struct ClosestPoints {
  Vec3d on_segment, on_triangle;
  double distance = 0;
};

/// Between the segment a b and the triangle (Ericson, "Real-Time Collision Detection", 5.1).
[[nodiscard]] ClosestPoints closest_points(const Vec3d& a, const Vec3d& b,
                                           const std::array<Vec3d, 3>& triangle);

}  // namespace vf

// Which directions belong to one smooth side.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "math/vec.h"
#include "mesh/cell_table.h"
#include "mesh/vertex_fit.h"

namespace vf {

/// Normals that differ by no more than this are shaded as one surface. cos 30 degrees, and of half of it.
inline constexpr float kSmoothCos = 0.8660254F;
inline constexpr float kHalfSmoothCos = 0.9659258F;

/// Whether all of the points' normals lie within 15 degrees of their mean, so that no two differ by more
/// than 30. `sum`: of the normals.
[[nodiscard]] inline bool is_smooth(std::span<const SurfacePoint* const> points, Vec3f sum, Vec3f& mean) {
  const float length2 = sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
  if (!(length2 > 0.01F)) return false;
  mean = sum * (1 / std::sqrt(length2));
  bool smooth = true;
  for (const SurfacePoint* p : points)
    smooth = smooth && p->normal.x * mean.x + p->normal.y * mean.y + p->normal.z * mean.z >= kHalfSmoothCos;
  return smooth;
}

/// Sorts up to 12 unit normals into groups: each joins the first group whose first normal it agrees with.
class SmoothGroups {
 public:
  void add(Vec3f normal);
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int group_of(int i) const { return group_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Vec3f normal(int group) const;  ///< mean, length 1

 private:
  int size_ = 0, count_ = 0;
  std::array<Vec3f, kCellEdges> first_, sum_;
  std::array<int, kCellEdges> group_{};
};

}  // namespace vf

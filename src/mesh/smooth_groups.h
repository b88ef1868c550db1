// Which directions belong to one smooth side.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "mesh/cell_table.h"
#include "mesh/lanes.h"
#include "mesh/vertex_fit.h"

namespace vf {

/// Normals that differ by no more than this are shaded as one surface. cos 30 degrees, and of half of it.
inline constexpr float kSmoothCos = 0.8660254F;
inline constexpr float kHalfSmoothCos = 0.9659258F;

/// `v` at length 1.
[[nodiscard]] inline Float4 unit(Float4 v) {
  return v * (1 / std::sqrt(dot3(v, v)));
}

/// Whether all of the points' normals lie within 15 degrees of their mean, so that no two differ by more
/// than 30.
[[nodiscard]] inline bool is_smooth(std::span<const SurfacePoint* const> points, Float4 sum) {
  if (!(dot3(sum, sum) > 0.01F)) return false;
  const Float4 mean = unit(sum);
  bool smooth = true;
  for (const SurfacePoint* p : points) smooth = smooth && dot3(p->normal, mean) >= kHalfSmoothCos;
  return smooth;
}

/// Sorts up to 12 unit normals into groups: each joins the first group whose first normal it agrees with.
class SmoothGroups {
 public:
  void add(Float4 normal) {
    std::size_t g = 0;
    while (g < count_ && dot3(normal, first_[g]) < kSmoothCos) ++g;
    if (g == count_) {
      first_[g] = normal;
      sum_[g] = Float4{};
      ++count_;
    }
    sum_[g] += normal;
    group_[size_++] = g;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t group_of(std::size_t i) const { return group_[i]; }
  [[nodiscard]] Float4 normal(std::size_t group) const { return unit(sum_[group]); }  ///< mean, length 1

 private:
  // Not set before they are used: most cells have one group or two.
  std::size_t size_ = 0, count_ = 0;
  std::array<Float4, kCellEdges> first_, sum_;
  std::array<std::size_t, kCellEdges> group_;
};

}  // namespace vf

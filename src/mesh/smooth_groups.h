// Which directions belong to one smooth side.
#pragma once

#include <array>
#include <cstddef>

#include "math/vec.h"
#include "mesh/cell_table.h"

namespace vf {

/// Normals that differ by no more than this are shaded as one surface. cos 30 degrees, and of half of it.
inline constexpr float kSmoothCos = 0.8660254F;
inline constexpr float kHalfSmoothCos = 0.9659258F;

/// Sorts up to 12 unit normals into smooth groups, in the order in which they were added.
class SmoothGroups {
 public:
  void add(Vec3f normal) {
    normals_[static_cast<std::size_t>(size_++)] = normal;
    sum_ = sum_ + normal;
  }
  /// Call once, after the last add.
  void solve();
  [[nodiscard]] int count() const { return count_; }  ///< [>= 1]
  [[nodiscard]] int group_of(int i) const { return group_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Vec3f normal(int group) const { return mean_[static_cast<std::size_t>(group)]; }

 private:
  void split();
  int size_ = 0, count_ = 1;
  Vec3f sum_;
  std::array<Vec3f, kCellEdges> normals_, mean_;
  std::array<int, kCellEdges> group_{};
};

}  // namespace vf

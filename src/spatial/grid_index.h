// A uniform grid over boxes in plan: which boxes may touch a rectangle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/box.h"

namespace vf {

/// Built once, then read by any number of threads. Answers are sorted and free of repeats.
class GridIndex {
 public:
  GridIndex() = default;
  /// `cell_m`: edge of a grid cell. [metres] [> 0]
  GridIndex(std::span<const Box3f> boxes, float cell_m);

  /// Appends to `out` the indices, rising, of all boxes that intersect `box`.
  void query(const Box3f& box, std::vector<std::uint32_t>& out) const;

 private:
  std::vector<Box3f> boxes_;
  std::vector<std::uint32_t> starts_;  ///< cell -> first entry; one more than there are cells
  std::vector<std::uint32_t> entries_;
  float min_x_ = 0, min_y_ = 0, cell_m_ = 1;
  int nx_ = 0, ny_ = 0;
};

}  // namespace vf

// Which directions belong to one smooth side.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "mesh/cell_table.h"
#include "mesh/lanes.h"

namespace vf {

/// Normals that differ by no more than this are shaded as one surface. cos 30 degrees, and of half of it.
inline constexpr float kSmoothCos = 0.8660254F;
inline constexpr float kHalfSmoothCos = 0.9659258F;

/// Up to twelve unit normals, as lanes: x, y, z, then anything.
class SmoothGroups {
 public:
  void add(Float4 normal) {
    normals_[size_++] = normal;
    sum_ += normal;
  }
  /// Once, after all are added.
  void finish() {
    for (std::size_t i = 0; i < size_; i += 4) {
      Float4 a = normals_[i], b = normals_[i + 1], c = normals_[i + 2], d = normals_[i + 3];
      transpose(a, b, c, d);
      x_[i / 4] = a;
      y_[i / 4] = b;
      z_[i / 4] = c;
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Bit i: normal i. The group of the first of `rest`: all of them when every normal lies within 15 degrees
  /// of the mean, so that no two differ by more than 30; else those that agree with the first one.
  struct Group {
    unsigned members = 0;
    Float4 sum{};  ///< of their normals
  };
  [[nodiscard]] Group first_of(unsigned rest) const;

 private:
  [[nodiscard]] unsigned along(Float4 direction, float least) const;

  std::size_t size_ = 0;
  Float4 sum_{};
  // Not set before they are used; beyond the last one lanes may hold anything.
  std::array<Float4, kCellEdges> normals_;
  std::array<Float4, kCellEdges / 4> x_, y_, z_;  ///< the same, four to a row
};

}  // namespace vf

// Which directions belong to one smooth side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mesh/cell_table.h"
#include "mesh/lanes.h"

namespace vf {

/// Normals that differ by no more than this are shaded as one surface. cos 30 degrees, and of half of it.
inline constexpr float kSmoothCos = 0.8660254F;
inline constexpr float kHalfSmoothCos = 0.9659258F;

/// Up to twelve unit normals, as lanes: x, y, z, then 1. Loops run over six of them, or over all twelve: a
/// loop as long as there are normals ends where no branch guesses it.
class SmoothGroups {
 public:
  static constexpr std::size_t kFew = 6;

  /// One after the other; as many of 0 as needed follow, up to kFew.
  void add(Float4 normal) { normals_[size_++] = normal; }
  /// Once, when all are there: the first `size`.
  void finish(std::size_t size);

  /// Bit i: normal i. The group of the first of `rest`: all of them when every normal lies within 15 degrees
  /// of the mean, so that no two differ by more than 30; else those that agree with the first one.
  struct Group {
    unsigned members = 0;
    Float4 sum{};  ///< of their normals
  };
  [[nodiscard]] Group first_of(unsigned rest) const;
  [[nodiscard]] unsigned all() const { return (1U << size_) - 1; }

 private:
  [[nodiscard]] unsigned along(Float4 direction, float least) const;
  [[nodiscard]] Float4 sum_of(unsigned members) const;

  std::size_t size_ = 0;
  // Not set before they are used.
  std::array<Float4, kCellEdges> normals_;
  std::array<Float4, kCellEdges / 4> x_, y_, z_;  ///< the same, four to a row
};

}  // namespace vf

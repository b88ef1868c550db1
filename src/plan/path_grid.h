// A sector as 64 x 64 cells of 16 m: where ways may run, what that costs, and the cheapest way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/path_points.h"

namespace vf {

inline constexpr int kPathCells = 64;     ///< on each axis of a sector
inline constexpr double kPathCellM = 16;  ///< edge

struct PathCell {
  int x = 0, y = 0;
  [[nodiscard]] int index() const { return y * kPathCells + x; }
  [[nodiscard]] PlanPoint centre() const { return {kPathCellM * (x + 0.5), kPathCellM * (y + 0.5)}; }
  friend bool operator==(const PathCell&, const PathCell&) = default;
};
[[nodiscard]] PathCell cell_at(const PlanPoint& p);

/// One a sector and thread: keeps its queue between searches.
class PathGrid {
 public:
  /// `heights`: wished floor heights at the centres of cells, row by row. [metres]
  explicit PathGrid(const std::vector<float>& heights);

  void block(const PathCell& cell) { blocked_[at(cell)] = 1; }
  /// Cells beside `cell` get dear, so that ways do not run next to each other.
  void shun_around(const PathCell& cell);
  [[nodiscard]] bool blocked(const PathCell& cell) const { return blocked_[at(cell)] != 0; }
  [[nodiscard]] double height(const PathCell& cell) const { return heights_[at(cell)]; }

  /// Cheapest way from `start` to the nearest cell with goal[index] != 0, both included; empty when there is
  /// none. Cost is an integer: length + 40 |rise| + turns; ties go to the lower cell. `heading`: of the step
  /// before the first, in eighths of a turn from east; negative when any will do.
  [[nodiscard]] std::vector<PathCell> search(const PathCell& start, int heading,
                                             const std::vector<std::uint8_t>& goal);

 private:
  static std::size_t at(const PathCell& c) { return static_cast<std::size_t>(c.index()); }

  std::vector<double> heights_;
  std::vector<std::int32_t> height_dm_;  ///< heights. [1/10 m]
  std::vector<std::uint8_t> blocked_, shunned_;
  // Of the search: states are (cell, heading).
  std::vector<std::int32_t> cost_, from_;
  std::vector<std::vector<std::int32_t>> buckets_;  ///< by cost
  std::size_t used_ = 0;                            ///< buckets from here on are empty
};

}  // namespace vf

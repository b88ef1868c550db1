#include "plan/path_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/check.h"
#include "plan/path_points.h"

namespace vf {

namespace {

constexpr std::size_t kCells = std::size_t{kPathCells} * kPathCells;
constexpr int kHeadings = 8;
constexpr std::array<int, kHeadings> kStepX{1, 1, 0, -1, -1, -1, 0, 1};
constexpr std::array<int, kHeadings> kStepY{0, 1, 1, 1, 0, -1, -1, -1};
// Cost counts in quarter metres of way.
constexpr std::int32_t kCostPerM = 4;
constexpr std::array<std::int32_t, 2> kStepCost{16 * kCostPerM, 91};  // 16 sqrt 2 = 22.6 m
constexpr std::int32_t kClimbFactor = 40;
/// By eighths of a turn. A way never turns by more than one at once: bends stay wide.
constexpr std::array<std::int32_t, 2> kTurnCost{0, 6 * kCostPerM};
constexpr std::int32_t kShunCost = 60 * kCostPerM;
constexpr std::int32_t kFree = std::numeric_limits<std::int32_t>::max();
/// Heights are told apart to a tenth of a metre; a step may climb 255 m.
constexpr double kHeightSteps = 10;
constexpr std::size_t kBuckets = 65536;

int turn_between(int a, int b) {
  const int t = std::abs(a - b);
  return std::min(t, kHeadings - t);
}

}  // namespace

PathCell cell_at(const PlanPoint& p) {
  const auto index = [](double v) {
    return static_cast<int>(std::clamp(std::floor(v / kPathCellM), 0.0, double{kPathCells - 1}));
  };
  return {index(p.x), index(p.y)};
}

PathGrid::PathGrid(const std::vector<float>& heights) : blocked_(kCells, 0), shunned_(kCells, 0) {
  VF_CHECK(heights.size() == kCells);
  heights_.assign(heights.begin(), heights.end());
  for (const double h : heights_)
    height_dm_.push_back(static_cast<std::int32_t>(std::floor(h * kHeightSteps + 0.5)));
  // The outermost cells are the sector's margin: only pockets of portals stand there.
  for (int i = 0; i < kPathCells; ++i)
    for (const PathCell c :
         {PathCell{i, 0}, PathCell{i, kPathCells - 1}, PathCell{0, i}, PathCell{kPathCells - 1, i}})
      blocked_[at(c)] = 1;
}

void PathGrid::shun_around(const PathCell& cell) {
  for (int y = std::max(cell.y - 1, 0); y <= std::min(cell.y + 1, kPathCells - 1); ++y)
    for (int x = std::max(cell.x - 1, 0); x <= std::min(cell.x + 1, kPathCells - 1); ++x)
      shunned_[at({x, y})] = 1;
}

std::vector<PathCell> PathGrid::search(const PathCell& start, int heading,
                                       const std::vector<std::uint8_t>& goal) {
  VF_CHECK(goal.size() == kCells);
  cost_.assign(kCells * kHeadings, kFree);
  from_.assign(kCells * kHeadings, -1);
  buckets_.resize(kBuckets);
  for (std::size_t b = 0; b < used_; ++b) buckets_[b].clear();
  used_ = 0;
  const auto push = [&](std::size_t state, std::int32_t cost, std::int32_t from) {
    if (cost >= cost_[state] || cost >= static_cast<std::int32_t>(kBuckets)) return;
    cost_[state] = cost;
    from_[state] = from;
    buckets_[static_cast<std::size_t>(cost)].push_back(static_cast<std::int32_t>(state));
    used_ = std::max(used_, static_cast<std::size_t>(cost) + 1);
  };
  for (int h = 0; h < kHeadings; ++h)
    if (heading < 0 || h == heading) push(at(start) * kHeadings + static_cast<std::size_t>(h), 0, -1);
  for (std::size_t bucket = 0; bucket < used_; ++bucket) {
    // In order of state, so that ties do not depend on how they were found.
    std::sort(buckets_[bucket].begin(), buckets_[bucket].end());
    for (std::size_t i = 0; i < buckets_[bucket].size(); ++i) {
      const auto state = static_cast<std::size_t>(buckets_[bucket][i]);
      if (cost_[state] != static_cast<std::int32_t>(bucket)) continue;
      const std::size_t index = state / kHeadings;
      const int before = static_cast<int>(state % kHeadings);
      const PathCell cell{static_cast<int>(index) % kPathCells, static_cast<int>(index) / kPathCells};
      if (goal[index] != 0 && !(cell == start)) {
        std::vector<PathCell> way;
        for (auto s = static_cast<std::int32_t>(state); s >= 0; s = from_[static_cast<std::size_t>(s)]) {
          const int c = s / kHeadings;
          way.push_back({c % kPathCells, c / kPathCells});
        }
        std::reverse(way.begin(), way.end());
        return way;
      }
      for (int h = 0; h < kHeadings; ++h) {
        const int turn = turn_between(h, before);
        if (turn > 1) continue;
        const PathCell next{cell.x + kStepX[static_cast<std::size_t>(h)],
                            cell.y + kStepY[static_cast<std::size_t>(h)]};
        if (next.x < 0 || next.y < 0 || next.x >= kPathCells || next.y >= kPathCells) continue;
        const bool is_goal = goal[at(next)] != 0;
        if (blocked_[at(next)] != 0 && !is_goal) continue;
        const std::int32_t rise = std::abs(height_dm_[at(next)] - height_dm_[index]);
        std::int32_t step = kStepCost[static_cast<std::size_t>(h % 2)] +
                            rise * kClimbFactor * kCostPerM / static_cast<std::int32_t>(kHeightSteps) +
                            kTurnCost[static_cast<std::size_t>(turn)];
        if (shunned_[at(next)] != 0 && !is_goal) step += kShunCost;
        push(at(next) * kHeadings + static_cast<std::size_t>(h), static_cast<std::int32_t>(bucket) + step,
             static_cast<std::int32_t>(state));
      }
    }
  }
  return {};
}

}  // namespace vf

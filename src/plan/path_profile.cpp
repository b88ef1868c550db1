#include "plan/path_profile.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vf {

namespace {

/// Length along the way with the level stretches drawn together to points.
std::vector<double> runs(const ProfileInput& input) {
  std::vector<double> out;
  out.reserve(input.at.size());
  for (const double s : input.at) {
    double run = s;
    for (const LevelStretch& level : input.level)
      if (s > level.from) run -= std::min(s, level.to) - level.from;
    out.push_back(run);
  }
  return out;
}

}  // namespace

double climbing_run(const ProfileInput& input) {
  return input.at.empty() ? 0 : runs(input).back();
}

std::vector<double> fit_profile(const ProfileInput& input) {
  const std::vector<double> run = runs(input);
  const std::size_t n = run.size();
  // The least function above the land and the greatest below it that keep the grade: their mean keeps it too,
  // and cuts about as much as it fills.
  std::vector<double> above = input.land, below = input.land;
  for (std::size_t i = 1; i < n; ++i) {
    const double climb = input.grade * (run[i] - run[i - 1]);
    above[i] = std::max(above[i], above[i - 1] - climb);
    below[i] = std::min(below[i], below[i - 1] + climb);
  }
  for (std::size_t i = n - 1; i-- > 0;) {
    const double climb = input.grade * (run[i + 1] - run[i]);
    above[i] = std::max(above[i], above[i + 1] - climb);
    below[i] = std::min(below[i], below[i + 1] + climb);
  }
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double from_start = input.grade * run[i], from_end = input.grade * (run.back() - run[i]);
    const double low = std::max(input.start - from_start, input.end - from_end);
    const double high = std::min(input.start + from_start, input.end + from_end);
    out[i] = std::clamp(0.5 * (above[i] + below[i]), std::min(low, high), std::max(low, high));
  }
  return out;
}

}  // namespace vf

#include "view/view_rings.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "proof/view_region.h"

namespace vf {

namespace {

/// As `wanted`, but stays with `shown` while that is hardly worse.
RingSquare wanted(const RingSettings& rings, int level, float x, float y, const RingSquare& shown) {
  const RingSquare fresh = wanted_square(rings, level, x, y);
  if (shown.width != fresh.width) return fresh;
  const float most = 0.75F * static_cast<float>(ring_step_m(level));
  const auto near = [&](std::int32_t min, float v) {
    return std::abs(static_cast<float>(min + shown.width / 2) - v) <= most;
  };
  return {near(shown.min_x, x) ? shown.min_x : fresh.min_x, near(shown.min_y, y) ? shown.min_y : fresh.min_y,
          fresh.width};
}

}  // namespace

bool is_whole(const ViewSquares& squares) {
  for (int n = 0; n + 1 < squares.levels; ++n) {
    const auto i = static_cast<std::size_t>(n);
    if (!squares.at[i + 1].holds(squares.at[i], ring_step_m(n))) return false;
  }
  return true;
}

std::optional<ViewSquares> next_squares(const ViewSquares& shown, const RingSettings& rings, float x,
                                        float y) {
  const int levels = ring_levels(rings);
  ViewSquares fresh;
  fresh.levels = 1;
  fresh.at[0] = wanted_square(rings, 0, x, y);
  if (shown.levels == 0) return fresh;
  ViewSquares next = shown;
  // Far levels that are not wanted any more go first: nothing has to be made for that.
  if (next.levels > levels) {
    for (int n = levels; n < next.levels; ++n) next.at[static_cast<std::size_t>(n)] = {};
    next.levels = levels;
    return next;
  }
  for (int n = 0; n < next.levels; ++n) {
    const auto i = static_cast<std::size_t>(n);
    next.at[i] = wanted(rings, n, x, y, shown.at[i]);
    if (next == shown || !is_whole(next)) continue;
    // Where nothing of what is shown can stay, the near ring must not wait for the far ones.
    const bool all_new = n > 0 && n + 1 == next.levels && next.at[0] != shown.at[0];
    return all_new ? fresh : next;
  }
  if (next != shown) return fresh;
  if (next.levels == levels) return std::nullopt;
  const auto i = static_cast<std::size_t>(next.levels++);
  next.at[i] = wanted_square(rings, static_cast<int>(i), x, y);
  return is_whole(next) ? next : fresh;
}

}  // namespace vf

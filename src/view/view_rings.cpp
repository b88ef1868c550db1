#include "view/view_rings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

/// Edge of a tile. [metres] Whole at every level.
std::int32_t edge_m(int level) {
  return static_cast<std::int32_t>(tile_m(level));
}

int level_count(const RingSettings& rings) {
  if (rings.near_only) return 1;
  int levels = 1;
  while (static_cast<float>(32 << (levels - 1)) < rings.view_m && levels <= kMaxLevel) ++levels;
  return levels;
}

std::int32_t half_m(const RingSettings& rings, int level) {
  if (level > 0) return 32 << level;
  return static_cast<std::int32_t>(std::ceil(std::clamp(rings.near_m, kLeastNearM, kMostNearM) / 8)) * 8;
}

/// Places of squares are multiples of this.
std::int32_t step_m(int level) {
  return edge_m(level + 1);
}

std::int32_t rounded(float v, std::int32_t step) {
  return static_cast<std::int32_t>(std::floor(v / static_cast<float>(step) + 0.5F)) * step;
}

RingSquare wanted(const RingSettings& rings, int level, float x, float y) {
  const std::int32_t half = half_m(rings, level), step = step_m(level);
  const auto min = [&](float v) { return rounded(v - static_cast<float>(half), step); };
  return {min(x), min(y), 2 * half};
}

/// As `wanted`, but stays with `shown` while that is hardly worse.
RingSquare wanted(const RingSettings& rings, int level, float x, float y, const RingSquare& shown) {
  const RingSquare fresh = wanted(rings, level, x, y);
  if (shown.width != fresh.width) return fresh;
  const float most = 0.75F * static_cast<float>(step_m(level));
  const auto near = [&](std::int32_t min, float v) {
    return std::abs(static_cast<float>(min + shown.width / 2) - v) <= most;
  };
  return {near(shown.min_x, x) ? shown.min_x : fresh.min_x, near(shown.min_y, y) ? shown.min_y : fresh.min_y,
          fresh.width};
}

}  // namespace

bool RingSquare::holds(const RingSquare& other, std::int32_t margin) const {
  return other.min_x - margin >= min_x && other.min_y - margin >= min_y &&
         other.min_x + other.width + margin <= min_x + width &&
         other.min_y + other.width + margin <= min_y + width;
}

bool is_whole(const ViewSquares& squares) {
  for (int n = 0; n + 1 < squares.levels; ++n) {
    const auto i = static_cast<std::size_t>(n);
    if (!squares.at[i + 1].holds(squares.at[i], edge_m(n + 1))) return false;
  }
  return true;
}

ViewSquares wanted_squares(const RingSettings& rings, float x, float y) {
  ViewSquares out;
  out.levels = level_count(rings);
  for (int n = 0; n < out.levels; ++n) out.at[static_cast<std::size_t>(n)] = wanted(rings, n, x, y);
  return out;
}

std::optional<ViewSquares> next_squares(const ViewSquares& shown, const RingSettings& rings, float x,
                                        float y) {
  const int levels = level_count(rings);
  ViewSquares fresh;
  fresh.levels = 1;
  fresh.at[0] = wanted(rings, 0, x, y);
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
  next.at[i] = wanted(rings, static_cast<int>(i), x, y);
  return is_whole(next) ? next : fresh;
}

std::vector<TileKey> tiles_in(const ViewSquares& squares, float height_m) {
  std::vector<TileKey> out;
  for (int n = 0; n < squares.levels; ++n) {
    const RingSquare& square = squares.at[static_cast<std::size_t>(n)];
    const RingSquare hole = n > 0 ? squares.at[static_cast<std::size_t>(n - 1)] : RingSquare{};
    const std::int32_t edge = edge_m(n);
    const TileSpan zs = stratum_tiles(n, height_m);
    for (std::int32_t y = square.min_y; y < square.min_y + square.width; y += edge)
      for (std::int32_t x = square.min_x; x < square.min_x + square.width; x += edge) {
        if (n > 0 && hole.holds({x, y, edge}, 0)) continue;
        // Exact: squares are made of whole tiles.
        for (std::int32_t tz = zs.first; tz <= zs.last; ++tz) out.push_back({n, x / edge, y / edge, tz});
      }
  }
  return out;
}

}  // namespace vf

// A place to stand -> which level is shown where, and by which small steps a view follows somebody who moves.
//
// Level n fills a square of its own, except where the square of a finer level lies in it. The square of a
// level is made of whole tiles of the next, and keeps a tile of that from its border, so that tiles that
// touch differ by one level at most. Squares move one after the other, the near ones first; each step is a
// whole view again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "proof/certificate.h"

namespace vf {

inline constexpr float kLeastNearM = 16, kMostNearM = 32;
inline constexpr float kLeastViewM = 128, kMostViewM = 512;

struct RingSettings {
  float near_m = 32;       ///< half-size of the square of level 0; rounded up to a multiple of 8. [16..32]
  float view_m = 512;      ///< that of the outermost; rounded up to 128, 256 or 512. [128..512]
  bool near_only = false;  ///< level 0 alone
};

/// [min, min + width) on each axis, in frame metres: whole, as all tiles are.
struct RingSquare {
  std::int32_t min_x = 0, min_y = 0, width = 0;
  friend bool operator==(const RingSquare&, const RingSquare&) = default;
  [[nodiscard]] bool holds(const RingSquare& other, std::int32_t margin) const;
};

struct ViewSquares {
  int levels = 0;  ///< 0: nothing is shown
  std::array<RingSquare, kMaxLevel + 1> at{};
  friend bool operator==(const ViewSquares&, const ViewSquares&) = default;
};

/// Where squares stand for somebody who comes from nowhere. [metres, frame]
[[nodiscard]] ViewSquares wanted_squares(const RingSettings& rings, float x, float y);

/// The next view on the way from `shown` to what a viewer at (x, y) wants; nothing when it is good enough. A
/// square stays where it is until the viewer is a quarter of a step beyond the place where it would be
/// rounded to another, so that nobody who turns on the spot makes work. Somebody who jumped out of all that
/// is shown begins anew, with level 0.
[[nodiscard]] std::optional<ViewSquares> next_squares(const ViewSquares& shown, const RingSettings& rings,
                                                      float x, float y);

/// Squares lie in each other with the margins that the levels need.
[[nodiscard]] bool is_whole(const ViewSquares& squares);

/// The tiles over the height of a stratum, by level, then by column.
[[nodiscard]] std::vector<TileKey> tiles_in(const ViewSquares& squares, float height_m);

}  // namespace vf

// By which small steps the squares of a view (proof/view_region.h) follow somebody who moves.
//
// Squares move one after the other, the near ones first; each step is a
// whole view again.
#pragma once

#include <optional>

#include "proof/view_region.h"

namespace vf {

/// The next view on the way from `shown` to what a viewer at (x, y) wants; nothing when it is good enough. A
/// square stays where it is until the viewer is a quarter of a step beyond the place where it would be
/// rounded to another, so that nobody who turns on the spot makes work. Somebody who jumped out of all that
/// is shown begins anew, with level 0.
[[nodiscard]] std::optional<ViewSquares> next_squares(const ViewSquares& shown, const RingSettings& rings,
                                                      float x, float y);

/// Squares lie in each other with the margins that the levels need.
[[nodiscard]] bool is_whole(const ViewSquares& squares);

}  // namespace vf

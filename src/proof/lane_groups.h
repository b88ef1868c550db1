// Which boxes of an interval pass share a tape.
#pragma once

#include <cstdint>
#include <vector>

#include "field/tape.h"

namespace vf {

/// Splits `lanes` (bit i: box i) into groups in which every word of the trace has one value: one specialised
/// tape does for all boxes of a group. Choices inside the shapes of places are left apart, for they may
/// differ in every box (decide_shapes).
void group_lanes(std::uint64_t lanes, const Trace& trace, std::vector<std::uint64_t>& groups);

/// Whether the trace decided anything in a lane: else its tape is the one that was traced.
[[nodiscard]] bool decides(const Trace& trace, int lane);

/// Whether it decided anything about choices inside the shapes of places in a lane.
[[nodiscard]] bool decides_shapes(const Trace& trace, int lane);

}  // namespace vf

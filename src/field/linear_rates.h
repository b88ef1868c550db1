// Which nodes are linear in the coordinates: turns written by hand keep lengths, and only their exact
// derivatives show it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "field/analysis.h"
#include "field/program.h"
#include "field/slopes.h"

namespace vf {

/// Axis of the world's x (0) or y (1): beside those of px and py where places are turned.
[[nodiscard]] constexpr std::size_t world_axis(std::size_t axis, bool turned) {
  return turned ? axis + 3 : axis;
}

/// The derivatives of a node that are the same everywhere; nothing for other nodes. `facts`: of the nodes
/// before it.
[[nodiscard]] std::optional<SlopeVector> linear_rates(const Program& program, const Node& node,
                                                      std::span<const NodeFacts> facts, bool turned);

}  // namespace vf

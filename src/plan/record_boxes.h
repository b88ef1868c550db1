// A record -> the box that holds all it may change. Conservative; in micrometres, as positions of records
// are.
//
// Boxes are computed and not stored, so that a snapshot cannot hold a wrong one. Pure; any thread.
#pragma once

#include <cstdint>

#include "plan/cells.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "recipe/recipe.h"

namespace vf {

/// Closed box, from the sector's corner and the content floor. [micrometres] What lies beyond 64 bits is
/// cut off there.
struct BoxUm {
  PositionUm min, max;
  friend bool operator==(const BoxUm&, const BoxUm&) = default;
  [[nodiscard]] bool contains(const PositionUm& p) const {
    return min.x <= p.x && p.x <= max.x && min.y <= p.y && p.y <= max.y && min.z <= p.z && p.z <= max.z;
  }
};

/// The turned extents: where its shape may be negative. (Blends and far values are the set's, not its.)
[[nodiscard]] BoxUm box_of(const FeatureRecord& feature);

/// All that the light reaches. `light.light` must be one of the recipe's.
[[nodiscard]] BoxUm box_of(const LightRecord& light, const Recipe& recipe);

/// The place of 12 x 12 m about a node however it is turned, its clear height and its banks.
[[nodiscard]] BoxUm box_of(const PathNode& node);

/// The strip of floor with its pad, its kerbs, its clear height and, where it is banked, the banks.
[[nodiscard]] BoxUm box_of(const PathPiece& piece);

/// The sectors that a box meets, when its record is of sector (sx, sy).
[[nodiscard]] CellRange sectors_of(const BoxUm& box, std::int64_t sx, std::int64_t sy);

}  // namespace vf

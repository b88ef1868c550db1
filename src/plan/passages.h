// The ways between strata.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "plan/mouths.h"
#include "plan/path_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

/// A passage as seen from one of its two strata: z counts from that stratum's content floor.
struct Passage {
  PositionUm top, bottom;         ///< on the floors: departure of the upper stratum, arrival of the lower
  std::vector<PathPiece> pieces;  ///< from the top to the bottom; ids are 0
  std::vector<PathPiece> supports;
  std::int64_t length_um = 0;
};

/// The passage from `upper` down to `lower`, in z of the upper stratum (`seen_from_lower`: of the lower one).
[[nodiscard]] Result<Passage> passage_between(const BuiltStratum& upper, const BuiltStratum& lower,
                                              std::int64_t sx, std::int64_t sy, bool seen_from_lower);

}  // namespace vf

// Plans all that one walks on in a sector: arrival, departure, portals, and the ways between them.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "plan/path_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

/// A pure function of its inputs. Empty when the recipe was built without an anchor. An error names the
/// clause of the contract (grade, clear height) that cannot hold, and where.
[[nodiscard]] Result<PathPlan> plan_paths(const StratumScope& scope, std::int64_t sx, std::int64_t sy);

}  // namespace vf

// A resolved sector, re-checked: what every later stage takes for granted of it.
#pragma once

#include <string>
#include <vector>

#include "plan/sector_plan.h"

namespace vf {

/// What is wrong with the plan, one line each; empty when nothing is: ids sorted and distinct, positions on
/// the 1/64 m grid and in the sector or within a cell of it, extents in order, every number finite.
[[nodiscard]] std::vector<std::string> audit_plan(const SectorPlan& plan);

}  // namespace vf

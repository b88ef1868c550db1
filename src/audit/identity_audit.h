// Sectors, resolved in many ways: all must give the same bytes. (Audit 12 of routes and plans.)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"

namespace vf {

/// Called from several threads at once.
using ResolveSector = std::function<Result<SectorPlan>(std::int64_t sx, std::int64_t sy)>;

/// Resolves the sector and its neighbours to the east and north one by one, again backwards, and again many
/// times in a mixed order on `workers` threads; writes each as a snapshot, reads it and writes it again. What
/// is wrong, one line each; empty when every way gives the same bytes and the snapshots are canonical.
[[nodiscard]] std::vector<std::string> audit_identity(const PlanOrigin& origin, const ResolveSector& resolve,
                                                      std::int64_t sx, std::int64_t sy, unsigned workers);

}  // namespace vf

// Audit 15: who leaves the way sideways does not fall more than 1 m within 3.5 m of its middle, unless a kerb
// of at least 0.25 m, over which nobody stumbles, stands before the drop, or there is a way back from where
// the fall ends: a flood of where the player fits and stands leads from there to a way, within 24 m in plan.
//
// Recipes have no volumes in which who fell is put back; with them there would be a third way to be good.
#pragma once

#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "field/sampler.h"

namespace vf {

[[nodiscard]] AuditReport audit_falls(const AuditedSector& sector, const std::vector<LegSections>& legs,
                                      FieldSampler& field);

}  // namespace vf

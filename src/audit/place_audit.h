// Audit 14: room to fight and to pass. A level, free place of 12 x 12 x 3 m at least every 80 m of spine and
// portal ways, also across a border; eyes see 8 m ahead along every way.
//
// Passages have no such places: a well has no room for them, and a fight there is a choice of the game.
#pragma once

#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "field/sampler.h"

namespace vf {

[[nodiscard]] AuditReport audit_places(const AuditedSector& sector, const std::vector<LegSections>& legs,
                                       FieldSampler& field);

[[nodiscard]] AuditReport audit_sight(const AuditedSector& sector, const std::vector<LegSections>& legs,
                                      FieldSampler& field);

}  // namespace vf

// Audit 1: the player's capsule (radius 0.34 m, height 1.76 m), swept along every way in steps of at most
// 0.25 m and over its full width, is in air everywhere. Two abreast have room where its outer tracks are
// free.
#pragma once

#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "field/sampler.h"

namespace vf {

[[nodiscard]] AuditReport audit_capsule(const AuditedSector& sector, const std::vector<LegSections>& legs,
                                        FieldSampler& field);

}  // namespace vf

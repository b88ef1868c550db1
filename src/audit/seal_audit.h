// Audit 8: the bands above and below the content are rock, all of it, but for the passages.
//
// An exhaustive scan: boxes of a band are halved until their bound is below zero, or down to 2 m, where
// points 0.25 m apart decide. Air is allowed only in the bore of a planned passage.
#pragma once

#include "audit/audit_report.h"
#include "audit/audited_sector.h"

namespace vf {

[[nodiscard]] AuditReport audit_seals(const AuditedSector& sector);

}  // namespace vf

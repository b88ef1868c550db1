// Audit 7: a flood of places where the player fits and stands, from the arrival, comes to the departure, to
// every portal, and into the passages.
//
// On a lattice of 0.25 m, by steps to the six neighbours, in the space up to 2.5 m beside the planned ways
// and from 1.5 m under to 4.5 m over their floors: the graph must hold in the density where the graph is. A
// place counts when the capsule's lattice points are air and there is rock at most half a metre below.
#pragma once

#include "audit/audit_report.h"
#include "audit/audited_sector.h"

namespace vf {

[[nodiscard]] AuditReport audit_flood(const AuditedSector& sector);

}  // namespace vf

// Audit 6: what is shared is the same from both sides. Portals lie at the same place with the same floor in
// both sectors' plans, and the way across has no step; passages are the same pieces in both strata's plans,
// their floors meet where one stratum ends, and their ends lie on the nodes that the routes start from.
#pragma once

#include "audit/audit_report.h"
#include "audit/audited_sector.h"

namespace vf {

[[nodiscard]] AuditReport audit_mouths(const AuditedSector& sector);

}  // namespace vf

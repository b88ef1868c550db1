// Checks a certificate of routes, whoever wrote it. (Audit 17.)
//
// Knows records of ways, the sampling interface and the certificate's format, and nothing of how it was made:
// the swept corridor is computed from the records once more (swept_floor.h). For every piece of every way,
// and for the turn on every node where ways meet: each box says what it must (air: a density above 0; rock:
// below 0); the bounds of the density lie within what it says, and so do values at points in it, by brute
// force; and the boxes that hold cover the swept corridor, or the slab under it, without a gap.
#pragma once

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/route_certificate.h"

namespace vf {

/// One row: the share of each strip of floor that is proven, air and rock apart.
[[nodiscard]] AuditReport verify_routes(const AuditedSector& sector, const RouteCertificate& certificate);

}  // namespace vf

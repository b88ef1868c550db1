// Audits 10 to 13 about a sector's ways: proofs, mesh, identity and gradient, each by its own re-check.
#pragma once

#include "audit/audit_report.h"
#include "audit/audited_sector.h"

namespace vf {

/// 10: bounds of random boxes along the ways hold every point in them, and the tiles about the departure
/// have the bits of brute force.
[[nodiscard]] AuditReport audit_proof(const AuditedSector& sector);

/// 11: the mesh about the arrival, the departure and one portal is closed, manifold and oriented.
[[nodiscard]] AuditReport audit_ground(const AuditedSector& sector);

/// 12: the sector and its neighbours resolve to the same bytes in every order.
[[nodiscard]] AuditReport audit_order(const AuditedSector& sector);

/// 13: no finite difference along the ways is steeper than the recipe declares.
[[nodiscard]] AuditReport audit_slopes(const AuditedSector& sector);

}  // namespace vf

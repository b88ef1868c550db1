// Proves by bounds of the final density that the ways of a sector can be walked: their swept corridor is air,
// and under it is rock.
//
// In: a sector. Out: a certificate. Where nothing can be proven it has no boxes: the verifier says so.
#pragma once

#include "audit/audited_sector.h"
#include "audit/route_certificate.h"

namespace vf {

[[nodiscard]] RouteCertificate prove_routes(const AuditedSector& sector);

}  // namespace vf

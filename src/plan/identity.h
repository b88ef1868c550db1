// The identity of a resolved sector: one digest of all its records.
#pragma once

#include "base/digest.h"
#include "plan/sector_plan.h"

namespace vf {

/// Over stratum, sector and every record in order of id; any change of a place or a value changes it.
[[nodiscard]] Digest identity_of(const SectorPlan& plan);

}  // namespace vf

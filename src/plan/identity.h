// Digests that say whether two sectors, or two worlds, are the same. XXH3-128, of canonical bytes.
#pragma once

#include "base/digest.h"
#include "compose/world.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"

namespace vf {

/// What stands where: stratum, sector and every record, in the order in which they are. Of the layout's part
/// of a snapshot, so that a layout without an optional part keeps it when that part is introduced.
[[nodiscard]] Digest identity_of(const SectorPlan& plan);

/// The sector's identity: what its snapshot ends with. Another version of recipe or evaluator changes it too.
[[nodiscard]] Digest identity_of(const SectorSnapshot& snapshot);

/// Everything that may change a bit of the world: evaluator, seed, and the recipes of the block in order,
/// with their texts, parameters and heights. Not the names of files.
[[nodiscard]] Digest world_identity(const World& world);

/// Of an origin alone: two plans that have the same one differ by their place only.
[[nodiscard]] Digest origin_digest(const PlanOrigin& origin);

}  // namespace vf

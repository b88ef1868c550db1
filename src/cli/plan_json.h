// A resolved sector as JSON, for people and tools: every record with its box. The snapshot is the exact form.
#pragma once

#include "cli/json.h"
#include "plan/snapshot.h"
#include "recipe/recipe.h"

namespace vf::cli {

/// Ids are 16 hex digits; positions and boxes are in micrometres from the sector's corner and the content
/// floor, as whole numbers. `recipe` is the one that the plan was resolved from.
[[nodiscard]] Json plan_json(const SectorSnapshot& snapshot, const Recipe& recipe);

}  // namespace vf::cli

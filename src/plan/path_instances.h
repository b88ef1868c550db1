// Pieces of paths -> places of the path sets, in a frame.
#pragma once

#include <cstdint>
#include <vector>

#include "field/bound_field.h"
#include "plan/path_plan.h"

namespace vf {

/// Appends the places of one sector's pieces that a window can notice. `sets`: one list for each path set.
void add_path_instances(const PathPlan& plan, std::int64_t sx, std::int64_t sy, const Frame& frame,
                        const Box2f& window, std::vector<std::vector<FeatureInstance>>& sets);

}  // namespace vf

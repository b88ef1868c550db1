// Planned paths -> the lines on their floors that walkers follow.
#pragma once

#include <vector>

#include "base/ids.h"
#include "math/vec.h"
#include "plan/path_plan.h"

namespace vf::test {

/// Points at most half a metre apart along the middle of the leg's pieces, from its start to its end.
/// `frame_origin_m`: of the sector: its corner and the content floor. [world metres]
[[nodiscard]] std::vector<Vec3d> leg_line(const PathPlan& plan, const PathLeg& leg,
                                          const Vec3d& frame_origin_m);

/// The line over the fewest legs between two nodes, passages left out; empty when nothing joins them.
[[nodiscard]] std::vector<Vec3d> path_line(const PathPlan& plan, Id<PathNodeTag> from, Id<PathNodeTag> to,
                                           const Vec3d& frame_origin_m);

}  // namespace vf::test

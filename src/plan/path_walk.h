// Walking along a planned path: points of its middle line.
#pragma once

#include <cstdint>
#include <vector>

#include "math/box.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

struct WalkPoint {
  PlanPoint at;             ///< on the middle line. [metres, sector]
  double floor = 0;         ///< height of the planned floor there. [metres]
  PlanPoint heading;        ///< unit vector
  double along = 0;         ///< from the start of the walk. [metres]
  double half_width = 0;    ///< of the clear way. [metres]
  double clear = 0;         ///< its height. [metres]
  std::uint32_t piece = 0;  ///< index into PathPlan::pieces
};

/// Points of one leg, both ends included, at most `step` metres apart along it.
[[nodiscard]] std::vector<WalkPoint> walk_leg(const PathPlan& plan, const PathLeg& leg, double step);

/// From arrival to departure along the spine. Empty when the plan has no paths.
[[nodiscard]] std::vector<WalkPoint> walk_spine(const PathPlan& plan, double step);

/// The box in plan about these points, grown by `beside`. [metres, sector] Needs a point.
[[nodiscard]] Box2f extent_of(const std::vector<WalkPoint>& walk, float beside);

/// The leg of the passage that leads down from the departure, or null.
[[nodiscard]] const PathLeg* passage_down(const PathPlan& plan);
/// The leg of the passage that leads down to the arrival, or null: there is none in stratum 0.
[[nodiscard]] const PathLeg* passage_from_above(const PathPlan& plan);

[[nodiscard]] const PathNode* find_node(const PathPlan& plan, PathNodeKind kind);

}  // namespace vf

#include "plan/sector_paths.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/result.h"
#include "field/path_shapes.h"
#include "plan/path_geometry.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/paths.h"

namespace vf {

PathRoom::PathRoom(const PathPlan& plan) {
  for (const PathPiece& piece : plan.pieces) {
    if (piece.shape == PathShape::kSupport) continue;  // the clear way about it keeps things off
    Entry e;
    e.geometry = geometry_of(piece);
    e.half_width = piece.half_width_mm / 1000.0;
    e.clear = piece.clear_mm / 1000.0;
    e.reach = e.geometry.end + e.half_width + std::fabs(e.geometry.sagitta) + 1;
    entries_.push_back(e);
  }
}

bool PathRoom::keeps_off(double x, double y, double radius, double z_min, double z_max, double margin) const {
  for (const Entry& e : entries_) {
    const PieceGeometry& g = e.geometry;
    const PlanPoint d = PlanPoint{x, y} - g.middle;
    const double far = e.reach + radius + margin;
    if (std::fabs(d.x) > far || std::fabs(d.y) > far) continue;
    const double climb = std::fabs(g.grade) * g.reach;
    if (z_min > g.floor + climb + e.clear + margin || z_max < g.floor - climb - 1) continue;
    const auto [side, past] =
        beside_path(dot(d, g.along), cross(g.along, d), g.curvature, g.cosine, g.sine, g.end);
    if (std::max(side - e.half_width, past) < radius + margin) return false;
  }
  return true;
}

Result<const PathPlan*> SectorPaths::plan(std::int64_t sx, std::int64_t sy) {
  if (known_.size() >= kMostKept && !known_.contains({sx, sy})) known_.clear();
  std::unique_ptr<Known>& known = known_[{sx, sy}];
  if (known == nullptr) {
    Result<PathPlan> plan = plan_paths(scope_, sx, sy);
    if (!plan) return plan.error();
    known = std::make_unique<Known>();
    known->plan = *std::move(plan);
  }
  return static_cast<const PathPlan*>(&known->plan);
}

Result<const PathRoom*> SectorPaths::room(std::int64_t sx, std::int64_t sy) {
  const Result<const PathPlan*> planned = plan(sx, sy);
  if (!planned) return planned.error();
  Known& known = *known_[{sx, sy}];
  if (known.room == nullptr) known.room = std::make_unique<PathRoom>(known.plan);
  return static_cast<const PathRoom*>(known.room.get());
}

}  // namespace vf

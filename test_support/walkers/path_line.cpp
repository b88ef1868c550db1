#include "test_support/walkers/path_line.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_walk.h"

namespace vf::test {

std::vector<Vec3d> leg_line(const PathPlan& plan, const PathLeg& leg, const Vec3d& frame_origin_m) {
  VF_CHECK(leg.count > 0 && leg.first + leg.count <= plan.pieces.size());
  constexpr double kStepM = 0.48;  // along the plan: half a metre on the steepest floor
  std::vector<Vec3d> out;
  for (const WalkPoint& p : walk_leg(plan, leg, kStepM))
    out.push_back({p.at.x + frame_origin_m.x, p.at.y + frame_origin_m.y, p.floor + frame_origin_m.z});
  return out;
}

std::vector<Vec3d> path_line(const PathPlan& plan, Id<PathNodeTag> from, Id<PathNodeTag> to,
                             const Vec3d& frame_origin_m) {
  struct Step {
    const PathLeg* leg = nullptr;
    bool backward = false;
  };
  std::map<std::uint64_t, Step> reached{{from.value, {}}};  // node -> how one comes to it
  std::deque<Id<PathNodeTag>> open{from};
  while (!open.empty() && !reached.contains(to.value)) {
    const Id<PathNodeTag> here = open.front();
    open.pop_front();
    for (const PathLeg& leg : plan.legs) {
      if (leg.kind == PathLegKind::kPassage || (leg.from != here && leg.to != here)) continue;
      const bool backward = leg.from != here;
      const Id<PathNodeTag> next = backward ? leg.from : leg.to;
      if (reached.emplace(next.value, Step{&leg, backward}).second) open.push_back(next);
    }
  }
  if (!reached.contains(to.value)) return {};
  std::vector<Vec3d> out;  // from the end
  for (Id<PathNodeTag> here = to; here != from;) {
    const Step step = reached.at(here.value);
    std::vector<Vec3d> line = leg_line(plan, *step.leg, frame_origin_m);
    if (!step.backward) std::reverse(line.begin(), line.end());
    out.insert(out.end(), line.begin() + (out.empty() ? 0 : 1), line.end());
    here = step.backward ? step.leg->to : step.leg->from;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace vf::test

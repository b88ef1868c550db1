#include "audit/flood_audit.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/player_flood.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr double kBesideM = 2.5, kUnderM = 1.5, kOverM = 4.5;

}  // namespace

AuditReport audit_flood(const AuditedSector& sector) {
  Finding finding("flood", 7, "unreached", Keeps::kAtMost, 0);
  AuditReport out;
  const PathNode* arrival = find_node(sector.plan, PathNodeKind::kArrival);
  if (arrival != nullptr) {
    FieldSampler field(sector.field, sector.simd);
    PlayerFlood flood(field);
    for (const PathLeg& leg : sector.plan.legs)
      for (const WalkPoint& w : walk_leg(sector.plan, leg, 1))
        flood.open({w.at.x - kBesideM, w.at.y - kBesideM, w.floor - kUnderM},
                   {w.at.x + kBesideM, w.at.y + kBesideM, w.floor + kOverM});
    flood.close_opening();
    const auto place = [](const PositionUm& p) { return Vec3d{metres(p.x), metres(p.y), metres(p.z)}; };
    flood.from(place(arrival->at));
    const auto look = [&](std::string_view name, const Vec3d& p) {
      if (!finding.keeps(flood.came_to(p) ? 0 : 1))
        finding.broken(fmt::format("the player's flood from the arrival does not come to the {}", name),
                       sector.world(p), sector.world({p.x - 4, p.y, p.z + 1.7}));
    };
    for (const PathNode& node : sector.plan.nodes) look(name_of(node.kind), place(node.at));
    for (const PathLeg* leg : {passage_down(sector.plan), passage_from_above(sector.plan)}) {
      if (leg == nullptr) continue;
      std::vector<WalkPoint> walk = walk_leg(sector.plan, *leg, 1);
      std::erase_if(walk, [&](const WalkPoint& p) {
        return p.floor < sector.bottom_m() + 1 || p.floor > sector.top_m() - kOverM;
      });
      if (walk.empty()) continue;
      const bool down = leg == passage_down(sector.plan);
      const WalkPoint& end = down ? walk.back() : walk.front();
      look(down ? "end of the passage down" : "start of the passage from above",
           {end.at.x, end.at.y, end.floor});
    }
  }
  finding.add_to(out);
  return out;
}

}  // namespace vf

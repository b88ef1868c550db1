#include "audit/mouth_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr std::int64_t kSectorUm = 1024'000'000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kAcrossM = 3;  ///< of the way on either side of a portal

struct SideOf {
  std::string_view name;
  PathNodeKind kind, opposite;
  std::int64_t dx, dy;
};
constexpr std::array<SideOf, 4> kSides{
    {{"west", PathNodeKind::kPortalWest, PathNodeKind::kPortalEast, -1, 0},
     {"east", PathNodeKind::kPortalEast, PathNodeKind::kPortalWest, 1, 0},
     {"south", PathNodeKind::kPortalSouth, PathNodeKind::kPortalNorth, 0, -1},
     {"north", PathNodeKind::kPortalNorth, PathNodeKind::kPortalSouth, 0, 1}}};

Vec3d point_of(const PositionUm& p) {
  return {metres(p.x), metres(p.y), metres(p.z)};
}
double apart(const Vec3d& a, const Vec3d& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

class MouthAuditor {
 public:
  explicit MouthAuditor(const AuditedSector& sector) : sector_(sector), field_(sector.field, sector.simd) {}

  AuditReport run() {
    for (std::size_t i = 0; i < kSides.size(); ++i) portal(kSides.at(i), sector_.beside.at(i));
    if (sector_.below) passage(*sector_.below);
    mouths();
    AuditReport out;
    for (const Finding* f : {&records_, &steps_}) f->add_to(out);
    return out;
  }

 private:
  void record(double off_m, std::string_view what, const Vec3d& at) {
    Vec3d eye = at;
    eye.z += 1.7;
    eye.x += 4;
    records_.measure(off_m, what, sector_.world(at), sector_.world(eye));
  }

  void portal(const SideOf& side, const PathPlan& beside) {
    const PathNode* here = find_node(sector_.plan, side.kind);
    if (here == nullptr) return;
    const PathNode* there = find_node(beside, side.opposite);
    const Vec3d at = point_of(here->at);
    double off = kNone;
    if (there != nullptr) {
      PositionUm seen = there->at;
      seen.x += side.dx * kSectorUm;
      seen.y += side.dy * kSectorUm;
      off = apart(at, point_of(seen));
    }
    record(off, fmt::format("{} portal is elsewhere in the sector beyond", side.name), at);

    // A straight over the border, level as portals are; floors are looked for in the one density.
    std::vector<WalkPoint> walk;
    for (double s = -kAcrossM; s <= kAcrossM; s += kSectionStepM) {
      WalkPoint p;
      p.heading = {static_cast<double>(side.dx), static_cast<double>(side.dy)};
      p.at = PlanPoint{at.x, at.y} + s * p.heading;
      p.floor = at.z;
      walk.push_back(p);
    }
    steps(measure_walk(walk, field_), fmt::format("step on the way over the {} border", side.name));
  }

  /// Floors that follow each other, 0.25 m apart, and the next column's beside it.
  void steps(const std::vector<PathSection>& sections, const std::string& what) {
    for (std::size_t i = 1; i < sections.size(); ++i)
      for (std::size_t c = 0; c < kSectionColumns; ++c) {
        const double step =
            std::fabs(sections[i].columns.at(c).floor_m - sections[i - 1].columns.at(c).floor_m);
        const Vec3d at = sections[i].point(PathSection::side_m(c)),
                    back = sections[i >= 8 ? i - 8 : 0].point(0);
        // A climb of 15 degrees is 0.067 m.
        steps_.measure(step, what, sector_.world(at), sector_.world({back.x, back.y, back.z + 1.7}));
      }
  }

  /// The pieces that both strata have of one passage, and the floor where one ends.
  void passage(const PathPlan& below) {
    const PathLeg *down = passage_down(sector_.plan), *arriving = passage_from_above(below);
    if (down == nullptr) return;
    const std::vector<WalkPoint> here = walk_leg(sector_.plan, *down, kSectionStepM);
    if (here.empty()) return;
    const PlanPoint first = here.front().at;
    if (arriving == nullptr) {
      record(kNone, "the stratum below has no passage from above", {first.x, first.y, here.front().floor});
      return;
    }
    const double lower = sector_.below_floor_m;
    std::vector<WalkPoint> there = walk_leg(below, *arriving, kSectionStepM);
    for (WalkPoint& p : there) p.floor += lower;
    std::vector<WalkPoint> upper_edge, lower_edge;
    for (const WalkPoint& p : here) {
      if (std::fabs(p.floor - sector_.bottom_m()) > 1) continue;
      double off = kNone;
      for (const WalkPoint& q : there) {
        const double d = apart({p.at.x, p.at.y, p.floor}, {q.at.x, q.at.y, q.floor});
        if (!(d >= off)) off = d;
      }
      record(off, "passage is elsewhere in the stratum below", {p.at.x, p.at.y, p.floor});
      upper_edge.push_back(p);
      lower_edge.push_back(p);
      lower_edge.back().floor -= lower;
    }
    if (upper_edge.empty())
      record(kNone, "passage ends above the border", {first.x, first.y, here.back().floor});
    if (sector_.beyond == nullptr) return;
    FieldSampler beyond(sector_.beyond, sector_.simd);
    const std::vector<PathSection> a = measure_walk(upper_edge, field_), b = measure_walk(lower_edge, beyond);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t c = 0; c < kSectionColumns; ++c) {
        const Vec3d at = a[i].point(PathSection::side_m(c));
        steps_.measure(std::fabs(a[i].columns.at(c).floor_m - (b[i].columns.at(c).floor_m + lower)),
                       "step where the passage enters the stratum below", sector_.world(at),
                       sector_.world({at.x, at.y, at.z + 1.7}));
      }
  }

  void mouths() {
    for (const bool down : {true, false}) {
      const PathLeg* leg = down ? passage_down(sector_.plan) : passage_from_above(sector_.plan);
      const PathNode* node =
          find_node(sector_.plan, down ? PathNodeKind::kDeparture : PathNodeKind::kArrival);
      if (leg == nullptr || node == nullptr) continue;
      const std::vector<WalkPoint> walk = walk_leg(sector_.plan, *leg, kSectionStepM);
      if (walk.empty()) continue;
      const WalkPoint& end = down ? walk.front() : walk.back();
      record(apart({end.at.x, end.at.y, end.floor}, point_of(node->at)),
             down ? "the passage down does not begin at the departure"
                  : "the passage from above does not end at the arrival",
             point_of(node->at));
    }
  }

  const AuditedSector& sector_;
  FieldSampler field_;
  Finding records_{"mouths", 6, "m", Keeps::kAtMost, 0.001},
      steps_{"mouth steps", 6, "m", Keeps::kAtMost, 0.075};
};

}  // namespace

AuditReport audit_mouths(const AuditedSector& sector) {
  return MouthAuditor(sector).run();
}

}  // namespace vf

#include "audit/place_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "audit/probe.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr double kEveryM = 80;
constexpr double kHalfM = 6;
constexpr double kMeshM = 0.5;     ///< distance of the columns that are looked at
constexpr double kLevelM = 0.1;    ///< its floor is so level
constexpr double kOnWayM = 8;      ///< a place belongs to ways that pass its middle so near
constexpr double kInsetM = 0.125;  ///< its sides are surfaces
constexpr double kSightM = 8, kEyeM = 1.6;

struct Clearing {
  PlanPoint middle, along;
  double floor_m = 0;
};

std::vector<Clearing> planned_clearings(const PathPlan& plan) {
  std::vector<Clearing> out;
  for (const PathPiece& p : plan.pieces) {
    if (p.shape != PathShape::kPlace) continue;
    const PlanPoint from = plan_point(p.from), to = plan_point(p.to);
    out.push_back({0.5 * (from + to), unit(to - from), metres(p.from.z)});
  }
  return out;
}

/// Metres of way from each end of a leg, and the longest stretch between, that are without a place.
struct Gaps {
  double first = 0, longest = 0, last = 0;
  std::size_t at = 0;  ///< index of the walk point where the longest begins
  bool any = false;    ///< there is a place on the leg
};

Gaps gaps_of(const std::vector<WalkPoint>& walk, const std::vector<Clearing>& clearings) {
  Gaps out;
  if (walk.empty()) return out;
  double before = 0;
  std::size_t began = 0;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const bool here = std::any_of(clearings.begin(), clearings.end(), [&](const Clearing& c) {
      return length(c.middle - walk[i].at) <= kOnWayM && std::fabs(c.floor_m - walk[i].floor) < 1;
    });
    if (!here && i + 1 < walk.size()) continue;
    const double gap = walk[i].along - before;
    if (here && !out.any) out.first = gap;
    if (gap > out.longest) out.longest = gap, out.at = began;
    if (!here) out.last = gap;
    out.any = out.any || here;
    before = walk[i].along;
    began = i;
  }
  if (!out.any) out.first = out.last = out.longest;
  return out;
}

class PlaceAuditor {
 public:
  PlaceAuditor(const AuditedSector& sector, FieldSampler& field) : sector_(sector), field_(field) {}

  AuditReport run(const std::vector<LegSections>& legs) {
    std::vector<Clearing> good;
    for (const Clearing& c : planned_clearings(sector_.plan))
      if (is_clear(c)) good.push_back(c);
    for (const LegSections& leg : legs) {
      if (leg.leg->kind == PathLegKind::kPassage) continue;
      stretch(*leg.leg, good);
    }
    AuditReport out;
    finding_.add_to(out);
    return out;
  }

 private:
  /// Level within a hand, free to 3 m, and every column of it.
  bool is_clear(const Clearing& c) {
    probe_.clear();
    const PlanPoint left = left_of(c.along);
    for (double u = -kHalfM + kInsetM; u < kHalfM; u += kMeshM)
      for (double v = -kHalfM + kInsetM; v < kHalfM; v += kMeshM) {
        const PlanPoint p = c.middle + u * c.along + v * left;
        probe_.add(p.x, p.y, c.floor_m - kLevelM);
        for (double h = kLevelM; h <= kContractHeightM; h += 0.29) probe_.add(p.x, p.y, c.floor_m + h);
      }
    probe_.ask(field_);
    // The first of each column lies in the floor, the others over it.
    std::size_t column = 1;
    for (double h = kLevelM; h <= kContractHeightM; h += 0.29) ++column;
    for (std::size_t i = 0; i < probe_.size(); ++i)
      if (probe_.air(i) != (i % column != 0)) return false;
    return true;
  }

  void stretch(const PathLeg& leg, const std::vector<Clearing>& good) {
    const std::vector<WalkPoint> walk = walk_leg(sector_.plan, leg, 1);
    const Gaps gaps = gaps_of(walk, good);
    report(gaps.longest, walk, gaps.at, "way without a level, free place of 12 x 12 x 3 m");
    if (leg.kind != PathLegKind::kPortal) return;
    // A portal's way starts on the border; beyond it goes on as the neighbour's.
    const PathNode* portal = nullptr;
    for (const PathNode& n : sector_.plan.nodes)
      if (n.id == leg.from) portal = &n;
    if (portal == nullptr || portal->kind < PathNodeKind::kPortalWest ||
        portal->kind > PathNodeKind::kPortalNorth)
      return;
    const auto side =
        static_cast<std::size_t>(portal->kind) - static_cast<std::size_t>(PathNodeKind::kPortalWest);
    constexpr std::array<PathNodeKind, 4> kOpposite{PathNodeKind::kPortalEast, PathNodeKind::kPortalWest,
                                                    PathNodeKind::kPortalNorth, PathNodeKind::kPortalSouth};
    const PathPlan& beside = sector_.beside.at(side);
    const PathNode* there = find_node(beside, kOpposite.at(side));
    if (there == nullptr) return;
    for (const PathLeg& l : beside.legs)
      if (l.kind == PathLegKind::kPortal && l.from == there->id)
        report(gaps.first + gaps_of(walk_leg(beside, l, 1), planned_clearings(beside)).first, walk, 0,
               "way over the border without a level, free place of 12 x 12 x 3 m");
  }

  void report(double gap, const std::vector<WalkPoint>& walk, std::size_t at, const char* what) {
    if (walk.empty()) return;
    const WalkPoint &p = walk[at], &q = walk[at >= 6 ? at - 6 : std::min(at + 6, walk.size() - 1)];
    finding_.measure(gap, what, sector_.world({p.at.x, p.at.y, p.floor}),
                     sector_.world({q.at.x, q.at.y, q.floor + 1.7}));
  }

  const AuditedSector& sector_;
  FieldSampler& field_;
  Probe probe_;
  Finding finding_{"places", 14, "m", Keeps::kAtMost, kEveryM};
};

}  // namespace

AuditReport audit_places(const AuditedSector& sector, const std::vector<LegSections>& legs,
                         FieldSampler& field) {
  return PlaceAuditor(sector, field).run(legs);
}

AuditReport audit_sight(const AuditedSector& sector, const std::vector<LegSections>& legs,
                        FieldSampler& field) {
  Finding finding("sight", 14, "m", Keeps::kAtLeast, kSightM);
  constexpr auto kAhead = static_cast<std::size_t>(kSightM / kSectionStepM);
  constexpr std::size_t kEvery = 4;     // sections from one eye to the next
  constexpr std::size_t kTogether = 8;  // eyes
  constexpr int kPoints = 32;
  Probe probe;
  for (const LegSections& leg : legs) {
    const std::size_t eyes =
        leg.sections.size() > kAhead ? (leg.sections.size() - kAhead + kEvery - 1) / kEvery : 0;
    for (std::size_t first = 0; first < eyes; first += kTogether) {
      const std::size_t end = std::min(first + kTogether, eyes);
      probe.clear();
      for (std::size_t eye = first; eye < end; ++eye) {
        const Vec3d a = leg.sections[eye * kEvery].point(0), b = leg.sections[eye * kEvery + kAhead].point(0);
        for (int k = 0; k <= kPoints; ++k) {
          const double share = static_cast<double>(k) / kPoints;
          probe.add(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z) + kEyeM);
        }
      }
      probe.ask(field);
      for (std::size_t eye = first; eye < end; ++eye) {
        const Vec3d a = leg.sections[eye * kEvery].point(0), b = leg.sections[eye * kEvery + kAhead].point(0);
        int seen = 0;
        while (seen <= kPoints && probe.air((eye - first) * (kPoints + 1) + static_cast<std::size_t>(seen)))
          ++seen;
        finding.measure(seen > kPoints ? kSightM : kSightM * seen / kPoints, "sight along the way",
                        sector.world({b.x, b.y, b.z + kEyeM}), sector.world({a.x, a.y, a.z + kEyeM}));
      }
    }
  }
  AuditReport out;
  finding.add_to(out);
  return out;
}

}  // namespace vf

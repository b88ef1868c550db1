#include "audit/fall_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "audit/player_flood.h"
#include "audit/probe.h"
#include "field/sampler.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr double kFallM = 1;
constexpr double kKerbM = 0.25;
constexpr double kFirstM = 1.5, kLastM = 3.5, kSideStepM = 0.25;
constexpr int kSteps = 9;           ///< from the edge of the contract's width outward
constexpr double kRungM = 0.25;     ///< heights that are looked at ...
constexpr double kLookUpM = 1.0;    ///< ... from here over the planned floor
constexpr double kLookDownM = 3.0;  ///< ... to here under it
constexpr std::size_t kRungs = 17;  ///< that many
constexpr std::size_t kEvery = 2;   ///< sections from one look to the next
constexpr std::size_t kTogether = 8;

static_assert(kLookUpM + kLookDownM == kRungM * (kRungs - 1));
static_assert(kLastM - kFirstM == kSideStepM * (kSteps - 1));

constexpr double kBackM = 24;  ///< a way back is looked for so far from where a fall ends, in plan ...
constexpr double kBackDownM = 6,
                 kBackUpM = 4.5;  ///< ... and in height from under the fall's end to over the way
constexpr double kSameM = 4;      ///< what is opened for one fall serves others that end so near
constexpr double kEndStepM = 0.125;

/// The deepest single fall of a walk outward, stopped by whatever stands in the way.
struct Fall {
  double depth = 0;
  double side = 0;   ///< of the column in which it ends, from the way's middle. [metres]
  double under = 0;  ///< how far under the planned floor there is no rock in that column, at least. [metres]
};

/// `first`: of the probe's columns, from the top down.
Fall deepest_fall(const Probe& probe, std::size_t first) {
  double before = 0, ground = 0;  // over the planned floor
  Fall deepest;
  for (int step = 0; step < kSteps; ++step) {
    const std::size_t column = first + static_cast<std::size_t>(step) * kRungs;
    const auto height = [](std::size_t rung) { return kLookUpM - kRungM * static_cast<double>(rung); };
    // Rock over the ground as high as a kerb, or up to the knees: nobody goes there.
    for (std::size_t r = 0; r < kRungs; ++r)
      if (height(r) >= ground + kKerbM - 1e-9 && height(r) <= ground + kKerbM + 0.5 && !probe.air(column + r))
        return deepest;
    std::size_t r = 0;
    while (r < kRungs && (height(r) > ground + kKerbM || probe.air(column + r))) ++r;
    const double next = r < kRungs ? height(r) : -kLookDownM;
    // Over two steps, as a drop may lie on a column.
    const double depth = step > 0 ? std::max(ground, before) - next : 0;
    if (depth > deepest.depth) deepest = {depth, kFirstM + kSideStepM * step, -next};
    if (deepest.depth > kFallM) return deepest;
    before = step > 0 ? ground : next;
    ground = next;
  }
  return deepest;
}

/// A fall of more than a metre without a kerb, and where it ends.
struct DeepFall {
  Fall fall;
  bool right = false;
  Vec3d from, eye, end;  ///< [metres, sector]
};

/// Falls without kerbs, and whether there are ways back from them.
class Falls {
 public:
  Falls(const AuditedSector& sector, const std::vector<LegSections>& legs, FieldSampler& field)
      : sector_(sector), legs_(legs), field_(field) {}

  AuditReport run() {
    for (const LegSections& leg : legs_)
      for (std::size_t first = 0; first < leg.sections.size(); first += kEvery * kTogether)
        look_beside(leg, first, std::min(first + kEvery * kTogether, leg.sections.size()));
    judge();
    AuditReport out;
    finding_.add_to(out);
    return out;
  }

 private:
  void look_beside(const LegSections& leg, std::size_t first, std::size_t end) {
    probe_.clear();
    for (std::size_t i = first; i < end; i += kEvery)
      for (const double side : {-1.0, 1.0})
        for (int step = 0; step < kSteps; ++step) {
          const Vec3d p = leg.sections[i].point(side * (kFirstM + kSideStepM * step));
          for (std::size_t r = 0; r < kRungs; ++r)
            probe_.add(p.x, p.y, p.z + kLookUpM - kRungM * static_cast<double>(r));
        }
    probe_.ask(field_);
    std::size_t at = 0;
    for (std::size_t i = first; i < end; i += kEvery)
      for (const double side : {-1.0, 1.0}) {
        const Fall fall = deepest_fall(probe_, at);
        at += kSteps * kRungs;
        if (fall.depth <= kFallM) {
          (void)finding_.keeps(fall.depth);
          continue;
        }
        Vec3d over = leg.sections[i].point(side * fall.side);
        over.z -= fall.under;
        deep_.push_back({fall, side < 0, leg.sections[i].point(side * kLastM), leg.eye(i), over});
      }
  }

  /// One flood from the ways through all that lies about the ends of falls.
  void judge() {
    if (deep_.empty()) return;
    PlayerFlood flood(field_);
    std::vector<Vec3d> opened;
    for (DeepFall& d : deep_) {
      d.end.z = ground_under(d.end);
      if (std::any_of(opened.begin(), opened.end(),
                      [&](const Vec3d& o) { return distance(o, d.end) < kSameM; }))
        continue;
      opened.push_back(d.end);
      flood.open({d.end.x - kBackM, d.end.y - kBackM, d.end.z - kBackDownM},
                 {d.end.x + kBackM, d.end.y + kBackM, d.from.z + kBackUpM});
    }
    flood.close_opening();
    for (const LegSections& leg : legs_)
      for (const PathSection& s : leg.sections) flood.from(s.point(0));
    for (const DeepFall& d : deep_) {
      const bool back = flood.came_to(d.end);
      finding_.measure(
          back ? 0 : d.fall.depth,
          fmt::format("fall to the {} without a kerb, and without a way back from {:.1f} m under the way",
                      d.right ? "right" : "left", d.from.z - d.end.z),
          sector_.world(d.from), sector_.world(d.eye));
    }
  }

  static double distance(const Vec3d& a, const Vec3d& b) {
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  }

  /// Where a column that is air at `p` meets rock.
  [[nodiscard]] double ground_under(const Vec3d& p) {
    probe_.clear();
    for (double z = p.z; z > sector_.bottom_m(); z -= kEndStepM) probe_.add(p.x, p.y, z);
    probe_.ask(field_);
    std::size_t n = 0;
    while (n < probe_.size() && probe_.air(n)) ++n;
    return p.z - kEndStepM * static_cast<double>(n);
  }

  const AuditedSector& sector_;
  const std::vector<LegSections>& legs_;
  FieldSampler& field_;
  Probe probe_;
  std::vector<DeepFall> deep_;
  Finding finding_{"falls", 15, "m", Keeps::kAtMost, kFallM};
};

}  // namespace

AuditReport audit_falls(const AuditedSector& sector, const std::vector<LegSections>& legs,
                        FieldSampler& field) {
  return Falls(sector, legs, field).run();
}

}  // namespace vf

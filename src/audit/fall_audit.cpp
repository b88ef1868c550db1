#include "audit/fall_audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
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

/// Deepest single fall of a walk outward, stopped by whatever stands in the way. `first`: of the probe's
/// columns, from the top down.
double deepest_fall(const Probe& probe, std::size_t first) {
  double before = 0, ground = 0, deepest = 0;  // over the planned floor
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
    if (step > 0) deepest = std::max(deepest, std::max(ground, before) - next);
    if (deepest > kFallM) return deepest;
    before = step > 0 ? ground : next;
    ground = next;
  }
  return deepest;
}

}  // namespace

AuditReport audit_falls(const AuditedSector& sector, const std::vector<LegSections>& legs,
                        FieldSampler& field) {
  Finding finding("falls", 15, "m", Keeps::kAtMost, kFallM);
  Probe probe;
  for (const LegSections& leg : legs) {
    for (std::size_t first = 0; first < leg.sections.size(); first += kEvery * kTogether) {
      const std::size_t end = std::min(first + kEvery * kTogether, leg.sections.size());
      probe.clear();
      for (std::size_t i = first; i < end; i += kEvery)
        for (const double side : {-1.0, 1.0})
          for (int step = 0; step < kSteps; ++step) {
            const Vec3d p = leg.sections[i].point(side * (kFirstM + kSideStepM * step));
            for (std::size_t r = 0; r < kRungs; ++r)
              probe.add(p.x, p.y, p.z + kLookUpM - kRungM * static_cast<double>(r));
          }
      probe.ask(field);
      std::size_t at = 0;
      for (std::size_t i = first; i < end; i += kEvery)
        for (const double side : {-1.0, 1.0}) {
          finding.measure(deepest_fall(probe, at),
                          side < 0 ? "fall to the right without a kerb" : "fall to the left without a kerb",
                          sector.world(leg.sections[i].point(side * kLastM)), sector.world(leg.eye(i)));
          at += kSteps * kRungs;
        }
    }
  }
  AuditReport out;
  finding.add_to(out);
  return out;
}

}  // namespace vf

#include "audit/capsule_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "audit/probe.h"
#include "field/sampler.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr double kRadiusM = 0.34, kHeightM = 1.76;
/// Over the planned floor: its ripple, and what the lower sphere loses on 15 degrees.
constexpr double kLiftM = 0.06 + 0.012;
constexpr std::size_t kTracks = 5;
constexpr double kOuterTrackM = kContractWidthM / 2 - kRadiusM;
constexpr std::size_t kTogether = 16;

/// Points of the capsule's skin and axis, from its foot.
std::vector<Vec3d> capsule_points() {
  const double low = kRadiusM, high = kHeightM - kRadiusM, slant = kRadiusM * std::numbers::sqrt2 / 2;
  struct Ring {
    double z, radius;
    int count;
  };
  const std::array<Ring, 8> rings{{{0, 0, 1},
                                   {low - slant, slant, 6},
                                   {low, kRadiusM, 8},
                                   {(low + high) / 2, kRadiusM, 8},
                                   {(low + high) / 2, 0, 1},
                                   {high, kRadiusM, 8},
                                   {high + slant, slant, 6},
                                   {kHeightM, 0, 1}}};
  std::vector<Vec3d> out;
  for (const Ring& ring : rings)
    for (int i = 0; i < ring.count; ++i) {
      const double angle = 2 * std::numbers::pi * i / ring.count;
      out.push_back({ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.z});
    }
  return out;
}

double track_m(std::size_t track) {
  return kOuterTrackM * (2.0 * static_cast<double>(track) / (kTracks - 1) - 1);
}

}  // namespace

AuditReport audit_capsule(const AuditedSector& sector, const std::vector<LegSections>& legs,
                          FieldSampler& field) {
  Finding finding("capsule", 1, "points", Keeps::kAtMost, 0);
  const std::vector<Vec3d> capsule = capsule_points();
  Probe probe;
  for (const LegSections& leg : legs) {
    for (std::size_t first = 0; first < leg.sections.size(); first += kTogether) {
      const std::size_t end = std::min(first + kTogether, leg.sections.size());
      probe.clear();
      for (std::size_t i = first; i < end; ++i)
        for (std::size_t t = 0; t < kTracks; ++t) {
          const Vec3d foot = leg.sections[i].point(track_m(t));
          for (const Vec3d& p : capsule) probe.add(foot.x + p.x, foot.y + p.y, foot.z + kLiftM + p.z);
        }
      probe.ask(field);
      std::size_t at = 0;
      for (std::size_t i = first; i < end; ++i)
        for (std::size_t t = 0; t < kTracks; ++t) {
          std::uint32_t in_rock = 0;
          for (std::size_t p = 0; p < capsule.size(); ++p) in_rock += probe.air(at++) ? 0U : 1U;
          finding.measure(in_rock,
                          fmt::format("capsule in rock, {:.2f} m {} of the way's middle",
                                      std::fabs(track_m(t)), track_m(t) < 0 ? "right" : "left"),
                          sector.world(leg.sections[i].point(track_m(t))), sector.world(leg.eye(i)));
        }
    }
  }
  AuditReport out;
  finding.add_to(out);
  return out;
}

}  // namespace vf

#include "audit/walk_audits.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr std::size_t kMiddle = kSectionColumns / 2;
constexpr double kBodyM = 1.76;  ///< height of the player

/// Calls use(legs, i, section) for every section, with what a finding needs to know of places.
template <class Use>
void each_section(const std::vector<LegSections>& legs, const Use& use) {
  for (const LegSections& leg : legs)
    for (std::size_t i = 0; i < leg.sections.size(); ++i) use(leg, i, leg.sections[i]);
}

bool body_fits(const SectionColumn& c) {
  return c.clear_m >= kBodyM - kClearStepM;  // clear heights come in steps
}

}  // namespace

AuditReport audit_floor(const AuditedSector& sector, const std::vector<LegSections>& legs) {
  Finding finding("floor", 2, "m", Keeps::kAtLeast, kFloorReachM);
  each_section(legs, [&](const LegSections& leg, std::size_t i, const PathSection& s) {
    for (std::size_t c = 0; c < kSectionColumns; ++c) {
      const SectionColumn& column = s.columns.at(c);
      if (column.rock) continue;  // something stands on it: the width's concern
      const Vec3d at = s.point(PathSection::side_m(c));
      if (finding.keeps(column.held ? kFloorReachM : 0)) continue;
      finding.broken(fmt::format("{} {:.2f} m {} of the way's middle",
                                 std::isnan(column.floor_m) ? "no floor near the planned height"
                                                            : "less than 0.5 m of rock under the floor",
                                 std::fabs(PathSection::side_m(c)), c < kMiddle ? "right" : "left"),
                     sector.world(at), sector.world(leg.eye(i)));
    }
  });
  AuditReport out;
  finding.add_to(out);
  return out;
}

AuditReport audit_grade(const AuditedSector& sector, const std::vector<LegSections>& legs) {
  constexpr std::array<std::string_view, 3> kNames{"right edge", "middle", "left edge"};
  Finding finding("grade", 3, "degrees", Keeps::kAtMost, 15);
  each_section(legs, [&](const LegSections& leg, std::size_t i, const PathSection& s) {
    for (std::size_t line = 0; line < 3; ++line) {
      const std::size_t c = line * kMiddle;
      // A missing floor is the floor's concern; the last metre has no metre.
      if (const std::optional<double> grade = grade_deg(leg.sections, i, c))
        finding.measure(*grade, fmt::format("grade along the {}", kNames.at(line)),
                        sector.world(s.point(PathSection::side_m(c))), sector.world(leg.eye(i)));
    }
  });
  AuditReport out;
  finding.add_to(out);
  return out;
}

AuditReport audit_clear_width(const AuditedSector& sector, const std::vector<LegSections>& legs) {
  Finding finding("width", 4, "m", Keeps::kAtLeast, kContractWidthM);
  each_section(legs, [&](const LegSections& leg, std::size_t i, const PathSection& s) {
    std::size_t right = kMiddle, left = kMiddle;
    while (right > 0 && body_fits(s.columns.at(right - 1))) --right;
    while (left + 1 < kSectionColumns && body_fits(s.columns.at(left + 1))) ++left;
    const double width = body_fits(s.columns[kMiddle]) ? kColumnStepM * static_cast<double>(left - right) : 0;
    finding.measure(width, "clear width", sector.world(s.point(0)), sector.world(leg.eye(i)));
  });
  AuditReport out;
  finding.add_to(out);
  return out;
}

AuditReport audit_clear_height(const AuditedSector& sector, const std::vector<LegSections>& legs) {
  Finding finding("height", 4, "m", Keeps::kAtLeast, kContractHeightM);
  each_section(legs, [&](const LegSections& leg, std::size_t i, const PathSection& s) {
    for (std::size_t c = 0; c < kSectionColumns; ++c)
      if (body_fits(s.columns.at(c)))
        finding.measure(s.columns.at(c).clear_m, "clear height",
                        sector.world(s.point(PathSection::side_m(c))), sector.world(leg.eye(i)));
  });
  AuditReport out;
  finding.add_to(out);
  return out;
}

AuditReport audit_ripple(const AuditedSector& sector, const std::vector<LegSections>& legs) {
  Finding finding("ripple", 5, "m", Keeps::kAtMost, 0.06);
  each_section(legs, [&](const LegSections& leg, std::size_t i, const PathSection& s) {
    for (std::size_t c = 0; c < kSectionColumns; ++c) {
      const double off = s.columns.at(c).floor_m - s.walk.floor;
      if (!std::isnan(off))
        finding.measure(std::fabs(off), fmt::format("floor {} the planned one", off > 0 ? "above" : "below"),
                        sector.world(s.point(PathSection::side_m(c))), sector.world(leg.eye(i)));
    }
  });
  AuditReport out;
  finding.add_to(out);
  return out;
}

}  // namespace vf

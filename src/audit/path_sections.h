// Ways, measured: cross-sections of the final density, at most 0.25 m apart, over the full 3 m of the
// contract.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "audit/audited_sector.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_walk.h"

namespace vf {

inline constexpr double kSectionStepM = 0.25;
inline constexpr double kContractWidthM = 3, kContractHeightM = 3;
inline constexpr std::size_t kSectionColumns = 7;  ///< over that width, the middle one on the middle line
inline constexpr double kColumnStepM = kContractWidthM / (kSectionColumns - 1);
inline constexpr double kClearStepM = 0.25;  ///< clear heights are measured in such steps
inline constexpr double kFloorReachM = 0.5;  ///< floors are looked for so far from where they are planned

struct SectionColumn {
  double floor_m = 0;  ///< where rock ends and air begins, next to the planned floor; NaN: nowhere near
  double clear_m = 0;  ///< of air over it, looked at up to the contract's height
  bool rock = false;   ///< without a floor because there is rock where the way should be
  bool held = false;   ///< half a metre of rock is under the floor
};

struct PathSection {
  WalkPoint walk;
  std::array<SectionColumn, kSectionColumns> columns;  ///< from right to left

  [[nodiscard]] static double side_m(std::size_t column) {
    return kColumnStepM * (static_cast<double>(column) - (kSectionColumns / 2));
  }
  /// On the floor as planned. [metres, sector]
  [[nodiscard]] Vec3d point(double side_m) const;
};

struct LegSections {
  const PathLeg* leg = nullptr;
  std::vector<PathSection> sections;
  /// At the height of eyes, some metres before section i. [metres, sector]
  [[nodiscard]] Vec3d eye(std::size_t i) const;
};

/// Grade over the metre from section i on, in one column; over what is left of the way where that is half a
/// metre or more. Nothing where it is less, or where a floor is missing. [degrees]
[[nodiscard]] std::optional<double> grade_deg(const std::vector<PathSection>& sections, std::size_t i,
                                              std::size_t column);

/// All legs; of passages only what lies in this stratum.
[[nodiscard]] std::vector<LegSections> measure_legs(const AuditedSector& sector, FieldSampler& field);

/// Floors and air at these places of a walk, in any field that holds them.
[[nodiscard]] std::vector<PathSection> measure_walk(const std::vector<WalkPoint>& walk, FieldSampler& field);

}  // namespace vf

// A sector as its audits see it: plans, and the final density by the sampling interface.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

/// Immutable once opened; tests put faults into copies.
struct AuditedSector {
  StratumScope scope;
  std::int64_t sx = 0, sy = 0;
  PathPlan plan;
  std::array<PathPlan, 4> beside;            ///< of the sectors to the west, east, south, north
  std::optional<PathPlan> below;             ///< of the same sector one stratum down
  std::shared_ptr<const BoundField> field;   ///< complete for the sector and 16 m around it
  std::shared_ptr<const BoundField> beyond;  ///< of the stratum below, about the passage to it
  double below_floor_m = 0;                  ///< content floor of the stratum below, over that of this one
  SimdLevel simd = SimdLevel::kScalar;

  [[nodiscard]] double content_m() const { return scope.built->recipe->height_m; }
  /// Lowest and highest z of the stratum, bands included. [metres over the content floor]
  [[nodiscard]] double bottom_m() const { return content_m() + kBandM - scope.stratum.height_m; }
  [[nodiscard]] double top_m() const { return content_m() + kBandM; }
  /// [metres in the sector] -> [world metres]
  [[nodiscard]] Vec3d world(const Vec3d& p) const;
};

inline constexpr float kAuditMarginM = 16;  ///< of the field around its sector

/// Resolves what the audits need: nine plans and two fields. An error is that of the planner.
[[nodiscard]] Result<AuditedSector> open_audited_sector(
    const World& world, const std::vector<std::shared_ptr<const BuiltRecipe>>& built, std::int64_t stratum,
    std::int64_t sx, std::int64_t sy, SimdLevel simd);

}  // namespace vf

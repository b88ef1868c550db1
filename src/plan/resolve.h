// Stratum in its stack + sector -> SectorPlan, and plans -> a field over a window.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "math/box.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

/// Resolves one sector. The same bits whatever was resolved before and on whichever thread.
[[nodiscard]] Result<SectorPlan> resolve_sector(const StratumScope& scope, std::int64_t sx, std::int64_t sy);

/// The density around a place: frame = sector of the place, features complete in `window` (frame metres).
[[nodiscard]] Result<BoundField> field_in_window(const StratumScope& scope, Frame frame, const Box2f& window);
/// The same, for callers that ask more than once: paths are planned once a sector.
[[nodiscard]] Result<BoundField> field_in_window(SectorPaths& paths, Frame frame, const Box2f& window);

/// The material formulas over the places of a density; null when the recipe has none.
[[nodiscard]] std::shared_ptr<const BoundField> materials_beside(const BuiltRecipe& built,
                                                                 const BoundField& density);

/// A light in frame coordinates, a multiple of 1/64 m.
struct PlacedLight {
  Vec3f at;
  std::uint32_t light = 0;  ///< index into recipe.lights
};
/// Every light whose range reaches the window, sorted by id.
[[nodiscard]] Result<std::vector<PlacedLight>> lights_in_window(SectorPaths& paths, Frame frame,
                                                                const Box2f& window);

}  // namespace vf

// Light formulas + where -> emitters, as records. Lazily: only the cells asked for.
#pragma once

#include <vector>

#include "plan/places.h"
#include "plan/sector_paths.h"

namespace vf {

using PlacedLights = std::vector<Placed<LightRecord>>;

/// All lights that the sector owns; `features` as places_of_sector gives them, one list a set.
[[nodiscard]] Result<PlacedLights> lights_of_sector(const BuiltRecipe& built, const Stratum& stratum,
                                                    SectorPaths& paths, std::int64_t sx, std::int64_t sy,
                                                    const std::vector<PlacedFeatures>& features);

/// All lights number `light` whose place is in `area`, and maybe some more.
[[nodiscard]] Result<PlacedLights> lights_near(const BuiltRecipe& built, std::size_t light,
                                               const Stratum& stratum, SectorPaths& paths,
                                               const Area64& area);

/// How far the offset moves a light from its place in plan. [metres] An error when there is no bound.
[[nodiscard]] Result<float> light_offset_m(const BuiltRecipe& built, std::size_t light,
                                           const Stratum& stratum, Frame frame, const Box2f& where);

}  // namespace vf

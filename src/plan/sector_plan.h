// In: a built recipe, a stratum, a sector. Out: everything that stands in the sector, as records.
//
// Product header of plan/. A pure function of its inputs; immutable. Records are sorted by id.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "field/bound_field.h"
#include "plan/path_plan.h"
#include "recipe/recipe.h"

namespace vf {

struct FeatureRecord {
  Id<struct FeatureTag> id;
  PositionUm at;  ///< snapped to 1/64 m
  float yaw_turns = 0;
  Vec3f extent_min, extent_max;
  std::array<float, kMaxFeatureValues> values{};
  std::array<float, kFeatureRandoms> random{};
  friend bool operator==(const FeatureRecord&, const FeatureRecord&) = default;
};

struct LightRecord {
  Id<struct LightTag> id;
  PositionUm at;
  std::uint32_t light = 0;  ///< index into recipe.lights
  friend bool operator==(const LightRecord&, const LightRecord&) = default;
};

struct SectorPlan {
  std::int64_t stratum = 0;
  std::int64_t sx = 0, sy = 0;
  std::vector<std::vector<FeatureRecord>> features;  ///< one list for each feature set
  std::vector<LightRecord> lights;
  PathPlan paths;
  friend bool operator==(const SectorPlan&, const SectorPlan&) = default;
};

}  // namespace vf

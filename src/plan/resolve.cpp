#include "plan/resolve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/path_shapes.h"
#include "field/program.h"
#include "math/box.h"
#include "math/trig.h"
#include "plan/cells.h"
#include "plan/feature_boxes.h"
#include "plan/lights.h"
#include "plan/path_instances.h"
#include "plan/path_plan.h"
#include "plan/place_formulas.h"
#include "plan/places.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

namespace {

Status check_sector(std::int64_t sx, std::int64_t sy) {
  if (sx >= -kMaxSector && sx < kMaxSector && sy >= -kMaxSector && sy < kMaxSector) return Unit{};
  return Error{ErrorCode::kBadInput, {}, "sector out of range; expected -2^31 <= x, y < 2^31"};
}

Status check_window(const Frame& frame, const Box2f& window) {
  if (Status status = check_sector(frame.sx, frame.sy); !status) return status;
  // Frame coordinates must stay exact on the 1/1024 m grid.
  constexpr float kMaxM = 8192;
  const bool ok = window.min_x >= -kMaxM && window.max_x <= kMaxM && window.min_y >= -kMaxM &&
                  window.max_y <= kMaxM && window.min_x <= window.max_x && window.min_y <= window.max_y;
  if (ok) return Unit{};
  return Error{
      ErrorCode::kBadInput, {}, "window out of range; expected at most 8192 m from its sector's corner"};
}

template <class Record>
bool in_order(const Record& a, const Record& b) {
  return std::tie(a.id, a.at.x, a.at.y, a.at.z) < std::tie(b.id, b.at.x, b.at.y, b.at.z);
}

template <class Record>
std::vector<Record> sorted_records(std::vector<Placed<Record>> placed) {
  std::vector<Record> out;
  out.reserve(placed.size());
  for (Placed<Record>& p : placed) out.push_back(std::move(p.record));
  std::sort(out.begin(), out.end(), in_order<Record>);
  return out;
}

/// Micrometres from the corner of sector s to metres from the corner of sector `frame`: exact, a multiple of
/// 1/64.
float frame_metres(std::int64_t um, std::int64_t s, std::int64_t frame) {
  return static_cast<float>(um / kUmPer64 + (s - frame) * kSector64) / 64.0F;
}

FeatureInstance instance_of(const Placed<FeatureRecord>& placed, const Frame& frame,
                            const FeatureSetProgram& set) {
  const FeatureRecord& r = placed.record;
  FeatureInstance f;
  f.id = r.id;
  f.at = {frame_metres(r.at.x, placed.sx, frame.sx), frame_metres(r.at.y, placed.sy, frame.sy),
          frame_metres(r.at.z, 0, 0)};
  const SinCos turn = sincos_turns(static_cast<double>(r.yaw_turns));
  f.yaw_cos = static_cast<float>(turn.cos);
  f.yaw_sin = static_cast<float>(turn.sin);
  f.extent_min = r.extent_min;
  f.extent_max = r.extent_max;
  f.values = r.values;
  set_boxes(f, set.blend, set.far);
  return f;
}

Area64 area_of(const Frame& frame, const Box2f& window, float grown_m) {
  const auto low = [](float v, std::int64_t sector) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(v) * 64.0)) + sector * kSector64;
  };
  const auto high = [](float v, std::int64_t sector) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(v) * 64.0)) + sector * kSector64;
  };
  return {low(window.min_x - grown_m, frame.sx), low(window.min_y - grown_m, frame.sy),
          high(window.max_x + grown_m, frame.sx), high(window.max_y + grown_m, frame.sy)};
}

Box2f grown(const Box2f& b, float by) {
  return {b.min_x - by, b.min_y - by, b.max_x + by, b.max_y + by};
}

Result<std::vector<FeatureInstance>> instances_in(const BuiltRecipe& built, std::size_t set,
                                                  const Stratum& stratum, SectorPaths& paths,
                                                  const Frame& frame, const Box2f& window) {
  const FeatureSetProgram& program = built.density->feature_sets[set];
  const Result<float> reach = feature_reach_m(built, set, stratum, frame, grown(window, kMaxReachM));
  if (!reach) return reach.error();
  const Result<PlacedFeatures> places =
      places_near(built, set, stratum, paths, area_of(frame, window, *reach));
  if (!places) return places.error();
  std::vector<FeatureInstance> out;
  for (const Placed<FeatureRecord>& p : *places) {
    FeatureInstance f = instance_of(p, frame, program);
    if (f.value_box.max.x < window.min_x || f.value_box.min.x > window.max_x ||
        f.value_box.max.y < window.min_y || f.value_box.min.y > window.max_y)
      continue;
    out.push_back(f);
  }
  return out;
}

const std::vector<FeatureInstance>& instances_named(const BoundField& density, const std::string& name) {
  const std::vector<FeatureSetProgram>& sets = density.program->feature_sets;
  std::size_t i = 0;
  while (i < sets.size() && sets[i].name != name) ++i;
  VF_CHECK(i < sets.size());  // the builder gives both programs the same sets
  return density.sets[i].instances;
}

/// Paths keep within their sector but for the banks and overruns at its portals.
constexpr float kPathReachM = 24;

Status paths_in(SectorPaths& near, const Frame& frame, const Box2f& window,
                std::vector<std::vector<FeatureInstance>>& sets) {
  const Area64 area = area_of(frame, window, kPathReachM);
  for (std::int64_t sy = floor_div(area.min_y, kSector64); sy <= floor_div(area.max_y, kSector64); ++sy)
    for (std::int64_t sx = floor_div(area.min_x, kSector64); sx <= floor_div(area.max_x, kSector64); ++sx) {
      const Result<const PathPlan*> plan = near.plan(sx, sy);
      if (!plan) return plan.error();
      add_path_instances(**plan, sx, sy, frame, window, sets);
    }
  return Unit{};
}

}  // namespace

Result<SectorPlan> resolve_sector(const StratumScope& scope, std::int64_t sx, std::int64_t sy) {
  const BuiltRecipe& built = *scope.built;
  const Stratum& stratum = scope.stratum;
  if (Status status = check_sector(sx, sy); !status) return status.error();
  SectorPlan plan;
  plan.stratum = stratum.index;
  plan.sx = sx;
  plan.sy = sy;
  SectorPaths near(scope);
  const Result<const PathPlan*> paths = near.plan(sx, sy);
  if (!paths) return paths.error();
  plan.paths = **paths;
  std::vector<PlacedFeatures> features;
  for (std::size_t set = 0; set < built.places.size(); ++set) {
    Result<PlacedFeatures> places = places_of_sector(built, set, stratum, near, sx, sy);
    if (!places) return places.error();
    features.push_back(std::move(*places));
  }
  Result<PlacedLights> lights = lights_of_sector(built, stratum, near, sx, sy, features);
  if (!lights) return lights.error();
  for (PlacedFeatures& places : features) plan.features.push_back(sorted_records(std::move(places)));
  plan.lights = sorted_records(std::move(*lights));
  return plan;
}

Result<BoundField> field_in_window(const StratumScope& scope, Frame frame, const Box2f& window) {
  SectorPaths paths(scope);
  return field_in_window(paths, frame, window);
}

Result<BoundField> field_in_window(SectorPaths& near, Frame frame, const Box2f& window) {
  const BuiltRecipe& built = *near.scope().built;
  const Stratum& stratum = near.scope().stratum;
  if (Status status = check_window(frame, window); !status) return status.error();
  std::vector<std::vector<FeatureInstance>> sets;
  for (std::size_t set = 0; set < built.places.size(); ++set) {
    Result<std::vector<FeatureInstance>> instances = instances_in(built, set, stratum, near, frame, window);
    if (!instances) return instances.error();
    sets.push_back(std::move(*instances));
  }
  if (built.anchor != nullptr) {
    std::vector<std::vector<FeatureInstance>> paths(kPathSets);
    if (Status status = paths_in(near, frame, window, paths); !status) return status.error();
    for (auto& set : paths) sets.push_back(std::move(set));
  }
  return bind_field(built.density, frame, window, std::move(sets), stratum_seed_mix(stratum));
}

std::shared_ptr<const BoundField> materials_beside(const BuiltRecipe& built, const BoundField& density) {
  if (built.materials == nullptr || built.materials->outputs.empty()) return nullptr;
  std::vector<std::vector<FeatureInstance>> sets;
  for (const FeatureSetProgram& set : built.materials->feature_sets)
    sets.push_back(instances_named(density, set.name));
  return std::make_shared<const BoundField>(
      bind_field(built.materials, density.frame, density.window, std::move(sets), density.seed_mix));
}

Result<std::vector<PlacedLight>> lights_in_window(SectorPaths& near, Frame frame, const Box2f& window) {
  const BuiltRecipe& built = *near.scope().built;
  const Stratum& stratum = near.scope().stratum;
  if (Status status = check_window(frame, window); !status) return status.error();
  PlacedLights found;
  for (std::size_t light = 0; light < built.lights.size(); ++light) {
    const float range = built.recipe->lights[light].range_m;
    const Result<float> offset = light_offset_m(built, light, stratum, frame, grown(window, kMaxReachM));
    if (!offset) return offset.error();
    const Result<PlacedLights> lights =
        lights_near(built, light, stratum, near, area_of(frame, window, range + *offset));
    if (!lights) return lights.error();
    for (const Placed<LightRecord>& p : *lights) {
      const float x = frame_metres(p.record.at.x, p.sx, frame.sx),
                  y = frame_metres(p.record.at.y, p.sy, frame.sy);
      const Box2f lit = grown(window, range);
      if (x >= lit.min_x && x <= lit.max_x && y >= lit.min_y && y <= lit.max_y) found.push_back(p);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return in_order(a.record, b.record); });
  std::vector<PlacedLight> out;
  for (const Placed<LightRecord>& p : found)
    out.push_back({{frame_metres(p.record.at.x, p.sx, frame.sx), frame_metres(p.record.at.y, p.sy, frame.sy),
                    frame_metres(p.record.at.z, 0, 0)},
                   p.record.light});
  return out;
}

}  // namespace vf

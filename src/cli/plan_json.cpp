#include "cli/plan_json.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/digest.h"
#include "cli/json.h"
#include "math/vec.h"
#include "plan/identity.h"
#include "plan/origin.h"
#include "plan/path_plan.h"
#include "plan/record_boxes.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

std::string hex(std::uint64_t id) {
  return fmt::format("{:016x}", id);
}

Json to_json(const PositionUm& p) {
  return {p.x, p.y, p.z};
}
Json to_json(const Vec3f& v) {
  return {v.x, v.y, v.z};
}
Json to_json(const BoxUm& box) {
  return {{"min", to_json(box.min)}, {"max", to_json(box.max)}};
}

Json to_json(const FeatureRecord& r, const FeatureSet& set) {
  Json values = Json::object();
  for (std::size_t i = 0; i < set.values.size(); ++i) values[set.values[i].name] = r.values[i];
  return {{"id", hex(r.id.value)},
          {"at_um", to_json(r.at)},
          {"yaw_turns", r.yaw_turns},
          {"extent_m", {{"min", to_json(r.extent_min)}, {"max", to_json(r.extent_max)}}},
          {"values", std::move(values)},
          {"random", r.random},
          {"box_um", to_json(box_of(r))}};
}

Json to_json(const LightRecord& r, const Recipe& recipe) {
  return {{"id", hex(r.id.value)},
          {"light", recipe.lights[r.light].name},
          {"at_um", to_json(r.at)},
          {"box_um", to_json(box_of(r, recipe))}};
}

Json to_json(const PathNode& r) {
  return {{"id", hex(r.id.value)},
          {"kind", name_of(r.kind)},
          {"at_um", to_json(r.at)},
          {"box_um", to_json(box_of(r))}};
}

Json to_json(const PathPiece& r) {
  return {{"id", hex(r.id.value)},
          {"shape", name_of(r.shape)},
          {"from_um", to_json(r.from)},
          {"to_um", to_json(r.to)},
          {"curvature_nano", r.curvature_nano},
          {"along_um", r.along_um},
          {"half_width_mm", r.half_width_mm},
          {"clear_mm", r.clear_mm},
          {"kerb_mm", r.kerb_mm},
          {"banked", r.banked},
          {"box_um", to_json(box_of(r))}};
}

/// Legs with their pieces inside, and the places apart.
Json to_json(const PathPlan& paths) {
  Json nodes = Json::array(), legs = Json::array(), places = Json::array();
  for (const PathNode& node : paths.nodes) nodes.push_back(to_json(node));
  std::size_t next = 0;
  for (const PathLeg& leg : paths.legs) {
    Json pieces = Json::array();
    for (std::uint32_t i = 0; i < leg.count; ++i) pieces.push_back(to_json(paths.pieces[leg.first + i]));
    next = leg.first + leg.count;
    legs.push_back({{"id", hex(leg.id.value)},
                    {"kind", name_of(leg.kind)},
                    {"from", hex(leg.from.value)},
                    {"to", hex(leg.to.value)},
                    {"length_um", leg.length_um},
                    {"pieces", std::move(pieces)}});
  }
  for (; next < paths.pieces.size(); ++next) places.push_back(to_json(paths.pieces[next]));
  return {{"nodes", std::move(nodes)}, {"legs", std::move(legs)}, {"places", std::move(places)}};
}

Json to_json(const PlanOrigin& origin) {
  return {{"evaluator", origin.evaluator},
          {"seed", origin.world_seed.value},
          {"recipe", origin.recipe_id},
          {"version", origin.recipe_version},
          {"layout_version", origin.layout_version},
          {"parameters", to_hex(origin.parameters)}};
}

}  // namespace

Json plan_json(const SectorSnapshot& snapshot, const Recipe& recipe) {
  const SectorPlan& plan = snapshot.plan;
  Json features = Json::array(), lights = Json::array();
  for (std::size_t i = 0; i < plan.features.size(); ++i) {
    Json records = Json::array();
    for (const FeatureRecord& r : plan.features[i]) records.push_back(to_json(r, recipe.features[i]));
    features.push_back({{"set", recipe.features[i].name}, {"records", std::move(records)}});
  }
  for (const LightRecord& r : plan.lights) lights.push_back(to_json(r, recipe));
  return {{"stratum", plan.stratum},
          {"sector", {plan.sx, plan.sy}},
          {"identity", to_hex(identity_of(snapshot))},
          {"layout", to_hex(identity_of(plan))},
          {"origin", to_json(snapshot.origin)},
          {"features", std::move(features)},
          {"lights", std::move(lights)},
          {"paths", to_json(plan.paths)}};
}

}  // namespace vf::cli

// voxelforge sample: everything that is known of one point of a world.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/scene_input.h"
#include "cli/surface_materials.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  Place1024 at{};
};

struct MaterialShare {
  std::string name;
  float weight = 0;  ///< of all weights together. [0..1]
};

struct Owner {
  std::string set;
  FeatureInstance instance;
  std::vector<std::string> value_names;
};

struct Sample {
  InputStratum where;
  Frame frame;
  Vec3f local;  ///< [metres, frame; z from the content floor]
  float density = 0;
  Vec3f gradient;
  std::vector<MaterialShare> materials;
  std::vector<Owner> owners;
};

double metres(std::int64_t v_1024) {
  return static_cast<double>(v_1024) / 1024.0;
}

std::vector<MaterialShare> materials_at(const Scene& scene, SimdLevel simd, Vec3f p, Vec3f normal) {
  MaterialWeights weights(scene, simd);
  std::vector<std::vector<float>> shares;
  weights.at({&p, 1}, {&normal, 1}, shares);
  std::vector<MaterialShare> out;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i][0] > 0) out.push_back({scene.built->recipe->materials[i].name, shares[i][0]});
  }
  return out;
}

/// The places whose shape still matters after the interval pass over this one point.
std::vector<Owner> owners_at(const Scene& scene, FieldSampler& sampler, Vec3f p) {
  const Tape tape = sampler.tape_for({p, p});
  std::vector<Owner> owners;
  for (std::size_t set = 0; set < tape.candidates.size(); ++set) {
    const FeatureSet& declared = scene.built->recipe->features[set];
    for (const std::uint32_t i : tape.candidates[set]) {
      Owner owner{declared.name, scene.density->sets[set].instances[i], {}};
      for (const NamedExpr& value : declared.values) owner.value_names.push_back(value.name);
      owners.push_back(std::move(owner));
    }
  }
  return owners;
}

Result<Sample> take_sample(const Options& options, const Input& input, const InputWorld& world) {
  const Result<std::int64_t> index = stratum_index_at(world.world, input.at[2]);
  if (!index) return index.error();
  Sample sample;
  sample.where = input_stratum(world, *index);
  const FramePlace place = frame_place(input.at[0], input.at[1]);
  sample.frame = place.frame;
  // Strata lie on whole metres, so the height above the floor is exact too.
  const std::int64_t floor_1024 = std::llround(sample.where.stratum.content_floor_z_m * 1024);
  sample.local = {place.x, place.y, static_cast<float>(input.at[2] - floor_1024) / 1024.0F};
  const Result<Scene> scene =
      open_scene(sample.where, place.frame, {place.x - 1, place.y - 1, place.x + 1, place.y + 1});
  if (!scene) return scene.error();
  FieldSampler sampler(scene->density, options.simd);
  const Vec3f p = sample.local;
  sampler.gradients(1, &p.x, &p.y, &p.z, &sample.density, &sample.gradient.x, &sample.gradient.y,
                    &sample.gradient.z);
  sample.density = sampler.value(p);
  sample.materials = materials_at(*scene, options.simd, p, unit_or_up(sample.gradient));
  sample.owners = owners_at(*scene, sampler, p);
  return sample;
}

std::array<double, 3> world_place(const Sample& sample, Vec3f p) {
  return {static_cast<double>(sample.frame.sx) * 1024 + static_cast<double>(p.x),
          static_cast<double>(sample.frame.sy) * 1024 + static_cast<double>(p.y),
          sample.where.stratum.content_floor_z_m + static_cast<double>(p.z)};
}

/// Depth of the point under the stratum's water; nothing where there is none.
std::optional<float> under_water_m(const Sample& sample) {
  const float level = sample.where.built->water_level_m;
  if (std::isnan(level) || sample.density <= 0 || sample.local.z >= level) return std::nullopt;
  return level - sample.local.z;
}

Json to_json(const Sample& sample, const Owner& owner) {
  Json values = Json::object();
  for (std::size_t i = 0; i < owner.value_names.size(); ++i)
    values[owner.value_names[i]] = owner.instance.values[i];
  return {{"id", fmt::format("{:016x}", owner.instance.id.value)},
          {"set", owner.set},
          {"at", world_place(sample, owner.instance.at)},
          {"turn", {owner.instance.yaw_cos, owner.instance.yaw_sin}},
          {"values", values}};
}

Json to_json(const Input& input, const Sample& sample) {
  const Stratum& stratum = sample.where.stratum;
  Json materials = Json::array(), owners = Json::array();
  for (const MaterialShare& m : sample.materials)
    materials.push_back({{"name", m.name}, {"weight", m.weight}});
  for (const Owner& owner : sample.owners) owners.push_back(to_json(sample, owner));
  const std::optional<float> depth = under_water_m(sample);
  Json water = nullptr;
  if (depth) water = {{"depth_m", *depth}};
  return {{"at", {metres(input.at[0]), metres(input.at[1]), metres(input.at[2])}},
          {"sector", {sample.frame.sx, sample.frame.sy}},
          {"local", {sample.local.x, sample.local.y, sample.local.z}},
          {"stratum",
           {{"index", stratum.index},
            {"type", stratum.recipe->id},
            {"top_z_m", stratum.top_z_m},
            {"height_m", stratum.height_m},
            {"content_floor_z_m", stratum.content_floor_z_m}}},
          {"density", sample.density},
          {"density_hex", fmt::format("{:a}", sample.density)},
          {"solid", sample.density < 0},
          {"gradient", {sample.gradient.x, sample.gradient.y, sample.gradient.z}},
          {"materials", materials},
          {"water", water},
          {"owner", owners.empty() ? Json(nullptr) : owners.front()},
          {"owners", owners}};
}

void print_sample(Console& console, const Input& input, const Sample& sample) {
  const Stratum& stratum = sample.where.stratum;
  const Vec3f g = sample.gradient;
  console.line(
      fmt::format("place     {}, {}, {} m", metres(input.at[0]), metres(input.at[1]), metres(input.at[2])));
  console.line(fmt::format("stratum   {} ({}), {} m above its content floor", stratum.index,
                           stratum.recipe->id, sample.local.z));
  console.line(fmt::format("sector    {}, {} at {}, {}", sample.frame.sx, sample.frame.sy, sample.local.x,
                           sample.local.y));
  console.line(fmt::format("density   {:.6g} m, {} ({:a})", sample.density,
                           sample.density < 0 ? "solid" : "air", sample.density));
  console.line(fmt::format("gradient  {:.4f}, {:.4f}, {:.4f}; length {:.4f}", g.x, g.y, g.z,
                           std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z)));
  std::string materials;
  for (const MaterialShare& m : sample.materials) {
    materials += fmt::format("{}{} {:.0f} %", materials.empty() ? "" : ", ", m.name, 100 * m.weight);
  }
  console.line("material  " + (materials.empty() ? std::string("none") : materials));
  const std::optional<float> depth = under_water_m(sample);
  console.line("water     " +
               (depth ? fmt::format("{:.3f} m below its level", *depth) : std::string("none")));
  if (sample.owners.empty()) console.line("owner     none: the field alone");
  for (const Owner& owner : sample.owners) {
    const std::array<double, 3> at = world_place(sample, owner.instance.at);
    std::string values;
    for (std::size_t i = 0; i < owner.value_names.size(); ++i) {
      values += fmt::format(", {} {:.4g}", owner.value_names[i], owner.instance.values[i]);
    }
    console.line(fmt::format("owner     {} {:016x} at {:.3f}, {:.3f}, {:.3f}{}", owner.set,
                             owner.instance.id.value, at[0], at[1], at[2], values));
  }
}

Result<int> run_sample(const Options& options, const Input& input) {
  Console console(options.json);
  Notes notes;  // `check` shows them
  const Result<InputWorld> world = open_input(input.world, options, notes);
  if (!world) return world.error();
  const Result<Sample> sample = take_sample(options, input, *world);
  if (!sample) return sample.error();
  if (options.json) {
    print_json(to_json(input, *sample));
  } else {
    print_sample(console, input, *sample);
  }
  return kExitGood;
}

}  // namespace

void add_sample(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "sample", "density, material, water, stratum and owner at a point",
               kJson | kWorld | kSimd, [&session, input] { return run_sample(session.options, *input); });
  verb.world(input->world);
  verb.checked(
      "--at", "world place in metres; z = 0 is the top of stratum 0, deeper is negative",
      [input](const std::string& text) -> Status {
        const Result<Place1024> place = parse_place("--at", text);
        if (!place) return place.error();
        input->at = *place;
        return Unit{};
      },
      "X,Y,Z");
  verb.require("--at");
}

}  // namespace vf::cli

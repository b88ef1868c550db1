// Sections that make the look, the sound and the views.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "recipe/language.h"
#include "recipe/recipe.h"
#include "recipe/sections.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

constexpr std::array<std::string_view, 10> kPatterns{"none",  "noise", "cracks",  "tiles",   "bricks",
                                                     "bands", "grass", "speckle", "plaster", "leaves"};
constexpr std::array<std::string_view, 4> kPlacements{"lattice", "features", "point", "paths"};
constexpr std::array<std::string_view, 4> kRouteSources{"ground", "graph", "lattice", "chain"};

void check_count(Section& root, std::string_view key, std::size_t count, int most) {
  if (count > static_cast<std::size_t>(most))
    root.fail(
        root.key_place(key),
        fmt::format("there are {} [[{}]] with the inherited ones; expected at most {}", count, key, most));
}

/// [low, high] with low <= high.
void read_pair(Section& section, std::string_view key, double low, double high, float& least, float& most) {
  std::array<float, 2> pair{};
  if (!section.numbers(key, low, high, pair)) return;
  if (pair[0] > pair[1])
    return section.fail(
        section.key_place(key),
        fmt::format("\"{}\" is [{}, {}]; expected the lower one first", key, pair[0], pair[1]));
  least = pair[0];
  most = pair[1];
}

void read_material(Section& section, Material& material) {
  section.formula("weight", material.weight);
  if (!material.weight) material.weight = number_formula(1, material.place);
  const bool inherited_tones = material.color2 != material.color;
  const bool has_color = section.color("color", material.color);
  if (!section.color("color2", material.color2) && has_color && !inherited_tones)
    material.color2 = material.color;
  section.number("roughness", 0, 1, material.roughness);
  section.number("metallic", 0, 1, material.metallic);
  if (section.color("emission", material.emission) && material.emission_strength == 0)
    material.emission_strength = 1;
  section.number("emission_strength", 0, 1000, material.emission_strength);
  section.formula("emission_mask", material.emission_mask);
  section.number("translucency", 0, 1, material.translucency);
  if (const std::optional<std::size_t> pattern = section.choice("detail", kPatterns))
    material.detail = static_cast<DetailPattern>(*pattern);
  section.number("detail_scale_m", 0.001, 1000, material.detail_scale_m);
  section.number("detail_strength", 0, 1, material.detail_strength);
  section.number("bump_m", 0, 10, material.bump_m);
  section.finish();
}

void read_light_color(Section& section, Light& light) {
  double kelvin = 0;
  if (section.has("color") && section.has("kelvin"))
    section.fail(section.key_place("kelvin"), "a light has either \"color\" or \"kelvin\", not both");
  section.color("color", light.color);
  if (section.number("kelvin", 1000, 15000, kelvin)) light.color = kelvin_color(kelvin);
}

void read_light_place(Section& section, Light& light) {
  if (const std::optional<std::size_t> placement = section.choice("placement", kPlacements))
    light.placement = static_cast<LightPlacement>(*placement);
  const std::string_view name = kPlacements[static_cast<std::size_t>(light.placement)];
  const bool lattice = light.placement == LightPlacement::kLattice;
  const bool features = light.placement == LightPlacement::kFeatures;
  const bool point = light.placement == LightPlacement::kPoint;
  const bool paths = light.placement == LightPlacement::kPaths;
  if (lattice && !light.pitch) section.require("pitch", "the edge of a cell in metres");
  if (paths && !light.pitch) section.require("pitch", "the way from one light to the next in metres");
  if (features && light.features.empty()) section.require("features", "the name of a feature set");
  if (point && !light.offset[0]) section.require("at", "[x, y, z] in the sector, in metres");
  const auto only = [&](std::string_view key, bool allowed) {
    if (section.has(key) && !allowed)
      section.fail(section.key_place(key),
                   fmt::format("\"{}\" has no meaning for placement \"{}\"", key, name));
  };
  only("pitch", lattice || paths);
  only("jitter", lattice);
  only("ground", lattice);
  only("features", features);
  only("probability", !point);
  only("offset", !point);
  only("at", point);
  section.text("features", light.features);
  section.formula("pitch", light.pitch);
  section.formula("jitter", light.jitter);
  section.formula("probability", light.probability);
  section.formula("ground", light.ground);
  section.formulas("offset", light.offset);
  section.formulas("at", light.offset);
}

void read_light(Section& section, Light& light) {
  read_light_place(section, light);
  read_light_color(section, light);
  section.number("intensity", 0, 1e6, light.intensity);
  section.number("range_m", 0.1, 512, light.range_m);
  section.number("size_m", 0, 64, light.size_m);
  section.boolean("visible_body", light.visible_body);
  section.finish();
  const auto default_to = [&light](ExprPtr& expr, double value) {
    if (!expr) expr = number_formula(value, light.place);
  };
  default_to(light.jitter, 0);
  default_to(light.probability, 1);
}

}  // namespace

void read_materials(Section& root, Recipe& recipe) {
  for (NamedSection& s : find_named_sections(root, "materials", kRecipeLimits.materials))
    read_material(s.section, part_named(recipe.materials, s.name, s.section.place()));
  check_count(root, "materials", recipe.materials.size(), kRecipeLimits.materials);
}

void read_lights(Section& root, Recipe& recipe) {
  for (NamedSection& s : find_named_sections(root, "lights", kRecipeLimits.lights))
    read_light(s.section, part_named(recipe.lights, s.name, s.section.place()));
  check_count(root, "lights", recipe.lights.size(), kRecipeLimits.lights);
}

void read_ambient(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "ambient");
  if (!section) return;
  Ambient& ambient = recipe.ambient;
  ambient.given = true;
  section->color("up", ambient.up);
  section->color("down", ambient.down);
  section->number("strength", 0, 100, ambient.strength);
  section->color("key", ambient.key);
  std::array<float, 3> direction = ambient.key_direction;
  if (section->numbers("key_direction", -1e6, 1e6, direction)) {
    if (direction == std::array<float, 3>{0, 0, 0}) {
      section->fail(section->key_place("key_direction"),
                    "\"key_direction\" is [0, 0, 0]; expected a direction towards the glow");
    } else {
      ambient.key_direction = direction;
    }
  }
  section->number("key_softness", 0, 1, ambient.key_softness);
  section->finish();
}

void read_fog(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "fog");
  if (!section) return;
  section->number("extinction", 0, 10, recipe.fog.extinction);
  section->color("color", recipe.fog.color);
  section->number("height_m", 0, 1000, recipe.fog.height_m);
  section->number("floor_m", -1000, 1000, recipe.fog.floor_m);
  section->number("glow", 0, 1, recipe.fog.glow);
  section->finish();
}

void read_sound(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "sound");
  if (!section) return;
  section->texts("tags", recipe.sound.tags);
  section->number("reverberation_s", 0, 60, recipe.sound.reverberation_s);
  section->finish();
}

void read_decor(Section& root, Recipe& recipe) {
  for (NamedSection& s : find_named_sections(root, "decor", kRecipeLimits.decor)) {
    Decor& decor = part_named(recipe.decor, s.name, s.section.place());
    if (decor.model.empty()) s.section.require("model", "the name of a model");
    s.section.text("model", decor.model);
    s.section.formula("density", decor.density);
    if (!decor.density) decor.density = number_formula(0, decor.place);
    s.section.formula("accept", decor.accept);
    read_pair(s.section, "scale", 0.01, 100, decor.min_scale, decor.max_scale);
    s.section.finish();
  }
  check_count(root, "decor", recipe.decor.size(), kRecipeLimits.decor);
}

void read_water(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "water");
  if (!section) return;
  WaterSettings& water = recipe.water;
  water.present = true;
  water.place = section->place();
  section->formula("level", water.level);
  section->color("color", water.color);
  section->number("attenuation_m", 0.01, 1000, water.attenuation_m);
  section->number("roughness", 0, 1, water.roughness);
  section->number("wave_m", 0, 1, water.wave_m);
  section->number("glow", 0, 100, water.glow);
  section->finish();
}

void read_route(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "route");
  if (!section) return;
  RouteSettings& route = recipe.route;
  route.present = true;
  route.place = section->place();
  if (const std::optional<std::size_t> from = section->choice("from", kRouteSources))
    route.from = kRouteSources[*from];
  section->formula("anchor", route.anchor);
  read_pair(*section, "length_m", 1, 10000, route.length_min_m, route.length_max_m);
  section->boolean("ford", route.ford);
  section->text("material", route.material);
  section->number("kerb_m", 0, 4, route.kerb_m);
  section->boolean("banks", route.banks);
  if (const std::optional<std::size_t> style = section->choice("passage", kPassageStyles))
    route.passage = static_cast<PassageStyle>(*style);
  section->finish();
}

void read_viewpoints(Section& root, Recipe& recipe) {
  for (NamedSection& s : find_named_sections(root, "viewpoints", kRecipeLimits.viewpoints)) {
    Viewpoint& view = part_named(recipe.viewpoints, s.name, s.section.place());
    if (!view.eye[0]) s.section.require("eye", "[x, y, z] in metres");
    if (!view.target[0]) s.section.require("target", "[x, y, z] in metres");
    s.section.formulas("eye", view.eye);
    s.section.formulas("target", view.target);
    for (std::array<ExprPtr, 3>* point : {&view.eye, &view.target})
      for (ExprPtr& c : *point)
        if (!c) c = number_formula(0, view.place);
    s.section.number("fov_deg", 10, 120, view.fov_deg);
    s.section.number("exposure", 0.001, 1000, view.exposure);
    s.section.text("caption", view.caption);
    s.section.finish();
  }
  check_count(root, "viewpoints", recipe.viewpoints.size(), kRecipeLimits.viewpoints);
}

void read_view(Section& root, Recipe& recipe) {
  std::optional<Section> section = find_section(root, "view");
  if (!section) return;
  section->number("near_m", 16, 32, recipe.view.near_m);
  section->number("view_m", 128, 512, recipe.view.view_m);
  section->number("min_feature_m", 0.75, 100, recipe.view.min_feature_m);
  section->finish();
}

}  // namespace vf

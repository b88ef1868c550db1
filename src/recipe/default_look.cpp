#include "recipe/default_look.h"

#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/result.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

Material earthy(const Recipe& recipe, std::string_view name, std::string_view weight) {
  Material m;
  m.name = name;
  m.place = {recipe.file, 1, 1};
  Result<ExprPtr> formula = parse_formula(weight, m.place);
  VF_CHECK(formula);
  m.weight = std::move(*formula);
  m.detail = DetailPattern::kNoise;
  return m;
}

/// Linear colours: moss-grown earth where one can stand, pale warm stone elsewhere.
void add_materials(Recipe& recipe) {
  Material earth = earthy(recipe, "earth", "smoothstep(0.6, 0.85, nz)");
  earth.color = {0.155F, 0.185F, 0.07F};
  earth.color2 = {0.25F, 0.2F, 0.1F};
  earth.roughness = 0.95F;
  earth.detail_scale_m = 2.2F;
  earth.detail_strength = 0.7F;
  earth.bump_m = 0.03F;
  Material stone = earthy(recipe, "stone", "1 - smoothstep(0.6, 0.85, nz)");
  stone.color = {0.46F, 0.38F, 0.29F};
  stone.color2 = {0.3F, 0.26F, 0.22F};
  stone.roughness = 0.85F;
  stone.detail_scale_m = 3.5F;
  stone.detail_strength = 0.6F;
  stone.bump_m = 0.05F;
  recipe.materials.push_back(std::move(earth));
  recipe.materials.push_back(std::move(stone));
}

}  // namespace

void apply_default_look(Recipe& recipe) {
  if (recipe.materials.empty()) add_materials(recipe);
  if (!recipe.ambient.given) {
    recipe.ambient.strength = 1.7F;
    recipe.ambient.up = {0.3F, 0.4F, 0.52F};
    recipe.ambient.down = {0.16F, 0.13F, 0.1F};
    recipe.ambient.key = {1.9F, 1.3F, 0.75F};
    recipe.ambient.key_direction = {0.55F, -0.45F, 0.6F};
    recipe.ambient.key_softness = 0.35F;
  }
}

}  // namespace vf

#include "recipe/default_look.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/result.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

struct Look {
  std::string_view name, weight;
  Color color, color2;  ///< linear
  float roughness = 1, detail_scale_m = 1, detail_strength = 1, bump_m = 0;
};

/// Moss-grown earth where one can stand, pale warm stone elsewhere.
constexpr std::array<Look, 2> kLooks{{
    {"earth",
     "smoothstep(0.6, 0.85, nz)",
     {0.155F, 0.185F, 0.07F},
     {0.25F, 0.2F, 0.1F},
     0.95F,
     2.2F,
     0.7F,
     0.03F},
    {"stone",
     "1 - smoothstep(0.6, 0.85, nz)",
     {0.46F, 0.38F, 0.29F},
     {0.3F, 0.26F, 0.22F},
     0.85F,
     3.5F,
     0.6F,
     0.05F},
}};

Material material_of(const Look& look, const std::string& file) {
  Material m;
  m.name = look.name;
  m.place = {file, 1, 1};
  Result<ExprPtr> formula = parse_formula(look.weight, m.place);
  VF_CHECK(formula);
  m.weight = std::move(*formula);
  m.color = look.color;
  m.color2 = look.color2;
  m.roughness = look.roughness;
  m.detail = DetailPattern::kNoise;
  m.detail_scale_m = look.detail_scale_m;
  m.detail_strength = look.detail_strength;
  m.bump_m = look.bump_m;
  return m;
}

}  // namespace

void apply_default_look(Recipe& recipe) {
  if (recipe.materials.empty())
    for (const Look& look : kLooks) recipe.materials.push_back(material_of(look, recipe.file));
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

// What must hold for any text: the fuzzers and the replay of their corpora in the tests run the same code.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "compose/world.h"
#include "recipe/language.h"
#include "recipe/parse.h"

namespace vf::fuzz {

/// A place is in the text that it speaks of, as far as can be told cheaply.
inline void check_place(const Place& place, std::string_view text) {
  std::size_t lines = 2;  // an error at the end may stand on the line after the last
  for (const char c : text) lines += c == '\n' ? 1U : 0U;
  VF_CHECK(place.line <= lines);
  VF_CHECK(place.column <= text.size() + 2);
}

inline void check_tree(const Expr& e, std::string_view text, int depth) {
  VF_CHECK(depth <= kRecipeLimits.nesting);
  check_place(e.place, text);
  VF_CHECK(e.place.line > 0 && e.place.column > 0);
  for (const ExprPtr& arg : e.args) {
    VF_CHECK(arg != nullptr);
    check_tree(*arg, text, depth + 1);
  }
  for (const NamedArgument& option : e.options) {
    VF_CHECK(option.value != nullptr);
    check_tree(*option.value, text, depth + 1);
  }
}

inline void check_formula(std::string_view text) {
  const Result<ExprPtr> expr = parse_formula(text, {"f", 1, 1});
  if (expr) {
    check_tree(**expr, text, 1);
  } else {
    VF_CHECK(!expr.error().message.empty());
    check_place(expr.error().place, text);
  }
}

/// Finds `text` itself under its own name, and one small recipe under every other.
inline RecipeLoader base_loader(std::string_view text) {
  return [text](const std::string& name) -> Result<std::string> {
    if (name.size() > 40) return Error{ErrorCode::kIo, {}, "no such file"};
    if (name == "f") return std::string(text);
    return std::string(
        "[type]\nid = \"base\"\nheight_m = 20\n[params]\na = { default = 1, min = 0, max = 2 }\n"
        "[functions]\n\"f(u)\" = \"u + 1\"\n[field]\nground = \"f(a)\"\nphi = \"z - ground\"\n");
  };
}

/// The text as a recipe, as what it extends and includes, and as a world.
inline void check_recipe(std::string_view text) {
  const RecipeLoader loader = base_loader(text);
  Notes notes;
  const Result<Recipe> recipe = parse_recipe("f", text, loader, {{"a", 1}}, notes);
  if (!recipe) {
    VF_CHECK(!recipe.error().message.empty());
    if (recipe.error().place.file == "f") check_place(recipe.error().place, text);
  } else {
    VF_CHECK(recipe->find_field("phi") != nullptr);
    VF_CHECK(recipe->height_m >= 4 && recipe->height_m <= 240);
    VF_CHECK(!recipe->materials.empty());
    for (const Parameter& p : recipe->params) VF_CHECK(p.min <= p.value && p.value <= p.max);
    for (const FeatureSet& set : recipe->features)
      VF_CHECK(set.shape && set.extent_x && set.extent_z_max && set.pitch && set.far && set.blend &&
               set.probability);
  }
  for (const Note& note : notes)
    if (note.place.file == "f") check_place(note.place, text);
  const Result<World> world = open_world("f", loader, {}, notes);
  if (!world) return;
  for (const std::int64_t k : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 62}) {
    const Stratum s = stratum_at(*world, k);
    VF_CHECK(s.recipe != nullptr && s.height_m >= s.recipe->height_m + 2 * kBandM);
  }
}

}  // namespace vf::fuzz

// Recipes for tests, from a few lines of their text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "field/builder.h"
#include "recipe/parse.h"

namespace vf::test {

/// A recipe file "r.toml" of height 32 with these lines after [type].
inline Result<Recipe> recipe_of(std::string_view lines, std::string_view type_lines = "") {
  const std::string text =
      "[type]\nid = \"r\"\nheight_m = 32\n" + std::string(type_lines) + std::string(lines);
  Notes notes;
  const RecipeLoader none = [](const std::string& name) -> Result<std::string> {
    return Error{ErrorCode::kIo, {}, "no file " + name};
  };
  return parse_recipe("r.toml", text, none, {}, notes);
}

/// Builds "[field]" with these lines (they start at line 5), without paths, and keeps the notes.
struct Built {
  explicit Built(std::string_view field_lines, std::string_view more = "", std::string_view type_lines = "") {
    Result<Recipe> recipe =
        recipe_of("[field]\n" + std::string(field_lines) + "\n" + std::string(more), type_lines);
    if (!recipe) {
      error = recipe.error().text();
      return;
    }
    Result<BuiltRecipe> built =
        build_recipe(std::make_shared<const Recipe>(std::move(*recipe)), notes, false);
    if (!built) {
      error = built.error().text();
      return;
    }
    value = std::move(*built);
  }
  [[nodiscard]] const Program& density() const { return *value.density; }
  [[nodiscard]] int count(Opcode op) const {
    int n = 0;
    for (const Node& node : density().nodes) n += node.op == op ? 1 : 0;
    return n;
  }
  [[nodiscard]] const Node* find(Opcode op) const {
    for (const Node& node : density().nodes)
      if (node.op == op) return &node;
    return nullptr;
  }

  BuiltRecipe value;
  Notes notes;
  std::string error;
};

}  // namespace vf::test

// Text -> Recipe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/recipe.h"

namespace vf {

/// Finds the text of `extends = "..."` and of function libraries: a path or "type:ID".
using RecipeLoader = std::function<Result<std::string>(const std::string& name)>;

using ParameterValues = std::vector<std::pair<std::string, double>>;

/// Parses and validates one recipe with all that it extends; `set` overrides parameters (range-checked).
/// Never throws; all text is untrusted. Warnings and hints go to `notes`; of several errors the first is
/// returned and the others go to `notes` with Severity::kError.
[[nodiscard]] Result<Recipe> parse_recipe(const std::string& file, std::string_view text,
                                          const RecipeLoader& loader, const ParameterValues& set,
                                          Notes& notes);

/// Overrides one parameter. Errors: no such parameter, out of its range; with `place`, which tells who asked
/// for it.
[[nodiscard]] Status set_parameter(Recipe& recipe, const std::string& name, double value, const Place& place);

/// `name` as a path beside `file`; "type:ID" and absolute paths as they are.
[[nodiscard]] std::string path_beside(const std::string& file, const std::string& name);

/// One formula. `place` is where its first character stands.
[[nodiscard]] Result<ExprPtr> parse_formula(std::string_view text, const Place& place);

}  // namespace vf

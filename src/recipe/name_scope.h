// In: where a formula stands. Out: which names it knows, and on what its value may depend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/recipe.h"

namespace vf {

/// What a value changes with; a set of bits.
enum Dependence : unsigned { kOnNothing = 0, kOnPlan = 1, kOnZ = 2, kOnFeatures = 4, kOnRoute = 8 };

/// Where a formula stands. docs/recipes.md has the table of what each knows.
enum class Where : std::uint8_t {
  kField,
  kFunction,
  kConstant,
  kColumn,
  kPlaceColumn,  ///< a column formula of a set or a light: knows u1 .. u8 as well
  kPlace,
  kShape,
  kSurface
};

struct NameScope {
  Where where = Where::kField;
  unsigned allowed = kOnPlan | kOnZ | kOnFeatures | kOnRoute;
  std::size_t fields = 0;                               ///< how many of [field] are known
  std::size_t functions = 0;                            ///< how many functions are known
  const FeatureSet* set = nullptr;                      ///< whose values are known ...
  std::size_t values = 0;                               ///< ... and how many of them
  const std::vector<std::string>* arguments = nullptr;  ///< of the function around
};

/// A scope that knows all of the recipe that `where` may know, and no values.
[[nodiscard]] NameScope name_scope(Where where, const Recipe& recipe);

/// Whether `name` is a name of the language that the scope knows.
[[nodiscard]] bool is_context(std::string_view name, const NameScope& scope);

[[nodiscard]] bool is_random_name(std::string_view name);   ///< u1 .. u8
[[nodiscard]] bool is_local_name(std::string_view name);    ///< px, py, pz
[[nodiscard]] bool is_surface_name(std::string_view name);  ///< of materials and decor

/// "x and y"; of several dependences the one that is hardest to have.
[[nodiscard]] std::string_view dependence_text(unsigned on);
/// Why `where` cannot have it: "but this must be a constant".
[[nodiscard]] std::string_view refusal_text(Where where, unsigned on);

}  // namespace vf

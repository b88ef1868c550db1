#include "recipe/name_scope.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "recipe/recipe.h"

namespace vf {

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_random_name(std::string_view name) {
  return name.size() == 2 && name[0] == 'u' && name[1] >= '1' && name[1] <= '8';
}
bool is_local_name(std::string_view name) {
  return is_one_of(name, {"px", "py", "pz"});
}
bool is_surface_name(std::string_view name) {
  return is_one_of(name, {"nx", "ny", "nz", "slope", "height", "route.d", "route.s", "route.h"});
}

std::string_view dependence_text(unsigned on) {
  if ((on & kOnFeatures) != 0) return "a feature set";
  if ((on & kOnRoute) != 0) return "the route";
  if ((on & kOnZ) != 0) return "z";
  return "x and y";
}

/// Why `where` cannot have it.
std::string_view refusal_text(Where where, unsigned on) {
  if (where == Where::kConstant) return "but this must be a constant";
  if ((on & kOnFeatures) != 0) return "which is not known here";
  if ((on & kOnRoute) != 0) return "which itself stands on this";
  return "but this is about a place in plan: x and y";
}

bool is_context(std::string_view name, const NameScope& scope) {
  const Where where = scope.where;
  if (name == "H" || name == "tau") return true;
  if (name == "x" || name == "y") return where != Where::kConstant;
  if (name == "z")
    return where == Where::kField || where == Where::kShape || where == Where::kSurface ||
           where == Where::kFunction;
  if (name == "water.level") return where != Where::kConstant && where != Where::kFunction;
  if (is_local_name(name)) return where == Where::kShape;
  if (is_random_name(name)) return where == Where::kPlace || where == Where::kPlaceColumn;
  if (name == "ground") return where == Where::kPlace;
  return where == Where::kSurface && is_surface_name(name);
}

NameScope name_scope(Where where, const Recipe& recipe) {
  NameScope scope;
  scope.where = where;
  scope.fields = recipe.field.size();
  scope.functions = recipe.functions.size();
  switch (where) {
    case Where::kConstant:
      scope.allowed = kOnNothing;
      scope.fields = 0;
      break;
    case Where::kColumn:
    case Where::kPlaceColumn:
    case Where::kPlace:
      scope.allowed = kOnPlan | kOnRoute;
      break;
    case Where::kShape:
      scope.allowed = kOnPlan | kOnZ | kOnRoute;
      break;
    case Where::kField:
    case Where::kFunction:
    case Where::kSurface:
      break;
  }
  return scope;
}

}  // namespace vf

// voxelforge types: the shipped world types and their parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"
#include "recipe/shipped.h"

namespace vf::cli {

namespace {

Result<std::vector<Recipe>> shipped_recipes() {
  std::vector<Recipe> recipes;
  for (const ShippedFile& file : shipped_files()) {
    if (!file.name.starts_with("types/")) continue;
    Notes ignored;  // `check` shows them
    Result<Recipe> recipe =
        parse_recipe("worlds/" + std::string(file.name), file.text, load_text, {}, ignored);
    if (!recipe) return recipe.error();
    recipes.push_back(*std::move(recipe));
  }
  return recipes;
}

Json to_json(const Recipe& recipe) {
  Json params = Json::array();
  for (const Parameter& p : recipe.params) {
    params.push_back({{"name", p.name},
                      {"default", p.default_value},
                      {"min", p.min},
                      {"max", p.max},
                      {"unit", p.unit},
                      {"help", p.help}});
  }
  return {{"id", recipe.id},
          {"version", recipe.version},
          {"name", recipe.name},
          {"family", recipe.family},
          {"description", recipe.description},
          {"tags", recipe.tags},
          {"height_m", recipe.height_m},
          {"params", params}};
}

void print_type(Console& console, const Recipe& recipe, std::size_t name_width) {
  console.line(fmt::format("{:<{}}  {:<10}  {:>4g} m  {}", recipe.id, name_width, recipe.family,
                           recipe.height_m, recipe.name));
  for (const Parameter& p : recipe.params) {
    const std::string range = fmt::format("{:g} ({:g} .. {:g}){}{}", p.default_value, p.min, p.max,
                                          p.unit.empty() ? "" : " ", p.unit);
    console.line(fmt::format("    {:<18} {:<26} {}", p.name, range, p.help));
  }
}

Result<int> run_types(const Options& options) {
  const Result<std::vector<Recipe>> recipes = shipped_recipes();
  if (!recipes) return recipes.error();
  if (options.json) {
    Json types = Json::array();
    for (const Recipe& recipe : *recipes) types.push_back(to_json(recipe));
    print_json({{"types", types}});
    return kExitGood;
  }
  std::size_t width = 4;
  for (const Recipe& recipe : *recipes) width = std::max(width, recipe.id.size());
  Console console(false);
  console.line(
      fmt::format("{:<{}}  {:<10}  {:>6}  {}", "type", width, "family", "H", "name, then its parameters"));
  for (const Recipe& recipe : *recipes) print_type(console, recipe, width);
  return kExitGood;
}

}  // namespace

void add_types(const Verb& app, Session& session) {
  add_verb(app, session, "types", "list the shipped world types with their parameters", kJson,
           [&session] { return run_types(session.options); });
}

}  // namespace vf::cli

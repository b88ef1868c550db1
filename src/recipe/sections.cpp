#include "recipe/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recipe/language.h"
#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

constexpr std::array<std::string_view, 15> kSections{
    "type", "params", "functions", "field", "features", "materials",  "ambient", "lights",
    "fog",  "sound",  "decor",     "water", "route",    "viewpoints", "view"};

/// `drop = ["materials", "lights.lamp"]`: takes inherited parts away.
template <class Part>
bool drop_part(std::vector<Part>& parts, std::string_view section, std::string_view what) {
  if (what == section) {
    parts.clear();
    return true;
  }
  if (!what.starts_with(section) || what[section.size()] != '.') return false;
  const std::string_view name = what.substr(section.size() + 1);
  return std::erase_if(parts, [name](const Part& p) { return p.name == name; }) > 0;
}

/// What `drop` may name.
std::vector<std::string> parts_of(const Recipe& recipe) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& section, const auto& parts) {
    names.push_back(section);
    for (const auto& part : parts) names.push_back(section + "." + part.name);
  };
  add("features", recipe.features);
  add("materials", recipe.materials);
  add("lights", recipe.lights);
  add("decor", recipe.decor);
  add("viewpoints", recipe.viewpoints);
  return names;
}

void read_drop(Section& type, Recipe& recipe) {
  std::vector<std::string> drop;
  if (!type.texts("drop", drop)) return;
  for (const std::string& what : drop) {
    const bool done = drop_part(recipe.features, "features", what) ||
                      drop_part(recipe.materials, "materials", what) ||
                      drop_part(recipe.lights, "lights", what) || drop_part(recipe.decor, "decor", what) ||
                      drop_part(recipe.viewpoints, "viewpoints", what);
    if (!done)
      type.fail(
          type.key_place("drop"),
          fmt::format("nothing inherited is called \"{}\"; expected \"features\", \"materials\", \"lights\", "
                      "\"decor\" or \"viewpoints\", or one of them with a name, such as \"lights.lamp\"{}",
                      what.substr(0, 60), did_you_mean(what, parts_of(recipe))));
  }
}

std::uint32_t read_version(Section& type, std::string_view key) {
  std::int64_t version = 1;
  type.integer(key, 1, std::numeric_limits<std::int32_t>::max(), version);
  return static_cast<std::uint32_t>(version);
}

void read_type(Section& root, Recipe& recipe) {
  std::optional<Section> found = find_section(root, "type");
  if (!found) {
    if (!root.has("type"))
      root.fail({root.file().file(), 1, 1}, "there is no [type]; expected one with \"id\" and \"height_m\"");
    return;
  }
  Section& type = *found;
  recipe.id.clear();
  recipe.id_place = type.key_place("id");
  type.require("id", "a stable name such as \"dome_meadow\"");
  if (type.text("id", recipe.id)) {
    recipe.id_place = type.file().place(*type.find("id"));
    if (!is_type_id(recipe.id)) {
      type.fail(recipe.id_place, fmt::format("the id \"{}\" is not plain; expected 1 .. {} of a-z, 0-9 and _",
                                             recipe.id.substr(0, 60), kRecipeLimits.name_bytes));
      recipe.id.clear();
    }
  }
  recipe.version = read_version(type, "version");
  recipe.layout_version = read_version(type, "layout_version");
  if (!type.text("name", recipe.name)) recipe.name = recipe.id;
  type.text("description", recipe.description);
  type.text("family", recipe.family);
  type.texts("tags", recipe.tags);
  if (recipe.height_m == 0) type.require("height_m", "the height of the content in metres");
  type.number("height_m", 4, 240, recipe.height_m);
  if (type.number("gradient_bound", 0.1, 16, recipe.gradient_bound))
    recipe.gradient_place = type.key_place("gradient_bound");
  if (recipe.gradient_place.line == 0) recipe.gradient_place = type.place();
  type.find("extends");  // followed before; see parse.cpp
  type.find("include");
  read_drop(type, recipe);
  if (type.has("overlays")) type.fail(type.key_place("overlays"), "\"overlays\" are not supported yet");
  type.finish();
}

void read_own_functions(Section& root, std::vector<Function>& functions) {
  const std::optional<Section> section = find_section(root, "functions");
  if (!section) return;
  for (const Entry& entry : entries_in_order(*root.find("functions")->as_table())) {
    const Place place = root.file().place(*entry.key);
    const std::string key = entry.name();
    Function function{"", place, {}, nullptr};
    const std::size_t open = key.find('(');
    const auto trim = [](std::string_view s) {
      while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
      while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
      return std::string(s);
    };
    function.name = trim(std::string_view(key).substr(0, open));
    if (open == std::string::npos || key.back() != ')') {
      root.fail(
          place,
          fmt::format("\"{}\" is not a function; expected a name with arguments, such as \"hills(u, v)\"",
                      key.substr(0, 60)));
      continue;
    }
    std::string_view rest = std::string_view(key).substr(open + 1);
    rest.remove_suffix(1);
    bool good = true;
    while (good && !trim(rest).empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string argument = trim(rest.substr(0, comma));
      const bool again = std::find(function.arguments.begin(), function.arguments.end(), argument) !=
                         function.arguments.end();
      good = is_plain_name(argument) && !again && (comma == rest.size() || comma + 1 < rest.size());
      if (!good)
        root.fail(place,
                  again ? fmt::format("the argument \"{}\" of \"{}\" is given twice", argument, function.name)
                        : fmt::format(
                              "\"{}\" is not an argument's name; expected a letter a-z, then a-z, 0-9 and _",
                              argument.substr(0, 60)));
      function.arguments.push_back(std::move(argument));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (!good) continue;
    const auto earlier = std::find_if(functions.begin(), functions.end(),
                                      [&function](const Function& f) { return f.name == function.name; });
    if (earlier != functions.end()) {
      root.fail(place, fmt::format("function \"{}\" is defined twice; first at {}", function.name,
                                   to_string(earlier->place)));
      continue;
    }
    if (functions.size() == static_cast<std::size_t>(kRecipeLimits.functions))
      return root.fail(place, fmt::format("more than {} functions", kRecipeLimits.functions));
    function.body = root.formula_of(*entry.value, key);
    functions.push_back(std::move(function));
  }
}

}  // namespace

std::vector<std::string> recipe_sections() {
  return {kSections.begin(), kSections.end()};
}

std::optional<Section> find_section(Section& root, std::string_view key) {
  const toml::node* value = root.find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_table()) {
    root.fail(root.key_place(key), fmt::format("\"{0}\" is not a table; write [{0}]", key));
    return std::nullopt;
  }
  return Section(root.file(), *value->as_table(), fmt::format("[{}]", key), root.key_place(key),
                 root.errors());
}

std::vector<NamedSection> find_named_sections(Section& root, std::string_view key, int most) {
  std::vector<NamedSection> result;
  const toml::node* value = root.find(key);
  if (value == nullptr) return result;
  if (!value->is_array()) {
    root.fail(root.key_place(key), fmt::format("\"{0}\" is not a list of tables; write [[{0}]]", key));
    return result;
  }
  for (const toml::node& item : *value->as_array()) {
    const Place place = root.file().place(item);
    if (!item.is_table()) {
      root.fail(place, fmt::format("\"{0}\" is not a list of tables; write [[{0}]]", key));
      return result;
    }
    if (result.size() == static_cast<std::size_t>(most)) {
      root.fail(place, fmt::format("more than {} [[{}]]", most, key));
      return result;
    }
    Section section(root.file(), *item.as_table(), fmt::format("[[{}]]", key), place, root.errors());
    std::string name;
    section.require("name", "text");
    if (section.text("name", name) && name.empty()) root.fail(section.key_place("name"), "\"name\" is empty");
    for (const NamedSection& other : result)
      if (other.name == name && !name.empty())
        root.fail(section.key_place("name"),
                  fmt::format("two [[{}]] are called \"{}\"; first at {}", key, name.substr(0, 60),
                              to_string(other.section.place())));
    result.push_back({std::move(name), std::move(section)});
  }
  return result;
}

std::vector<Function> read_functions(const TomlFile& file, ErrorList& errors) {
  Section root(file, file.root(), "the file", {file.file(), 1, 1}, errors);
  std::vector<Function> functions;
  read_own_functions(root, functions);
  return functions;
}

bool read_recipe_sections(const TomlFile& file, std::vector<Function> included, Recipe& recipe,
                          ErrorList& errors) {
  Section root(file, file.root(), "a recipe", {file.file(), 1, 1}, errors);
  if (root.has("world") || root.has("stratum")) {
    root.fail(root.key_place(root.has("world") ? "world" : "stratum"),
              "this is a world file; expected a recipe with [type] and [field]");
    return false;
  }
  read_type(root, recipe);
  read_params(root, recipe);
  read_own_functions(root, included);
  merge_in_order(recipe.functions, std::move(included));
  read_field(root, recipe);
  read_features(root, recipe);
  read_materials(root, recipe);
  read_lights(root, recipe);
  read_ambient(root, recipe);
  read_fog(root, recipe);
  read_sound(root, recipe);
  read_decor(root, recipe);
  read_water(root, recipe);
  read_route(root, recipe);
  read_viewpoints(root, recipe);
  read_view(root, recipe);
  for (const std::string_view later : {"overlays", "biomes"})
    if (file.root().contains(later)) {
      root.find(later);
      errors.add(root.key_place(later), fmt::format("\"{}\" are not supported yet", later));
    }
  root.finish();
  return true;
}

}  // namespace vf

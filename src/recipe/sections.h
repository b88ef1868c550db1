// In: one parsed TOML file and what it extends. Out: the recipe with the file's sections laid over it.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

/// Top-level keys of a recipe.
[[nodiscard]] std::vector<std::string> recipe_sections();

/// Lays every section of `file` over `recipe`; false when the file is no recipe at all. `included` are
/// functions of libraries, which stand before its own.
bool read_recipe_sections(const TomlFile& file, std::vector<Function> included, Recipe& recipe,
                          ErrorList& errors);

/// The `[functions]` of a file alone, as for `include`.
[[nodiscard]] std::vector<Function> read_functions(const TomlFile& file, ErrorList& errors);

// One file each: sections_shape.cpp reads what makes the geometry, sections_look.cpp what makes the look.

/// A table section such as [fog], or nothing when it is absent or wrong.
[[nodiscard]] std::optional<Section> find_section(Section& root, std::string_view key);
/// The tables of a section such as [[materials]], with names checked to be there and unique.
struct NamedSection {
  std::string name;
  Section section;
};
[[nodiscard]] std::vector<NamedSection> find_named_sections(Section& root, std::string_view key, int most);

void read_params(Section& root, Recipe& recipe);
void read_field(Section& root, Recipe& recipe);
void read_features(Section& root, Recipe& recipe);
void read_materials(Section& root, Recipe& recipe);
void read_lights(Section& root, Recipe& recipe);
void read_ambient(Section& root, Recipe& recipe);
void read_fog(Section& root, Recipe& recipe);
void read_sound(Section& root, Recipe& recipe);
void read_decor(Section& root, Recipe& recipe);
void read_water(Section& root, Recipe& recipe);
void read_route(Section& root, Recipe& recipe);
void read_viewpoints(Section& root, Recipe& recipe);
void read_view(Section& root, Recipe& recipe);

/// The inherited part of that name, or a new one at the end.
template <class Part>
Part& part_named(std::vector<Part>& parts, const std::string& name, const Place& place) {
  for (Part& part : parts)
    if (part.name == name) {
      part.place = place;
      return part;
    }
  parts.emplace_back();
  parts.back().name = name;
  parts.back().place = place;
  return parts.back();
}

/// Lays named parts that stand in an order over inherited ones: a known name is replaced where it stands; a
/// new one stands before the next known name of `own`, or at the end.
template <class Part>
void merge_in_order(std::vector<Part>& inherited, std::vector<Part> own) {
  std::vector<Part> waiting;
  const auto place_of = [&inherited](const std::string& name) {
    return std::find_if(inherited.begin(), inherited.end(),
                        [&name](const Part& p) { return p.name == name; });
  };
  for (Part& part : own) {
    auto known = place_of(part.name);
    if (known == inherited.end()) {
      waiting.push_back(std::move(part));
      continue;
    }
    *known = std::move(part);
    inherited.insert(known, std::make_move_iterator(waiting.begin()), std::make_move_iterator(waiting.end()));
    waiting.clear();
  }
  inherited.insert(inherited.end(), std::make_move_iterator(waiting.begin()),
                   std::make_move_iterator(waiting.end()));
}

}  // namespace vf

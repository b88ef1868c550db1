#include "recipe/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "recipe/default_look.h"
#include "recipe/language.h"
#include "recipe/names.h"
#include "recipe/recipe.h"
#include "recipe/sections.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

/// A chain of recipes, each laid over the one it extends.
class ChainReader {
 public:
  ChainReader(const RecipeLoader& loader, ErrorList& errors) : loader_(loader), errors_(errors) {}

  /// False when the chain cannot be followed; the error is in the list.
  bool read(const std::string& file, std::string_view text, Recipe& recipe) {
    const Result<TomlFile> toml = TomlFile::parse(file, text);
    if (!toml) {
      errors_.add(toml.error().place, toml.error().message, toml.error().code);
      return false;
    }
    chain_.push_back(file);
    texts_.add(text);
    ErrorList ignored;  // types are reported when the section is read
    const toml::table* type = toml->root()["type"].as_table();
    std::vector<Function> included;
    if (type != nullptr) {
      Section section(*toml, *type, "[type]", {file, 1, 1}, ignored);
      if (!read_base(section, recipe)) return false;
      read_includes(section, included);
    }
    const std::string base_id = recipe.id;
    if (!read_recipe_sections(*toml, std::move(included), recipe, errors_)) return false;
    // The id is a part of every seed: two types of one id would roll the same world.
    if (!base_id.empty() && recipe.id == base_id)
      errors_.add(recipe.id_place, fmt::format("the id \"{}\" is that of the recipe that this one extends; "
                                               "expected one of its own",
                                               recipe.id));
    return true;
  }

  /// Of all texts read so far, in the order of reading.
  [[nodiscard]] Digest texts() const { return texts_.finish(); }

 private:
  bool read_base(Section& type, Recipe& recipe) {
    std::string name;
    if (!type.text("extends", name)) return check_text(type, "extends");
    const Place place = type.file().place(*type.find("extends"));
    const std::string path = resolve(type.file().file(), name);
    if (std::find(chain_.begin(), chain_.end(), path) != chain_.end()) {
      errors_.add(place,
                  fmt::format("\"{}\" extends itself: {} -> {}", path, fmt::join(chain_, " -> "), path));
      return false;
    }
    if (chain_.size() > static_cast<std::size_t>(kRecipeLimits.extends_depth)) {
      errors_.add(place, fmt::format("the chain of \"extends\" is longer than {}: {} -> {}",
                                     kRecipeLimits.extends_depth, fmt::join(chain_, " -> "), path));
      return false;
    }
    const std::optional<std::string> text = load(place, path);
    return text && read(path, *text, recipe);
  }

  void read_includes(Section& type, std::vector<Function>& included) {
    std::vector<std::string> names;
    if (!type.texts("include", names)) {
      check_texts(type, "include");
      return;
    }
    constexpr std::size_t kMostIncludes = 16;
    const Place place = type.file().place(*type.find("include"));
    if (names.size() > kMostIncludes)
      return errors_.add(
          place, fmt::format("\"include\" has {} entries; expected at most {}", names.size(), kMostIncludes));
    for (const std::string& name : names) {
      const std::string path = resolve(type.file().file(), name);
      const std::optional<std::string> text = load(place, path);
      if (!text) continue;
      texts_.add(*text);
      const Result<TomlFile> library = TomlFile::parse(path, *text);
      if (!library) {
        errors_.add(library.error().place, library.error().message);
        continue;
      }
      for (Function& function : read_functions(*library, errors_)) {
        const auto again = std::find_if(included.begin(), included.end(),
                                        [&](const Function& f) { return f.name == function.name; });
        if (again != included.end())
          errors_.add(function.place, fmt::format("function \"{}\" is defined twice; first at {}",
                                                  function.name, to_string(again->place)));
        included.push_back(std::move(function));
      }
    }
  }

  bool check_text(Section& type, std::string_view key) {
    if (const toml::node* value = type.find(key))
      errors_.add(type.file().place(*value),
                  fmt::format("\"{}\" is not text; expected a path or type:ID", key));
    return true;
  }

  void check_texts(Section& type, std::string_view key) {
    if (const toml::node* value = type.find(key))
      errors_.add(type.file().place(*value),
                  fmt::format("\"{}\" is not a list of text; expected paths or type:ID", key));
  }

  std::optional<std::string> load(const Place& place, const std::string& path) {
    Result<std::string> text = loader_(path);
    if (text) return std::move(*text);
    errors_.add(place, text.error().message, text.error().code);
    return std::nullopt;
  }

  /// A path beside the file that names it; "type:ID" and absolute paths as they are.
  static std::string resolve(const std::string& file, const std::string& name) {
    return path_beside(file, name);
  }

  const RecipeLoader& loader_;
  ErrorList& errors_;
  std::vector<std::string> chain_;
  Digester texts_;
};

}  // namespace

std::string path_beside(const std::string& file, const std::string& name) {
  if (name.starts_with("type:") || name.starts_with('/') || file.starts_with("type:")) return name;
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? name : file.substr(0, slash + 1) + name;
}

Status set_parameter(Recipe& recipe, const std::string& name, double value, const Place& place) {
  for (Parameter& p : recipe.params) {
    if (p.name != name) continue;
    if (!(value >= p.min && value <= p.max))
      return Error{ErrorCode::kBadInput, place,
                   fmt::format("{} = {} is out of range; expected {} .. {}{}", name, value, p.min, p.max,
                               p.unit.empty() ? "" : " " + p.unit)};
    p.value = value;
    return Unit{};
  }
  std::vector<std::string> names;
  names.reserve(recipe.params.size());
  for (const Parameter& p : recipe.params) names.push_back(p.name);
  return Error{ErrorCode::kBadInput, place,
               fmt::format("\"{}\" has no parameter \"{}\"{}", recipe.id, name.substr(0, 60),
                           did_you_mean(name, names))};
}

Result<Recipe> parse_recipe(const std::string& file, std::string_view text, const RecipeLoader& loader,
                            const ParameterValues& set, Notes& notes) {
  Recipe recipe;
  recipe.file = file;
  ErrorList errors;
  ChainReader reader(loader, errors);
  if (reader.read(file, text, recipe)) {
    recipe.text = reader.texts();
    apply_default_look(recipe);
    check_names(recipe, errors, notes);
  }
  if (!errors.empty()) {
    const std::vector<Error> all = errors.sorted();
    for (std::size_t i = 1; i < all.size(); ++i)
      notes.push_back({Severity::kError, all[i].place, all[i].message});
    return all.front();
  }
  for (const auto& [name, value] : set)
    if (const Status status = set_parameter(recipe, name, value, {}); !status) return status.error();
  return recipe;
}

}  // namespace vf

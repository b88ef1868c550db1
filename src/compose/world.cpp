#include "compose/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/notes.h"
#include "base/result.h"
#include "recipe/language.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

/// Opens one world; collects errors as parse_recipe does.
class WorldOpener {
 public:
  WorldOpener(const TextLoader& loader, Notes& notes) : loader_(loader), notes_(notes) {}

  Result<World> open(const std::string& name, const WorldOverrides& overrides) {
    Result<std::string> text = loader_(name);
    if (!text) return text.error();
    Result<World> world = open_text(name, *text);
    if (!world) return world;
    if (overrides.has_seed) world->seed = overrides.seed;
    for (const auto& [key, value] : overrides.set)
      if (const Status status = override_parameter(key, value); !status) return status.error();
    stack(*world);
    return world;
  }

 private:
  Result<World> open_text(const std::string& name, const std::string& text) {
    const Result<TomlFile> file = TomlFile::parse(name, text);
    if (!file) return file.error();
    const toml::table& root = file->root();
    if (root.contains("world") || root.contains("stratum")) return open_world_file(*file);
    if (!root.contains("type")) return neither(*file);
    const Result<Recipe> recipe = parse_recipe(name, text, loader_, {}, notes_);
    if (!recipe) return recipe.error();
    entries_.push_back(*recipe);
    World world;
    world.name = recipe->name;
    return world;
  }

  /// Of a file that has none of the sections that tell recipes from worlds.
  static Error neither(const TomlFile& file) {
    const std::array<std::string, 3> known{"type", "stratum", "world"};
    Error error{ErrorCode::kBadInput,
                {file.file(), 1, 1},
                "neither a recipe nor a world: there is no [type] and no [[stratum]]"};
    for (const Entry& entry : entries_in_order(file.root())) {
      const std::string meant = did_you_mean(entry.name(), known);
      if (meant.empty()) continue;
      error.place = file.place(*entry.key);
      error.message += meant;
      break;
    }
    return error;
  }

  Result<World> open_world_file(const TomlFile& file) {
    World world;
    ErrorList errors;
    Section root(file, file.root(), "a world file", {file.file(), 1, 1}, errors);
    read_header(file, root, errors, world);
    const toml::node* list = root.find("stratum");
    if (root.has("pool"))
      errors.add(root.key_place("pool"), "a pool of types is not supported yet; expected [[stratum]]");
    if (list == nullptr) {
      errors.add(root.place(), "the world has no [[stratum]]; expected at least one");
    } else if (!list->is_array()) {
      errors.add(root.key_place("stratum"), "\"stratum\" is not a list of tables; write [[stratum]]");
    } else if (list->as_array()->empty()) {
      errors.add(root.key_place("stratum"), "the world has no [[stratum]]; expected at least one");
    } else if (list->as_array()->size() > static_cast<std::size_t>(kRecipeLimits.strata)) {
      errors.add(root.key_place("stratum"), fmt::format("the world has {} strata; expected at most {}",
                                                        list->as_array()->size(), kRecipeLimits.strata));
    } else {
      for (const toml::node& item : *list->as_array()) read_stratum(file, item, errors);
    }
    root.finish();
    if (errors.empty()) return world;
    const std::vector<Error> all = errors.sorted();
    for (std::size_t i = 1; i < all.size(); ++i)
      notes_.push_back({Severity::kError, all[i].place, all[i].message});
    return all.front();
  }

  static void read_header(const TomlFile& file, Section& root, ErrorList& errors, World& world) {
    world.name = file.file();
    const toml::node* header = root.find("world");
    if (header == nullptr) return;
    if (!header->is_table())
      return errors.add(root.key_place("world"), "\"world\" is not a table; write [world]");
    Section section(file, *header->as_table(), "[world]", root.key_place("world"), errors);
    section.text("name", world.name);
    std::int64_t seed = 0;
    section.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), seed);
    world.seed = {static_cast<std::uint64_t>(seed)};
    section.finish();
  }

  void read_stratum(const TomlFile& file, const toml::node& item, ErrorList& errors) {
    const Place place = file.place(item);
    if (!item.is_table()) return errors.add(place, "a stratum is not a table; write [[stratum]]");
    Section section(file, *item.as_table(), "[[stratum]]", place, errors);
    std::string type;
    std::string path;
    const bool has_type = section.text("type", type);
    const bool has_path = section.text("recipe", path);
    const toml::node* set = section.find("set");
    const std::size_t before = errors.size();
    section.finish();
    if (has_type == has_path && errors.size() == before)
      section.fail(place, has_type ? "a stratum has either \"type\" or \"recipe\", not both"
                                   : "a stratum has neither \"type\" nor \"recipe\"; expected one of them");
    if (has_type == has_path) return;
    const std::string name = has_type ? "type:" + type : path_beside(file.file(), path);
    const Recipe* parsed =
        recipe_named(name, file.place(*section.find(has_type ? "type" : "recipe")), errors);
    if (parsed == nullptr) return;
    entries_.push_back(*parsed);
    if (set == nullptr) return;
    if (!set->is_table())
      return errors.add(file.place(*set), "\"set\" is not a table; expected one such as { amplitude = 3 }");
    for (const Entry& entry : entries_in_order(*set->as_table())) {
      const std::optional<double> number =
          entry.value->is_number() ? entry.value->value<double>() : std::nullopt;
      const Place at = file.place(*entry.key);
      if (!number) {
        errors.add(file.place(*entry.value),
                   fmt::format("the value of \"{}\" is not a number", entry.name().substr(0, 60)));
      } else if (const Status status = set_parameter(entries_.back(), entry.name(), *number, at); !status) {
        errors.add(status.error().place, status.error().message);
      }
    }
  }

  /// Each recipe is parsed once, however often the stack names it.
  const Recipe* recipe_named(const std::string& name, const Place& place, ErrorList& errors) {
    const auto known = parsed_.find(name);
    if (known != parsed_.end()) return &known->second;
    const Result<std::string> text = loader_(name);
    if (!text) {
      errors.add(place, text.error().message, text.error().code);
      return nullptr;
    }
    Result<Recipe> recipe = parse_recipe(name, *text, loader_, {}, notes_);
    if (!recipe) {
      errors.add(recipe.error().place, recipe.error().message, recipe.error().code);
      return nullptr;
    }
    return &parsed_.emplace(name, std::move(*recipe)).first->second;
  }

  Status override_parameter(const std::string& key, const std::string& value) {
    const Place place{"--set " + key + "=" + value, 0, 0};
    const auto wrong = [&place](std::string message) {
      return Error{ErrorCode::kBadInput, place, std::move(message)};
    };
    double number = 0;
    const auto [rest, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (code != std::errc{} || rest != value.data() + value.size() || !std::isfinite(number))
      return wrong(fmt::format("\"{}\" is not a number", value));
    const std::size_t dot = key.find('.');
    const std::string id = dot == std::string::npos ? "" : key.substr(0, dot);
    const std::string name = dot == std::string::npos ? key : key.substr(dot + 1);
    bool found = false;
    bool id_known = false;
    std::vector<std::string> ids;
    std::vector<std::string> names;
    for (Recipe& recipe : entries_) {
      ids.push_back(recipe.id);
      if (!id.empty() && recipe.id != id) continue;
      id_known = true;
      for (const Parameter& p : recipe.params) names.push_back(p.name);
      if (std::none_of(recipe.params.begin(), recipe.params.end(),
                       [&](const Parameter& p) { return p.name == name; }))
        continue;
      if (Status status = set_parameter(recipe, name, number, place); !status) return status;
      found = true;
    }
    if (found) return Unit{};
    if (!id_known) return wrong(fmt::format("no stratum has the type \"{}\"{}", id, did_you_mean(id, ids)));
    return wrong(fmt::format("no stratum has a parameter \"{}\"{}", name, did_you_mean(name, names)));
  }

  /// The same type with the same parameters, so that it is built once.
  static std::shared_ptr<const Recipe> same_recipe(const World& world, const Recipe& recipe) {
    const auto same_value = [](const Parameter& a, const Parameter& b) { return a.value == b.value; };
    for (const StackEntry& e : world.block)
      if (e.recipe->file == recipe.file && std::equal(e.recipe->params.begin(), e.recipe->params.end(),
                                                      recipe.params.begin(), recipe.params.end(), same_value))
        return e.recipe;
    return nullptr;
  }

  void stack(World& world) {
    for (Recipe& recipe : entries_) {
      StackEntry entry;
      entry.top_m = world.block_height_m;
      entry.height_m = std::ceil((recipe.height_m + 2 * kBandM) / kStratumMultipleM) * kStratumMultipleM;
      entry.recipe = same_recipe(world, recipe);
      if (entry.recipe == nullptr) entry.recipe = std::make_shared<const Recipe>(std::move(recipe));
      world.block_height_m += entry.height_m;
      world.block.push_back(std::move(entry));
    }
  }

  const TextLoader& loader_;
  Notes& notes_;
  std::vector<Recipe> entries_;
  std::map<std::string, Recipe> parsed_;
};

}  // namespace

Result<World> open_world(const std::string& name, const TextLoader& loader, const WorldOverrides& overrides,
                         Notes& notes) {
  return WorldOpener(loader, notes).open(name, overrides);
}

Stratum stratum_at(const World& world, std::int64_t index) {
  VF_CHECK(!world.block.empty());
  const auto count = static_cast<std::int64_t>(world.block.size());
  std::int64_t block = index / count;
  std::int64_t within = index % count;
  if (within < 0) {
    --block;
    within += count;
  }
  const StackEntry& entry = world.block[static_cast<std::size_t>(within)];
  Stratum stratum;
  stratum.index = index;
  stratum.recipe = entry.recipe;
  stratum.world_seed = world.seed;
  // Exact below 2^53 m; beyond that the height is only shown, and every choice is keyed by the index.
  stratum.top_z_m = 0.0 - (static_cast<double>(block) * world.block_height_m + entry.top_m);
  stratum.height_m = entry.height_m;
  stratum.content_floor_z_m = stratum.top_z_m - kBandM - entry.recipe->height_m;
  return stratum;
}

std::optional<std::int64_t> stratum_index_at(const World& world, double z_m) {
  VF_CHECK(!world.block.empty());
  const double depth_m = -z_m, count = static_cast<double>(world.block.size());
  if (!(depth_m >= 0) || depth_m / world.block_height_m * count > static_cast<double>(kDeepestStratum))
    return std::nullopt;
  const double block = std::floor(depth_m / world.block_height_m);
  const double in_block_m = depth_m - block * world.block_height_m;
  std::size_t entry = 0;
  while (entry + 1 < world.block.size() && world.block[entry + 1].top_m <= in_block_m) ++entry;
  return static_cast<std::int64_t>(block) * static_cast<std::int64_t>(world.block.size()) +
         static_cast<std::int64_t>(entry);
}

}  // namespace vf

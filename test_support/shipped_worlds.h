// The shipped types, opened as a user's type:ID is: a world of one type, whose stratum repeats.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/notes.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "recipe/shipped.h"

namespace vf::test {

/// Their ids, in the order of the shipped files.
inline std::vector<std::string> shipped_types() {
  constexpr std::string_view kFolder = "types/", kEnding = ".toml";
  std::vector<std::string> out;
  for (const ShippedFile& file : shipped_files()) {
    std::string_view name = file.name;
    if (!name.starts_with(kFolder) || !name.ends_with(kEnding)) continue;
    name.remove_prefix(kFolder.size());
    name.remove_suffix(kEnding.size());
    out.emplace_back(name);
  }
  return out;
}

struct ShippedWorld {
  World world;
  std::vector<std::shared_ptr<const BuiltRecipe>> built;  ///< as stratum_scope wants them
};

/// `seed`: instead of the default one.
inline ShippedWorld open_shipped(const std::string& type, std::optional<std::uint64_t> seed = {}) {
  const auto load = [](const std::string& name) -> Result<std::string> {
    const ShippedFile* file = find_shipped_type(std::string_view(name).substr(5));
    if (file == nullptr) return Error{ErrorCode::kBadInput, {}, "no such type"};
    return std::string(file->text);
  };
  Notes notes;
  WorldOverrides overrides;
  overrides.has_seed = seed.has_value();
  overrides.seed = {seed.value_or(0)};
  Result<World> world = open_world("type:" + type, load, overrides, notes);
  VF_CHECK(world.has_value());
  Result<BuiltRecipe> built = build_recipe(world->block.front().recipe, notes);
  VF_CHECK(built.has_value());
  return {*std::move(world), {std::make_shared<const BuiltRecipe>(*std::move(built))}};
}

}  // namespace vf::test

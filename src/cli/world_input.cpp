#include "cli/world_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/nearest_name.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/options.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "plan/stratum_scope.h"
#include "recipe/language.h"
#include "recipe/recipe.h"
#include "recipe/shipped.h"

namespace vf::cli {

namespace {

constexpr std::string_view kTypePrefix = "type:";
constexpr std::string_view kShippedFolder = "worlds/";

Error io_error(const std::string& name, const std::string& why) {
  return {ErrorCode::kIo, {}, fmt::format("cannot read {}: {}", name, why)};
}

Result<std::string> load_type(const std::string& id) {
  if (const ShippedFile* file = find_shipped_type(id)) return std::string(file->text);
  std::vector<std::string> known;
  for (const ShippedFile& file : shipped_files()) {
    std::string_view name = file.name;
    if (!name.starts_with("types/") || !name.ends_with(".toml")) continue;
    name.remove_prefix(6);
    name.remove_suffix(5);
    known.emplace_back(name);
  }
  const std::string nearest = nearest_name(id, known);
  return Error{ErrorCode::kBadInput,
               {},
               fmt::format("no type is called '{}'; {}", id,
                           nearest.empty() ? fmt::format("the types are {}", fmt::join(known, ", "))
                                           : fmt::format("did you mean {}?", nearest))};
}

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

Result<std::string> read_file(const std::string& name, std::size_t most) {
  if (name.empty()) return Error{ErrorCode::kIo, {}, "cannot read '': the name of a file was expected"};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(name, error);
  if (std::filesystem::is_directory(status)) return io_error(name, "it is a folder; a file was expected");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (file == nullptr) return io_error(name, std::generic_category().message(errno));
  std::string text;
  for (std::array<char, 65536> part{}; text.size() <= most;) {
    const std::size_t count =
        std::fread(part.data(), 1, std::min(part.size(), most + 1 - text.size()), file.get());
    if (count == 0) break;
    text.append(part.data(), count);
  }
  if (std::ferror(file.get()) != 0) return io_error(name, std::generic_category().message(errno));
  return text;
}

Result<std::string> load_text(const std::string& name) {
  if (name.starts_with(kTypePrefix)) return load_type(name.substr(kTypePrefix.size()));
  std::error_code ignored;
  if (name.starts_with(kShippedFolder) && !std::filesystem::exists(name, ignored)) {
    for (const ShippedFile& file : shipped_files()) {
      if (file.name == name.substr(kShippedFolder.size())) return std::string(file.text);
    }
  }
  return read_file(name, kRecipeLimits.file_bytes);
}

Result<InputWorld> open_input(const std::string& name, const Options& options, Notes& notes) {
  WorldOverrides overrides;
  overrides.set = options.set;
  overrides.has_seed = options.seed.has_value();
  overrides.seed = options.seed.value_or(Seed{});
  InputWorld input;
  Result<World> world = open_world(name, load_text, overrides, notes);
  if (!world) return world.error();
  input.world = *std::move(world);
  std::map<const Recipe*, std::shared_ptr<const BuiltRecipe>> done;  // only looked up, never walked
  for (const StackEntry& entry : input.world.block) {
    std::shared_ptr<const BuiltRecipe>& built = done[entry.recipe.get()];
    if (built == nullptr) {
      Result<BuiltRecipe> result = build_recipe(entry.recipe, notes);
      if (!result) return result.error();
      built = std::make_shared<const BuiltRecipe>(*std::move(result));
    }
    input.built.push_back(built);
  }
  return input;
}

InputStratum input_stratum(const InputWorld& world, std::int64_t index) {
  return stratum_scope(world.world, world.built, index);
}

Result<std::int64_t> stratum_index_at(const World& world, std::int64_t z_1024) {
  if (z_1024 > 0) {
    return Error{
        ErrorCode::kBadInput, {}, "no stratum lies above z = 0, the top of stratum 0; expected z <= 0"};
  }
  const auto to_1024 = [](double metres) { return static_cast<std::int64_t>(std::llround(metres * 1024)); };
  const std::int64_t depth = -z_1024;
  const std::int64_t block = floor_div(depth, to_1024(world.block_height_m));
  const std::int64_t in_block = depth - block * to_1024(world.block_height_m);
  std::size_t entry = 0;
  while (entry + 1 < world.block.size() && to_1024(world.block[entry + 1].top_m) <= in_block) ++entry;
  return block * static_cast<std::int64_t>(world.block.size()) + static_cast<std::int64_t>(entry);
}

FramePlace frame_place(std::int64_t x_1024, std::int64_t y_1024) {
  constexpr std::int64_t kSector1024 = 1024 * 1024;
  const Frame frame{floor_div(x_1024, kSector1024), floor_div(y_1024, kSector1024)};
  const auto local = [](std::int64_t v, std::int64_t sector) {
    return static_cast<float>(v - sector * kSector1024) / 1024.0F;  // 20 bits: exact
  };
  return {frame, local(x_1024, frame.sx), local(y_1024, frame.sy)};
}

}  // namespace vf::cli

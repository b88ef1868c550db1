#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/world_impl.h"
#include "base/notes.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "field/program.h"
#include "recipe/recipe.h"
#include "recipe/shipped.h"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

namespace {

/// "type:pool_rooms", "worlds/showcase.toml" and "showcase.toml" name texts that ship with the library.
std::optional<std::string> shipped_text(std::string_view name) {
  if (name.starts_with("type:")) {
    const vf::ShippedFile* file = vf::find_shipped_type(name.substr(5));
    return file == nullptr ? std::nullopt : std::optional<std::string>(file->text);
  }
  if (name.starts_with("worlds/")) name.remove_prefix(7);
  for (const vf::ShippedFile& file : vf::shipped_files())
    if (file.name == name) return std::string(file.text);
  return std::nullopt;
}

/// `own_name` stands for `own_text`; then the caller's texts, then the shipped ones.
vf::TextLoader loader_for(const OpenOptions& options, std::string own_name,
                          std::optional<std::string> own_text) {
  return [read_text = options.read_text, own_name = std::move(own_name),
          own_text = std::move(own_text)](const std::string& name) -> vf::Result<std::string> {
    if (own_text && name == own_name) return *own_text;
    if (read_text)
      if (std::optional<std::string> text = read_text(name)) return *std::move(text);
    if (std::optional<std::string> text = shipped_text(name)) return *std::move(text);
    return vf::Error{vf::ErrorCode::kIo,
                     {},
                     "no text named '" + name +
                         "': expected type:ID, a shipped world, or a "
                         "name that read_text knows"};
  };
}

std::string note_text(const vf::Note& note) {
  const std::string where = vf::to_string(note.place);
  return where.empty() ? note.message : where + ": " + note.message;
}

}  // namespace

std::string Error::text() const {
  return vf::Error{static_cast<vf::ErrorCode>(code), {file, line, column}, message}.text();
}

Error public_error(const vf::Error& error) {
  static_assert(static_cast<int>(ErrorCode::kBadInput) == static_cast<int>(vf::ErrorCode::kBadInput));
  static_assert(static_cast<int>(ErrorCode::kIo) == static_cast<int>(vf::ErrorCode::kIo));
  static_assert(static_cast<int>(ErrorCode::kResource) == static_cast<int>(vf::ErrorCode::kResource));
  return {static_cast<ErrorCode>(error.code), error.place.file, error.place.line, error.place.column,
          error.message};
}

Version version() {
  return {VF_VERSION_MAJOR, VF_VERSION_MINOR, VF_VERSION_PATCH, vf::kEvaluatorVersion};
}

namespace {

struct Opened {
  vf::World world;
  std::vector<std::shared_ptr<const vf::BuiltRecipe>> built;
};

vf::Result<Opened> open_and_build(const std::string& name, const vf::TextLoader& loader,
                                  const OpenOptions& options) {
  vf::WorldOverrides overrides;
  overrides.set = options.set;
  overrides.has_seed = options.seed.has_value();
  overrides.seed = vf::Seed{options.seed.value_or(0)};
  vf::Notes notes;
  vf::Result<vf::World> world = vf::open_world(name, loader, overrides, notes);
  if (!world) return world.error();
  Opened opened{*std::move(world), {}};
  std::map<std::shared_ptr<const vf::Recipe>, std::shared_ptr<const vf::BuiltRecipe>>
      known;  // only looked up
  for (const vf::StackEntry& entry : opened.world.block) {
    std::shared_ptr<const vf::BuiltRecipe>& built = known[entry.recipe];
    if (built == nullptr) {
      vf::Result<vf::BuiltRecipe> result = vf::build_recipe(entry.recipe, notes);
      if (!result) return result.error();
      built = std::make_shared<const vf::BuiltRecipe>(*std::move(result));
    }
    opened.built.push_back(built);
  }
  if (options.warnings != nullptr)
    for (const vf::Note& note : notes) options.warnings->push_back(note_text(note));
  return opened;
}

}  // namespace

Result<World> World::open(std::string_view name, const OpenOptions& options) {
  const std::string own(name);
  vf::Result<Opened> opened = open_and_build(own, loader_for(options, own, std::nullopt), options);
  if (!opened) return public_error(opened.error());
  return World(std::make_shared<const Impl>(Impl{std::move(opened->world), std::move(opened->built)}));
}

Result<World> World::from_text(std::string_view name, std::string_view text, const OpenOptions& options) {
  const std::string own(name);
  vf::Result<Opened> opened = open_and_build(own, loader_for(options, own, std::string(text)), options);
  if (!opened) return public_error(opened.error());
  return World(std::make_shared<const Impl>(Impl{std::move(opened->world), std::move(opened->built)}));
}

const std::string& World::name() const {
  return impl_->world.name;
}
std::uint64_t World::seed() const {
  return impl_->world.seed.value;
}

Result<Stratum> World::stratum(std::int64_t index) const {
  if (index < 0 || index > vf::kDeepestStratum)
    return Error{ErrorCode::kBadInput, {}, 0, 0, "stratum " + std::to_string(index) + " is not in 0 .. 10^9"};
  const vf::Stratum found = vf::stratum_at(impl_->world, index);
  return Stratum{index,          found.recipe->id,        found.recipe->version, found.top_z_m,
                 found.height_m, found.content_floor_z_m, found.recipe->height_m};
}

Result<std::int64_t> World::stratum_index_at(double z_m) const {
  if (const std::optional<std::int64_t> index = vf::stratum_index_at(impl_->world, z_m)) return *index;
  return bad_input("no stratum at this height: expected z <= 0, and at most 10^9 strata");
}

}  // namespace voxelforge

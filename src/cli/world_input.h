// WORLD on the command line -> a world whose recipes are built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/options.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "plan/stratum_scope.h"

namespace vf::cli {

/// The bytes of a file on disk, at most `most` and one more: for whoever reads them to refuse what is too
/// long, and for endless devices to end. Errors: kIo with the system's words.
[[nodiscard]] Result<std::string> read_file(const std::string& name, std::size_t most);

/// Reads a file from disk, "type:ID" from the shipped types, and worlds/... from the shipped files when the
/// disk has no such file. Errors: kIo with the system's words, kBadInput for an unknown type with the nearest
/// known one.
[[nodiscard]] Result<std::string> load_text(const std::string& name);

struct InputWorld {
  World world;
  std::vector<std::shared_ptr<const BuiltRecipe>> built;  ///< one for each entry of world.block
};

/// Opens the world and builds all its recipes, each once. Honours --seed and --set. What is worth telling the
/// author goes to `notes`, also when there is an error.
[[nodiscard]] Result<InputWorld> open_input(const std::string& name, const Options& options, Notes& notes);

/// One stratum of an opened world, ready to be resolved.
using InputStratum = StratumScope;
[[nodiscard]] InputStratum input_stratum(const InputWorld& world, std::int64_t index);

/// The stratum that a world height lies in. `z_1024` <= 0, as world z = 0 is the top of stratum 0; a border
/// belongs to the stratum below it. O(1) in depth.
[[nodiscard]] Result<std::int64_t> stratum_index_at(const World& world, std::int64_t z_1024);

/// A world place in the float frame of its sector.
struct FramePlace {
  Frame frame;
  float x = 0, y = 0;  ///< [metres, in the sector] on the 1/1024 m grid
};
[[nodiscard]] FramePlace frame_place(std::int64_t x_1024, std::int64_t y_1024);

}  // namespace vf::cli

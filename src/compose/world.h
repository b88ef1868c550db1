// In: a world file, a recipe or type:ID. Out: which type each stratum has, and where it lies.
//
// Product header of compose/. Immutable; any number of threads may read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/notes.h"
#include "base/result.h"
#include "recipe/recipe.h"

namespace vf {

inline constexpr double kBandM = 6;             ///< sealed rock above and below the content. [metres]
inline constexpr double kStratumMultipleM = 8;  ///< every stratum's height is a multiple of this

struct StackEntry {
  std::shared_ptr<const Recipe> recipe;
  double height_m = 0;  ///< content + two bands, rounded up to a multiple of 8 m; the slack is bedrock
  double top_m = 0;     ///< below the top of the block. [>= 0]
};

/// An explicit stack is one block that repeats downward with new seeds.
struct World {
  std::string name;
  Seed seed;
  std::vector<StackEntry> block;  ///< from the top; never empty
  double block_height_m = 0;
};

/// One stratum; O(1) to find, however deep.
struct Stratum {
  std::int64_t index = 0;  ///< 0 on top
  std::shared_ptr<const Recipe> recipe;
  Seed world_seed;
  double top_z_m = 0;  ///< world z of its top; 0 for stratum 0, negative below
  double height_m = 0;
  double content_floor_z_m = 0;  ///< world z of local z = 0
};

/// Reads a text by name: a path, or "type:ID". Errors say what is missing.
using TextLoader = std::function<Result<std::string>(const std::string& name)>;

/// What the command line and the studio put over a world.
struct WorldOverrides {
  std::vector<std::pair<std::string, std::string>>
      set;  ///< "amplitude" or "too_clean_hills.amplitude" -> number
  bool has_seed = false;
  Seed seed;
};

/// `name` is a world file, a recipe file, or type:ID (a stack of that type).
[[nodiscard]] Result<World> open_world(const std::string& name, const TextLoader& loader,
                                       const WorldOverrides& overrides, Notes& notes);

[[nodiscard]] Stratum stratum_at(const World& world, std::int64_t index);

/// Below it heights are no longer exact.
inline constexpr std::int64_t kDeepestStratum = 1'000'000'000;
/// The stratum at a height; a border belongs to the one below it. None above the world, below kDeepestStratum
/// or for NaN. [metres, world]
[[nodiscard]] std::optional<std::int64_t> stratum_index_at(const World& world, double z_m);

}  // namespace vf

// Recast and Detour (tools/walkers) walk corridors: is there a way for each agent, from the route's first
// point to its last?
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "math/vec.h"

namespace vf::test {

struct RecastWalk {
  std::string file;   ///< as given
  std::string agent;  ///< "player" or "clearance"
  bool reached = false;
  double reached_m = 0;  ///< along the route
  double length_m = 0;   ///< of the route
  Vec3d at_m;            ///< the last place of the route that it came to. [world metres]
  std::string why;       ///< it ends there; "" when it arrived
  double seconds = 0;
};

/// Corridor files (docs/formats/corridor.md) -> for each file both agents, in the order of the files. One
/// Node process on one core, which takes 0.3 s to start and about 4 ms a metre of route; it writes beside the
/// first file. Errors: Node or its packages are missing (script/bootstrap installs them), a file is no
/// corridor.
[[nodiscard]] Result<std::vector<RecastWalk>> walk_with_recast(
    const std::vector<std::filesystem::path>& files);

}  // namespace vf::test

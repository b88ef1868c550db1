// What stands behind the public World.
#pragma once

#include <memory>
#include <vector>

#include "compose/world.h"
#include "field/builder.h"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

struct World::Impl {
  vf::World world;
  std::vector<std::shared_ptr<const vf::BuiltRecipe>> built;  ///< one for each entry of the block

  [[nodiscard]] const vf::BuiltRecipe& built_at(std::int64_t stratum) const {
    return *built[static_cast<std::size_t>(stratum) % built.size()];
  }
};

[[nodiscard]] Error public_error(const vf::Error& error);

}  // namespace voxelforge

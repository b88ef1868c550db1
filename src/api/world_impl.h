// What stands behind the public World.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "plan/stratum_scope.h"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

struct World::Impl {
  vf::World world;
  std::vector<std::shared_ptr<const vf::BuiltRecipe>> built;  ///< one for each entry of the block

  [[nodiscard]] vf::StratumScope scope_at(std::int64_t stratum) const {
    return vf::stratum_scope(world, built, stratum);
  }
};

inline constexpr double kSectorM = static_cast<double>(vf::kSectorM);
inline constexpr double kMaxCoordinateM = 1e12;

/// False for NaN.
[[nodiscard]] inline bool in_range(const Point& p) {
  return std::abs(p.x) <= kMaxCoordinateM && std::abs(p.y) <= kMaxCoordinateM && p.z <= 0;
}

[[nodiscard]] inline Error bad_input(std::string message) {
  return {ErrorCode::kBadInput, {}, 0, 0, std::move(message)};
}
[[nodiscard]] Error public_error(const vf::Error& error);

/// One of instruction_sets(), or "best".
[[nodiscard]] Result<vf::SimdLevel> instruction_set_level(std::string_view name);

}  // namespace voxelforge

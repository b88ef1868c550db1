#include "plan/stratum_scope.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/check.h"
#include "compose/world.h"
#include "field/builder.h"

namespace vf {

StratumScope stratum_scope(const World& world, const std::vector<std::shared_ptr<const BuiltRecipe>>& built,
                           std::int64_t index) {
  VF_CHECK(built.size() == world.block.size() && !built.empty());
  const auto at = [&](std::int64_t k) {
    const auto count = static_cast<std::int64_t>(built.size());
    return BuiltStratum{stratum_at(world, k), built[static_cast<std::size_t>(((k % count) + count) % count)]};
  };
  StratumScope scope{at(index), {}, {}};
  if (index > 0) scope.above = at(index - 1);
  if (index < std::numeric_limits<std::int64_t>::max()) scope.below = at(index + 1);
  return scope;
}

}  // namespace vf

// A stratum among its neighbours: what resolving one of its sectors may look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compose/world.h"
#include "field/builder.h"

namespace vf {

struct BuiltStratum {
  Stratum stratum;
  std::shared_ptr<const BuiltRecipe> built;
};

/// With the strata that it shares passages with. There is none above stratum 0.
struct StratumScope : BuiltStratum {
  std::optional<BuiltStratum> above, below;
};

/// `built`: one for each entry of world.block.
[[nodiscard]] StratumScope stratum_scope(const World& world,
                                         const std::vector<std::shared_ptr<const BuiltRecipe>>& built,
                                         std::int64_t index);

}  // namespace vf

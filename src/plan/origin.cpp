#include "plan/origin.h"

#include <bit>
#include <cstdint>
#include <string_view>

#include "base/digest.h"
#include "compose/world.h"
#include "recipe/recipe.h"

namespace vf {

PlanOrigin origin_of(const Stratum& stratum) {
  PlanOrigin origin;
  origin.world_seed = stratum.world_seed;
  origin.recipe_id = stratum.recipe->id;
  origin.recipe_version = stratum.recipe->version;
  origin.layout_version = stratum.recipe->layout_version;
  origin.parameters = parameters_digest(*stratum.recipe);
  return origin;
}

Digest parameters_digest(const Recipe& recipe) {
  Digester digester;
  for (const Parameter& p : recipe.params) {
    digester.add(std::string_view(p.name));
    digester.add(std::bit_cast<std::uint64_t>(p.value == 0 ? 0.0 : p.value));
  }
  return digester.finish();
}

}  // namespace vf

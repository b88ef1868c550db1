#include "plan/identity.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/digest.h"
#include "compose/world.h"
#include "field/program.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "plan/snapshot_write.h"
#include "recipe/recipe.h"

namespace vf {

Digest identity_of(const SectorPlan& plan) {
  ByteWriter layout;
  write_layout(plan, layout);
  return digest_of_bytes(layout.written());
}

Digest identity_of(const SectorSnapshot& snapshot) {
  const std::vector<std::byte> bytes = encode_snapshot(snapshot);
  return digest_of_bytes(std::span(bytes).first(bytes.size() - kSnapshotChecksumBytes));
}

Digest world_identity(const World& world) {
  Digester digester;
  digester.add(std::uint64_t{kEvaluatorVersion});
  digester.add(world.seed.value);
  for (const StackEntry& entry : world.block) {
    const Recipe& recipe = *entry.recipe;
    digester.add(std::string_view(recipe.id));
    digester.add(std::uint64_t{recipe.version});
    digester.add(std::uint64_t{recipe.layout_version});
    digester.add(recipe.text);
    digester.add(parameters_digest(recipe));
    digester.add(std::bit_cast<std::uint64_t>(entry.height_m));
  }
  return digester.finish();
}

Digest origin_digest(const PlanOrigin& origin) {
  Digester digester;
  digester.add(std::uint64_t{origin.evaluator});
  digester.add(origin.world_seed.value);
  digester.add(std::string_view(origin.recipe_id));
  digester.add(std::uint64_t{origin.recipe_version});
  digester.add(std::uint64_t{origin.layout_version});
  digester.add(origin.parameters);
  return digester.finish();
}

}  // namespace vf

// What a plan is resolved from, but for its place.
#pragma once

#include <cstdint>
#include <string>

#include "base/digest.h"
#include "base/ids.h"
#include "compose/world.h"
#include "field/program.h"
#include "recipe/recipe.h"

namespace vf {

/// Every change of geometry changes one of these: what has the same origin is the same
/// (tools/digest_matrix.py holds recipes to it).
struct PlanOrigin {
  std::uint32_t evaluator = kEvaluatorVersion;
  Seed world_seed;
  std::string recipe_id;
  std::uint32_t recipe_version = 1;
  std::uint32_t layout_version = 1;
  Digest parameters;  ///< names and values: --set changes a world without a new version
  friend bool operator==(const PlanOrigin&, const PlanOrigin&) = default;
};

[[nodiscard]] PlanOrigin origin_of(const Stratum& stratum);

[[nodiscard]] Digest parameters_digest(const Recipe& recipe);

}  // namespace vf

#include "plan/seeds.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/ids.h"
#include "compose/world.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

// Ids and draws are worked out in parts; every pinned world holds that they are the hash of the whole.
TEST(PlanSeeds, AreTheHashOfAllThatOwnsTheThing) {
  const auto recipe = std::make_shared<Recipe>();
  recipe->id = "meadow";
  recipe->layout_version = 7;
  Stratum stratum;
  stratum.recipe = recipe;
  stratum.index = 12;
  stratum.world_seed = {99};
  const auto word = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  const std::uint64_t whole = hash_words({99, 12, word(-3), 4, hash_text("meadow"), 7, hash_text("feature"),
                                          hash_text("stones"), word(-70'000), 5});
  EXPECT_EQ(PlanIds(stratum, -3, 4, "feature", "stones").id(-70'000, 5), whole);
  EXPECT_EQ(plan_id(stratum, -3, 4, "feature", "stones", -70'000, 5), whole);
  const std::array<float, kFeatureRandoms> u = draw_randoms(whole);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_EQ(u.at(i), unit_float(hash_words({whole, i}))) << i;
}

}  // namespace
}  // namespace vf

// Negative control 27: what a sample costs does not grow with the features of a recipe.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/view_region.h"

namespace vf {
namespace {

constexpr double kBudget = 1.1;  // of the candidates of the smallest recipe
constexpr float kEyeM = 160;     // x and y of the near ring
constexpr int kLocal = 40;       // places about it, in every recipe

/// Points of a list: kLocal of them within 40 m of the eye, the others in rows beyond 480 m.
std::string points(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const auto random = [i](std::uint64_t k) {
      return unit_float(hash_words({std::uint64_t{27}, static_cast<std::uint64_t>(i), k}));
    };
    const float x = i < kLocal ? kEyeM + 80 * (random(0) - 0.5F) : 480 + static_cast<float>(i % 20) * 27;
    const float y = i < kLocal ? kEyeM + 80 * (random(1) - 0.5F) : 480 + static_cast<float>(i / 20) * 27;
    text += fmt::format("{}[{:.2f}, {:.2f}, {:.2f}]", i == 0 ? "" : ", ", x, y, 4 + 20 * random(2));
  }
  return text;
}

std::string set_of(const std::string& name, const std::string& points) {
  return fmt::format(
      "[features.{}]\nkind = \"list\"\npoints = [{}]\nshape = \"sphere(px, py, pz, 3)\"\nextent = 3\n"
      "extent_z = [-3, 3]\nblend = 0.5\n",
      name, points);
}

/// One set of `count` places.
test::Built one_set(int count) {
  return test::Built("phi = \"min(z - 8, 26 - z, features.s)\"", set_of("s", points(count)));
}

/// `count` sets, each with 40 places of its own; the first is about the eye, the others are far.
test::Built many_sets(int count) {
  std::string sets, words;
  for (int s = 0; s < count; ++s) {
    std::string all;
    for (int i = 0; i < kLocal; ++i)
      all += fmt::format("{}[{}, {}, 12]", i == 0 ? "" : ", ", 480 + 12 * i, 480 + 40 * s);
    sets += set_of(fmt::format("s{}", s), s == 0 ? points(kLocal) : all);
    words += fmt::format(", features.s{}", s);
  }
  return test::Built("phi = \"min(z - 8, 26 - z" + words + ")\"", sets);
}

/// The recipe's places in the whole sector.
BoundField whole_sector(const test::Built& built) {
  EXPECT_EQ(built.error, "");
  StratumScope scope;
  scope.stratum.recipe = built.value.recipe;
  scope.built = std::make_shared<const BuiltRecipe>(built.value);
  Result<BoundField> field = field_in_window(scope, {}, {0, 0, 1024, 1024});
  EXPECT_TRUE(field) << field.error().text();
  return *std::move(field);
}

std::size_t places(const BoundField& field) {
  std::size_t n = 0;
  for (const BoundFeatureSet& set : field.sets) n += set.instances.size();
  return n;
}

ProofCounts near_ring(BoundField field) {
  const std::vector<TileKey> tiles = near_ring_tiles(kEyeM, kEyeM, field.program->height_m);
  return evaluate_region(std::make_shared<const BoundField>(std::move(field)), tiles,
                         {best_simd_level(), true}, 1);
}

double growth(std::uint64_t few, std::uint64_t many) {
  return static_cast<double>(many) / static_cast<double>(few);
}

/// The same samples are evaluated, with hardly more candidates for each.
void expect_within_budget(const ProofCounts& few, const ProofCounts& many) {
  EXPECT_EQ(many.samples, few.samples);
  EXPECT_GT(few.candidates, 0U);
  EXPECT_GT(few.feature_evaluations, 0U);
  EXPECT_LE(growth(few.candidates, many.candidates), kBudget);
  EXPECT_LE(growth(few.feature_evaluations, many.feature_evaluations), kBudget);
}

TEST(CandidateBudget, HoldsWhenASetGetsThreeAndTenTimesThePlaces) {
  const BoundField few = whole_sector(one_set(kLocal));
  ASSERT_EQ(places(few), std::size_t{kLocal});
  for (const int factor : {3, 10}) {
    SCOPED_TRACE(factor);
    const BoundField many = whole_sector(one_set(factor * kLocal));
    ASSERT_EQ(places(many), static_cast<std::size_t>(factor * kLocal));
    expect_within_budget(near_ring(few), near_ring(many));
  }
}

TEST(CandidateBudget, HoldsWhenARecipeGetsThreeAndTenTimesTheSets) {
  const BoundField few = whole_sector(many_sets(1));
  for (const int factor : {3, 10}) {
    SCOPED_TRACE(factor);
    const BoundField many = whole_sector(many_sets(factor));
    ASSERT_EQ(many.sets.size(), static_cast<std::size_t>(factor));
    ASSERT_EQ(places(many), static_cast<std::size_t>(factor * kLocal));
    expect_within_budget(near_ring(few), near_ring(many));
  }
}

/// What a scan without an index sees: every place, wherever the sample is.
BoundField without_index(const BoundField& field) {
  std::vector<std::vector<FeatureInstance>> sets;
  for (const BoundFeatureSet& set : field.sets) {
    sets.push_back(set.instances);
    for (FeatureInstance& place : sets.back()) place.value_box = {{0, 0, -64}, {1024, 1024, 128}};
  }
  return bind_field(field.program, field.frame, field.window, std::move(sets), field.seed_mix);
}

TEST(CandidateBudget, TurnsRedWhenEverySampleScansAllFeatures) {
  const ProofCounts few = near_ring(without_index(whole_sector(one_set(kLocal))));
  const ProofCounts many = near_ring(without_index(whole_sector(one_set(3 * kLocal))));
  EXPECT_GT(growth(few.candidates, many.candidates), 2.9);
  EXPECT_GT(growth(few.candidates, many.candidates), kBudget);
}

}  // namespace
}  // namespace vf

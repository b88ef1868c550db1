#include "view/view_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "field/bound_field.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/feature_boxes.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/view_region.h"
#include "test_support/shipped_worlds.h"

namespace vf {
namespace {

struct Thing {
  std::string name, shape;
  Vec3f extent;
};

// All about 2 m at their thinnest.
const std::vector<Thing> kThings{
    {"bridge", "box(px, py, pz, 14, 2.5, 1)", {14, 2.5F, 1}},
    {"wall", "box(px, py, pz, 1, 12, 7)", {1, 12, 7}},
    {"crystal", "capsule(px, py, pz, -1, -2, -6, 2, 1, 6, 1.1)", {4, 4, 8}},
};

/// Forty places of one thing, 280 to 480 m from the middle, anywhere on the lattice and turned.
std::shared_ptr<const BoundField> field_of(const Thing& thing) {
  const test::Built built("phi = \"min(z - 2, features.thing)\"",
                          "[features.thing]\nkind = \"scatter\"\npitch = 64\nshape = \"" + thing.shape +
                              "\"\nextent = 16\nextent_z = [-10, 10]\n");
  EXPECT_EQ(built.error, "");
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(0, 1);
  std::vector<FeatureInstance> places(40);
  for (std::size_t i = 0; i < places.size(); ++i) {
    FeatureInstance& f = places[i];
    f.id = {i + 1};
    const auto grid = [](float v) { return std::round(v * 64) / 64; };
    f.at = {grid(280 + 200 * unit(random)), grid(-200 + 400 * unit(random)), grid(20 + 10 * unit(random))};
    const float turn = 6.28F * unit(random);
    f.yaw_cos = std::cos(turn), f.yaw_sin = std::sin(turn);
    f.extent_max = thing.extent;
    f.extent_min = Vec3f{} - thing.extent;
    const FeatureSetProgram& set = built.value.density->feature_sets[0];
    set_boxes(f, set.blend, set.far);
  }
  return std::make_shared<const BoundField>(
      bind_field(built.value.density, {}, {-600, -600, 600, 600}, {std::move(places)}, 0));
}

SeenFeatures seen(const Thing& thing, float shown_for_m, float min_feature_m) {
  const ViewSquares squares = wanted_squares({32, 512, false, shown_for_m}, 0, 0);
  const ViewFeatures far = view_features(field_of(thing), squares, min_feature_m, best_simd_level(), 2);
  EXPECT_EQ(far.sets.size(), 1U);
  return far.sets.empty() ? SeenFeatures{} : far.sets.front();
}

TEST(ViewFeatures, AreWholeWhereTheRecipeSaysHowThinTheyAre) {
  for (const Thing& thing : kThings) {
    const SeenFeatures set = seen(thing, 1.5F, 1.5F);
    EXPECT_EQ(set.places, 40U) << thing.name;
    EXPECT_EQ(set.reduced, 0U) << thing.name;
    EXPECT_EQ(set.lost, 0U) << thing.name;
  }
}

// Negative control: the levels of a view for thick things, judged by what thin ones need.
TEST(ViewFeatures, AreLostInLevelsThatAreTooCoarse) {
  for (const Thing& thing : kThings) EXPECT_GT(seen(thing, 6, 1.5F).lost, 20U) << thing.name;
}

TEST(ViewFeatures, SayWhichAreThinnerThanPromised) {
  for (const Thing& thing : kThings) {
    const SeenFeatures set = seen(thing, 6, 6);
    EXPECT_EQ(set.lost, 0U) << thing.name;
    EXPECT_GT(set.reduced, 20U) << thing.name;
  }
}

// What a player stands beside is drawn by voxels of 0.25 m: a rail of 0.16 m is a row of crumbs there.
TEST(ViewFeaturesSlow, ShippedThingsAreWholeInTheFinestVoxels) {
  for (const std::string& type : test::shipped_types()) {
    const test::ShippedWorld world = test::open_shipped(type, 7);
    const StratumScope scope = stratum_scope(world.world, world.built, 0);
    const Result<BoundField> field = field_in_window(scope, {}, {340, 340, 680, 680});
    ASSERT_TRUE(field) << type;
    ViewSquares squares;
    squares.levels = 1;
    squares.at[0] = {432, 432, 160};
    const ViewFeatures seen =
        view_features(std::make_shared<const BoundField>(*field), squares, 6, best_simd_level(), 0);
    for (const SeenFeatures& set : seen.sets)
      EXPECT_EQ(set.near_broken, 0U) << type << " features." << set.name << ", of " << set.near_places;
  }
}

TEST(ViewFeatures, CountThoseNearByThatAreTooThinForTheFinestVoxels) {
  ViewSquares squares;
  squares.levels = 1;
  squares.at[0] = {200, -300, 600};
  for (const auto& [shape, extent, broken] :
       {std::tuple{"capsule(px, py, pz, 0, 0, 0, 0, 0, 3, 0.25)", 0.25F, false},
        {"capsule(px, py, pz, 0, 0, 0, 0, 0, 3, 0.08)", 0.08F, true}}) {
    const Thing rod{"rod", shape, {extent, extent, 3.3F}};
    const ViewFeatures seen = view_features(field_of(rod), squares, 6, best_simd_level(), 2);
    ASSERT_EQ(seen.sets.size(), 1U);
    EXPECT_EQ(seen.sets[0].near_places, 40U);
    if (broken) {
      EXPECT_GT(seen.sets[0].near_broken, 20U) << shape;
    } else {
      EXPECT_EQ(seen.sets[0].near_broken, 0U) << shape;
    }
    EXPECT_EQ(seen.sets[0].places, 0U);
  }
}

TEST(ViewFeatures, DoNotDependOnWorkersOrLanes) {
  const ViewSquares squares = wanted_squares({32, 512, false, 3}, 0, 0);
  const auto field = field_of(kThings[2]);
  const ViewFeatures one = view_features(field, squares, 3, SimdLevel::kScalar, 1);
  const ViewFeatures all = view_features(field, squares, 3, best_simd_level(), 4);
  EXPECT_EQ(one.reduced(), all.reduced());
  EXPECT_EQ(one.lost(), all.lost());
}

}  // namespace
}  // namespace vf

#include "view/far_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "field/bound_field.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/feature_boxes.h"
#include "proof/view_region.h"

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

FarFeatureSet seen(const Thing& thing, float shown_for_m, float min_feature_m) {
  const ViewSquares squares = wanted_squares({32, 512, false, shown_for_m}, 0, 0);
  const FarFeatures far = far_features(field_of(thing), squares, min_feature_m, best_simd_level(), 2);
  EXPECT_EQ(far.sets.size(), 1U);
  return far.sets.empty() ? FarFeatureSet{} : far.sets.front();
}

TEST(FarFeatures, AreWholeWhereTheRecipeSaysHowThinTheyAre) {
  for (const Thing& thing : kThings) {
    const FarFeatureSet set = seen(thing, 1.5F, 1.5F);
    EXPECT_EQ(set.places, 40U) << thing.name;
    EXPECT_EQ(set.reduced, 0U) << thing.name;
    EXPECT_EQ(set.lost, 0U) << thing.name;
  }
}

// Negative control: the levels of a view for thick things, judged by what thin ones need.
TEST(FarFeatures, AreLostInLevelsThatAreTooCoarse) {
  for (const Thing& thing : kThings) EXPECT_GT(seen(thing, 6, 1.5F).lost, 20U) << thing.name;
}

TEST(FarFeatures, SayWhichAreThinnerThanPromised) {
  for (const Thing& thing : kThings) {
    const FarFeatureSet set = seen(thing, 6, 6);
    EXPECT_EQ(set.lost, 0U) << thing.name;
    EXPECT_GT(set.reduced, 20U) << thing.name;
  }
}

TEST(FarFeatures, DoNotDependOnWorkersOrLanes) {
  const ViewSquares squares = wanted_squares({32, 512, false, 3}, 0, 0);
  const auto field = field_of(kThings[2]);
  const FarFeatures one = far_features(field, squares, 3, SimdLevel::kScalar, 1);
  const FarFeatures all = far_features(field, squares, 3, best_simd_level(), 4);
  EXPECT_EQ(one.reduced(), all.reduced());
  EXPECT_EQ(one.lost(), all.lost());
}

}  // namespace
}  // namespace vf

#include "render/shot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "plan/resolve.h"
#include "recipe/recipe.h"
#include "render/field_shot.h"
#include "render/formula_field.h"
#include "render/patterns.h"
#include "render/scenes_for_tests.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

struct TestShot {
  FormulaField field{hall_with_ball, 1};
  Recipe recipe;
  std::vector<PlacedLight> lights;
  Camera camera;
  ShotOptions options;
  float water_level = std::numeric_limits<float>::quiet_NaN();

  TestShot() {
    recipe.height_m = 20;
    recipe.materials.emplace_back();
    Light lamp;
    lamp.intensity = 40;
    lamp.range_m = 40;
    recipe.lights = {lamp};
    lights = {{{2, 3, 6}, 0}};
    camera.eye = {-8, -2, 4};
    camera.target = {8, 0, 3};
    options.width = 160, options.height = 90;
    options.workers = 1;
    options.quality = ShotQuality::kDraft;
    options.want_depth = true;
  }
  [[nodiscard]] Shot render() const {
    FieldScene scene;
    scene.field = &field;
    scene.look = &recipe;
    scene.lights = lights;
    scene.water_level_m = water_level;
    scene.bounds = kTestBounds;
    return render_field(scene, camera, options, {});
  }
  [[nodiscard]] static float brightness(const Shot& shot, int x, int y) {
    const auto i = static_cast<std::size_t>(y * shot.image.width + x) * 3;
    return static_cast<float>(shot.image.rgb[i] + shot.image.rgb[i + 1] + shot.image.rgb[i + 2]) / 3;
  }
};

TEST(Shot, IsTheSamePictureForAnyNumberOfWorkers) {
  TestShot test;
  test.water_level = 0.4F;
  test.recipe.water.present = true;
  const Shot one = test.render();
  test.options.workers = 2;
  const Shot two = test.render();
  test.options.workers = 5;
  const Shot five = test.render();
  EXPECT_EQ(one.image.rgb, two.image.rgb);
  EXPECT_EQ(one.image.rgb, five.image.rgb);
  EXPECT_EQ(one.depth, two.depth);
}

TEST(Shot, TellsTheDepthOfWhatItShows) {
  const TestShot test;
  const Shot shot = test.render();
  // The middle looks at the ball's centre.
  const float expected = length(test.camera.target - test.camera.eye) - 2;
  EXPECT_NEAR(shot.depth[45 * 160 + 80], expected, 0.05F);
}

TEST(Shot, ShowsTheBallsShadowOnTheFloor) {
  TestShot test;
  test.recipe.ambient.strength = 0.02F;
  test.lights = {{{8, 0, 12}, 0}};
  test.camera.eye = {8, -14, 9};
  test.camera.target = {8, 0, 0};
  const Shot shot = test.render();
  const float beside = TestShot::brightness(shot, 130, 45), under = TestShot::brightness(shot, 80, 47);
  test.lights.clear();
  const Shot dark = test.render();
  EXPECT_GT(beside, 1.3F * TestShot::brightness(dark, 130, 45));
  EXPECT_LT(TestShot::brightness(dark, 130, 45), beside);
  EXPECT_LT(under, beside + 60);
}

TEST(Shot, SaysWhenTheEyeIsInRock) {
  TestShot test;
  test.camera.eye = {8, 0, 3};
  EXPECT_TRUE(test.render().eye_in_rock);
  test.camera.eye = {8, 0, 6};
  EXPECT_FALSE(test.render().eye_in_rock);
}

TEST(Shot, WaterMirrorsTheLampAboveIt) {
  TestShot test;
  test.recipe.water.present = true;
  test.recipe.water.wave_m = 0;
  test.recipe.ambient.strength = 0.05F;
  test.recipe.lights[0].size_m = 0.5F;
  test.recipe.lights[0].intensity = 4;
  test.lights = {{{2, 0, 6}, 0}};
  test.camera.eye = {-8, 0, 4};
  test.water_level = 1;
  // The mirrored lamp stands at z = 2 * 1 - 6 = -4.
  test.camera.target = {2, 0, -4};
  const Shot wet = test.render();
  test.recipe.water.present = false;
  const Shot dry = test.render();
  EXPECT_GT(TestShot::brightness(wet, 80, 45), TestShot::brightness(dry, 80, 45) + 20);
}

TEST(Patterns, StayInRangeAndFadeWithTheFootprint) {
  for (const DetailPattern pattern :
       {DetailPattern::kNoise, DetailPattern::kCracks, DetailPattern::kTiles, DetailPattern::kBricks,
        DetailPattern::kBands, DetailPattern::kGrass, DetailPattern::kSpeckle, DetailPattern::kPlaster,
        DetailPattern::kLeaves}) {
    double near = 0, far = 0, near_mean = 0, far_mean = 0;
    constexpr int kCount = 2000;
    for (int i = 0; i < kCount; ++i) {
      const Vec3f p{0.37F * static_cast<float>(i), 0.113F * static_cast<float>(i),
                    0.071F * static_cast<float>(i)};
      const PatternValue a = pattern_at(pattern, p, {0, 0, 1}, 1, 0.002F),
                         b = pattern_at(pattern, p, {0, 0, 1}, 1, 50);
      EXPECT_GE(a.tone, 0);
      EXPECT_LE(a.tone, 1);
      EXPECT_GE(a.height, -0.2F);
      EXPECT_LE(a.height, 1.2F);
      near += static_cast<double>(a.tone * a.tone), near_mean += static_cast<double>(a.tone);
      far += static_cast<double>(b.tone * b.tone), far_mean += static_cast<double>(b.tone);
    }
    const auto variance = [](double sum, double mean) {
      return sum / kCount - mean * mean / kCount / kCount;
    };
    EXPECT_GT(variance(near, near_mean), 1e-4) << static_cast<int>(pattern);
    EXPECT_LT(variance(far, far_mean), 0.3 * variance(near, near_mean)) << static_cast<int>(pattern);
    EXPECT_NEAR(near_mean / kCount, far_mean / kCount, 0.2) << static_cast<int>(pattern);
  }
}

}  // namespace
}  // namespace vf::render

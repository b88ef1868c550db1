#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "plan/resolve.h"
#include "recipe/recipe.h"
#include "render/fog.h"
#include "render/formula_field.h"
#include "render/light_sheet.h"
#include "render/lights.h"
#include "render/radiance_cache.h"
#include "render/sampling.h"
#include "render/scenes_for_tests.h"
#include "render/tone.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"
#include "render/water.h"

namespace vf::render {
namespace {

Light lantern() {
  Light light;
  light.intensity = 50;
  light.range_m = 30;
  light.size_m = 0.2F;
  return light;
}

TEST(DirectLight, FallsWhereTheWayIsFreeAndNotBehindTheBall) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  const std::vector<Light> lights{lantern()};
  const std::vector<PlacedLight> placed{{{2, 0, 3}, 0}};
  const LampSet lamps(placed, lights, grid);
  const DirectLight direct = make_direct_light(grid, lamps, Ambient{});
  EXPECT_GT(max_of(direct.on({2, 5, 0}, {0, 0, 1}, 0, 0, 4).through), 0.1F);
  EXPECT_GT(max_of(direct.on({12, 9, 0}, {0, 0, 1}, 0, 0, 4).through), 0.01F);
  EXPECT_EQ(max_of(direct.on({10.4F, 0, 1.5F}, {1, 0, 0}, 0, 0, 4).through), 0);
  EXPECT_EQ(max_of(direct.on({2, 0, 20}, {0, 0, 1}, 0, 0, 4).through), 0);  // faces away
}

TEST(DirectLight, FollowsTheSquareOfTheDistance) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  std::vector<Light> lights{lantern()};
  lights[0].range_m = 500;
  const std::vector<PlacedLight> placed{{{-20, 0, 8}, 0}};
  const LampSet lamps(placed, lights, grid);
  const DirectLight direct = make_direct_light(grid, lamps, Ambient{});
  EXPECT_NEAR(direct.on({-20, 0, 0}, {0, 0, 1}, 0, 0, 4).through.x, 50.0F / 64, 0.01F);
}

TEST(KeyGlow, PassesTheRoofButNotWhatHangsBelowIt) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  EXPECT_TRUE(key_visible(grid, shadow_start(grid, {-10, 5, 0}, {0, 0, 1}), {0, 0, 1}));
  EXPECT_FALSE(key_visible(grid, shadow_start(grid, {8, 0, 0}, {0, 0, 1}), {0, 0, 1}));
}

TEST(LampSet, FindsEveryLampInReach) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  std::vector<Light> lights{lantern()};
  lights[0].range_m = 11;
  std::vector<PlacedLight> placed;
  for (std::uint64_t i = 0; i < 60; ++i)
    placed.push_back({{90 * unit_float(mix64(2 * i)) - 45, 90 * unit_float(mix64(2 * i + 1)) - 45, 5}, 0});
  const LampSet lamps(placed, lights, grid);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3f p{79 * unit_float(mix64(9 * i)) - 39.5F, 79 * unit_float(mix64(9 * i + 1)) - 39.5F, 4};
    const auto near = lamps.near(p);
    for (std::uint32_t k = 0; k < lamps.lamps().size(); ++k) {
      if (length(lamps.lamps()[k].at - p) < 11) {
        EXPECT_NE(std::find(near.begin(), near.end(), k), near.end());
      }
    }
  }
}

TEST(LampSet, SeesTheNearestGlowingBody) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  const std::vector<Light> lights{lantern()};
  const std::vector<PlacedLight> placed{{{6, 0, 8}, 0}, {{3, 0, 8}, 0}, {{3, 2, 8}, 0}};
  const LampSet lamps(placed, lights, grid);
  const std::vector<std::uint32_t> all{0, 1, 2};
  const LampHit hit = lamps.body_on(all, {0, 0, 8}, {1, 0, 0}, 100);
  EXPECT_EQ(hit.lamp, 1U);
  EXPECT_NEAR(hit.t, 2.8F, 1e-4F);
  EXPECT_LT(lamps.body_on(all, {0, 0, 8}, {1, 0, 0}, 2).t, 0);
}

TEST(RadianceCache, SurfacesSendOutNoMoreThanTheyGet) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, {0, 0, 4});
  Recipe recipe;
  recipe.materials.emplace_back();
  Ambient ambient;
  ambient.up = ambient.down = {0.5F, 0.5F, 0.5F};
  const LampSet lamps({}, recipe.lights, grid);
  const RadianceCache cache =
      RadianceCache::build(grid, recipe, nullptr, make_direct_light(grid, lamps, ambient),
                           make_ambient_light(ambient), CacheSettings{});
  EXPECT_GT(cache.size(), 100U);
  int known = 0;
  for (std::uint32_t b = 0; b < grid.brick_count(); ++b) {
    const Cell& cell = grid.brick_cell(b);
    const Outgoing out = cache.at(b, cell.min + Vec3f{1, 1, 1} * (0.5F * cell.edge), {0, 0, 1});
    if (out.weight <= 0) continue;
    ++known;
    EXPECT_GE(out.reflected.x, 0);
    EXPECT_LT(out.reflected.x, 0.5F);
    EXPECT_LE(out.arriving.x, 0.51F);
  }
  EXPECT_GT(known, 50);
}

TEST(Haze, DepthIsTheIntegralOfTheDensity) {
  Fog fog;
  fog.extinction = 0.03F;
  fog.height_m = 5;
  fog.floor_m = 4;
  const Haze haze = make_haze(fog, {}, {});
  for (const Vec3f dir :
       {Vec3f{1, 0, 0}, normalized({1, 0, 0.7F}), normalized({0.2F, 1, -0.4F}), Vec3f{0, 0, 1}}) {
    double sum = 0;
    const Vec3f origin{0, 0, 7};
    constexpr int kSteps = 20000;
    for (int i = 0; i < kSteps; ++i)
      sum +=
          static_cast<double>(haze.density(origin.z + dir.z * 30 * (static_cast<float>(i) + 0.5F) / kSteps)) *
          30 / kSteps;
    EXPECT_NEAR(haze.depth(origin, dir, 30), sum, 2e-3 * sum + 1e-5);
  }
}

TEST(Water, BendsAndReflectsAsGlassBordersDo) {
  EXPECT_NEAR(fresnel(1, kWaterIndex), 0.02006F, 1e-4F);
  EXPECT_GT(fresnel(0.01F, kWaterIndex), 0.9F);
  EXPECT_EQ(fresnel(0.3F, 1 / kWaterIndex), 1);  // total reflection from below
  Vec3f out;
  const Vec3f in = normalized({1, 0, -1});
  ASSERT_TRUE(refract(in, {0, 0, 1}, kWaterIndex, out));
  EXPECT_NEAR(out.x, in.x / kWaterIndex, 1e-5F);  // Snell
  EXPECT_LT(out.z, in.z);
  EXPECT_FALSE(refract(normalized({1, 0, 0.3F}), {0, 0, -1}, 1 / kWaterIndex, out));
}

TEST(Water, LeavesAThirdAtTheStatedDistance) {
  WaterSettings settings;
  settings.present = true;
  settings.color = {0.2F, 0.4F, 0.3F};
  settings.attenuation_m = 7;
  const Water water = make_water(settings, 3, {1, 1, 1});
  EXPECT_NEAR(water.left_after(7).y, 1.0F / 3, 1e-3F);
  EXPECT_LT(water.left_after(7).x, water.left_after(7).y);
  EXPECT_TRUE(water.covers({0, 0, 2.9F}));
  EXPECT_FALSE(water.covers({0, 0, 3.1F}));
}

TEST(LightSheet, SmoothsAlongASurfaceAndNotAcrossAnEdge) {
  LightSheet sheet(16, 16, 1);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const bool wall = x >= 8;
      LightSheet::Place place{
          {static_cast<float>(x) * 0.01F, static_cast<float>(y) * 0.01F, 0}, {0, 0, 1}, 0.01F, true};
      if (wall) place.n = {-1, 0, 0};
      const float noise = static_cast<float>(interleave_4x4(x, y)) / 15;
      sheet.set(x, y, place, wall ? Vec3f{100, 100, 100} : Vec3f{noise, noise, noise});
    }
  }
  sheet.smooth(1, 1);
  Vec3f value;
  ASSERT_TRUE(sheet.at(4, 8, {{0.04F, 0.08F, 0}, {0, 0, 1}, 0.01F, true}, value));
  EXPECT_NEAR(value.x, 0.5F, 0.03F);
  EXPECT_FALSE(sheet.at(4, 8, {{0.04F, 0.08F, 5}, {0, 0, 1}, 0.01F, true}, value));
}

TEST(Sampling, SixteenPointsFillEveryColumnRowAndSquare) {
  for (std::uint32_t block = 0; block < 8; ++block) {
    std::array<int, 16> column{}, row{}, square{};
    for (std::uint32_t i = 0; i < 16; ++i) {
      const Point2 p = net_point(16 * block + i);
      ++column[static_cast<std::size_t>(p.u * 16)];
      ++row[static_cast<std::size_t>(p.v * 16)];
      ++square[static_cast<std::size_t>(p.u * 4) * 4 + static_cast<std::size_t>(p.v * 4)];
    }
    for (std::size_t i = 0; i < 16; ++i) EXPECT_TRUE(column[i] == 1 && row[i] == 1 && square[i] == 1);
  }
}

TEST(FilmTone, RisesWithTheLightAndKeepsGreyGrey) {
  float before = -1;
  for (float light = 0.001F; light < 20; light *= 1.5F) {
    const Vec3f c = film_tone({light, light, light});
    EXPECT_GE(c.x, before);
    EXPECT_NEAR(c.x, c.y, 0.01F);
    EXPECT_NEAR(c.y, c.z, 0.01F);
    before = c.x;
  }
  EXPECT_GT(before, 0.95F);
  EXPECT_LT(film_tone({0, 0, 0}).x, 0.01F);
}

}  // namespace
}  // namespace vf::render

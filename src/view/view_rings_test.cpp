#include "view/view_rings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"

namespace vf {
namespace {

constexpr float kHeightM = 28;

/// Every step must be a whole view; ends when nothing is left to do.
ViewSquares settled(ViewSquares shown, const RingSettings& rings, float x, float y, int& steps) {
  for (steps = 0; steps < 100; ++steps) {
    const std::optional<ViewSquares> next = next_squares(shown, rings, x, y);
    if (!next) return shown;
    EXPECT_TRUE(is_whole(*next));
    EXPECT_NE(*next, shown);
    shown = *next;
  }
  ADD_FAILURE() << "the view never settles at " << x << ", " << y;
  return shown;
}

/// The level that fills each piece of 8 m of the plan; every piece once.
void expect_covered(const ViewSquares& squares) {
  std::set<std::tuple<int, int>> covered;
  for (const TileKey& key : tiles_in(squares, kHeightM)) {
    if (key.tz != 0) continue;
    const int edge = 1 << key.level;
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x)
        EXPECT_TRUE(covered.insert({key.tx * edge + x, key.ty * edge + y}).second) << "twice";
  }
  const RingSquare& outer = squares.at[static_cast<std::size_t>(squares.levels - 1)];
  EXPECT_EQ(covered.size(),
            static_cast<std::size_t>(outer.width / 8) * static_cast<std::size_t>(outer.width / 8));
}

TEST(ViewRings, BeginWithTheNearRingAndGrowOutward) {
  const RingSettings rings;
  ViewSquares shown;
  for (int levels = 1; levels <= 5; ++levels) {
    const std::optional<ViewSquares> next = next_squares(shown, rings, 3, -7);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->levels, levels);
    expect_covered(*next);
    shown = *next;
  }
  EXPECT_EQ(shown, wanted_squares(rings, 3, -7));
  EXPECT_FALSE(next_squares(shown, rings, 3, -7));
}

TEST(ViewRings, FollowEveryWalkAndAreBalanced) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> radius(128, 512), near(16, 32), step(-9, 9), thin(0.75F, 8);
  for (int walk = 0; walk < 30; ++walk) {
    const RingSettings rings{near(random), radius(random), false, thin(random)};
    float x = 100 * step(random), y = 100 * step(random), dx = step(random), dy = step(random);
    int steps = 0;
    ViewSquares shown = settled({}, rings, x, y, steps);
    for (int i = 0; i < 60; ++i) {
      x += dx, y += dy;
      shown = settled(shown, rings, x, y, steps);
      EXPECT_LE(steps, shown.levels);
      const RingSquare& square = shown.at[0];
      const float least = std::ceil(rings.near_m / 8) * 8 - 12;
      for (const float edge :
           {x - static_cast<float>(square.min_x), static_cast<float>(square.min_x + square.width) - x,
            y - static_cast<float>(square.min_y), static_cast<float>(square.min_y + square.width) - y})
        EXPECT_GE(edge, least);
    }
    expect_covered(shown);
    EXPECT_TRUE(unbalanced_tiles(tiles_in(shown, kHeightM)).empty());
  }
}

TEST(ViewRings, MoveTheNearOnesFirstAndOneAtATime) {
  const RingSettings rings;
  int steps = 0;
  ViewSquares shown = settled({}, rings, 0, 0, steps);
  const std::optional<ViewSquares> next = next_squares(shown, rings, 13, 0);
  ASSERT_TRUE(next);
  EXPECT_NE(next->at[0], shown.at[0]);
  for (std::size_t n = 1; n < 5; ++n) EXPECT_EQ(next->at[n], shown.at[n]);
}

TEST(ViewRings, StayForSomebodyWhoStepsToAndFro) {
  const RingSettings rings;
  int steps = 0;
  const ViewSquares shown = settled({}, rings, 8.1F, 0, steps);  // beyond the middle between two places
  for (const float x : {7.9F, 8.2F, 4.1F, 23.0F}) EXPECT_FALSE(next_squares(shown, rings, x, 0)) << x;
  EXPECT_TRUE(next_squares(shown, rings, 3.9F, 0));
}

TEST(ViewRings, BeginAnewAfterAJump) {
  const RingSettings rings;
  int steps = 0;
  const ViewSquares shown = settled({}, rings, 0, 0, steps);
  const std::optional<ViewSquares> next = next_squares(shown, rings, 5000, 0);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->levels, 1);
  // A fast flight keeps what lies far.
  const std::optional<ViewSquares> flight = next_squares(shown, rings, 100, 0);
  ASSERT_TRUE(flight);
  EXPECT_EQ(flight->levels, 5);
}

TEST(ViewRings, KeepFinerLevelsWhereThinThingsAskForThem) {
  struct Case {
    float view_m, min_feature_m, shown_m;
    int levels;
  };
  for (const Case& c :
       {Case{512, 6, 512, 5}, Case{512, 5.9F, 512, 4}, Case{512, 3, 512, 4}, Case{512, 1.5F, 512, 3},
        Case{512, 1.4F, 256, 2}, Case{512, 0.75F, 256, 2}, Case{256, 3, 256, 4}, Case{256, 1.5F, 256, 3},
        Case{128, 0.75F, 128, 2}, Case{300, 100, 512, 5}}) {
    const RingSettings rings{32, c.view_m, false, c.min_feature_m};
    EXPECT_EQ(ring_levels(rings), c.levels) << c.view_m << " " << c.min_feature_m;
    EXPECT_EQ(shown_m(rings), c.shown_m) << c.view_m << " " << c.min_feature_m;
    // Coarsest voxels: 0.25 m * 2^(levels - 1).
    EXPECT_LE(1.5F * 0.25F * static_cast<float>(1 << (c.levels - 1)), c.min_feature_m);
    int steps = 0;
    const ViewSquares shown = settled({}, rings, 3, -7, steps);
    EXPECT_EQ(shown, wanted_squares(rings, 3, -7));
    expect_covered(shown);
    EXPECT_TRUE(unbalanced_tiles(tiles_in(shown, kHeightM)).empty());
    // And from one setting to another, while it is shown.
    EXPECT_EQ(settled(shown, {}, 3, -7, steps), wanted_squares({}, 3, -7));
    EXPECT_EQ(settled(wanted_squares({}, 3, -7), rings, 3, -7, steps), shown);
  }
}

TEST(ViewRings, DropLevelsThatAreNotWantedAnyMore) {
  int steps = 0;
  const ViewSquares shown = settled({}, {}, 0, 0, steps);
  const std::optional<ViewSquares> next = next_squares(shown, {32, 128, false}, 0, 0);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->levels, 3);
  EXPECT_EQ(settled(*next, {32, 512, true}, 0, 0, steps).levels, 1);
}

}  // namespace
}  // namespace vf

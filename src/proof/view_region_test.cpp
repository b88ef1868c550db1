#include "proof/view_region.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>

#include "field/program.h"
#include "math/box.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {
namespace {

constexpr std::array<std::array<float, 2>, 5> kPlaces{
    {{0, 0}, {512, 512}, {7.9F, -8.1F}, {1023.5F, -0.25F}, {-300.125F, 640}}};

TEST(ViewRegion, TheNearRingIsASquareOf64Columns) {
  for (const auto& [x, y] : kPlaces) {
    const auto tiles = near_ring_tiles(x, y, 96);
    EXPECT_EQ(tiles.size(), 64U * 15) << "z from -16 to 104";
    const Box2f window = window_of_tiles(tiles);
    EXPECT_LE(window.min_x, x - 24);
    EXPECT_GE(window.max_x, x + 24);
    EXPECT_FLOAT_EQ(window.max_y - window.min_y, 64.25F) << "64 m and a sample on one side";
  }
}

TEST(ViewRegion, EveryColumnOfTheViewIsCoveredOnce) {
  for (const auto& [x, y] : kPlaces) {
    std::map<std::tuple<int, int>, int> levels;  // of 8 m columns
    std::map<std::tuple<int, int, int>, int> layers;
    for (const TileKey& t : view_tiles(x, y, 20)) {
      const int n = 1 << t.level;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const int cx = t.tx * n + i, cy = t.ty * n + j;
          EXPECT_EQ(levels.emplace(std::tuple{cx, cy}, t.level).first->second, t.level)
              << "two levels at once";
          EXPECT_EQ(++layers[std::tuple(cx, cy, t.tz)], 1) << "a tile twice";
        }
    }
    EXPECT_EQ(levels.size(), 128U * 128U) << "1024 m by 1024 m";
    for (const auto& [cell, level] : levels) {
      const auto [cx, cy] = cell;
      for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{0, 1}, std::pair{1, 1}, std::pair{1, -1}}) {
        const auto next = levels.find({cx + dx, cy + dy});
        if (next != levels.end()) {
          EXPECT_LE(std::abs(next->second - level), 1) << "neighbours differ by one level at most";
        }
      }
    }
  }
}

TEST(ViewRegion, ProofBoxesHoldOneSampleMoreOnEachSide) {
  const TileKey key{1, -2, 3, 0};
  const Box3f tile = proof_box(tile_origin(key), key.level, kTileEdge);
  EXPECT_EQ(tile, (Box3f{{-32.5F, 47.5F, -0.5F}, {-16, 64, 16}}));
  const Box3f brick = proof_box(brick_origin(key, 1 + 4 * 2 + 16 * 3), key.level, kBrickEdge);
  EXPECT_EQ(brick, (Box3f{{-28.5F, 55.5F, 11.5F}, {-24, 60, 16}}));
}

}  // namespace
}  // namespace vf

#include "spatial/grid_index.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "math/box.h"
#include "math/vec.h"

namespace vf {
namespace {

std::vector<Box3f> random_boxes(std::size_t count, float largest, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto in = [&](float lo, float hi) {
    return lo + (hi - lo) * static_cast<float>(random() >> 8) / 16777216.0F;
  };
  std::vector<Box3f> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f at{in(-700, 1700), in(-700, 1700), in(-20, 80)};
    boxes.push_back({at, at + Vec3f{in(0, largest), in(0, largest), in(0, largest)}});
  }
  return boxes;
}

TEST(GridIndex, FindsExactlyTheBoxesThatIntersect) {
  const std::vector<Box3f> boxes = random_boxes(500, 60, 1);
  const GridIndex index(boxes, 16);
  for (const Box3f& query : random_boxes(300, 200, 2)) {
    std::vector<std::uint32_t> expected, found;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].intersects(query)) expected.push_back(static_cast<std::uint32_t>(i));
    index.query(query, found);
    ASSERT_EQ(found, expected);
  }
}

TEST(GridIndex, CountsTouchingAsIntersecting) {
  const std::vector<Box3f> boxes{{{0, 0, 0}, {16, 16, 16}}, {{32, 0, 0}, {48, 16, 16}}};
  const GridIndex index(boxes, 16);
  std::vector<std::uint32_t> found;
  index.query({{16, 0, 0}, {32, 16, 16}}, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 1}));
}

TEST(GridIndex, AppendsToWhatIsThere) {
  const std::vector<Box3f> boxes{{{0, 0, 0}, {1, 1, 1}}};
  const GridIndex index(boxes, 4);
  std::vector<std::uint32_t> found{7, 3};
  index.query({{0, 0, 0}, {2, 2, 2}}, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{7, 3, 0}));
}

TEST(GridIndex, AnswersFarOutsideAndWhenEmpty) {
  std::vector<std::uint32_t> found;
  GridIndex().query({{0, 0, 0}, {1, 1, 1}}, found);
  EXPECT_TRUE(found.empty());
  const std::vector<Box3f> boxes = random_boxes(20, 5, 3);
  GridIndex(boxes, 16).query({{1e9F, 1e9F, 0}, {2e9F, 2e9F, 1}}, found);
  EXPECT_TRUE(found.empty());
}

TEST(GridIndex, StaysSmallForFewBoxesFarApart) {
  const std::vector<Box3f> boxes{{{0, 0, 0}, {1, 1, 1}}, {{1e7F, 1e7F, 0}, {1e7F, 1e7F, 1}}};
  const GridIndex index(boxes, 1);
  std::vector<std::uint32_t> found;
  index.query({{9e6F, 9e6F, 0}, {2e7F, 2e7F, 1}}, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{1}));
}

}  // namespace
}  // namespace vf

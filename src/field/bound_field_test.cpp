#include "field/bound_field.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "field/program.h"

namespace vf {
namespace {

Program with_axis(const FrameAxis& axis) {
  Program p;
  p.frame_axes.push_back(axis);
  return p;
}

BoundAxis bind_one(const FrameAxis& axis, std::int64_t sx, std::int64_t sy) {
  return bind_axes(with_axis(axis), {sx, sy})[0];
}

TEST(BindAxes, SplitsTheCornerIntoCellsAndRest) {
  const BoundAxis a = bind_one({1, 0, 96 * 1024, 0}, 1, 7);
  EXPECT_EQ(a.base, 10U);  // 1024 = 10 * 96 + 64
  EXPECT_EQ(a.offset, 64.0F);
}

TEST(BindAxes, RoundsDownInNegativeSectors) {
  const BoundAxis a = bind_one({1, 0, 96 * 1024, 0}, -1, 0);
  EXPECT_EQ(a.base, static_cast<std::uint32_t>(-11));  // -1024 = -11 * 96 + 32
  EXPECT_EQ(a.offset, 32.0F);
}

TEST(BindAxes, AddsTheShift) {
  const BoundAxis a = bind_one({0, 1, 28 * 1024, -1024}, 5, 0);
  EXPECT_EQ(a.base, static_cast<std::uint32_t>(-1));
  EXPECT_EQ(a.offset, 27.0F);
}

TEST(BindAxes, IsExactWithoutBoundsOnTheSector) {
  // The same axis from both sides of a border: cell and rest of one point must agree.
  const std::int64_t far = std::int64_t{1} << 31;
  for (const std::int64_t sx :
       {-far, -far + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{123456789}, far - 1}) {
    for (const std::int64_t period :
         {std::int64_t{16}, std::int64_t{3419}, std::int64_t{96 * 1024}, std::int64_t{4096 * 1024}}) {
      for (const std::int32_t ax : {1, -4, 7}) {
        const FrameAxis axis{ax, 3, period, 11};
        const BoundAxis here = bind_one(axis, sx, 17), next = bind_one(axis, sx + 1, 17);
        // One sector on: offset + ax * 1024 m, in whole cells and rest.
        const std::int64_t rest =
            static_cast<std::int64_t>(here.offset * 1024.0F) + ax * (std::int64_t{1} << 20);
        std::int64_t cells = rest / period, left = rest % period;
        if (left < 0) left += period, --cells;
        EXPECT_EQ(next.base, here.base + static_cast<std::uint32_t>(cells));
        EXPECT_EQ(static_cast<std::int64_t>(next.offset * 1024.0F), left);
      }
    }
  }
}

TEST(BindField, SortsInstancesByIdAndIndexesTheirBoxes) {
  auto program = std::make_shared<Program>();
  program->feature_sets.resize(2);
  std::vector<FeatureInstance> instances(3);
  const std::uint64_t ids[] = {9, 2, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    instances[i].id.value = ids[i];
    const float x = static_cast<float>(i) * 100;
    instances[i].at = {x, 0, 0};
    instances[i].value_box = {{x - 1, -1, -1}, {x + 1, 1, 1}};
  }
  const BoundField field = bind_field(program, {-2, 3}, {0, 0, 1024, 1024}, {instances}, 77);
  ASSERT_EQ(field.sets.size(), 2U);
  ASSERT_EQ(field.sets[0].instances.size(), 3U);
  EXPECT_EQ(field.sets[0].instances[0].id.value, 2U);
  EXPECT_EQ(field.sets[0].instances[1].id.value, 5U);
  EXPECT_EQ(field.sets[0].instances[2].id.value, 9U);
  EXPECT_TRUE(field.sets[1].instances.empty());
  EXPECT_EQ(field.shape_axes.size(), 2U);
  EXPECT_EQ(field.seed_mix, 77U);
  EXPECT_EQ(field.absolute_x, -2048.0F);
  std::vector<std::uint32_t> found;
  field.sets[0].index.query({{90, 0, 0}, {110, 0, 0}}, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0}));  // id 2 stands at x = 100
}

}  // namespace
}  // namespace vf

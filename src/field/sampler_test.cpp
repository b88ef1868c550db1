// What the sampling interface says of boxes and bricks is what it says of their points.
#include "field/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

std::shared_ptr<const BoundField> islands() {
  const auto program = islands_program();
  return bound(program, {}, {scattered_islands(*program, 60, 120)});
}

/// On no grid.
std::vector<Vec3f> points_in(const Box3f& box, int count) {
  std::mt19937 random(7);
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random()) / 4294967296.0F;
  };
  std::vector<Vec3f> out;
  for (int i = 0; i < count; ++i)
    out.push_back(
        {between(box.min.x, box.max.x), between(box.min.y, box.max.y), between(box.min.z, box.max.z)});
  return out;
}

constexpr Box3f kBox{{-24, -20, 30}, {8, 12, 62}};

TEST(FieldSampler, AsksManyPointsAsOneByOne) {
  FieldSampler field(islands(), best_simd_level());
  // More than a block, less than two, and no multiple of a vector.
  const std::vector<Vec3f> points = points_in(kBox, 905);
  std::vector<float> x, y, z, together(points.size()), narrowed(points.size());
  for (const Vec3f& p : points) x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
  field.values(points.size(), x.data(), y.data(), z.data(), together.data());
  field.values(field.tape_for(kBox.grown(0.01F)), points.size(), x.data(), y.data(), z.data(),
               narrowed.data());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(field.value(points[i]), together[i]) << i;
    EXPECT_EQ(together[i], narrowed[i]) << i;
  }
}

TEST(FieldSampler, CutsManyBoxesAsOneByOne) {
  FieldSampler field(islands(), best_simd_level());
  const Tape whole = field.tape_for(kBox.grown(0.01F));
  std::vector<Box3f> boxes;
  for (int i = 0; i < kMaxBoxes; ++i) {
    const Vec3f low{kBox.min.x + 8 * static_cast<float>(i % 4),
                    kBox.min.y + 8 * static_cast<float>(i / 4 % 4),
                    kBox.min.z + 8 * static_cast<float>(i / 16)};
    boxes.push_back({low, {low.x + 8, low.y + 8, low.z + 8}});
  }
  BoxCuts cuts;
  field.cut(whole, boxes, cuts);
  std::size_t mixed = 0, shorter = 0;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Interval bound{cuts.lo.at(b), cuts.hi.at(b)}, alone = field.bound(boxes[b]);
    EXPECT_EQ(bound.lo, alone.lo);
    EXPECT_EQ(bound.hi, alone.hi);
    mixed += bound.lo < 0 && bound.hi > 0 ? 1U : 0U;
    const Tape own = field.tape_of(cuts, static_cast<int>(b));
    shorter += own.candidates[0].size() < whole.candidates[0].size() ? 1U : 0U;
    for (const Vec3f& p : points_in(
             {boxes[b].min, {boxes[b].max.x - 0.01F, boxes[b].max.y - 0.01F, boxes[b].max.z - 0.01F}}, 20)) {
      float v = 0;
      field.values(own, 1, &p.x, &p.y, &p.z, &v);
      EXPECT_EQ(v, field.value(p));
      EXPECT_GE(v, bound.lo);
      EXPECT_LE(v, bound.hi);
    }
  }
  EXPECT_GT(mixed, 5U);
  EXPECT_GT(shorter, 30U);
}

TEST(FieldSampler, SeesBricksAsTheirPoints) {
  FieldSampler field(islands(), best_simd_level());
  const Tape tape = field.tape_for(kBox);
  alignas(64) std::array<float, 512> brick{};
  for (float corner = 0; corner < 28; corner += 3.75F) {
    const Vec3f origin{kBox.min.x + corner, kBox.min.y + corner, kBox.min.z + corner};
    field.brick(tape, {origin, 0.25F}, brick.data());
    for (std::size_t i = 0; i < brick.size(); ++i)
      ASSERT_EQ(brick.at(i), field.value({origin.x + 0.25F * static_cast<float>(i % 8),
                                          origin.y + 0.25F * static_cast<float>(i / 8 % 8),
                                          origin.z + 0.25F * static_cast<float>(i / 64)}));
  }
}

}  // namespace
}  // namespace vf

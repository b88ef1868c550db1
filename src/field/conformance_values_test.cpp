// Values are the same bits at every SIMD level, on bricks, columns and at points, and in every frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/conformance_cases.h"
#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"

namespace vf::conformance {
namespace {

std::string op_name(const testing::TestParamInfo<Opcode>& info) {
  return std::string(to_string(info.param));
}

/// Index of the first value whose bits differ; -1 when none does.
int first_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return static_cast<int>(i);
  return -1;
}

void expect_same_bits(const std::vector<float>& got, const std::vector<float>& expected,
                      const std::string& what) {
  const int i = first_difference(got, expected);
  if (i < 0) return;
  const auto k = static_cast<std::size_t>(i);
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%a, not %a, at %d", static_cast<double>(got[k]),
                static_cast<double>(expected[k]), i);
  ADD_FAILURE() << what << ": " << text.data();
}

struct Points {
  std::vector<float> x, y, z;
  [[nodiscard]] PointBatch batch() const { return {x.size(), x.data(), y.data(), z.data(), {}}; }
};

BrickGeometry random_brick(const Case& c, Random& r) {
  BrickGeometry brick;
  brick.voxel = 0.25F * static_cast<float>(1 << r.below(4));
  const auto place = [&](float lo, float hi) {
    return std::floor(r.between(lo, hi) / brick.voxel) * brick.voxel;
  };
  brick.origin = {place(c.domain.min.x, c.domain.max.x), place(c.domain.min.y, c.domain.max.y),
                  place(c.domain.min.z, c.domain.max.z)};
  return brick;
}

Points points_of(const BrickGeometry& brick) {
  Points p;
  for (std::size_t i = 0; i < kBrickSamples; ++i) {
    p.x.push_back(brick.origin.x + brick.voxel * static_cast<float>(i % 8));
    p.y.push_back(brick.origin.y + brick.voxel * static_cast<float>(i / 8 % 8));
    p.z.push_back(brick.origin.z + brick.voxel * static_cast<float>(i / 64));
  }
  return p;
}

/// All that the batch evaluator says of a case on a brick.
struct Values {
  std::vector<float> brick, points, column, value, gx, gy, gz;
};

Values evaluate(const Case& c, const BrickGeometry& geometry, SimdLevel level) {
  BatchEvaluator batch(*c.field, level);
  const Tape tape = full_tape(*c.program);
  const Points p = points_of(geometry);
  Values v;
  for (std::vector<float>* out : {&v.brick, &v.points, &v.value, &v.gx, &v.gy, &v.gz})
    out->resize(kBrickSamples);
  batch.brick(tape, geometry, v.brick.data());
  float* const out[1] = {v.points.data()};
  batch.points(tape, p.batch(), out);
  batch.gradients(tape, p.batch(), v.value.data(), v.gx.data(), v.gy.data(), v.gz.data());
  const std::uint32_t output = tape.outputs[0];
  if (tape.ops[output].kind == Kind::kColumn) {
    v.column.resize(64);
    float* const columns[1] = {v.column.data()};
    batch.columns(tape, std::array<std::uint32_t, 1>{output}, geometry, columns);
  }
  return v;
}

class EveryOpValues : public testing::TestWithParam<Opcode> {};

TEST_P(EveryOpValues, AreTheSameBitsAtEveryLevelAndOnBricksAndPoints) {
  Random random(7 + static_cast<std::uint64_t>(GetParam()));
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = make_case(GetParam(), random);
    const BrickGeometry brick = random_brick(c, random);
    const Values expected = evaluate(c, brick, SimdLevel::kScalar);
    expect_same_bits(expected.brick, expected.points, "brick against points");
    expect_same_bits(expected.value, expected.points, "value with gradient against points");
    if (!expected.column.empty())
      expect_same_bits(expected.column, {expected.points.begin(), expected.points.begin() + 64}, "columns");
    for (const SimdLevel level : supported_simd_levels()) {
      const Values got = evaluate(c, brick, level);
      const std::string name(to_string(level));
      expect_same_bits(got.brick, expected.brick, name + " brick");
      expect_same_bits(got.points, expected.points, name + " points");
      expect_same_bits(got.column, expected.column, name + " columns");
      expect_same_bits(got.gx, expected.gx, name + " d/dx");
      expect_same_bits(got.gy, expected.gy, name + " d/dy");
      expect_same_bits(got.gz, expected.gz, name + " d/dz");
    }
    if (HasFailure()) return;
  }
}

TEST_P(EveryOpValues, HaveTheSameBoundsAndTracesAtEveryLevel) {
  Random random(77 + static_cast<std::uint64_t>(GetParam()));
  for (int trial = 0; trial < 30; ++trial) {
    const Case c = make_case(GetParam(), random);
    const Tape tape = tape_in_box(*c.field, full_tape(*c.program), c.domain);
    BoxBatch boxes;
    boxes.count = 1 + random.below(kMaxBoxes);
    for (int i = 0; i < boxes.count; ++i) {
      const float edge = 2.25F * static_cast<float>(1 << random.below(5));
      const Vec3f at{random.on_grid(c.domain.min.x, c.domain.max.x),
                     random.on_grid(c.domain.min.y, c.domain.max.y),
                     random.on_grid(c.domain.min.z, c.domain.max.z)};
      boxes.set(i, {at, {at.x + edge, at.y + edge, at.z + edge}});
    }
    const auto bounds = [&](SimdLevel level, Trace& trace) {
      std::vector<float> ends(2 * static_cast<std::size_t>(boxes.count));
      IntervalEvaluator(*c.field, level)
          .evaluate(tape, boxes, {}, ends.data(), ends.data() + boxes.count, &trace);
      return ends;
    };
    Trace expected_trace;
    const std::vector<float> expected = bounds(SimdLevel::kScalar, expected_trace);
    const std::uint64_t asked = boxes.count == 64 ? ~0ULL : (1ULL << boxes.count) - 1;
    const auto same = [&](const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i] & asked, b[i] & asked);
    };
    for (const SimdLevel level : supported_simd_levels()) {
      Trace trace;
      expect_same_bits(bounds(level, trace), expected, std::string(to_string(level)) + " bounds");
      same(trace.only_a, expected_trace.only_a);
      same(trace.only_b, expected_trace.only_b);
      ASSERT_EQ(trace.used.size(), expected_trace.used.size());
      for (std::size_t s = 0; s < trace.used.size(); ++s) same(trace.used[s], expected_trace.used[s]);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryOpValues, testing::ValuesIn(field_opcodes()), op_name);

// ---------------------------------------------------------------- frames

class GlobalOp : public testing::TestWithParam<Opcode> {};

/// Values at the points (x, y) of sector (sx, sy), in metres from its corner.
std::vector<float> in_sector(const std::shared_ptr<const Program>& program, Frame frame, const Points& p) {
  const BoundField field = bind_field(program, frame, {-2000, -2000, 4000, 4000}, {}, 5);
  std::vector<float> out(p.x.size());
  float* const to[1] = {out.data()};
  BatchEvaluator(field, best_simd_level()).points(full_tape(*program), p.batch(), to);
  return out;
}

TEST_P(GlobalOp, HasOneValueInEveryFrameHereAndFarAway) {
  Random random(5 + static_cast<std::uint64_t>(GetParam()));
  constexpr std::int64_t kFar = 10'000'000 / 1024;
  for (int trial = 0; trial < 100; ++trial) {
    const std::shared_ptr<const Program> program = make_global_program(GetParam(), random);
    ASSERT_NE(program, nullptr);
    Points here, there;
    for (int i = 0; i < 64; ++i) {
      here.x.push_back(random.on_grid(-64, 64));
      here.y.push_back(random.on_grid(-64, 64));
      here.z.push_back(random.on_grid(0, 64));
      there.x.push_back(here.x.back() + kSectorM);
      there.y.push_back(here.y.back() + kSectorM);
    }
    there.z = here.z;
    const auto sector = [&](std::int64_t around) { return around + random.below(8) - 4; };
    for (const std::int64_t around : {std::int64_t{0}, kFar, -kFar, std::int64_t{1} << 30}) {
      const Frame frame{sector(around), sector(-around)};
      expect_same_bits(in_sector(program, {frame.sx - 1, frame.sy - 1}, there),
                       in_sector(program, frame, here), "sectors about " + std::to_string(around));
    }
    if (HasFailure()) return;
  }
}

TEST_P(GlobalOp, LooksTheSameFarAwayAsNear) {
  // Not the same lattice, but the same kind of values: nothing degrades. The spread over many points agrees.
  Random random(6 + static_cast<std::uint64_t>(GetParam()));
  for (int trial = 0; trial < 10; ++trial) {
    const std::shared_ptr<const Program> program = make_global_program(GetParam(), random);
    Points p;
    for (int i = 0; i < 2048; ++i) {
      p.x.push_back(random.on_grid(0, 1024));
      p.y.push_back(random.on_grid(0, 1024));
      p.z.push_back(random.on_grid(0, 64));
    }
    const auto distinct = [&](Frame frame) {
      std::vector<float> v = in_sector(program, frame, p);
      std::sort(v.begin(), v.end());
      return static_cast<double>(std::unique(v.begin(), v.end()) - v.begin());
    };
    const double near = distinct({0, 0}), far = distinct({9'765'625, -9'765'625});
    EXPECT_GT(far, 0.8 * near);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, GlobalOp,
                         testing::Values(Opcode::kWave, Opcode::kRepeat, Opcode::kNoise2, Opcode::kNoise3,
                                         Opcode::kCellular2, Opcode::kCellular3),
                         op_name);

/// A place just across a border, seen from both sectors.
TEST(Conformance, FeaturesHaveOneValueOnBothSidesOfABorder) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Case c = make_case(Opcode::kFeatures, random);
    std::vector<FeatureInstance> moved = c.field->sets[0].instances;
    for (FeatureInstance& f : moved) {
      f.at.x += kSectorM;
      f.value_box.min.x += kSectorM, f.value_box.max.x += kSectorM;
    }
    const BoundField other = bind_field(c.program, {-1, 0}, c.field->window, {moved}, c.field->seed_mix);
    Points here, there;
    for (int i = 0; i < 512; ++i) {
      here.x.push_back(random.on_grid(c.domain.min.x, c.domain.max.x));
      here.y.push_back(random.on_grid(c.domain.min.y, c.domain.max.y));
      here.z.push_back(random.on_grid(c.domain.min.z, c.domain.max.z));
      there.x.push_back(here.x.back() + kSectorM);
    }
    there.y = here.y, there.z = here.z;
    std::vector<float> a(512), b(512);
    float* const to_a[1] = {a.data()};
    float* const to_b[1] = {b.data()};
    const Tape tape = full_tape(*c.program);
    BatchEvaluator(*c.field, best_simd_level()).points(tape, here.batch(), to_a);
    BatchEvaluator(other, best_simd_level()).points(tape, there.batch(), to_b);
    expect_same_bits(b, a, "the neighbour's frame");
  }
}

}  // namespace
}  // namespace vf::conformance

#include "field/interval_evaluator.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/conformance_cases.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"

namespace vf {
namespace {

using conformance::ProgramMaker;

/// Bound of a field over one box, at every level; they agree (conformance), so the last one stands.
Interval bound_of(const BoundField& field, const Box3f& box, Trace* trace = nullptr,
                  std::span<const KnownRange> known = {}) {
  const Tape tape = tape_in_box(field, full_tape(*field.program), box);
  BoxBatch boxes;
  boxes.count = 1;
  boxes.set(0, box);
  Interval bound;
  for (const SimdLevel level : supported_simd_levels())
    IntervalEvaluator(field, level).evaluate(tape, boxes, known, &bound.lo, &bound.hi, trace);
  return bound;
}

const Box3f kUnit{{0, 0, 0}, {1, 1, 1}};

TEST(IntervalEvaluator, SaysEverythingWhereAValueCouldBeNoNumber) {
  const auto unknown = [](const auto& make) {
    ProgramMaker m;
    const Interval bound = bound_of(*m.bind(make(m)), {{-1, -1, -1}, {1, 1, 1}});
    EXPECT_EQ(bound, Interval::everything());
  };
  unknown([](ProgramMaker& m) { return m.node(Opcode::kDivide, 0, {m.y(), m.x()}); });
  unknown([](ProgramMaker& m) { return m.node(Opcode::kSqrt, 0, {m.x()}); });
  unknown([](ProgramMaker& m) { return m.node(Opcode::kMod, 0, {m.y(), m.x()}); });
  unknown([](ProgramMaker& m) {
    return m.node(Opcode::kExp, 0, {m.node(Opcode::kMultiply, 0, {m.x(), m.constant(100)})});
  });
  unknown([](ProgramMaker& m) { return m.node(Opcode::kCube, 0, {m.constant(1e30F)}); });
  unknown([](ProgramMaker& m) { return m.node(Opcode::kSurface); });
  unknown([](ProgramMaker& m) { return m.node(Opcode::kRandom); });
}

TEST(IntervalEvaluator, KeepsUnknownThroughEveryOp) {
  for (const Opcode op : conformance::field_opcodes()) {
    const int inputs = input_count(op);
    if (inputs == 0) continue;
    for (int hole = 0; hole < inputs; ++hole) {
      ProgramMaker m;
      conformance::Random random(1);
      std::vector<NodeId> in;
      for (int i = 0; i < inputs; ++i)
        in.push_back(i == hole ? m.node(Opcode::kDivide, 0, {m.y(), m.x()}) : m.constant(1));
      std::uint32_t param = m.constants({0.5F, 0.5F});
      if (op == Opcode::kWave || op == Opcode::kRepeat) param = m.periodic(1, 0, 4096, 1);
      if (op == Opcode::kNoise2 || op == Opcode::kNoise3)
        param = m.noise(NoiseBasis::kPerlin, NoiseShape::kPlain, 2, 8192, 8192, random);
      if (op == Opcode::kCellular2 || op == Opcode::kCellular3)
        param = m.noise(NoiseBasis::kCellular, NoiseShape::kPlain, 1, 8192, 8192, random);
      if (op == Opcode::kAffine) m.program->affines.push_back({1, 1}), param = 0;
      if (op == Opcode::kSpline) m.program->splines.push_back({{0, 1}, {0, 1}, {0, 0}}), param = 0;
      const auto field = m.bind(m.node(op, param, in));
      const Interval bound = bound_of(*field, {{-1, -1, -1}, {1, 1, 1}});
      // A choice that does not take the unknown operand does not see it.
      const bool not_taken = (op == Opcode::kMix && hole == 0) || (op == Opcode::kSelectRange && hole == 1);
      if (not_taken) {
        EXPECT_EQ(bound, (Interval{1, 1})) << to_string(op) << " input " << hole;
      } else {
        EXPECT_EQ(bound, Interval::everything()) << to_string(op) << " input " << hole;
      }
    }
  }
}

/// At a tie both operands have the same value but not the same gradient, so a box that ends there decides
/// nothing for the second one.
TEST(IntervalEvaluator, LeavesTiesToTheFirstOperand) {
  for (const Opcode op : {Opcode::kMin, Opcode::kMax}) {
    for (const bool swapped : {false, true}) {
      for (const float from : {0.0F, 2.0F}) {  // the box lies on either side of the tie at x = 2
        ProgramMaker m;
        const NodeId slope = m.node(Opcode::kSubtract, 0, {m.x(), m.constant(2)}), flat = m.constant(0);
        const auto field =
            m.bind(m.node(op, 0, swapped ? std::vector{flat, slope} : std::vector{slope, flat}));
        const Tape whole = full_tape(*field->program);
        BoxBatch boxes;
        boxes.count = 1;
        boxes.set(0, {{from, 0, 0}, {from + 2, 1, 1}});
        float lo = 0, hi = 0;
        Trace trace;
        IntervalEvaluator(*field, best_simd_level()).evaluate(whole, boxes, {}, &lo, &hi, &trace);
        const Tape cut = specialise(*field->program, whole, trace, 0);
        BatchEvaluator batch(*field, best_simd_level());
        const float x = 2, y = 0, z = 0;
        const auto slope_of = [&](const Tape& tape) {
          float v = 0, gx = 0, gy = 0, gz = 0;
          batch.gradients(tape, {1, &x, &y, &z, {}}, &v, &gx, &gy, &gz);
          return gx;
        };
        EXPECT_EQ(slope_of(cut), slope_of(whole)) << to_string(op) << ' ' << swapped << ' ' << from;
        EXPECT_EQ(slope_of(whole), swapped ? 0.0F : 1.0F);
      }
    }
  }
}

TEST(IntervalEvaluator, TakesKnownRangesInPlaceOfItsOwn) {
  ProgramMaker m;
  const auto field = m.bind(m.node(Opcode::kAdd, 0, {m.x(), m.z()}));
  const float lo = 0.25F, hi = 0.5F;
  const std::array<KnownRange, 1> known{KnownRange{0, &lo, &hi}};
  EXPECT_EQ(bound_of(*field, kUnit, nullptr, known), (Interval{0.25F, 1.5F}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<KnownRange, 1> wrong{KnownRange{0, &nan, &hi}};
  EXPECT_EQ(bound_of(*field, kUnit, nullptr, wrong), Interval::everything());
}

TEST(IntervalEvaluator, FindsTheExactExtremaOfAWave) {
  ProgramMaker m;
  const auto field = m.bind(m.node(Opcode::kWave, m.periodic(1, 0, 16 * 1024, 1), {m.x()}));
  EXPECT_EQ(bound_of(*field, {{-1, 0, 0}, {3, 1, 1}}).hi, 1.0F);
  EXPECT_NEAR(bound_of(*field, {{-1, 0, 0}, {3, 1, 1}}).lo, std::cos(2 * 3.14159265F * 3 / 16), 1e-5F);
  EXPECT_EQ(bound_of(*field, {{7, 0, 0}, {9, 1, 1}}).lo, -1.0F);
  EXPECT_LT(bound_of(*field, {{7, 0, 0}, {9, 1, 1}}).hi, -0.9F);
  EXPECT_EQ(bound_of(*field, {{3, 0, 0}, {30, 1, 1}}), (Interval{-1, 1}));
}

/// Spheres of radius 1 at x = 0, 10, 20, ... as one set.
std::shared_ptr<const BoundField> spheres(int count, float blend) {
  FeatureSetProgram set;
  set.blend = blend;
  set.far = 4;
  ProgramMaker s;
  const NodeId d =
      s.node(Opcode::kSphere, 0,
             {s.node(Opcode::kLocalX), s.node(Opcode::kLocalY), s.node(Opcode::kLocalZ), s.constant(1)});
  s.program->outputs = {d};
  set.shape = *s.program;
  std::vector<FeatureInstance> places;
  for (int i = 0; i < count; ++i) {
    FeatureInstance f;
    f.id = {static_cast<std::uint64_t>(i)};
    f.at = {10.0F * static_cast<float>(i), 0, 0};
    f.extent_min = {-1, -1, -1};
    f.extent_max = {1, 1, 1};
    const Box3f box{{f.at.x - 1, -1, -1}, {f.at.x + 1, 1, 1}};
    f.sign_box = box.grown(blend);
    f.value_box = box.grown(set.far + blend);
    places.push_back(f);
  }
  ProgramMaker m;
  set.far_constant = m.constants({set.far});
  m.program->feature_sets.push_back(set);
  const NodeId features = m.node(Opcode::kFeatures);
  return m.bind(features, {}, {places});
}

TEST(IntervalEvaluator, BoundsASetTightlyAndNamesThePlacesThatMatter) {
  for (const float blend : {0.0F, 1.0F}) {
    const auto field = spheres(4, blend);
    Trace trace;
    const Interval near = bound_of(*field, {{10.5F, -0.1F, -0.1F}, {12, 0.1F, 0.1F}}, &trace);
    EXPECT_NEAR(near.lo, -0.5F, 0.02F);
    EXPECT_NEAR(near.hi, 1.01F, 0.02F);
    const Tape tape =
        tape_in_box(*field, full_tape(*field->program), {{10.5F, -0.1F, -0.1F}, {12, 0.1F, 0.1F}});
    for (std::size_t c = 0; c < tape.candidates[0].size(); ++c)
      EXPECT_EQ(trace.used[0][c] & 1, tape.candidates[0][c] == 1 ? 1U : 0U)
          << "place " << tape.candidates[0][c];
  }
}

TEST(IntervalEvaluator, IsTheConstantFarBeyondTheReachOfASet) {
  const auto field = spheres(2, 1);
  EXPECT_EQ(bound_of(*field, {{0, 7, 0}, {10, 9, 1}}), (Interval{4, 4}));
}

TEST(IntervalEvaluator, AnswersForAnyNumberOfBoxesAlike) {
  conformance::Random random(11);
  const conformance::Case c = conformance::make_case(Opcode::kNoise3, random);
  const Tape tape = full_tape(*c.program);
  BoxBatch all;
  all.count = kMaxBoxes;
  for (int i = 0; i < kMaxBoxes; ++i) {
    const float x = static_cast<float>(i);
    all.set(i, {{x, x, 1}, {x + 2.25F, x + 2.25F, 3.25F}});
  }
  for (const SimdLevel level : supported_simd_levels()) {
    IntervalEvaluator evaluator(*c.field, level);
    std::array<float, kMaxBoxes> lo{}, hi{}, lo_part{}, hi_part{};
    evaluator.evaluate(tape, all, {}, lo.data(), hi.data(), nullptr);
    for (const int count : {1, 3, 17, 63}) {
      BoxBatch part = all;
      part.count = count;
      evaluator.evaluate(tape, part, {}, lo_part.data(), hi_part.data(), nullptr);
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        EXPECT_EQ(lo_part[i], lo[i]);
        EXPECT_EQ(hi_part[i], hi[i]);
      }
    }
  }
}

}  // namespace
}  // namespace vf

#include "field/tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/kinds.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {
namespace {

using test::Built;

constexpr std::string_view kField = R"toml(
h = "8 + 3*perlin2(40, octaves = 2)"
lumps = "smin(sphere(repeat(x, 30), repeat(y, 26), z - 14, 5), box(repeat(x, 18), mirror(y, 18), z - 20, 2, 3, 4), 2)"
cave = "smax(perlin3(20) - 0.2, mix(z - 20, 12 - z, wave(x, 50)), 1.5)"
steps = "select_range(perlin2(60), -0.2, 0.3, z - 12, 15 - z)"
phi = "min(max(z - h, -cave), lumps, max(steps, -lumps), features.balls)"
)toml";

constexpr std::string_view kBalls = R"toml([features.balls]
pitch = 32
ground = 10
shape = "sphere(px, py, pz, r)"
extent = "r"
extent_z = ["-r", "r"]
blend = 1
far = 2
[features.balls.values]
r = "1 + 2*u1"
)toml";

FeatureInstance ball(std::uint64_t id, Vec3f at, float radius) {
  FeatureInstance f;
  f.id.value = id;
  f.at = at;
  f.extent_min = {-radius, -radius, -radius};
  f.extent_max = {radius, radius, radius};
  f.values[0] = radius;
  const Vec3f r{radius, radius, radius};
  f.sign_box = Box3f{at - r, at + r}.grown(1);
  f.value_box = Box3f{at - r, at + r}.grown(3);
  return f;
}

BoundField bind_balls(const Built& b) {
  std::vector<FeatureInstance> balls;
  for (int i = 0; i < 40; ++i)
    balls.push_back(ball(static_cast<std::uint64_t>(100 - i),
                         {static_cast<float>(i * 37 % 200), static_cast<float>(i * 53 % 190), 10}, 2));
  return bind_field(b.value.density, {0, 0}, {-100, -100, 400, 400}, {balls}, 1);
}

void expect_well_formed(const Tape& tape) {
  std::uint32_t choices = 0;
  std::vector<bool> used(tape.ops.size(), false);
  for (const std::uint32_t o : tape.outputs) {
    ASSERT_LT(o, tape.ops.size());
    used[o] = true;
  }
  for (std::size_t i = 0; i < tape.ops.size(); ++i) {
    const TapeOp& op = tape.ops[i];
    Kind kind = op.inputs == 0 ? leaf_kind(op.op) : Kind::kConstant;
    ASSERT_EQ(op.inputs, input_count(op.op));
    for (std::size_t k = 0; k < op.inputs; ++k) {
      ASSERT_LT(op.in[k], i) << "inputs come first";
      used[op.in[k]] = true;
      kind = join(kind, tape.ops[op.in[k]].kind);
    }
    EXPECT_EQ(op.kind, kind);
    if (is_choice(op.op))
      EXPECT_EQ(op.choice, choices++);
    else
      EXPECT_EQ(op.choice, kNoChoice);
  }
  EXPECT_EQ(tape.choices, choices);
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool u) { return u; })) << "nothing dead";
}

std::vector<float> values_at(const BoundField& field, const Tape& tape, const std::vector<std::uint32_t>& ops,
                             Vec3f p) {
  Tape wide = tape;
  wide.outputs = ops;
  assign_slots(wide);
  BatchEvaluator batch(field, SimdLevel::kScalar);
  std::vector<float> out(ops.size());
  std::vector<float*> pointers;
  for (float& v : out) pointers.push_back(&v);
  PointBatch points;
  points.count = 1;
  points.x = &p.x;
  points.y = &p.y;
  points.z = &p.z;
  batch.points(wide, points, pointers);
  return out;
}

Trace empty_trace(const Tape& tape) {
  Trace t;
  t.only_a.assign(tape.choices, 0);
  t.only_b.assign(tape.choices, 0);
  for (const auto& list : tape.candidates) t.used.emplace_back(list.size(), ~std::uint64_t{0});
  return t;
}

/// What may be said of the point `lane`, and is said half the time.
Trace true_trace(const Tape& tape, const std::vector<float>& v, const Program& program, int lane,
                 std::mt19937& random) {
  Trace t = empty_trace(tape);
  const std::uint64_t bit = std::uint64_t{1} << lane;
  for (const TapeOp& op : tape.ops) {
    if (op.choice == kNoChoice || random() % 2 == 0) continue;
    const float a = v[op.in[0]], b = v[op.in[1]];
    float gap = a - b;  // above 0: b alone matters
    if (op.op == Opcode::kMax || op.op == Opcode::kSmax) gap = -gap;
    if (op.op == Opcode::kMix) gap = v[op.in[2]] <= 0 ? -1.0F : v[op.in[2]] >= 1 ? 1.0F : 0.0F;
    if (op.op == Opcode::kSelectRange)
      gap = program.constants[op.param] <= a && a <= program.constants[op.param + 1] ? -1.0F : 1.0F;
    float need = 0;
    if (op.op == Opcode::kSmin || op.op == Opcode::kSmax) need = program.constants[op.param];
    if (gap < -need) t.only_a[op.choice] |= bit;
    if (gap > need) t.only_b[op.choice] |= bit;
  }
  return t;
}

TEST(Tape, FullTapeIsTheProgramInOrder) {
  const Built b(kField, kBalls);
  ASSERT_EQ(b.error, "");
  const Tape tape = full_tape(b.density());
  expect_well_formed(tape);
  EXPECT_EQ(tape.ops.size(), b.density().nodes.size());
}

TEST(Tape, SpecialisedTapesGiveTheSameBits) {
  const Built b(kField, kBalls);
  ASSERT_EQ(b.error, "");
  const BoundField field = bind_balls(b);
  const Tape full = full_tape(b.density());
  std::mt19937 random(5);
  std::size_t shortest = full.ops.size();
  for (int i = 0; i < 400; ++i) {
    const auto in = [&](int n) {
      return static_cast<float>(random() % static_cast<unsigned>(n * 1024)) / 1024.0F;
    };
    const Vec3f p{in(200), in(190), in(32)};
    const Tape tape = tape_in_box(field, full, Box3f{p, p}.grown(8));
    expect_well_formed(tape);
    std::vector<std::uint32_t> all;
    for (std::uint32_t k = 0; k < tape.ops.size(); ++k) all.push_back(k);
    const std::vector<float> v = values_at(field, tape, all, p);
    const int lane = static_cast<int>(random() % 64);
    const Trace trace = true_trace(tape, v, b.density(), lane, random);
    const Tape cut = specialise(b.density(), tape, trace, lane);
    expect_well_formed(cut);
    const float expected = values_at(field, full, {full.outputs[0]}, p)[0];
    const float gathered = values_at(field, tape, {tape.outputs[0]}, p)[0];
    const float found = values_at(field, cut, {cut.outputs[0]}, p)[0];
    ASSERT_EQ(std::bit_cast<std::uint32_t>(gathered), std::bit_cast<std::uint32_t>(expected));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected));
    shortest = std::min(shortest, cut.ops.size());
    // Another lane knows nothing: nothing is dropped.
    EXPECT_EQ(specialise(b.density(), tape, trace, (lane + 1) % 64).ops.size(), tape.ops.size());
  }
  EXPECT_LT(shortest, full.ops.size() / 3);
}

TEST(Tape, SetsWithoutCandidatesAreTheConstantFar) {
  const Built b("phi = \"min(z - 8, features.balls)\"", kBalls);
  ASSERT_EQ(b.error, "");
  const BoundField field =
      bind_field(b.value.density, {0, 0}, {0, 0, 100, 100}, {{ball(1, {50, 50, 10}, 2)}}, 1);
  const Tape full = full_tape(b.density());
  const Tape away = tape_in_box(field, full, {{0, 0, 0}, {8, 8, 8}});
  for (const TapeOp& op : away.ops) EXPECT_NE(op.op, Opcode::kFeatures);
  EXPECT_EQ(away.ops[away.outputs[0]].kind, Kind::kSlice);  // nothing but z is left
  EXPECT_EQ(values_at(field, away, {away.outputs[0]}, {4, 4, 30})[0], 2.0F);
  const Tape near = tape_in_box(field, full, {{44, 44, 8}, {48, 48, 12}});
  ASSERT_EQ(near.candidates.size(), 1U);
  EXPECT_EQ(near.candidates[0], (std::vector<std::uint32_t>{0}));
}

TEST(Tape, DropsCandidatesThatCannotMatter) {
  const Built b("phi = \"min(z - 8, features.balls)\"", kBalls);
  const BoundField field =
      bind_field(b.value.density, {0, 0}, {0, 0, 100, 100},
                 {{ball(3, {30, 30, 10}, 2), ball(1, {10, 10, 10}, 2), ball(2, {20, 20, 10}, 2)}}, 1);
  const Tape tape = tape_in_box(field, full_tape(b.density()), {{0, 0, 0}, {40, 40, 20}});
  ASSERT_EQ(tape.candidates[0].size(), 3U);
  Trace trace = empty_trace(tape);
  trace.used[0][1] = ~(std::uint64_t{1} << 63);
  EXPECT_EQ(specialise(b.density(), tape, trace, 63).candidates[0], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(specialise(b.density(), tape, trace, 0).candidates[0], (std::vector<std::uint32_t>{0, 1, 2}));
}

/// On a lattice that the shapes' own numbers lie on, so that ties are met.
TEST(Tape, WhatBoxesDecideOfShapesLeavesGradientsAsTheyAre) {
  constexpr std::string_view kHuts = R"toml([features.balls]
pitch = 32
ground = 10
shape = "max(min(box(px, py, pz, r, r, 2), max(abs(px), pz - 3) - 0.5), smin(-sphere(px - 1, py, pz, 1), mix(2 - pz, py - 1, smoothstep(0, 1, px)), 0.5))"
extent = "r"
extent_z = ["-r", "r"]
far = 2
[features.balls.values]
r = "1 + 2*u1"
)toml";
  const Built b("phi = \"min(z - 8, features.balls)\"", kHuts);
  ASSERT_EQ(b.error, "");
  const BoundField field = bind_field(b.value.density, {0, 0}, {0, 0, 40, 40},
                                      {{ball(1, {10, 10, 10}, 2), ball(2, {14, 12, 10}, 3)}}, 1);
  const Tape full = full_tape(b.density());
  const Tape whole = tape_in_box(field, full, {{4, 4, 4}, {20, 20, 16}});
  IntervalEvaluator interval(field, best_simd_level());
  BatchEvaluator batch(field, best_simd_level());
  std::size_t decided = 0, compared = 0;
  for (float x = 6; x < 18; x += 2) {
    BoxBatch boxes;
    boxes.count = 2;
    boxes.set(0, {{x, 8, 8}, {x + 1, 12, 10}});
    boxes.set(1, {{x + 1, 8, 8}, {x + 2, 12, 10}});
    std::array<float, 2> lo{}, hi{};
    Trace trace;
    interval.evaluate(whole, boxes, {}, lo.data(), hi.data(), &trace);
    const auto same = [](std::uint64_t word) { return (word & 3) == 0 || (word & 3) == 3; };
    const bool alike = std::all_of(trace.used[0].begin(), trace.used[0].end(), same) &&
                       std::all_of(trace.only_a.begin(), trace.only_a.end(), same) &&
                       std::all_of(trace.only_b.begin(), trace.only_b.end(), same);
    for (const std::uint64_t lanes :
         alike ? std::vector<std::uint64_t>{1, 2, 3} : std::vector<std::uint64_t>{1, 2}) {
      Tape cut = specialise(b.density(), whole, trace, std::countr_zero(lanes));
      decide_shapes(whole, trace, lanes, cut);
      for (const auto& set : cut.decided)
        decided += static_cast<std::size_t>(
            std::count_if(set.begin(), set.end(), [](const Decisions& d) { return d != Decisions{}; }));
      std::vector<float> px, py, pz;
      for (float i = (lanes & 1) != 0 ? x : x + 1; i <= ((lanes & 2) != 0 ? x + 2 : x + 1); i += 0.25F)
        for (float j = 8; j <= 12; j += 0.25F)
          for (float k = 8; k <= 10; k += 0.25F) px.push_back(i), py.push_back(j), pz.push_back(k);
      const PointBatch points{px.size(), px.data(), py.data(), pz.data(), {}};
      const auto gradients = [&](const Tape& tape) {
        std::vector<float> out(4 * points.count);
        float* const at = out.data();
        batch.gradients(tape, points, at, at + points.count, at + 2 * points.count, at + 3 * points.count);
        return out;
      };
      ASSERT_EQ(gradients(cut), gradients(full)) << x << ", boxes " << lanes;
      compared += points.count;
    }
  }
  EXPECT_GT(decided, 4U);
  EXPECT_GT(compared, 1000U);
}

TEST(Tape, ChoicesOfChoicesResolveToTheLastOne) {
  const Built b("phi = \"min(min(z - 8, perlin3(9)), max(value3(9), min(9 - z, perlin2(8))))\"");
  ASSERT_EQ(b.error, "");
  const Tape tape = full_tape(b.density());
  Trace trace = empty_trace(tape);
  for (std::uint64_t& bits : trace.only_a) bits = 1;
  const Tape first = specialise(b.density(), tape, trace, 0);
  expect_well_formed(first);
  EXPECT_EQ(first.choices, 0U);
  EXPECT_EQ(first.ops.size(), 3U);  // z - 8
  Trace last = empty_trace(tape);
  for (std::uint64_t& bits : last.only_b) bits = 1;
  const Tape second = specialise(b.density(), tape, last, 0);
  EXPECT_EQ(second.ops.size(), 3U);  // H - z
}

}  // namespace
}  // namespace vf

#include "plan/place_formulas.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "compose/world.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

/// kRandom parameter that stands for the ground.
constexpr std::uint32_t kGroundInput = kFeatureRandoms;

/// Borrows: the caller keeps the program alive.
std::shared_ptr<const Program> borrow(const Program& program) {
  return {std::shared_ptr<const Program>(), &program};
}

Tape tape_of(const Program& program, std::span<const int> outputs) {
  Program chosen = program;
  chosen.outputs.clear();
  for (const int o : outputs) chosen.outputs.push_back(program.outputs.at(static_cast<std::size_t>(o)));
  return full_tape(chosen);
}

}  // namespace

std::uint32_t stratum_seed_mix(const Stratum& stratum) {
  return static_cast<std::uint32_t>(
      hash_words({hash_text("noise"), stratum.world_seed.value, static_cast<std::uint64_t>(stratum.index)}) >>
      32);
}

void PlaceInputs::add(float at_x, float at_y, const std::array<float, kFeatureRandoms>& u) {
  x.push_back(at_x);
  y.push_back(at_y);
  ground.push_back(0);
  for (std::size_t i = 0; i < random.size(); ++i) random[i].push_back(u[i]);
}

void PlaceInputs::keep(std::span<const std::uint8_t> flags) {
  VF_CHECK(flags.size() == size());
  const auto compact = [&](std::vector<float>& values) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i] != 0) values[n++] = values[i];
    values.resize(n);
  };
  compact(x);
  compact(y);
  compact(ground);
  for (auto& values : random) compact(values);
}

PlaceEvaluator::PlaceEvaluator(const Program& program, Frame frame, std::uint32_t seed_mix)
    : program_(&program),
      field_(bind_field(borrow(program), frame, Box2f{0, 0, kSectorM, kSectorM}, {}, seed_mix)) {}

std::vector<std::vector<float>> PlaceEvaluator::evaluate(std::span<const int> outputs,
                                                         const PlaceInputs& inputs) {
  std::vector<std::vector<float>> values(outputs.size(), std::vector<float>(inputs.size()));
  if (outputs.empty() || inputs.size() == 0) return values;
  const Tape tape = tape_of(*program_, outputs);
  if (!batch_) batch_.emplace(field_, best_simd_level());
  const std::vector<float> z(inputs.size(), 0.0F);
  std::array<const float*, kFeatureRandoms + 1> extra{};
  for (std::size_t i = 0; i < inputs.random.size(); ++i) extra[i] = inputs.random[i].data();
  extra[kGroundInput] = inputs.ground.data();
  PointBatch points;
  points.count = inputs.size();
  points.x = inputs.x.data();
  points.y = inputs.y.data();
  points.z = z.data();
  points.extra = extra;
  std::vector<float*> out(outputs.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[i].data();
  batch_->points(tape, points, out);
  return values;
}

Interval PlaceEvaluator::range(int output, const Box2f& where, Interval ground) const {
  const Tape tape = tape_of(*program_, std::array{output});
  const std::array<float, 2> lo{0, ground.lo};
  const std::array<float, 2> hi{1, ground.hi};
  std::vector<KnownRange> known;
  for (std::size_t i = 0; i < tape.ops.size(); ++i) {
    if (tape.ops[i].op != Opcode::kRandom) continue;
    const std::size_t k = tape.ops[i].param == kGroundInput ? 1 : 0;
    known.push_back({static_cast<std::uint32_t>(i), &lo[k], &hi[k]});
  }
  BoxBatch boxes;
  boxes.count = 1;
  boxes.set(0, Box3f{{where.min_x, where.min_y, 0}, {where.max_x, where.max_y, 0}});
  Interval bound;
  IntervalEvaluator(field_, SimdLevel::kScalar).evaluate(tape, boxes, known, &bound.lo, &bound.hi, nullptr);
  if (!(bound.lo <= bound.hi)) return Interval::everything();
  return bound;
}

}  // namespace vf

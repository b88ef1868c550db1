#include "field/interval_evaluator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/fp_scope.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/bind_tables.h"
#include "field/simd/interval.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

namespace {

constexpr IntervalMargins kProven;

/// A tape's own registers.
struct Shape {
  Tape tape;
  BoundTables tables;
  std::vector<float> registers;
  std::vector<std::uint8_t> of_place;
};

/// Which ops of a shape depend on the place; the others are bounded once for all places.
std::vector<std::uint8_t> ops_of_place(const Tape& tape) {
  std::vector<std::uint8_t> of_place;
  for (const TapeOp& op : tape.ops) {
    bool own = op.op == Opcode::kLocalX || op.op == Opcode::kLocalY || op.op == Opcode::kLocalZ ||
               op.op == Opcode::kValue;
    for (std::size_t k = 0; k < op.inputs; ++k) own = own || of_place[op.in[k]] != 0;
    of_place.push_back(own ? 1 : 0);
  }
  return of_place;
}

void pad(BoxBatch& boxes) {
  const auto fill = [&](std::array<float, kMaxBoxes>& ends) {
    const auto count = static_cast<std::size_t>(boxes.count);
    std::fill(ends.begin() + static_cast<std::ptrdiff_t>(count), ends.end(), ends[count - 1]);
  };
  fill(boxes.min_x), fill(boxes.min_y), fill(boxes.min_z);
  fill(boxes.max_x), fill(boxes.max_y), fill(boxes.max_z);
}

}  // namespace

struct IntervalEvaluator::Impl {
  const BoundField* field;
  IntervalKernel kernel;
  IntervalMargins margins;
  BoundTables tables;
  std::vector<float> registers;
  std::vector<Shape> shapes;
  std::vector<IntervalTape> shape_tapes;
  // Of the current call.
  BoxBatch boxes;
  std::vector<std::vector<std::uint32_t>> gathered;
  std::vector<const std::uint32_t*> candidates;
  std::vector<std::uint32_t> counts;
  std::vector<float> scratch;
  std::vector<CandidateLanes> candidate_bits;

  Impl(const BoundField& f, SimdLevel level, const IntervalMargins& m)
      : field(&f), kernel(interval_kernel(level)), margins(m) {
    tables = bind_tables(*f.program, f.axes, f.seed_mix);
    const std::size_t sets = f.program->feature_sets.size();
    for (std::size_t s = 0; s < sets; ++s) {
      const Program& shape = f.program->feature_sets[s].shape;
      Shape& to = shapes.emplace_back();
      to.tape = full_tape(shape);
      to.tables = bind_tables(shape, f.shape_axes[s], f.seed_mix);
      to.registers.resize(to.tape.ops.size() * kIntervalRegister);
      to.of_place = ops_of_place(to.tape);
    }
    for (Shape& s : shapes)
      shape_tapes.push_back({&s.tape, &s.tables, s.registers.data(), s.of_place.data()});
    gathered.resize(sets);
    candidates.resize(sets);
    counts.resize(sets);
  }

  Box3f around() const {
    const auto n = static_cast<std::ptrdiff_t>(boxes.count);
    const auto least = [n](const auto& v) { return *std::min_element(v.begin(), v.begin() + n); };
    const auto most = [n](const auto& v) { return *std::max_element(v.begin(), v.begin() + n); };
    return {{least(boxes.min_x), least(boxes.min_y), least(boxes.min_z)},
            {most(boxes.max_x), most(boxes.max_y), most(boxes.max_z)}};
  }

  /// A tape without candidates of its own takes all places near the boxes.
  void gather(const Tape& tape) {
    std::size_t most = 0;
    for (std::size_t s = 0; s < candidates.size(); ++s) {
      const std::vector<std::uint32_t>* list = &gathered[s];
      if (s < tape.candidates.size()) {
        list = &tape.candidates[s];
      } else {
        gathered[s].clear();
        field->sets[s].index.query(around(), gathered[s]);
      }
      candidates[s] = list->data();
      counts[s] = static_cast<std::uint32_t>(list->size());
      most = std::max(most, list->size());
    }
    scratch.resize(std::max(scratch.size(), 16 * most));
    candidate_bits.resize(std::max(candidate_bits.size(), most));
  }

  static void reset(Trace& trace, const Tape& tape) {
    trace.only_a.assign(tape.choices, 0);
    trace.only_b.assign(tape.choices, 0);
    trace.used.resize(tape.candidates.size());
    for (std::size_t s = 0; s < tape.candidates.size(); ++s)
      trace.used[s].assign(tape.candidates[s].size(), 0);
  }
};

IntervalEvaluator::IntervalEvaluator(const BoundField& field, SimdLevel level)
    : IntervalEvaluator(field, level, kProven) {}
IntervalEvaluator::IntervalEvaluator(const BoundField& field, SimdLevel level, const IntervalMargins& margins)
    : impl_(std::make_unique<Impl>(field, level, margins)) {}
IntervalEvaluator::~IntervalEvaluator() = default;
IntervalEvaluator::IntervalEvaluator(IntervalEvaluator&&) noexcept = default;
IntervalEvaluator& IntervalEvaluator::operator=(IntervalEvaluator&&) noexcept = default;

void IntervalEvaluator::evaluate(const Tape& tape, const BoxBatch& boxes, std::span<const KnownRange> known,
                                 float* lo, float* hi, Trace* trace) {
  const FpScope scope;
  VF_CHECK(boxes.count >= 1 && boxes.count <= kMaxBoxes);
  Impl& s = *impl_;
  s.boxes = boxes;
  pad(s.boxes);
  s.gather(tape);
  if (trace != nullptr) Impl::reset(*trace, tape);
  const std::size_t floats = tape.ops.size() * kIntervalRegister;
  if (s.registers.size() < floats) s.registers.resize(floats);

  IntervalJob job;
  job.field = s.field;
  job.boxes = &s.boxes;
  job.main = {&tape, &s.tables, s.registers.data(), nullptr};
  job.shapes = s.shape_tapes;
  job.candidates = s.candidates;
  job.candidate_counts = s.counts;
  job.known = known;
  job.scratch = s.scratch.data();
  job.candidate_bits = s.candidate_bits.data();
  job.trace = trace;
  job.margins = &s.margins;
  s.kernel(job);

  const float* out = s.registers.data() + tape.outputs[0] * kIntervalRegister;
  std::copy_n(out, boxes.count, lo);
  std::copy_n(out + kMaxBoxes, boxes.count, hi);
}

}  // namespace vf

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
#include "field/shape_variants.h"
#include "field/simd/bind_tables.h"
#include "field/simd/interval.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

namespace {

constexpr IntervalMargins kProven;

/// The registers of a set's shape.
struct Shape {
  Shape(const BoundField& field, std::size_t set)
      : variants(field.program->feature_sets[set].shape),
        tables(bind_tables(field.program->feature_sets[set].shape, field.shape_axes[set], field.seed_mix)),
        registers(variants.whole().ops.size() * kIntervalRegister),
        shared(variants.whole().ops.size()) {}

  ShapeVariants variants;
  BoundTables tables;
  std::vector<float> registers;
  std::vector<std::uint64_t> shared;
};

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
  std::vector<std::unique_ptr<Shape>> shapes;  ///< of each set, made when one of its places is met
  std::vector<IntervalShape> job_shapes;
  // Of the current call.
  BoxBatch boxes;
  std::vector<std::vector<std::uint32_t>> gathered;
  std::vector<std::vector<const ShapeVariant*>> variants;
  std::vector<IntervalCandidates> candidates;
  std::vector<float> scratch;
  std::vector<CandidateLanes> candidate_bits;

  Impl(const BoundField& f, SimdLevel level, const IntervalMargins& m)
      : field(&f), kernel(interval_kernel(level)), margins(m) {
    tables = bind_tables(*f.program, f.axes, f.seed_mix);
    const std::size_t sets = f.program->feature_sets.size();
    shapes.resize(sets);
    job_shapes.resize(sets);
    gathered.resize(sets);
    variants.resize(sets);
    candidates.resize(sets);
  }

  Box3f around() const {
    const auto n = static_cast<std::ptrdiff_t>(boxes.count);
    const auto least = [n](const auto& v) { return *std::min_element(v.begin(), v.begin() + n); };
    const auto most = [n](const auto& v) { return *std::max_element(v.begin(), v.begin() + n); };
    return {{least(boxes.min_x), least(boxes.min_y), least(boxes.min_z)},
            {most(boxes.max_x), most(boxes.max_y), most(boxes.max_z)}};
  }

  Shape& shape_of(std::size_t set) {
    std::unique_ptr<Shape>& shape = shapes[set];
    if (!shape) {
      shape = std::make_unique<Shape>(*field, set);
      job_shapes[set] = {&shape->tables, shape->registers.data(), &shape->variants, shape->shared.data()};
    }
    return *shape;
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
      variants[s].clear();
      for (std::size_t c = 0; c < list->size(); ++c)
        variants[s].push_back(&shape_of(s).variants.of(decisions_of(tape, s, c)));
      candidates[s] = {list->data(), variants[s].data(), static_cast<std::uint32_t>(list->size())};
      most = std::max(most, list->size());
    }
    scratch.resize(std::max(scratch.size(), kMaxBoxes * most));
    candidate_bits.resize(std::max(candidate_bits.size(), most));
  }

  void reset(Trace& trace, const Tape& tape) {
    trace.only_a.assign(tape.choices, 0);
    trace.only_b.assign(tape.choices, 0);
    trace.used.resize(tape.candidates.size());
    trace.shape_choices.resize(tape.candidates.size());
    for (std::size_t s = 0; s < tape.candidates.size(); ++s) {
      trace.used[s].assign(tape.candidates[s].size(), 0);
      trace.shape_choices[s].clear();
      if (tape.candidates[s].empty()) continue;
      const std::uint32_t tracked = std::min(shape_of(s).variants.whole().choices, kTrackedChoices);
      trace.shape_choices[s].assign(std::size_t{2} * tracked * tape.candidates[s].size(), 0);
    }
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
                                 float* lo, float* hi, Trace* trace, bool amplitudes) {
  const FpScope scope;
  VF_CHECK(boxes.count >= 1 && boxes.count <= kMaxBoxes);
  Impl& s = *impl_;
  s.boxes = boxes;
  pad(s.boxes);
  s.gather(tape);
  if (trace != nullptr) s.reset(*trace, tape);
  const std::size_t floats = tape.ops.size() * kIntervalRegister;
  if (s.registers.size() < floats) s.registers.resize(floats);

  IntervalJob job;
  job.field = s.field;
  job.boxes = &s.boxes;
  job.tape = &tape;
  job.tables = &s.tables;
  job.registers = s.registers.data();
  job.shapes = s.job_shapes;
  job.candidates = s.candidates;
  job.amplitudes = amplitudes;
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

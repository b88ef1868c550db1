#include "field/sampler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/check.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"

namespace vf {

namespace {
constexpr std::size_t kChunk = 1024;

/// Copies of the caller's points, moved to the sample grid.
struct Snapped {
  alignas(64) std::array<float, kChunk> x, y, z;
  void fill(const BatchEvaluator& batch, std::size_t count, const float* px, const float* py,
            const float* pz) {
    const auto copy = [&](const float* from, auto& to) {
      std::copy_n(from, count, to.begin());
      batch.snap(std::span(to.data(), count));
    };
    copy(px, x);
    copy(py, y);
    copy(pz, z);
  }
};
}  // namespace

FieldSampler::FieldSampler(std::shared_ptr<const BoundField> field, SimdLevel level)
    : field_(std::move(field)),
      batch_(*field_, level),
      interval_(*field_, level),
      full_(full_tape(*field_->program)) {}

void FieldSampler::values(const Tape& tape, std::size_t count, const float* x, const float* y, const float* z,
                          float* out) {
  Snapped p;
  for (std::size_t first = 0; first < count; first += kChunk) {
    const std::size_t n = std::min(kChunk, count - first);
    p.fill(batch_, n, x + first, y + first, z + first);
    float* const outputs[1] = {out + first};
    batch_.points(tape, {n, p.x.data(), p.y.data(), p.z.data(), {}}, outputs);
  }
}

void FieldSampler::values(std::size_t count, const float* x, const float* y, const float* z, float* out) {
  values(full_, count, x, y, z, out);
}

void FieldSampler::gradients(std::size_t count, const float* x, const float* y, const float* z, float* value,
                             float* gx, float* gy, float* gz) {
  Snapped p;
  for (std::size_t first = 0; first < count; first += kChunk) {
    const std::size_t n = std::min(kChunk, count - first);
    p.fill(batch_, n, x + first, y + first, z + first);
    batch_.gradients(full_, {n, p.x.data(), p.y.data(), p.z.data(), {}}, value + first, gx + first,
                     gy + first, gz + first);
  }
}

float FieldSampler::value(Vec3f p) {
  float v = 0;
  values(1, &p.x, &p.y, &p.z, &v);
  return v;
}

Interval FieldSampler::bound(const Box3f& box) {
  Interval bound;
  static_cast<void>(tape_for(box, &bound));
  return bound;
}

Tape FieldSampler::tape_for(const Box3f& box, Interval* bound) {
  const Tape tape = tape_in_box(*field_, full_, box);
  BoxCuts cuts;
  cut(tape, {&box, 1}, cuts);
  if (bound != nullptr) *bound = {cuts.lo[0], cuts.hi[0]};
  return tape_of(cuts, 0);
}

void FieldSampler::cut(const Tape& tape, std::span<const Box3f> boxes, BoxCuts& out) {
  VF_CHECK(!boxes.empty() && boxes.size() <= std::size_t{kMaxBoxes});
  BoxBatch batch;
  batch.count = static_cast<int>(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) batch.set(static_cast<int>(i), boxes[i]);
  out.tape = &tape;
  interval_.evaluate(tape, batch, {}, out.lo.data(), out.hi.data(), &out.trace);
}

Tape FieldSampler::tape_of(const BoxCuts& cuts, int box) const {
  Tape out = specialise(*field_->program, *cuts.tape, cuts.trace, box);
  decide_shapes(*cuts.tape, cuts.trace, std::uint64_t{1} << box, out);
  return out;
}

void FieldSampler::brick(const Tape& tape, const BrickGeometry& brick, float* out) {
  batch_.brick(tape, brick, out);
}

}  // namespace vf

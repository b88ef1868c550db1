#include "field/sampler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

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
  void fill(std::size_t count, const float* px, const float* py, const float* pz) {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3f p = snap_to_grid({px[i], py[i], pz[i]});
      x[i] = p.x, y[i] = p.y, z[i] = p.z;
    }
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
    p.fill(n, x + first, y + first, z + first);
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
    p.fill(n, x + first, y + first, z + first);
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
  BoxBatch boxes;
  boxes.count = 1;
  boxes.set(0, box);
  Interval range;
  Trace trace;
  interval_.evaluate(tape, boxes, {}, &range.lo, &range.hi, &trace);
  if (bound != nullptr) *bound = range;
  return specialise(*field_->program, tape, trace, 0);
}

}  // namespace vf

#include "render/scene_field.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"

namespace vf::render {
namespace {

constexpr std::size_t kChunk = 1024;  // points a call: the evaluator's scratch stays in cache

class TapePart final : public FieldPart {
 public:
  explicit TapePart(Tape t) : tape(std::move(t)) {}
  Tape tape;
};

const Tape& tape_of(const FieldPart& part) {
  return static_cast<const TapePart&>(part).tape;
}

class BoundProbe final : public FieldProbe {
 public:
  BoundProbe(const BoundField& field, const Tape& full, SimdLevel level)
      : field_(field), full_(full), batch_(field, level), interval_(field, level) {}

  std::unique_ptr<FieldPart> part(const Box3f& box, Interval* bound) override {
    const Tape tape = tape_in_box(field_, full_, box);
    BoxBatch boxes;
    boxes.count = 1;
    boxes.set(0, box);
    std::array<float, kMaxBoxes> lo{}, hi{};
    Trace trace;
    interval_.evaluate(tape, boxes, {}, lo.data(), hi.data(), &trace);
    if (bound != nullptr) *bound = {lo[0], hi[0]};
    return std::make_unique<TapePart>(specialise(*field_.program, tape, trace, 0));
  }

  void bounds(const FieldPart& part, const BoxBatch& boxes, float* lo, float* hi) override {
    interval_.evaluate(tape_of(part), boxes, {}, lo, hi, nullptr);
  }

  void brick(const FieldPart& part, const BrickGeometry& brick, float* out) override {
    batch_.brick(tape_of(part), brick, out);
  }

  void values(const FieldPart& part, std::size_t count, const float* x, const float* y, const float* z,
              float* out) override {
    for (std::size_t at = 0; at < count; at += kChunk) {
      const PointBatch points = snapped(std::min(kChunk, count - at), x + at, y + at, z + at);
      float* const outs[1] = {out + at};
      batch_.points(tape_of(part), points, outs);
    }
  }

  void gradients(const FieldPart& part, std::size_t count, const float* x, const float* y, const float* z,
                 float* value, float* gx, float* gy, float* gz) override {
    for (std::size_t at = 0; at < count; at += kChunk) {
      const PointBatch points = snapped(std::min(kChunk, count - at), x + at, y + at, z + at);
      batch_.gradients(tape_of(part), points, value + at, gx + at, gy + at, gz + at);
    }
  }

 private:
  PointBatch snapped(std::size_t count, const float* x, const float* y, const float* z) {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3f p = snap_to_grid({x[i], y[i], z[i]});
      x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
    }
    PointBatch points;
    points.count = count;
    points.x = x_.data(), points.y = y_.data(), points.z = z_.data();
    return points;
  }

  const BoundField& field_;
  const Tape& full_;
  BatchEvaluator batch_;
  IntervalEvaluator interval_;
  alignas(64) std::array<float, kChunk> x_{}, y_{}, z_{};
};

class BoundSceneField final : public SceneField {
 public:
  BoundSceneField(std::shared_ptr<const BoundField> field, float bound, SimdLevel level)
      : field_(std::move(field)), full_(full_tape(*field_->program)), bound_(bound), level_(level) {}

  std::unique_ptr<FieldProbe> probe() const override {
    return std::make_unique<BoundProbe>(*field_, full_, level_);
  }
  float gradient_bound() const override { return bound_; }

 private:
  std::shared_ptr<const BoundField> field_;
  Tape full_;
  float bound_;
  SimdLevel level_;
};

}  // namespace

std::unique_ptr<SceneField> make_scene_field(std::shared_ptr<const BoundField> field, float gradient_bound,
                                             SimdLevel level) {
  return std::make_unique<BoundSceneField>(std::move(field), gradient_bound, level);
}

}  // namespace vf::render

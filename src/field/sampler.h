// The sampling interface: what pictures, audits and tools see of a field.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"

namespace vf {

/// What was found out about up to kMaxBoxes boxes at once; its memory is used again.
struct BoxCuts {
  const Tape* tape = nullptr;               ///< holds in all of them
  std::array<float, kMaxBoxes> lo{}, hi{};  ///< phi lies in here for every point of box i
  Trace trace;
};

/// One a thread. Points off the 1/1024 m grid are moved to it.
class FieldSampler {
 public:
  FieldSampler(std::shared_ptr<const BoundField> field, SimdLevel level);

  /// phi at points. x, y, z, out: [count]; any count
  void values(std::size_t count, const float* x, const float* y, const float* z, float* out);
  /// The same on a tape that is valid for all points (see tape_for).
  void values(const Tape& tape, std::size_t count, const float* x, const float* y, const float* z,
              float* out);
  /// The same on a brick of the lattice, which is much faster. out: [512]
  void brick(const Tape& tape, const BrickGeometry& brick, float* out);
  /// phi and its gradient at points.
  void gradients(std::size_t count, const float* x, const float* y, const float* z, float* value, float* gx,
                 float* gy, float* gz);

  [[nodiscard]] float value(Vec3f p);
  /// phi lies in here for every point of the box.
  [[nodiscard]] Interval bound(const Box3f& box);
  /// The part of the program that matters in the box, and phi's bound there.
  [[nodiscard]] Tape tape_for(const Box3f& box, Interval* bound = nullptr);
  /// The same for many boxes in that of `tape`, which has to stay where it is: first all bounds, then the
  /// tapes of those that are worth it.
  void cut(const Tape& tape, std::span<const Box3f> boxes, BoxCuts& out);
  [[nodiscard]] Tape tape_of(const BoxCuts& cuts, int box) const;
  [[nodiscard]] const BoundField& field() const { return *field_; }

 private:
  std::shared_ptr<const BoundField> field_;
  BatchEvaluator batch_;
  IntervalEvaluator interval_;
  Tape full_;
};

}  // namespace vf

// What the tracer needs of a field: bounds, bricks, values and gradients, in whole or within a box.
//
// The seam between pictures and evaluators: a bound recipe behind it in the product, a formula in tests.
#pragma once

#include <cstddef>
#include <memory>

#include "field/batch_evaluator.h"
#include "field/interval_evaluator.h"
#include "math/box.h"
#include "math/interval.h"

namespace vf::render {

/// The part of a field that matters in a box. Immutable; may be read by any probe of its field.
class FieldPart {
 public:
  virtual ~FieldPart() = default;
};

/// One a thread.
class FieldProbe {
 public:
  virtual ~FieldProbe() = default;

  /// The part valid in `box`; `bound` gets phi's range there.
  [[nodiscard]] virtual std::unique_ptr<FieldPart> part(const Box3f& box, Interval* bound) = 0;
  virtual void bounds(const FieldPart& part, const BoxBatch& boxes, float* lo, float* hi) = 0;
  /// `out`: [512]
  virtual void brick(const FieldPart& part, const BrickGeometry& brick, float* out) = 0;
  /// Points are moved to the sample grid. Arrays: [count], any count.
  virtual void values(const FieldPart& part, std::size_t count, const float* x, const float* y,
                      const float* z, float* out) = 0;
  virtual void gradients(const FieldPart& part, std::size_t count, const float* x, const float* y,
                         const float* z, float* value, float* gx, float* gy, float* gz) = 0;
};

class SceneField {
 public:
  virtual ~SceneField() = default;
  [[nodiscard]] virtual std::unique_ptr<FieldProbe> probe() const = 0;
  /// |grad phi| never exceeds this.
  [[nodiscard]] virtual float gradient_bound() const = 0;
};

/// A density of the product.
[[nodiscard]] std::unique_ptr<SceneField> make_scene_field(std::shared_ptr<const BoundField> field,
                                                           float gradient_bound, SimdLevel level);

}  // namespace vf::render

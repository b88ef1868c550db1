#include <memory>
#include <utility>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "mesh/tile_mesher.h"
#include "proof/column_program.h"

namespace vf {

struct FieldGradients::Impl {
  Impl(std::shared_ptr<const BoundField> f, SimdLevel simd)
      : field(std::move(f)), batch(*field, simd), columns(split_columns(*field->program)) {}

  std::shared_ptr<const BoundField> field;
  BatchEvaluator batch;
  ColumnProgram columns;
  Tape joined;
};

FieldGradients::FieldGradients(std::shared_ptr<const BoundField> field, SimdLevel simd)
    : impl_(std::make_unique<Impl>(std::move(field), simd)) {}
FieldGradients::~FieldGradients() = default;

void FieldGradients::gradients(const Tape* tape, const PointBatch& points, float* value, float* gx, float* gy,
                               float* gz) {
  join_columns(impl_->columns, *tape, impl_->joined);
  impl_->batch.gradients(impl_->joined, points, value, gx, gy, gz);
}

}  // namespace vf

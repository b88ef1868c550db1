// The field and its gradient at points of a tile's surface.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/box.h"

namespace vf {

/// Points [begin, end) of a batch lie in box `box`.
struct BoxPoints {
  std::size_t box = 0, begin = 0, end = 0;
};

/// Gives the field and its gradient where the surface crosses the lattice.
class GradientSource {
 public:
  GradientSource() = default;
  GradientSource(const GradientSource&) = delete;
  GradientSource& operator=(const GradientSource&) = delete;
  virtual ~GradientSource() = default;

  /// Said once a tile: the boxes that its points will lie in, within `around`. [metres, frame]
  virtual void begin(const Box3f& around, std::span<const Box3f> boxes) = 0;
  /// At points; each array [points.count]. `parts`: rising, over all points.
  virtual void gradients(std::span<const BoxPoints> parts, const PointBatch& points, float* value, float* gx,
                         float* gy, float* gz) = 0;
};

/// The gradients of a field. One a thread.
///
/// Tapes are cut anew, by bounds over the boxes: those that the samples were evaluated with are cut by the
/// values of sampled columns, which say nothing of the points between.
class FieldGradients final : public GradientSource {
 public:
  FieldGradients(std::shared_ptr<const BoundField> field, SimdLevel simd);
  ~FieldGradients() override;
  void begin(const Box3f& around, std::span<const Box3f> boxes) override;
  void gradients(std::span<const BoxPoints> parts, const PointBatch& points, float* value, float* gx,
                 float* gy, float* gz) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf

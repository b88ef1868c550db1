// A field given by a plain function: what tests trace, since its surface is known in closed form.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "render/scene_field.h"
#include "render/vec_ops.h"

namespace vf::render {

/// `value` must be pure, with |gradient| <= bound. Bounds of boxes come from the middle and the bound alone.
class FormulaField final : public SceneField {
 public:
  FormulaField(std::function<float(Vec3f)> value, float bound) : value_(std::move(value)), bound_(bound) {}
  [[nodiscard]] std::unique_ptr<FieldProbe> probe() const override { return std::make_unique<Probe>(*this); }
  [[nodiscard]] float gradient_bound() const override { return bound_; }

 private:
  class Part final : public FieldPart {};
  class Probe final : public FieldProbe {
   public:
    explicit Probe(const FormulaField& field) : field_(field) {}
    std::unique_ptr<FieldPart> part(const Box3f& box, Interval* bound) override {
      if (bound != nullptr) *bound = field_.bound_of(box);
      return std::make_unique<Part>();
    }
    void bounds(const FieldPart&, const BoxBatch& boxes, float* lo, float* hi) override {
      for (int i = 0; i < boxes.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const Interval b = field_.bound_of({{boxes.min_x[k], boxes.min_y[k], boxes.min_z[k]},
                                            {boxes.max_x[k], boxes.max_y[k], boxes.max_z[k]}});
        lo[i] = b.lo, hi[i] = b.hi;
      }
    }
    void brick(const FieldPart&, const BrickGeometry& brick, float* out) override {
      for (int k = 0; k < 8; ++k)
        for (int j = 0; j < 8; ++j)
          for (int i = 0; i < 8; ++i)
            out[k * 64 + j * 8 + i] = field_.value_(
                brick.origin +
                Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} * brick.voxel);
    }
    void values(const FieldPart&, std::size_t count, const float* x, const float* y, const float* z,
                float* out) override {
      for (std::size_t i = 0; i < count; ++i) out[i] = field_.value_({x[i], y[i], z[i]});
    }
    void gradients(const FieldPart& part, std::size_t count, const float* x, const float* y, const float* z,
                   float* value, float* gx, float* gy, float* gz) override {
      values(part, count, x, y, z, value);
      constexpr float kStep = 1.0F / 512.0F;
      const auto difference = [&](Vec3f p, Vec3f d) {
        return (field_.value_(p + d) - field_.value_(p - d)) / (2 * kStep);
      };
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3f p{x[i], y[i], z[i]};
        gx[i] = difference(p, {kStep, 0, 0}), gy[i] = difference(p, {0, kStep, 0}),
        gz[i] = difference(p, {0, 0, kStep});
      }
    }

   private:
    const FormulaField& field_;
  };

  [[nodiscard]] Interval bound_of(const Box3f& box) const {
    const float reach = bound_ * 0.5001F * length(box.max - box.min);
    const float v = value_((box.min + box.max) * 0.5F);
    return {v - reach, v + reach};
  }

  std::function<float(Vec3f)> value_;
  float bound_;
};

}  // namespace vf::render

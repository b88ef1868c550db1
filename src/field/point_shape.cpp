#include "field/point_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/shape_variants.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"

namespace vf {

PointShape::PointShape(const BoundField& field, std::size_t set, const BatchKernels& kernels, Of of,
                       const float* x, const float* y, const float* z)
    : field_(&field),
      set_(set),
      tables_(bind_tables(field.program->feature_sets[set].shape, field.shape_axes[set], field.seed_mix)),
      kernels_(&kernels),
      of_(of),
      x_(x),
      y_(y),
      z_(z),
      variants_(field.program->feature_sets[set].shape) {
  shared_at_.assign(variants_.whole().ops.size(), 0);
  if (of_ == Of::kDuals) std::fill_n(pz_.begin() + 3 * kDualPlane, kDualPlane, 1.0F);
}

// ---------------------------------------------------------------- compiling

/// Where a leaf's value stands; null for what has to be computed.
const float* PointShape::leaf(const TapeOp& op) const {
  switch (op.op) {
    case Opcode::kConstant:
      return &tables_.program->constants[op.param];
    case Opcode::kValue:
      return &values_.at(op.param);
    case Opcode::kX:
      return x_;
    case Opcode::kY:
      return y_;
    case Opcode::kZ:
      return z_;
    case Opcode::kLocalX:
      return px_.data();
    case Opcode::kLocalY:
      return py_.data();
    case Opcode::kLocalZ:
      return pz_.data();
    default:
      return nullptr;
  }
}

/// Registers of one variant: those of shared ops first, each op's the same in all variants; behind them a
/// pool.
class PointShape::Registers {
 public:
  Registers(const ShapeVariants& variants, float* memory) : memory_(memory) {
    number_.reserve(variants.whole().ops.size());
    for (std::uint32_t i = 0; i < variants.whole().ops.size(); ++i)
      number_.push_back(variants.of_place(i) ? 0 : next_++);
  }

  [[nodiscard]] float* shared(std::uint32_t op) const { return at(number_[op]); }
  float* take() {
    if (free_.empty()) return at(next_++);
    float* const p = free_.back();
    free_.pop_back();
    return p;
  }
  void give_back(float* p) { free_.push_back(p); }

 private:
  [[nodiscard]] float* at(std::size_t number) const { return memory_ + number * kPointBlock; }

  float* memory_;
  std::vector<std::size_t> number_;
  std::vector<float*> free_;
  std::size_t next_ = 0;
};

PointShape::Compiled PointShape::compile(const ShapeVariant& variant) {
  const std::size_t count = variants_.whole().ops.size();
  Registers registers(variants_, arena_.need(count * kPointBlock));
  // Of each op of the whole tape.
  std::vector<const float*> value(count, nullptr);
  std::vector<float*> own(count, nullptr);
  std::vector<Kind> kind(count, Kind::kConstant);
  std::vector<std::size_t> last_reader(count, 0);
  for (std::size_t k = 0; k < variant.ops.size(); ++k)
    for (std::size_t n = 0; n < variant.ops[k].inputs; ++n) last_reader[variant.ops[k].in[n]] = k;
  last_reader[variant.output] = variant.ops.size();

  const auto operand = [&](std::uint32_t i) {
    return Operand{value[i], 0, kind[i] == Kind::kConstant ? 1U : 0U};
  };
  Compiled out;
  for (std::size_t k = 0; k < variant.ops.size(); ++k) {
    const TapeOp& op = variant.ops[k];
    const std::uint32_t i = variant.index[k];
    kind[i] = op.kind;
    value[i] = leaf(op);
    if (value[i] != nullptr) continue;
    VF_CHECK(op.op != Opcode::kSurface && op.op != Opcode::kRandom && op.op != Opcode::kFeatures);
    const bool of_place = variants_.of_place(i);
    float* const dst = of_place ? own[i] = registers.take() : registers.shared(i);
    value[i] = dst;
    Call call;
    call.op = i;
    call.args.dst = dst;
    call.constant = op.kind == Kind::kConstant;
    const bool dual = of_ == Of::kDuals && !call.constant;
    call.kernel = (dual ? kernels_->dual : kernels_->op)[static_cast<std::size_t>(op.op)];
    if (op.op == Opcode::kAbsoluteX) call.run = Run::kAbsoluteX;
    if (op.op == Opcode::kAbsoluteY) call.run = Run::kAbsoluteY;
    tables_.fill(op, call.args);
    call.operands = static_cast<std::uint32_t>(out.operands.size());
    for (std::size_t n = 0; n < op.inputs; ++n) out.operands.push_back(operand(op.in[n]));
    (of_place ? out.own : out.shared).push_back(call);
    for (std::size_t n = 0; n < op.inputs; ++n) {
      float*& input = own[op.in[n]];
      if (input == nullptr || last_reader[op.in[n]] != k) continue;
      registers.give_back(input);
      input = nullptr;  // an op may read the same input twice
    }
  }
  out.output = operand(variant.output);
  return out;
}

PointShape::Compiled& PointShape::compiled(const ShapeVariant& variant) {
  if (variant.number >= compiled_.size()) compiled_.resize(variant.number + 1);
  std::unique_ptr<Compiled>& c = compiled_[variant.number];
  if (!c) c = std::make_unique<Compiled>(compile(variant));
  return *c;
}

// ---------------------------------------------------------------- running

void PointShape::begin(int count) {
  count_ = count;
  ++block_;
}

void PointShape::run(const Call& call, const Compiled& compiled) const {
  const auto add = [&](const float* from, float offset) {
    for (int i = 0; i < count_; ++i) call.args.dst[i] = from[i] + offset;
    if (of_ == Of::kDuals) std::copy(from + kDualPlane, from + kPointBlock, call.args.dst + kDualPlane);
  };
  switch (call.run) {
    case Run::kKernel:
      return call.kernel(call.args, compiled.operands.data() + call.operands,
                         {0, 1, 0, call.constant ? 1 : count_, {0, 1, 0}});
    case Run::kAbsoluteX:
      return add(x_, field_->absolute_x);
    case Run::kAbsoluteY:
      return add(y_, field_->absolute_y);
  }
}

void PointShape::set_place(const FeatureInstance& place) {
  values_ = place.values;
  kernels_->to_place({place.at, place.yaw_cos, place.yaw_sin}, count_, x_, y_, z_, px_.data(), py_.data(),
                     pz_.data());
  // Slopes are written where they change: most places of a set are turned alike.
  if (of_ == Of::kValues || (place.yaw_cos == slope_cos_ && place.yaw_sin == slope_sin_)) return;
  const auto slopes = [](auto& reg, float dx, float dy) {
    std::fill_n(reg.begin() + kDualPlane, kDualPlane, dx);
    std::fill_n(reg.begin() + 2 * kDualPlane, kDualPlane, dy);
  };
  slopes(px_, place.yaw_cos, place.yaw_sin);
  slopes(py_, -place.yaw_sin, place.yaw_cos);
  slope_cos_ = place.yaw_cos;
  slope_sin_ = place.yaw_sin;
}

void PointShape::fold(const FeatureInstance& place, const Decisions& decided, float* acc) {
  const Compiled& shape = compiled(variants_.of(decided));
  for (const Call& call : shape.shared) {
    // As a constant it fills the beginning of its register only.
    const std::uint64_t wanted = 2 * block_ + (call.constant ? 1 : 0);
    if (shared_at_[call.op] == wanted) continue;
    shared_at_[call.op] = wanted;
    run(call, shape);
  }
  set_place(place);
  for (const Call& call : shape.own) run(call, shape);

  FoldArgs fold;
  fold.acc = acc;
  fold.blend = field_->program->feature_sets[set_].blend;
  fold.d = shape.output;
  fold.px = {px_.data(), 0, 0};
  fold.py = {py_.data(), 0, 0};
  fold.pz = {pz_.data(), 0, 0};
  fold.extent_min = place.extent_min;
  fold.extent_max = place.extent_max;
  (of_ == Of::kDuals ? kernels_->fold_dual : kernels_->fold)(fold, {0, 1, 0, count_, {0, 1, 0}});
}

}  // namespace vf

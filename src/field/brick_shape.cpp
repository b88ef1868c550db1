#include "field/brick_shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

namespace {

constexpr int kColumnCount = kBrickEdge * kBrickEdge;
constexpr int kPad = 16;  ///< floats of the widest vector

bool of_place(Opcode op) {
  return op == Opcode::kLocalX || op == Opcode::kLocalY || op == Opcode::kLocalZ || op == Opcode::kValue;
}

std::size_t floats_of(Kind kind) {
  return kind == Kind::kFull ? kBrickSamples : kind == Kind::kColumn ? kColumnCount : kPad;
}

}  // namespace

BrickShape::BrickShape(const BoundField& field, std::size_t set, const BoundTables& tables,
                       const BatchKernels& kernels, const float* x, const float* y, const float* z)
    : field_(&field), set_(set), tables_(&tables), kernels_(&kernels), x_(x), y_(y), z_(z) {
  compile();
}

/// With room to start on a cache line.
float* BrickShape::make_register(Kind kind) {
  constexpr std::size_t kLine = 16;
  registers_.emplace_back(floats_of(kind) + kLine, 0.0F);
  const auto address = reinterpret_cast<std::uintptr_t>(registers_.back().data());
  return registers_.back().data() + (64 - address % 64) % 64 / sizeof(float);
}

Operand BrickShape::operand(std::uint32_t index, Kind reader) const {
  const Kind kind = tape_.ops[index].kind;
  const float* p = value_[index];
  if (kind == Kind::kConstant) return {p, 0, 1};
  if (reader != Kind::kFull) return {p, 0, 0};
  if (kind == Kind::kSlice) return {p, 1, 1};
  if (kind == Kind::kColumn) return {p, 0, 0};
  return {p, kColumnCount, 0};
}

void BrickShape::compile() {
  const Program& program = field_->program->feature_sets[set_].shape;
  tape_ = full_tape(program);
  value_.resize(tape_.ops.size());
  std::vector<bool> own(tape_.ops.size(), false);
  for (std::uint32_t i = 0; i < tape_.ops.size(); ++i) {
    const TapeOp& op = tape_.ops[i];
    own[i] = of_place(op.op);
    for (std::size_t k = 0; k < op.inputs; ++k) own[i] = own[i] || own[op.in[k]];
    switch (op.op) {
      case Opcode::kConstant:
        value_[i] = &program.constants[op.param];
        continue;
      case Opcode::kX:
        value_[i] = x_;
        continue;
      case Opcode::kY:
        value_[i] = y_;
        continue;
      case Opcode::kZ:
        value_[i] = z_;
        continue;
      case Opcode::kLocalX:
        value_[i] = px_.data();
        continue;
      case Opcode::kLocalY:
        value_[i] = py_.data();
        continue;
      case Opcode::kLocalZ:
        value_[i] = pz_.data();
        continue;
      default:
        break;
    }
    float* dst = make_register(op.kind);
    value_[i] = dst;
    if (own[i] && op.kind == Kind::kConstant) constant_registers_.push_back(dst);
    if (op.op == Opcode::kValue) {
      place_values_.emplace_back(op.param, dst);
      continue;
    }
    (!own[i] ? shared_ : op.kind == Kind::kConstant ? constant_ : own_).push_back(compile_op(op, dst));
  }
  const std::size_t instances = field_->sets[set_].instances.size();
  cached_.resize(instances * constant_registers_.size());
  is_cached_.assign(instances, 0);
}

BrickShape::Call BrickShape::compile_op(const TapeOp& op, float* dst) {
  VF_CHECK(op.op != Opcode::kSurface && op.op != Opcode::kRandom && op.op != Opcode::kFeatures);
  Call call;
  call.kind = op.kind;
  call.inputs = op.inputs;
  for (std::size_t k = 0; k < op.inputs; ++k) call.in[k] = operand(op.in[k], op.kind);
  call.args.dst = dst;
  call.args.steps = op.kind == Kind::kFull ? kBrickEdge : 1;
  call.args.n = op.kind == Kind::kFull || op.kind == Kind::kColumn ? kColumnCount : kPad;
  call.args.stride = kColumnCount;
  tables_->fill(op, call.args);
  call.kernel = kernels_->op[static_cast<std::size_t>(op.op)];
  if (op.op == Opcode::kAbsoluteX) call.run = Run::kAbsoluteX;
  if (op.op == Opcode::kAbsoluteY) call.run = Run::kAbsoluteY;
  const bool noise2 = op.op == Opcode::kNoise2, noise3 = op.op == Opcode::kNoise3;
  if (!noise2 && !noise3) return call;
  const TapeOp &x = tape_.ops[op.in[0]], &y = tape_.ops[op.in[1]];
  const bool plain = x.op == Opcode::kX && y.op == Opcode::kY;
  if (noise2) {
    if (plain) call.run = Run::kNoise2Grid;
    return call;
  }
  const TapeOp& z = tape_.ops[op.in[2]];
  if (op.kind != Kind::kFull || z.kind != Kind::kSlice) return call;
  if (plain && z.op == Opcode::kZ)
    call.run = Run::kNoise3Grid;
  else if (x.kind == Kind::kColumn && y.kind == Kind::kColumn)
    call.run = Run::kNoise3Columns;
  return call;
}

void BrickShape::run_whole(const Call& call) {
  const KernelArgs& a = call.args;
  switch (call.run) {
    case Run::kKernel: {
      KernelArgs args = a;
      args.in = call.in.data();
      return call.kernel(args);
    }
    case Run::kNoise2Grid:
      return kernels_->noise2_grid(*a.noise, brick_.origin, brick_.voxel, a.dst);
    case Run::kNoise3Grid:
      return kernels_->noise3_grid(*a.noise, brick_.origin, brick_.voxel, a.dst);
    case Run::kNoise3Columns:
      return kernels_->noise3_columns(*a.noise, call.in[0].p, call.in[1].p, call.in[2].p, a.dst);
    case Run::kAbsoluteX:
      for (int i = 0; i < kColumnCount; ++i) a.dst[i] = x_[i] + field_->absolute_x;
      return;
    case Run::kAbsoluteY:
      for (int i = 0; i < kColumnCount; ++i) a.dst[i] = y_[i] + field_->absolute_y;
      return;
  }
}

void BrickShape::run(const Call& call, const Part& part) {
  if (call.run != Run::kKernel || call.kind == Kind::kSlice) return run_whole(call);
  const bool full = call.kind == Kind::kFull;
  std::array<Operand, kMaxInputs> in;  // not set: only what the op reads
  for (std::size_t k = 0; k < call.inputs; ++k) {
    const Operand& from = call.in[k];
    const std::uint32_t steps = full ? static_cast<std::uint32_t>(part.first_step) * from.stride : 0;
    const std::uint32_t columns = from.broadcast != 0 ? 0 : static_cast<std::uint32_t>(part.first);
    in[k].p = from.p + steps + columns;
    in[k].stride = from.stride;
    in[k].broadcast = from.broadcast;
  }
  KernelArgs args = call.args;
  args.in = in.data();
  args.dst += (full ? part.first_step * kColumnCount : 0) + part.first;
  args.steps = full ? part.steps : 1;
  args.n = part.count;
  call.kernel(args);
}

void BrickShape::begin(const BrickGeometry& brick) {
  brick_ = brick;
  for (const Call& call : shared_) run_whole(call);
}

void BrickShape::set_constants(std::uint32_t instance) {
  const std::size_t count = constant_registers_.size();
  if (count == 0) return;
  float* cache = cached_.data() + instance * count;
  if (is_cached_[instance] != 0) {
    for (std::size_t c = 0; c < count; ++c) *constant_registers_[c] = cache[c];
    return;
  }
  const FeatureInstance& f = field_->sets[set_].instances[instance];
  for (const auto& [number, reg] : place_values_) *reg = f.values[number];
  for (const Call& call : constant_) run_whole(call);
  for (std::size_t c = 0; c < count; ++c) cache[c] = *constant_registers_[c];
  is_cached_[instance] = 1;
}

void BrickShape::set_local(const FeatureInstance& f, const Part& part) {
  for (std::size_t k = 0; k < kPad; ++k) pz_[k] = z_[k] - f.at.z;
  const bool turned = f.yaw_sin != 0.0F || f.yaw_cos != 1.0F;
  const auto first = static_cast<std::size_t>(part.first),
             last = first + static_cast<std::size_t>(part.count);
  for (std::size_t i = first; i < last; ++i) {
    px_[i] = x_[i] - f.at.x;
    py_[i] = y_[i] - f.at.y;
  }
  if (!turned) return;
  for (std::size_t i = first; i < last; ++i) {
    const float x = px_[i], y = py_[i];
    px_[i] = f.yaw_cos * x + f.yaw_sin * y;
    py_[i] = f.yaw_cos * y - f.yaw_sin * x;
  }
}

/// The rows and slices that meet the value box; false when there are none. Rows come in pairs: two are the
/// widest vector.
bool BrickShape::part_of(const FeatureInstance& f, Part& part) const {
  const Box3f& box = f.value_box;
  if (x_[0] > box.max.x || x_[kBrickEdge - 1] < box.min.x) return false;
  int first_row = 0, last_row = kBrickEdge - 1, first_step = 0, last_step = kBrickEdge - 1;
  const auto y = [&](int row) { return y_[row * kBrickEdge]; };
  while (first_row <= last_row && y(first_row) < box.min.y) ++first_row;
  while (first_row <= last_row && y(last_row) > box.max.y) --last_row;
  while (first_step <= last_step && z_[first_step] < box.min.z) ++first_step;
  while (first_step <= last_step && z_[last_step] > box.max.z) --last_step;
  if (first_row > last_row || first_step > last_step) return false;
  first_row &= ~1;
  last_row |= 1;
  part.first = first_row * kBrickEdge;
  part.count = (last_row - first_row + 1) * kBrickEdge;
  part.first_step = first_step;
  part.steps = last_step - first_step + 1;
  return true;
}

void BrickShape::fold(std::uint32_t instance, float* acc) {
  const FeatureInstance& f = field_->sets[set_].instances[instance];
  Part part;
  if (!part_of(f, part)) return;
  set_constants(instance);
  set_local(f, part);
  for (const Call& call : own_) run(call, part);
  const Operand d = operand(tape_.outputs[0], Kind::kFull);
  FoldArgs fold;
  const int offset = part.first_step * kColumnCount + part.first;
  fold.acc = acc + offset;
  fold.steps = part.steps;
  fold.n = part.count;
  fold.stride = kColumnCount;
  fold.blend = field_->program->feature_sets[set_].blend;
  fold.d = {
      d.p + static_cast<std::uint32_t>(part.first_step) * d.stride + (d.broadcast != 0 ? 0 : part.first),
      d.stride, d.broadcast};
  fold.px = {px_.data() + part.first, 0, 0};
  fold.py = {py_.data() + part.first, 0, 0};
  fold.pz = {pz_.data() + part.first_step, 1, 1};
  fold.extent_min = f.extent_min;
  fold.extent_max = f.extent_max;
  kernels_->fold(fold);
}

}  // namespace vf

#include "field/brick_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/check.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/brick_shape.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr int kColumnCount = kBrickEdge * kBrickEdge;
constexpr std::size_t kPad = 16;  ///< floats of the widest vector
// By kind.
constexpr std::array<std::size_t, 4> kFloats{kPad, kPad, kColumnCount, kBrickSamples};
constexpr std::array<Extent, 4> kExtents{
    Extent{0, 1, 0, 1, {0, 1, 0}}, Extent{0, 1, 0, kBrickEdge, {0, 1, 0}},
    Extent{0, 1, 0, kColumnCount, {0, 1, 0}}, Extent{0, kBrickEdge, 0, kColumnCount, {0, 1, kColumnCount}}};

constexpr std::size_t index_of(Kind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

BrickRun::BrickRun(const BoundField& field, const BoundTables& tables, const BatchKernels& kernels)
    : field_(&field), tables_(&tables), kernels_(&kernels), shapes_(field.program->feature_sets.size()) {}

BrickShape& BrickRun::shape_of(std::size_t set) {
  std::unique_ptr<BrickShape>& shape = shapes_[set];
  if (!shape) shape = std::make_unique<BrickShape>(*field_, set, *kernels_, x_.data(), y_.data(), z_.data());
  return *shape;
}

// ---------------------------------------------------------------- preparing

void BrickRun::begin(const Tape& tape, std::span<const std::uint32_t> known) {
  tape_ = &tape;
  calls_.clear();
  operands_.clear();
  known_operands_.clear();
  find_needed(known);
  lay_out_registers();
  for (std::uint32_t i = 0; i < tape.ops.size(); ++i)
    if (needed_[i] != 0) compile_op(i);
  const std::uint32_t output = tape.outputs[0];
  straight_out_ = needed_[output] != 0 && !calls_.empty() && tape.ops[output].kind == Kind::kFull &&
                  tape.ops[output].inputs + (tape.ops[output].op == Opcode::kFeatures ? 1U : 0U) > 0;
}

/// What output 0 needs, short of what is known.
void BrickRun::find_needed(std::span<const std::uint32_t> known) {
  const std::size_t count = tape_->ops.size();
  needed_.assign(count, 0);
  known_of_.assign(count, -1);
  for (std::size_t k = 0; k < known.size(); ++k) known_of_[known[k]] = static_cast<std::int32_t>(k);
  needed_[tape_->outputs[0]] = 1;
  for (std::size_t i = count; i-- > 0;) {
    if (known_of_[i] >= 0) needed_[i] = 0;
    if (needed_[i] == 0) continue;
    for (std::size_t k = 0; k < tape_->ops[i].inputs; ++k) needed_[tape_->ops[i].in[k]] = 1;
  }
}

void BrickRun::lay_out_registers() {
  std::size_t total = 0;
  for (std::size_t k = 0; k < 4; ++k) total += kFloats[k] * tape_->slots[k];
  float* next = arena_.need(std::max(total, kPad));
  for (std::size_t k = 0; k < 4; ++k) {
    pool_[k] = next;
    next += kFloats[k] * tape_->slots[k];
  }
  value_.assign(tape_->ops.size(), nullptr);
}

Operand BrickRun::operand(std::uint32_t index, Kind reader) const {
  const Kind kind = tape_->ops[index].kind;
  const float* p = value_[index];
  if (kind == Kind::kConstant) return {p, 0, 1};
  if (reader != Kind::kFull) return {p, 0, 0};
  if (kind == Kind::kSlice) return {p, 1, 1};
  if (kind == Kind::kColumn) return {p, 0, 0};
  return {p, 2, 0};
}

/// Where a leaf's value stands; null for what has to be computed.
const float* BrickRun::leaf(const TapeOp& op) const {
  switch (op.op) {
    case Opcode::kConstant:
      return &tables_->program->constants[op.param];
    case Opcode::kX:
      return x_.data();
    case Opcode::kY:
      return y_.data();
    case Opcode::kZ:
      return z_.data();
    default:
      return nullptr;
  }
}

void BrickRun::compile_op(std::uint32_t index) {
  const TapeOp& op = tape_->ops[index];
  VF_CHECK(op.op != Opcode::kSurface && op.op != Opcode::kRandom);
  value_[index] = leaf(op);
  if (value_[index] != nullptr) return;
  float* const dst = pool_[index_of(op.kind)] + kFloats[index_of(op.kind)] * op.slot;
  value_[index] = dst;
  Call call;
  call.kernel = kernels_->op[static_cast<std::size_t>(op.op)];
  call.args.dst = dst;
  tables_->fill(op, call.args);
  call.operands = static_cast<std::uint32_t>(operands_.size());
  call.param = op.param;
  call.run = choose_run(op);
  call.kind = op.kind;
  for (std::size_t k = 0; k < op.inputs; ++k) {
    const std::int32_t known = known_of_[op.in[k]];
    if (known >= 0)
      known_operands_.push_back(
          {static_cast<std::uint32_t>(operands_.size()), static_cast<std::uint32_t>(known)});
    operands_.push_back(operand(op.in[k], op.kind));
  }
  calls_.push_back(call);
}

BrickRun::Run BrickRun::choose_run(const TapeOp& op) const {
  const auto is = [&](std::size_t k, Opcode other) { return tape_->ops[op.in[k]].op == other; };
  const auto kind = [&](std::size_t k) { return tape_->ops[op.in[k]].kind; };
  switch (op.op) {
    case Opcode::kAbsoluteX:
      return Run::kAbsoluteX;
    case Opcode::kAbsoluteY:
      return Run::kAbsoluteY;
    case Opcode::kFeatures:
      return Run::kFeatures;
    case Opcode::kNoise2:
      return is(0, Opcode::kX) && is(1, Opcode::kY) ? Run::kNoise2Grid : Run::kKernel;
    case Opcode::kNoise3:
      if (is(0, Opcode::kX) && is(1, Opcode::kY) && is(2, Opcode::kZ)) return Run::kNoise3Grid;
      return op.kind == Kind::kFull && kind(0) == Kind::kColumn && kind(1) == Kind::kColumn &&
                     kind(2) == Kind::kSlice
                 ? Run::kNoise3Columns
                 : Run::kKernel;
    default:
      return Run::kKernel;
  }
}

// ---------------------------------------------------------------- running

void BrickRun::set_coordinates(const BrickGeometry& brick) {
  brick_ = brick;
  const Vec3f o = brick.origin;
  std::array<float, kBrickEdge> step{};
  for (std::size_t i = 0; i < kBrickEdge; ++i) step[i] = brick.voxel * static_cast<float>(i);
  for (std::size_t j = 0; j < kBrickEdge; ++j) {
    const float y = o.y + step[j];
    for (std::size_t i = 0; i < kBrickEdge; ++i) {
      x_[j * kBrickEdge + i] = o.x + step[i];
      y_[j * kBrickEdge + i] = y;
    }
  }
  for (std::size_t k = 0; k < kPad; ++k) z_[k] = o.z + step[k % kBrickEdge];
}

void BrickRun::run_features(const Call& call) {
  float* const acc = call.args.dst;
  std::fill_n(acc, kBrickSamples, field_->program->feature_sets[call.param].far);
  std::span<const std::uint32_t> candidates;
  if (call.param < tape_->candidates.size()) {
    candidates = tape_->candidates[call.param];
  } else {
    const float span = brick_.voxel * static_cast<float>(kBrickEdge - 1);
    const Vec3f o = brick_.origin;
    gathered_.clear();
    field_->sets[call.param].index.query({o, {o.x + span, o.y + span, o.z + span}}, gathered_);
    candidates = gathered_;
  }
  if (candidates.empty()) return;
  BrickShape& shape = shape_of(call.param);
  shape.begin(brick_);
  for (std::size_t c = 0; c < candidates.size(); ++c)
    shape.fold(candidates[c], decisions_of(*tape_, call.param, c), acc);
}

void BrickRun::run_call(const Call& call) {
  const Operand* in = operands_.data() + call.operands;
  const auto add = [&](const std::array<float, 64>& column, float offset) {
    for (std::size_t i = 0; i < column.size(); ++i) call.args.dst[i] = column[i] + offset;
  };
  switch (call.run) {
    case Run::kKernel:
      return call.kernel(call.args, in, kExtents[index_of(call.kind)]);
    case Run::kNoise2Grid:
      return kernels_->noise2_grid(*call.args.noise, brick_.origin, brick_.voxel, call.args.dst);
    case Run::kNoise3Grid:
      return kernels_->noise3_grid(*call.args.noise, brick_.origin, brick_.voxel, call.args.dst);
    case Run::kNoise3Columns:
      return kernels_->noise3_columns(*call.args.noise, in[0].p, in[1].p, in[2].p,
                                      kExtents[index_of(Kind::kFull)], call.args.dst);
    case Run::kAbsoluteX:
      return add(x_, field_->absolute_x);
    case Run::kAbsoluteY:
      return add(y_, field_->absolute_y);
    case Run::kFeatures:
      return run_features(call);
  }
}

/// An output of fewer values than a brick has.
void BrickRun::spread(const float* v, float* out) const {
  switch (tape_->ops[tape_->outputs[0]].kind) {
    case Kind::kConstant:
      std::fill_n(out, kBrickSamples, *v);
      return;
    case Kind::kSlice:
      for (int k = 0; k < kBrickEdge; ++k) std::fill_n(out + k * kColumnCount, kColumnCount, v[k]);
      return;
    case Kind::kColumn:
      for (int k = 0; k < kBrickEdge; ++k) std::copy_n(v, kColumnCount, out + k * kColumnCount);
      return;
    case Kind::kFull:
      std::copy_n(v, kBrickSamples, out);
      return;
  }
}

void BrickRun::run(const BrickGeometry& brick, std::span<const float* const> known, float* out) {
  set_coordinates(brick);
  for (const KnownOperand& k : known_operands_) operands_[k.operand].p = known[k.known];
  if (straight_out_) calls_.back().args.dst = out;
  for (const Call& call : calls_) run_call(call);
  if (straight_out_) return;
  const std::uint32_t output = tape_->outputs[0];
  spread(known_of_[output] >= 0 ? known[static_cast<std::size_t>(known_of_[output])] : value_[output], out);
}

}  // namespace vf

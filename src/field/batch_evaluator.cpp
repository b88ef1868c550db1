#include "field/batch_evaluator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/fp_scope.h"
#include "field/aligned_arena.h"
#include "field/bound_field.h"
#include "field/brick_run.h"
#include "field/opcode.h"
#include "field/point_shape.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/simd/bound_noise.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr int kColumnCount = kBrickEdge * kBrickEdge;
constexpr int kPad = 16;  ///< floats of the widest vector

/// What is evaluated at: the same ops run over all of them.
enum class Mode : std::uint8_t { kColumns, kPoints, kDual };

std::size_t index_of(Kind kind) {
  return static_cast<std::size_t>(kind);
}

/// Coordinates of one job as registers, and the box they lie in.
struct Coordinates {
  Mode mode = Mode::kColumns;
  int count = 0;  ///< points of the block, before padding
  BrickGeometry brick;
  Box3f box;
  // Bricks: x, y [64], z [16]. Points: [kPointBlock]. Duals: four planes.
  alignas(64) std::array<float, kPointBlock> x, y, z;
  bool has_slopes = false;  ///< planes 1 to 3 are those of duals: they never change, but points lie over them
  std::array<const float*, 16> extra{};
  std::size_t extra_count = 0;
};

std::size_t register_floats(Mode mode, Kind kind) {
  if (kind == Kind::kConstant) return kPad;
  switch (mode) {
    case Mode::kColumns:
      return kind == Kind::kSlice ? kPad : kind == Kind::kColumn ? kColumnCount : kBrickSamples;
    case Mode::kPoints:
      return kPointBlock;
    case Mode::kDual:
      return 4 * static_cast<std::size_t>(kDualPlane);
  }
  return 0;
}

/// The registers of one tape, and where each op's value stands.
struct Machine {
  AlignedArena arena;
  std::array<float*, 4> pool{};
  std::array<std::size_t, 4> size{};
  std::vector<const float*> value;   ///< of each op
  std::vector<std::uint32_t> order;  ///< ops to run
  std::vector<std::uint8_t> needed;

  void prepare(const Tape& tape, Mode mode) {
    std::size_t total = 0;
    for (const Kind kind : {Kind::kConstant, Kind::kSlice, Kind::kColumn, Kind::kFull}) {
      size[index_of(kind)] = register_floats(mode, kind);
      total += size[index_of(kind)] * tape.slots[index_of(kind)];
    }
    float* next = arena.need(std::max<std::size_t>(total, kPad));
    for (std::size_t k = 0; k < 4; ++k) {
      pool[k] = next;
      next += size[k] * tape.slots[k];
    }
    value.resize(tape.ops.size());
  }
  float* slot(const TapeOp& op) const {
    const std::size_t k = index_of(op.kind);
    return pool[k] + size[k] * op.slot;
  }

  /// Marks what `roots` need, in order of evaluation.
  template <class Roots>
  void schedule(const Tape& tape, const Roots& roots) {
    needed.assign(tape.ops.size(), 0);
    for (const std::uint32_t root : roots) needed[root] = 1;
    order.clear();
    for (std::size_t i = tape.ops.size(); i-- > 0;) {
      if (needed[i] == 0) continue;
      order.push_back(static_cast<std::uint32_t>(i));
      const TapeOp& op = tape.ops[i];
      for (std::size_t k = 0; k < op.inputs; ++k) needed[op.in[k]] = 1;
    }
    std::reverse(order.begin(), order.end());
  }
};

}  // namespace

Vec3f snap_to_grid(Vec3f p) {
  const auto snap = [](float v) { return std::floor(v * kGridPerM + 0.5F) * (1.0F / kGridPerM); };
  return {snap(p.x), snap(p.y), snap(p.z)};
}

struct BatchEvaluator::Impl {
  const BoundField* field;
  const BatchKernels* kernels;
  BoundTables tables;
  std::unique_ptr<Coordinates> at = std::make_unique<Coordinates>();
  std::vector<std::unique_ptr<PointShape>> shapes, dual_shapes;  ///< made when first asked for
  BrickRun bricks;                                               ///< with shapes of its own
  Machine machine;
  std::vector<std::uint32_t> gathered;
  /// Of the op in hand. Setting so many to nothing for each op took a third of the time of short tapes.
  std::array<Operand, kMaxInputs> operands;

  Impl(const BoundField& f, SimdLevel level)
      : field(&f),
        kernels(&batch_kernels(level)),
        tables(bind_tables(*f.program, f.axes, f.seed_mix)),
        bricks(f, tables, *kernels) {
    shapes.resize(f.program->feature_sets.size());
    dual_shapes.resize(shapes.size());
  }

  // ---- coordinates

  void set_columns(const BrickGeometry& brick) {
    Coordinates& c = *at;
    c.mode = Mode::kColumns;
    c.brick = brick;
    c.extra_count = 0;
    const float span = brick.voxel * static_cast<float>(kBrickEdge - 1);
    const Vec3f o = brick.origin;
    c.box = {o, {o.x + span, o.y + span, o.z}};
    for (std::size_t j = 0; j < kBrickEdge; ++j) {
      const float y = o.y + brick.voxel * static_cast<float>(j);
      for (std::size_t i = 0; i < kBrickEdge; ++i) {
        c.x[j * kBrickEdge + i] = o.x + brick.voxel * static_cast<float>(i);
        c.y[j * kBrickEdge + i] = y;
      }
    }
    for (std::size_t k = 0; k < kPad; ++k) c.z[k] = o.z + brick.voxel * static_cast<float>(k % kBrickEdge);
  }

  void set_points(const PointBatch& points, std::size_t first, std::size_t count, Mode mode) {
    Coordinates& c = *at;
    c.mode = mode;
    c.count = static_cast<int>(count);
    const auto padded = static_cast<std::size_t>(padded_count());
    c.extra_count = points.extra.size();
    VF_CHECK(c.extra_count <= c.extra.size());
    for (std::size_t k = 0; k < c.extra_count; ++k)
      c.extra[k] = points.extra[k] == nullptr ? nullptr : points.extra[k] + first;
    const bool make_slopes = mode == Mode::kDual && !c.has_slopes;
    c.has_slopes = mode == Mode::kDual;
    const auto copy = [&](const float* from, auto& to, int axis) {
      std::copy_n(from + first, count, to.begin());
      std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(count), padded - count, to[count - 1]);
      if (!make_slopes) return;
      for (int plane = 1; plane < 4; ++plane)
        std::fill_n(to.begin() + plane * kDualPlane, kDualPlane, plane == axis + 1 ? 1.0F : 0.0F);
    };
    copy(points.x, c.x, 0);
    copy(points.y, c.y, 1);
    copy(points.z, c.z, 2);
    if (field->sets.empty()) return;  // nobody asks for the box
    c.box = {{c.x[0], c.y[0], c.z[0]}, {c.x[0], c.y[0], c.z[0]}};
    for (std::size_t i = 1; i < count; ++i) {
      c.box.min = {std::min(c.box.min.x, c.x[i]), std::min(c.box.min.y, c.y[i]),
                   std::min(c.box.min.z, c.z[i])};
      c.box.max = {std::max(c.box.max.x, c.x[i]), std::max(c.box.max.y, c.y[i]),
                   std::max(c.box.max.z, c.z[i])};
    }
  }

  int padded_count() const { return (at->count + kPad - 1) / kPad * kPad; }

  /// Floats of the op's register that are in use, and of these the values; the others are slopes.
  struct Used {
    std::size_t all = 0, values = 0;
  };
  Used used_of(const Machine& m, const TapeOp& op) const {
    const std::size_t all = m.size[index_of(op.kind)];
    if (at->mode == Mode::kDual) return {all, std::min<std::size_t>(all, kDualPlane)};
    const std::size_t used =
        at->mode == Mode::kPoints ? std::min(all, static_cast<std::size_t>(padded_count())) : all;
    return {used, used};
  }

  // ---- one op

  Operand operand(const Machine& m, const TapeOp& from, std::uint32_t index, Kind reader) const {
    const float* p = m.value[index];
    if (from.kind == Kind::kConstant) return {p, 0, 1};
    if (at->mode == Mode::kPoints || at->mode == Mode::kDual || reader != Kind::kFull) return {p, 0, 0};
    if (from.kind == Kind::kSlice) return {p, 1, 1};
    if (from.kind == Kind::kColumn) return {p, 0, 0};
    return {p, 2, 0};
  }

  /// A register of a leaf that varies from point to point (extra inputs); duals get zero slopes.
  void copy_extra(Machine& m, const TapeOp& op, std::uint32_t i) const {
    VF_CHECK(op.param < at->extra_count && at->extra[op.param] != nullptr);
    float* dst = m.slot(op);
    const auto n = static_cast<std::size_t>(at->count);
    std::copy_n(at->extra[op.param], n, dst);
    std::fill(dst + n, dst + padded_count(), 0.0F);
    if (at->mode == Mode::kDual) std::fill(dst + kDualPlane, dst + 4 * std::size_t{kDualPlane}, 0.0F);
    m.value[i] = dst;
  }

  void add_absolute(Machine& m, const TapeOp& op, std::uint32_t i, const float* local, float offset) const {
    float* dst = m.slot(op);
    const Used used = used_of(m, op);
    for (std::size_t k = 0; k < used.values; ++k) dst[k] = local[k] + offset;
    std::copy(local + used.values, local + used.all, dst + used.values);
    m.value[i] = dst;
  }

  void run_op(const Tape& tape, std::uint32_t i) {
    Machine& m = machine;
    const TapeOp& op = tape.ops[i];
    switch (op.op) {
      case Opcode::kConstant:
        m.value[i] = &tables.program->constants[op.param];
        return;
      case Opcode::kX:
        m.value[i] = at->x.data();
        return;
      case Opcode::kY:
        m.value[i] = at->y.data();
        return;
      case Opcode::kZ:
        m.value[i] = at->z.data();
        return;
      case Opcode::kAbsoluteX:
        return add_absolute(m, op, i, at->x.data(), field->absolute_x);
      case Opcode::kAbsoluteY:
        return add_absolute(m, op, i, at->y.data(), field->absolute_y);
      case Opcode::kSurface:
      case Opcode::kRandom:
        return copy_extra(m, op, i);
      case Opcode::kFeatures:
        return run_features(tape, m, i);
      default:
        return run_kernel(tape, m, i);
    }
  }

  Extent extent_of(Kind kind) const {
    const bool points = at->mode == Mode::kPoints || at->mode == Mode::kDual;
    if (kind == Kind::kConstant) return {0, 1, 0, 1, {0, 1, 0}};
    if (points) return {0, 1, 0, padded_count(), {0, 1, 0}};
    if (kind == Kind::kSlice) return {0, 1, 0, kBrickEdge, {0, 1, 0}};
    return {0, kind == Kind::kFull ? kBrickEdge : 1, 0, kColumnCount, {0, 1, kColumnCount}};
  }

  void run_kernel(const Tape& tape, Machine& m, std::uint32_t i) {
    const TapeOp& op = tape.ops[i];
    float* dst = m.slot(op);
    m.value[i] = dst;
    if (run_lattice(tape, m, op, dst)) return;
    for (std::size_t k = 0; k < op.inputs; ++k)
      operands[k] = operand(m, tape.ops[op.in[k]], op.in[k], op.kind);
    KernelArgs args;
    args.dst = dst;
    tables.fill(op, args);
    const bool dual = at->mode == Mode::kDual && op.kind != Kind::kConstant;
    const Kernel kernel = (dual ? kernels->dual : kernels->op)[static_cast<std::size_t>(op.op)];
    VF_DCHECK(kernel != nullptr);
    kernel(args, operands.data(), extent_of(op.kind));
  }

  /// Noise on the brick's own lattice. False when the op is no such noise.
  bool run_lattice(const Tape& tape, const Machine& m, const TapeOp& op, float* dst) const {
    if (at->mode != Mode::kColumns) return false;
    if (op.op != Opcode::kNoise2 && op.op != Opcode::kNoise3) return false;
    const TapeOp& x = tape.ops[op.in[0]];
    const TapeOp& y = tape.ops[op.in[1]];
    const BoundNoise& noise = tables.noises[op.param];
    const bool plain = x.op == Opcode::kX && y.op == Opcode::kY;
    if (op.op == Opcode::kNoise2) {
      if (!plain) return false;
      kernels->noise2_grid(noise, at->brick.origin, at->brick.voxel, dst);
      return true;
    }
    if (op.kind != Kind::kFull || tape.ops[op.in[2]].kind != Kind::kSlice) return false;
    if (plain && tape.ops[op.in[2]].op == Opcode::kZ) {
      kernels->noise3_grid(noise, at->brick.origin, at->brick.voxel, dst);
      return true;
    }
    if (x.kind != Kind::kColumn || y.kind != Kind::kColumn) return false;
    kernels->noise3_columns(noise, m.value[op.in[0]], m.value[op.in[1]], m.value[op.in[2]],
                            extent_of(Kind::kFull), dst);
    return true;
  }

  // ---- feature sets

  std::span<const std::uint32_t> candidates_of(const Tape& tape, std::uint32_t set) {
    if (set < tape.candidates.size()) return tape.candidates[set];
    gathered.clear();
    field->sets[set].index.query(at->box, gathered);
    return gathered;
  }

  PointShape& shape_of(std::uint32_t set) {
    const bool dual = at->mode == Mode::kDual;
    std::unique_ptr<PointShape>& shape = (dual ? dual_shapes : shapes)[set];
    if (!shape) {
      shape = std::make_unique<PointShape>(*field, set, *kernels,
                                           dual ? PointShape::Of::kDuals : PointShape::Of::kValues,
                                           at->x.data(), at->y.data(), at->z.data());
    }
    return *shape;
  }

  /// Places whose value box has none of the points leave the fold as it is, where the tape trusts boxes.
  void run_features(const Tape& tape, Machine& m, std::uint32_t i) {
    VF_CHECK(at->mode != Mode::kColumns);  // their values differ along z
    const TapeOp& op = tape.ops[i];
    float* acc = m.slot(op);
    m.value[i] = acc;
    const Used used = used_of(m, op);
    std::fill_n(acc, used.values, field->program->feature_sets[op.param].far);
    std::fill(acc + used.values, acc + used.all, 0.0F);
    const std::span<const std::uint32_t> candidates = candidates_of(tape, op.param);
    if (candidates.empty()) return;
    PointShape& shape = shape_of(op.param);
    shape.begin(padded_count());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const FeatureInstance& f = field->sets[op.param].instances[candidates[c]];
      if (!tape.trusts_boxes || f.value_box.intersects(at->box))
        shape.fold(f, decisions_of(tape, op.param, c), acc);
    }
  }

  // ---- jobs

  void run(const Tape& tape) {
    for (const std::uint32_t i : machine.order) run_op(tape, i);
  }

  /// Copies a register to `count` contiguous values, spreading kinds that hold fewer.
  void read_out(const Tape& tape, std::uint32_t op, std::size_t count, float* out) const {
    const float* v = machine.value[op];
    if (tape.ops[op].kind == Kind::kConstant) {
      std::fill_n(out, count, *v);
    } else {
      std::copy_n(v, count, out);
    }
  }
};

BatchEvaluator::BatchEvaluator(const BoundField& field, SimdLevel level)
    : impl_(std::make_unique<Impl>(field, level)) {}
BatchEvaluator::~BatchEvaluator() = default;
BatchEvaluator::BatchEvaluator(BatchEvaluator&&) noexcept = default;
BatchEvaluator& BatchEvaluator::operator=(BatchEvaluator&&) noexcept = default;

void BatchEvaluator::begin_bricks(const Tape& tape, std::span<const std::uint32_t> known) {
  impl_->bricks.begin(tape, known);
}

void BatchEvaluator::brick(const BrickGeometry& brick, std::span<const float* const> known, float* out) {
  const FpScope scope;
  impl_->bricks.run(brick, known, out);
}

void BatchEvaluator::brick(const Tape& tape, const BrickGeometry& brick, float* out) {
  begin_bricks(tape, {});
  this->brick(brick, {}, out);
}

void BatchEvaluator::columns(const Tape& tape, std::span<const std::uint32_t> ops, const BrickGeometry& brick,
                             std::span<float* const> out) {
  const FpScope scope;
  Impl& s = *impl_;
  VF_CHECK(ops.size() == out.size());
  s.set_columns(brick);
  // Outputs beside the tape's own must keep their registers to the end, so each op is read out as it is made.
  s.machine.prepare(tape, Mode::kColumns);
  s.machine.schedule(tape, ops);
  for (const std::uint32_t i : s.machine.order) {
    s.run_op(tape, i);
    for (std::size_t k = 0; k < ops.size(); ++k) {
      if (ops[k] == i) s.read_out(tape, i, kColumnCount, out[k]);
    }
  }
}

void BatchEvaluator::snap(std::span<float> v) const {
  const FpScope scope;
  const Kernel kernel = impl_->kernels->op[static_cast<std::size_t>(Opcode::kSnap)];
  // Whole vectors in place; the rest is too short for one.
  const std::size_t whole = v.size() / kPad * kPad;
  KernelArgs args;
  args.dst = v.data();
  const Operand in{v.data(), 0, 0};
  kernel(args, &in, {0, 1, 0, static_cast<int>(whole), {0, 1, 0}});
  for (std::size_t i = whole; i < v.size(); ++i) v[i] = snap_to_grid({v[i], 0, 0}).x;
}

void BatchEvaluator::points(const Tape& tape, const PointBatch& points, std::span<float* const> out) {
  const FpScope scope;
  Impl& s = *impl_;
  VF_CHECK(out.size() <= tape.outputs.size());
  const auto outputs = std::span(tape.outputs).first(out.size());
  for (std::size_t first = 0; first < points.count; first += kPointBlock) {
    const std::size_t count = std::min<std::size_t>(kPointBlock, points.count - first);
    s.set_points(points, first, count, Mode::kPoints);
    s.machine.prepare(tape, Mode::kPoints);
    s.machine.schedule(tape, outputs);
    s.run(tape);
    for (std::size_t k = 0; k < out.size(); ++k) s.read_out(tape, outputs[k], count, out[k] + first);
  }
}

void BatchEvaluator::gradients(const Tape& tape, const PointBatch& points, float* value, float* gx, float* gy,
                               float* gz) {
  const FpScope scope;
  Impl& s = *impl_;
  const std::uint32_t output = tape.outputs[0];
  const bool constant = tape.ops[output].kind == Kind::kConstant;
  for (std::size_t first = 0; first < points.count; first += kDualPlane) {
    const std::size_t count = std::min<std::size_t>(kDualPlane, points.count - first);
    s.set_points(points, first, count, Mode::kDual);
    s.machine.prepare(tape, Mode::kDual);
    s.machine.schedule(tape, std::span(tape.outputs).first(1));
    s.run(tape);
    const float* v = s.machine.value[output];
    s.read_out(tape, output, count, value + first);
    float* const slopes[3] = {gx + first, gy + first, gz + first};
    for (int axis = 0; axis < 3; ++axis) {
      if (constant) {
        std::fill_n(slopes[axis], count, 0.0F);
      } else {
        std::copy_n(v + (axis + 1) * kDualPlane, count, slopes[axis]);
      }
    }
  }
}

}  // namespace vf

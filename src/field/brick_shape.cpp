#include "field/brick_shape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/shape_variants.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

namespace {

constexpr int kColumnCount = kBrickEdge * kBrickEdge;
constexpr int kPad = 16;   ///< floats of the widest vector
constexpr int kRoom = 16;  ///< floats before and after the registers of columns
// Whole registers by kind: constants and slices are always run whole.
constexpr std::array<Extent, 4> kWholeExtents{
    Extent{0, 1, 0, kBrickEdge, {0, 1, 0}}, Extent{0, 1, 0, kBrickEdge, {0, 1, 0}},
    Extent{0, 1, 0, kColumnCount, {0, 1, 0}}, Extent{0, kBrickEdge, 0, kColumnCount, {0, 1, kColumnCount}}};

enum LayoutIndex : std::uint8_t { kAsInBrick, kPacked };

std::size_t floats_of(Kind kind) {
  return kind == Kind::kFull ? kBrickSamples : kind == Kind::kColumn ? kColumnCount : kPad;
}

/// A register in `memory` that starts on a cache line, with room before and after it.
float* make_register(std::vector<std::vector<float>>& memory, Kind kind) {
  constexpr std::size_t kLine = 16;
  memory.emplace_back(floats_of(kind) + kLine + 2 * kRoom, 0.0F);
  float* const p = memory.back().data() + kRoom;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return p + (64 - address % 64) % 64 / sizeof(float);
}

bool is_noise(Opcode op) {
  return op == Opcode::kNoise2 || op == Opcode::kNoise3 || op == Opcode::kCellular2 ||
         op == Opcode::kCellular3;
}

}  // namespace

BrickShape::BrickShape(const BoundField& field, std::size_t set, const BatchKernels& kernels, const float* x,
                       const float* y, const float* z)
    : field_(&field),
      set_(set),
      tables_(bind_tables(field.program->feature_sets[set].shape, field.shape_axes[set], field.seed_mix)),
      kernels_(&kernels),
      x_(x),
      y_(y),
      z_(z),
      variants_(field.program->feature_sets[set].shape) {
  for (Layout& layout : layouts_) layout.value.assign(variants_.whole().ops.size(), nullptr);
  shared_at_.assign(variants_.whole().ops.size(), {0, Kind::kConstant});
  compile_constants();
}

// ---------------------------------------------------------------- compiling

Operand BrickShape::operand(std::uint32_t index, Kind kind, Kind reader, const Layout& layout) const {
  const float* p = layout.value[index];
  if (kind == Kind::kConstant) return {p, 0, 1};
  if (reader != Kind::kFull) return {p, 0, 0};
  if (kind == Kind::kSlice) return {p, 1, 1};
  if (kind == Kind::kColumn) return {p, 0, 0};
  return {p, 2, 0};
}

/// Constants of a place: registers that both layouts share.
void BrickShape::compile_constants() {
  const Program& program = field_->program->feature_sets[set_].shape;
  const Tape& tape = variants_.whole();
  Layout& layout = layouts_[kAsInBrick];
  for (std::uint32_t i = 0; i < tape.ops.size(); ++i) {
    const TapeOp& op = tape.ops[i];
    if (op.kind != Kind::kConstant) continue;
    float* dst = make_register(layout.memory, op.kind);
    layout.value[i] = layouts_[kPacked].value[i] = dst;
    if (op.op == Opcode::kConstant) {
      *dst = program.constants[op.param];
      continue;
    }
    if (variants_.of_place(i)) constant_registers_.push_back(dst);
    if (op.op == Opcode::kValue) {
      place_values_.emplace_back(op.param, dst);
      continue;
    }
    Call call = compile_op(op, i, {}, false, dst);
    call.operands = static_cast<std::uint32_t>(constant_operands_.size());
    for (std::size_t k = 0; k < op.inputs; ++k)
      constant_operands_.push_back(operand(op.in[k], op.kind, op.kind, layout));
    if (variants_.of_place(i)) {
      constant_.push_back(call);
    } else {
      call.kernel(call.args, constant_operands_.data() + call.operands, kWholeExtents[0]);
    }
  }
  const std::size_t instances = field_->sets[set_].instances.size();
  cached_.resize(instances * constant_registers_.size());
  is_cached_.assign(instances, 0);
}

float* BrickShape::register_of(std::uint32_t index, const TapeOp& op, Layout& layout) {
  float*& at = layout.value[index];
  if (at != nullptr) return at;
  const auto column = [](auto& reg) { return reg.data() + kRoom; };
  switch (op.op) {
    case Opcode::kX:
      return at = column(layout.x);
    case Opcode::kY:
      return at = column(layout.y);
    case Opcode::kLocalX:
      return at = column(layout.px);
    case Opcode::kLocalY:
      return at = column(layout.py);
    case Opcode::kZ:
      return at = brick_z_.data();
    case Opcode::kLocalZ:
      return at = pz_.data();
    default:
      // As wide as the whole shape has it: in some variants it is of a narrower kind.
      return at = make_register(layout.memory, variants_.whole().ops[index].kind);
  }
}

BrickShape::Compiled BrickShape::compile(const ShapeVariant& variant, bool packed) {
  Layout& layout = layouts_[packed ? kPacked : kAsInBrick];
  std::vector<Kind> kind(variants_.whole().ops.size(), Kind::kConstant);
  Compiled out;
  for (std::size_t k = 0; k < variant.ops.size(); ++k) {
    const TapeOp& op = variant.ops[k];
    const std::uint32_t i = variant.index[k];
    kind[i] = op.kind;
    if (variants_.whole().ops[i].kind == Kind::kConstant) continue;  // see compile_constants
    float* dst = register_of(i, op, layout);
    if (op.inputs == 0 && op.op != Opcode::kAbsoluteX && op.op != Opcode::kAbsoluteY) continue;
    const bool of_place = variants_.of_place(i);
    out.noise = out.noise || (!of_place && is_noise(op.op));
    Call call = compile_op(op, i, kind, packed, dst);
    call.operands = static_cast<std::uint32_t>(out.operands.size());
    for (std::size_t n = 0; n < op.inputs; ++n)
      out.operands.push_back(operand(op.in[n], kind[op.in[n]], op.kind, layout));
    (of_place || packed ? out.own : out.shared).push_back(call);
  }
  out.output = operand(variant.output, kind[variant.output], Kind::kFull, layout);
  return out;
}

BrickShape::Call BrickShape::compile_op(const TapeOp& op, std::uint32_t index, std::span<const Kind> kinds,
                                        bool packed, float* dst) const {
  VF_CHECK(op.op != Opcode::kSurface && op.op != Opcode::kRandom && op.op != Opcode::kFeatures);
  Call call;
  call.op = index;
  call.kind = op.kind;
  call.args.dst = dst;
  tables_.fill(op, call.args);
  call.kernel = kernels_->op[static_cast<std::size_t>(op.op)];
  call.run = choose_run(op, kinds, packed);
  return call;
}

/// `op`: of a variant, as its inputs and `kinds` are.
BrickShape::Run BrickShape::choose_run(const TapeOp& op, std::span<const Kind> kinds, bool packed) const {
  const auto is = [&](std::size_t k, Opcode leaf) { return variants_.whole().ops[op.in[k]].op == leaf; };
  switch (op.op) {
    case Opcode::kAbsoluteX:
      return Run::kAbsoluteX;
    case Opcode::kAbsoluteY:
      return Run::kAbsoluteY;
    case Opcode::kNoise2:
      return !packed && is(0, Opcode::kX) && is(1, Opcode::kY) ? Run::kNoise2Grid : Run::kKernel;
    case Opcode::kNoise3:
      if (!packed && is(0, Opcode::kX) && is(1, Opcode::kY) && is(2, Opcode::kZ)) return Run::kNoise3Grid;
      return op.kind == Kind::kFull && kinds[op.in[0]] == Kind::kColumn && kinds[op.in[1]] == Kind::kColumn &&
                     kinds[op.in[2]] == Kind::kSlice
                 ? Run::kNoise3Columns
                 : Run::kKernel;
    default:
      return Run::kKernel;
  }
}

BrickShape::Compiled& BrickShape::compiled(const ShapeVariant& variant, bool packed) {
  if (variant.number >= compiled_.size()) compiled_.resize(variant.number + 1);
  std::unique_ptr<Compiled>& c = compiled_[variant.number][packed ? kPacked : kAsInBrick];
  if (!c) c = std::make_unique<Compiled>(compile(variant, packed));
  return *c;
}

// ---------------------------------------------------------------- running

void BrickShape::run(const Call& call, const Operand* operands, const std::array<Extent, 4>& extents,
                     const Layout& layout) const {
  const Operand* in = operands + call.operands;
  const Extent& extent = extents[static_cast<std::size_t>(call.kind)];
  const auto add = [&](const auto& column, float offset) {
    for (std::size_t i = 0; i < kColumnCount; ++i) call.args.dst[i] = column[kRoom + i] + offset;
  };
  switch (call.run) {
    case Run::kKernel:
      return call.kernel(call.args, in, extent);
    case Run::kNoise2Grid:
      return kernels_->noise2_grid(*call.args.noise, brick_.origin, brick_.voxel, call.args.dst);
    case Run::kNoise3Grid:
      return kernels_->noise3_grid(*call.args.noise, brick_.origin, brick_.voxel, call.args.dst);
    case Run::kNoise3Columns:
      return kernels_->noise3_columns(*call.args.noise, in[0].p, in[1].p, in[2].p, extent, call.args.dst);
    case Run::kAbsoluteX:
      return add(layout.x, field_->absolute_x);
    case Run::kAbsoluteY:
      return add(layout.y, field_->absolute_y);
  }
}

/// What does not depend on the place: once a brick.
void BrickShape::run_shared(const Compiled& compiled) {
  for (const Call& call : compiled.shared) {
    const std::pair<std::uint64_t, Kind> wanted{brick_number_, call.kind};
    if (shared_at_[call.op] == wanted) continue;
    shared_at_[call.op] = wanted;
    run(call, compiled.operands.data(), kWholeExtents, layouts_[kAsInBrick]);
  }
}

void BrickShape::begin(const BrickGeometry& brick) {
  brick_ = brick;
  ++brick_number_;
  std::copy_n(x_, kColumnCount, layouts_[kAsInBrick].x.begin() + kRoom);
  std::copy_n(y_, kColumnCount, layouts_[kAsInBrick].y.begin() + kRoom);
  std::copy_n(z_, kPad, brick_z_.begin());
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
  for (const Call& call : constant_)
    call.kernel(call.args, constant_operands_.data() + call.operands, kWholeExtents[0]);
  for (std::size_t c = 0; c < count; ++c) cache[c] = *constant_registers_[c];
  is_cached_[instance] = 1;
}

void BrickShape::turn(const FeatureInstance& f, Layout& layout, int first, int end) {
  if (f.yaw_sin == 0.0F && f.yaw_cos == 1.0F) return;
  for (auto i = static_cast<std::size_t>(kRoom + first); i < static_cast<std::size_t>(kRoom + end); ++i) {
    const float x = layout.px[i], y = layout.py[i];
    layout.px[i] = f.yaw_cos * x + f.yaw_sin * y;
    layout.py[i] = f.yaw_cos * y - f.yaw_sin * x;
  }
}

void BrickShape::set_columns(const FeatureInstance& f, const Part& part) {
  Layout& layout = layouts_[kAsInBrick];
  const int first = part.columns.first_row * kBrickEdge, end = first + part.columns.rows * kBrickEdge;
  for (int i = first; i < end; ++i) {
    layout.px[static_cast<std::size_t>(kRoom + i)] = x_[i] - f.at.x;
    layout.py[static_cast<std::size_t>(kRoom + i)] = y_[i] - f.at.y;
  }
  turn(f, layout, first, end);
}

void BrickShape::pack_columns(const FeatureInstance& f, const Part& part) {
  Layout& layout = layouts_[kPacked];
  const PackedColumns& c = part.columns;
  int n = 0;
  for (int row = c.first_row; row < c.first_row + c.rows; ++row) {
    const float y = y_[row * kBrickEdge];
    for (int x = c.first_x; x <= c.last_x; ++x, ++n) {
      const auto at = static_cast<std::size_t>(kRoom + n);
      layout.x[at] = x_[x];
      layout.y[at] = y;
      layout.px[at] = x_[x] - f.at.x;
      layout.py[at] = y - f.at.y;
    }
  }
  turn(f, layout, 0, n);
}

/// The columns and slices that meet the value box; false when there are none. One too many does no harm,
/// which covers the rounding.
bool BrickShape::part_of(const FeatureInstance& f, Part& part) const {
  const Box3f& box = f.value_box;
  const float inverse = 1.0F / brick_.voxel;
  const auto range = [inverse](float origin, float lo, float hi, int& first, int& last) {
    constexpr float kSlack = 0.01F, kEnd = kBrickEdge;
    // Both are rounded as integers are: towards zero.
    first = kBrickEdge - static_cast<int>(std::clamp(kEnd + kSlack - (lo - origin) * inverse, 0.0F, kEnd));
    last = static_cast<int>(std::clamp((hi - origin) * inverse + 1 + kSlack, 0.0F, kEnd)) - 1;
    return first <= last;
  };
  int last_row = 0, last_step = 0;
  if (!range(brick_.origin.x, box.min.x, box.max.x, part.columns.first_x, part.columns.last_x)) return false;
  if (!range(brick_.origin.y, box.min.y, box.max.y, part.columns.first_row, last_row)) return false;
  if (!range(brick_.origin.z, box.min.z, box.max.z, part.first_step, last_step)) return false;
  part.columns.rows = last_row - part.columns.first_row + 1;
  part.end_step = last_step + 1;
  return true;
}

/// By counting vectors. Noise on the brick's lattice is made for the whole brick, so it counts too.
bool BrickShape::worth_packing(const Compiled& whole, const Part& part) const {
  const int lanes = kernels_->lanes;
  const int packed = (part.columns.rows * part.columns.width() + lanes - 1) / lanes;
  const int in_brick = (part.columns.rows * kBrickEdge + lanes - 1) / lanes;
  if (whole.noise && 4 * packed * (part.end_step - part.first_step) <= kBrickSamples / lanes) return true;
  return 3 * packed <= 2 * in_brick;
}

void BrickShape::fold(std::uint32_t instance, const Decisions& decided, float* acc) {
  const FeatureInstance& f = field_->sets[set_].instances[instance];
  Part part;
  if (!part_of(f, part)) return;
  set_constants(instance);
  const ShapeVariant& variant = variants_.of(decided);
  const Compiled* compiled = &this->compiled(variant, false);
  const bool packed = worth_packing(*compiled, part);
  if (packed) compiled = &this->compiled(variant, true);
  // Rows come in pairs where they are as in the brick: two are the widest vector.
  if (!packed) {
    const int end = (part.columns.first_row + part.columns.rows + 1) & ~1;
    part.columns.first_row &= ~1;
    part.columns.rows = end - part.columns.first_row;
  }
  const int first = packed ? 0 : part.columns.first_row * kBrickEdge;
  const int end = first + part.columns.rows * (packed ? part.columns.width() : kBrickEdge);
  const Extent full{part.first_step, part.end_step, first, end, {0, 1, kColumnCount}};
  const std::array<Extent, 4> extents{kWholeExtents[0], kWholeExtents[1], Extent{0, 1, first, end, {0, 1, 0}},
                                      full};
  for (std::size_t k = 0; k < kPad; ++k) pz_[k] = z_[k] - f.at.z;
  if (packed) {
    pack_columns(f, part);
  } else {
    set_columns(f, part);
    run_shared(*compiled);
  }
  const Layout& layout = layouts_[packed ? kPacked : kAsInBrick];
  for (const Call& call : compiled->own) run(call, compiled->operands.data(), extents, layout);

  FoldArgs fold;
  fold.acc = acc;
  fold.blend = field_->program->feature_sets[set_].blend;
  fold.d = compiled->output;
  fold.px = {layout.px.data() + kRoom, 0, 0};
  fold.py = {layout.py.data() + kRoom, 0, 0};
  fold.pz = {pz_.data(), 1, 1};
  fold.extent_min = f.extent_min;
  fold.extent_max = f.extent_max;
  if (packed) {
    kernels_->fold_packed(fold, full, part.columns);
  } else {
    kernels_->fold(fold, full);
  }
}

}  // namespace vf

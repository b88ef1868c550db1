// The shape of a feature set on bricks: compiled once a variant, then folded place by place, only where a
// place may matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/shape_variants.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"

namespace vf {

/// One a thread and set. Every op has registers of its own, so that its kernel call is prepared once: what
/// does not depend on the place runs once a brick, constants of a place once for good, the rest on those rows
/// and slices of the brick that meet the place's value box, for beyond it the fold is exact without it. Where
/// they are few, their columns are packed first, so that vectors are full and kernels are called for nothing
/// else.
class BrickShape {
 public:
  /// `x`, `y` [64] and `z` [16]: coordinates of the current brick; they and the rest must outlive this.
  BrickShape(const BoundField& field, std::size_t set, const BatchKernels& kernels, const float* x,
             const float* y, const float* z);

  /// Starts a brick whose coordinates are in x, y, z.
  void begin(const BrickGeometry& brick);
  /// acc = the fold of acc and the place, of whose shape `decided` holds on the whole brick. `acc`: [512]
  void fold(std::uint32_t instance, const Decisions& decided, float* acc);

 private:
  /// How one op runs: the kernel of an op, or of noise on the brick's lattice.
  enum class Run : std::uint8_t { kKernel, kNoise2Grid, kNoise3Grid, kNoise3Columns, kAbsoluteX, kAbsoluteY };
  struct Call {
    Kernel kernel = nullptr;
    KernelArgs args;
    std::uint32_t op = 0;        ///< index in the whole tape
    std::uint32_t operands = 0;  ///< index of the first
    Run run = Run::kKernel;
    Kind kind = Kind::kFull;
  };
  /// Registers of one way to lay out columns: as in the brick, or packed.
  struct Layout {
    std::vector<std::vector<float>> memory;
    std::vector<float*> value;  ///< of each op of the whole tape; null until a variant uses it
    alignas(64) std::array<float, 96> px{}, py{}, x{}, y{};  ///< 64, between room for reads beyond them
  };
  /// One variant in one layout.
  struct Compiled {
    std::vector<Call> shared;  ///< not of the place; packed columns: with all others in `own`
    std::vector<Call> own;
    std::vector<Operand> operands;  ///< of all calls
    Operand output;
    bool noise = false;  ///< of the world's, not of the place
  };
  struct Part {
    PackedColumns columns;
    int first_step = 0, end_step = kBrickEdge;
  };

  void compile_constants();
  Compiled compile(const ShapeVariant& variant, bool packed);
  Call compile_op(const TapeOp& op, std::uint32_t index, std::span<const Kind> kinds, bool packed,
                  float* dst) const;
  [[nodiscard]] Run choose_run(const TapeOp& op, std::span<const Kind> kinds, bool packed) const;
  float* register_of(std::uint32_t index, const TapeOp& op, Layout& layout);
  [[nodiscard]] Operand operand(std::uint32_t index, Kind kind, Kind reader, const Layout& layout) const;
  Compiled& compiled(const ShapeVariant& variant, bool packed);
  void run(const Call& call, const Operand* operands, const std::array<Extent, 4>& extents,
           const Layout& layout) const;
  void run_shared(const Compiled& compiled);
  void set_constants(std::uint32_t instance);
  void set_columns(const FeatureInstance& f, const Part& part);
  void pack_columns(const FeatureInstance& f, const Part& part);
  static void turn(const FeatureInstance& f, Layout& layout, int first, int end);
  [[nodiscard]] bool part_of(const FeatureInstance& f, Part& part) const;
  [[nodiscard]] bool worth_packing(const Compiled& whole, const Part& part) const;

  const BoundField* field_;
  std::size_t set_;
  BoundTables tables_;
  const BatchKernels* kernels_;
  const float *x_, *y_, *z_;
  BrickGeometry brick_;
  std::uint64_t brick_number_ = 0;
  ShapeVariants variants_;
  std::array<Layout, 2> layouts_;                                   ///< as in the brick; packed
  std::vector<std::array<std::unique_ptr<Compiled>, 2>> compiled_;  ///< by variant
  /// Of each op: for which brick, and as which kind, a shared one stands in its register.
  std::vector<std::pair<std::uint64_t, Kind>> shared_at_;
  std::vector<Call> constant_;
  std::vector<Operand> constant_operands_;
  std::vector<std::pair<std::uint32_t, float*>> place_values_;  ///< number of the value, its register
  std::vector<float*> constant_registers_;                      ///< values and what follows from them alone
  std::vector<float> cached_;                                   ///< [instance][constant register]
  std::vector<std::uint8_t> is_cached_;
  alignas(64) std::array<float, 16> pz_{}, brick_z_{};
};

}  // namespace vf

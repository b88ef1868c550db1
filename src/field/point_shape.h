// The shape of a feature set at points, its values or duals: compiled once a variant, then folded place by
// place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "field/aligned_arena.h"
#include "field/bound_field.h"
#include "field/shape_variants.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"
#include "recipe/recipe.h"

namespace vf {

/// One a thread and set. Kernel calls are prepared once a variant. What does not depend on the place runs
/// once a block and keeps its register; the rest shares few, so that they stay near.
class PointShape {
 public:
  enum class Of : std::uint8_t { kValues, kDuals };

  /// `x`, `y`, `z` [kPointBlock]: coordinates of the current block, of duals with their slopes; they and the
  /// rest must outlive this.
  PointShape(const BoundField& field, std::size_t set, const BatchKernels& kernels, Of of, const float* x,
             const float* y, const float* z);

  /// Starts a block of `count` points, a multiple of the widest vector, whose coordinates are in x, y, z.
  void begin(int count);
  /// acc = the fold of acc and the place, of whose shape `decided` holds at all points. `acc`: [count]; of
  /// duals four planes
  void fold(const FeatureInstance& place, const Decisions& decided, float* acc);

 private:
  enum class Run : std::uint8_t { kKernel, kAbsoluteX, kAbsoluteY };
  struct Call {
    Kernel kernel = nullptr;
    KernelArgs args;
    std::uint32_t op = 0;        ///< index in the whole tape
    std::uint32_t operands = 0;  ///< index of the first
    Run run = Run::kKernel;
    bool constant = false;  ///< one value for the place
  };
  struct Compiled {
    std::vector<Call> shared;  ///< not of the place
    std::vector<Call> own;
    std::vector<Operand> operands;  ///< of all calls
    Operand output;
  };
  class Registers;

  Compiled compile(const ShapeVariant& variant);
  [[nodiscard]] const float* leaf(const TapeOp& op) const;
  Compiled& compiled(const ShapeVariant& variant);
  void run(const Call& call, const Compiled& compiled) const;
  void set_place(const FeatureInstance& place);

  const BoundField* field_;
  std::size_t set_;
  BoundTables tables_;
  const BatchKernels* kernels_;
  Of of_;
  const float *x_, *y_, *z_;
  ShapeVariants variants_;
  std::vector<std::unique_ptr<Compiled>> compiled_;  ///< by variant
  AlignedArena arena_;                               ///< as long as every op's own register would need
  int count_ = 0;
  std::uint64_t block_ = 0;
  /// Of each op: for which block and variant a shared one stands in its register.
  std::vector<std::uint64_t> shared_at_;
  std::array<float, kMaxFeatureValues> values_{};  ///< of the current place
  alignas(64) std::array<float, kPointBlock> px_{}, py_{}, pz_{};
  float slope_cos_ = 0, slope_sin_ = 0;  ///< the turn that the slopes of px and py hold
};

}  // namespace vf

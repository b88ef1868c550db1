// The shape of a feature set on bricks: compiled once, then folded place by place, only where a place may
// matter.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"

namespace vf {

/// One a thread and set. Every op has registers of its own, so that its kernel call is prepared once: what
/// does not depend on the place runs once a brick, constants of a place once for good, the rest on those rows
/// and slices of the brick that meet the place's value box, for beyond it the fold is exact without it.
class BrickShape {
 public:
  /// `x`, `y` [64] and `z` [16]: coordinates of the current brick; they and the rest must outlive this.
  BrickShape(const BoundField& field, std::size_t set, const BoundTables& tables, const BatchKernels& kernels,
             const float* x, const float* y, const float* z);

  /// Starts a brick whose coordinates are in x, y, z.
  void begin(const BrickGeometry& brick);
  /// acc = the fold of acc and the place. `acc`: [512]
  void fold(std::uint32_t instance, float* acc);

 private:
  /// How one op runs: the kernel of an op, or of noise on the brick's lattice.
  enum class Run : std::uint8_t { kKernel, kNoise2Grid, kNoise3Grid, kNoise3Columns, kAbsoluteX, kAbsoluteY };
  struct Call {
    Run run = Run::kKernel;
    Kind kind = Kind::kFull;
    std::uint8_t inputs = 0;
    Kernel kernel = nullptr;
    KernelArgs args;
    std::array<Operand, kMaxInputs> in{};
  };
  /// Slices first_step ... and columns first ... of a brick.
  struct Part {
    int first_step = 0, steps = kBrickEdge;
    int first = 0, count = kBrickEdge * kBrickEdge;
  };

  float* make_register(Kind kind);
  void compile();
  Call compile_op(const TapeOp& op, float* dst);
  [[nodiscard]] Operand operand(std::uint32_t index, Kind reader) const;
  void run(const Call& call, const Part& part);
  void run_whole(const Call& call);
  void set_constants(std::uint32_t instance);
  void set_local(const FeatureInstance& f, const Part& part);
  [[nodiscard]] bool part_of(const FeatureInstance& f, Part& part) const;

  const BoundField* field_;
  std::size_t set_;
  const BoundTables* tables_;
  const BatchKernels* kernels_;
  const float *x_, *y_, *z_;
  BrickGeometry brick_;
  Tape tape_;
  std::vector<std::vector<float>> registers_;
  std::vector<const float*> value_;  ///< of each op
  std::vector<Call> shared_, constant_, own_;
  std::vector<std::pair<std::uint32_t, float*>> place_values_;  ///< number of the value, its register
  std::vector<float*> constant_registers_;                      ///< values and what follows from them alone
  std::vector<float> cached_;                                   ///< [instance][constant register]
  std::vector<std::uint8_t> is_cached_;
  alignas(64) std::array<float, 64> px_{}, py_{};
  alignas(64) std::array<float, 16> pz_{};
};

}  // namespace vf

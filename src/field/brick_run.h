// One tape on bricks: its kernel calls are prepared once, then run on one brick after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "field/aligned_arena.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/brick_shape.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"

namespace vf {

/// One a thread. What it is built from must outlive it.
class BrickRun {
 public:
  BrickRun(const BoundField& field, const BoundTables& tables, const BatchKernels& kernels);

  /// Prepares the calls of `tape`; `known`: ops whose values come with each brick. The tape must stay where
  /// it is; its candidates, and what is decided of them, may change.
  void begin(const Tape& tape, std::span<const std::uint32_t> known);
  /// Output 0. `known`: the values of those ops, each [64]. `out`: [512]
  void run(const BrickGeometry& brick, std::span<const float* const> known, float* out);

 private:
  enum class Run : std::uint8_t {
    kKernel,
    kNoise2Grid,
    kNoise3Grid,
    kNoise3Columns,
    kAbsoluteX,
    kAbsoluteY,
    kFeatures
  };
  struct Call {
    Kernel kernel = nullptr;
    KernelArgs args;
    std::uint32_t operands = 0;  ///< index of the first
    std::uint32_t param = 0;
    Run run = Run::kKernel;
    Kind kind = Kind::kFull;
  };
  /// An operand that reads a known op: it differs from brick to brick.
  struct KnownOperand {
    std::uint32_t operand = 0, known = 0;
  };

  void find_needed(std::span<const std::uint32_t> known);
  void lay_out_registers();
  [[nodiscard]] const float* leaf(const TapeOp& op) const;
  void compile_op(std::uint32_t index);
  [[nodiscard]] Run choose_run(const TapeOp& op) const;
  [[nodiscard]] Operand operand(std::uint32_t index, Kind reader) const;
  void run_call(const Call& call);
  BrickShape& shape_of(std::size_t set);
  void run_features(const Call& call);
  void set_coordinates(const BrickGeometry& brick);
  void spread(const float* known, float* out) const;

  const BoundField* field_;
  const BoundTables* tables_;
  const BatchKernels* kernels_;
  std::vector<std::unique_ptr<BrickShape>> shapes_;  ///< made when one of their places is met
  // Of the tape.
  const Tape* tape_ = nullptr;
  std::vector<std::uint8_t> needed_;
  std::vector<std::int32_t> known_of_;  ///< of each op: which known one it is, or -1
  std::vector<const float*> value_;     ///< of each op
  std::vector<Call> calls_;
  std::vector<Operand> operands_;
  std::vector<KnownOperand> known_operands_;
  AlignedArena arena_;
  std::array<float*, 4> pool_{};
  bool straight_out_ = false;  ///< the last call writes the output
  // Of the brick.
  BrickGeometry brick_;
  alignas(64) std::array<float, 64> x_{}, y_{};
  alignas(64) std::array<float, 16> z_{};
  std::vector<std::uint32_t> gathered_;
};

}  // namespace vf

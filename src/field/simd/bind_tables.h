// The parameters of a program's ops, bound to a frame, as kernels read them.
#pragma once

#include <span>
#include <vector>

#include "field/bound_field.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bound_noise.h"
#include "field/tape.h"

namespace vf {

struct BoundTables {
  const Program* program = nullptr;
  std::vector<BoundNoise> noises;        ///< one for each of program->noises
  std::vector<BoundPeriodic> periodics;  ///< one for each of program->periodics

  /// Points the parameter fields of `args` at what `op` needs.
  void fill(const TapeOp& op, KernelArgs& args) const;
};

/// `axes`: program.frame_axes bound to the frame.
[[nodiscard]] BoundTables bind_tables(const Program& program, std::span<const BoundAxis> axes,
                                      std::uint32_t seed_mix);

}  // namespace vf

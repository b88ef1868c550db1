// The kernels of the batch and gradient evaluators at one SIMD level.
#pragma once

#include <array>
#include <cstdint>

#include "field/program.h"
#include "field/simd/bound_noise.h"
#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {

/// Points are evaluated in blocks of this many. [multiple of the widest vector]
inline constexpr int kPointBlock = 128;
/// Registers of the gradient evaluator: value, d/dx, d/dy, d/dz, one plane each.
inline constexpr int kDualPlane = kPointBlock;

/// An input register as a kernel walks it: value (step, i) is at p[step * stride + i], or at p[step * stride]
/// for all i when `broadcast`.
struct Operand {
  const float* p = nullptr;
  std::uint32_t stride = 0;
  // A whole word: with a bool, compilers copy the struct in overlapping halves, and its next reader stalls.
  std::uint32_t broadcast = 0;
};

struct BoundPeriodic {
  float offset = 0, period = 1, scale = 1;
};

/// dst[step * stride + i] for step in [0, steps), i in [0, n); n is rounded up to whole vectors, and
/// registers are as long as that.
struct KernelArgs {
  float* dst = nullptr;
  int steps = 1;
  int n = 0;
  int stride = 0;
  const Operand* in = nullptr;
  const float* constants = nullptr;  ///< of the op, where it has some
  const BoundNoise* noise = nullptr;
  const BoundPeriodic* periodic = nullptr;
  const SplineParams* spline = nullptr;
  const AffineParams* affine = nullptr;
};
using Kernel = void (*)(const KernelArgs&);

/// One place folded into the value of its set; see the definition at fold in batch_kernels.cpp.
struct FoldArgs {
  float* acc = nullptr;
  int steps = 1;
  int n = 0;
  int stride = 0;
  Operand d, px, py, pz;
  Vec3f extent_min, extent_max;
  float blend = 0;
};

struct BatchKernels {
  std::array<Kernel, 256> op{};    ///< by opcode number; null where the evaluator acts itself
  std::array<Kernel, 256> dual{};  ///< the same over duals: one step, registers of four planes
  void (*fold)(const FoldArgs&) = nullptr;
  void (*fold_dual)(const FoldArgs&) = nullptr;
  /// Gradient or value noise on a brick's own lattice. dst: [512] / [64]
  void (*noise3_grid)(const BoundNoise&, Vec3f origin, float voxel, float* dst) = nullptr;
  void (*noise2_grid)(const BoundNoise&, Vec3f origin, float voxel, float* dst) = nullptr;
  /// 3D noise whose x, y depend on the column only. x, y: [64]; z: [8]; dst: [512]
  void (*noise3_columns)(const BoundNoise&, const float* x, const float* y, const float* z,
                         float* dst) = nullptr;
};

[[nodiscard]] const BatchKernels& batch_kernels(SimdLevel level);

}  // namespace vf

// The kernels of the batch and gradient evaluators at one SIMD level.
#pragma once

#include <array>
#include <cstdint>

#include "field/program.h"
#include "field/simd/bound_noise.h"
#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {

/// Points are evaluated in blocks of this many: an op's call costs as much as some hundred values. [multiple
/// of the widest vector]
inline constexpr int kPointBlock = 512;
/// Registers of the gradient evaluator: value, d/dx, d/dy, d/dz, one plane each; blocks of so many points.
inline constexpr int kDualPlane = 128;
static_assert(4 * kDualPlane <= kPointBlock, "registers of points hold duals too");

/// Which part of its registers a kernel works on: steps first_step ... end_step - 1 of columns first ... end
/// - 1 (or points), rounded up to whole vectors; registers are as long as that.
struct Extent {
  int first_step = 0, end_step = 1;
  int first = 0, end = 0;
  std::array<std::uint32_t, 3> stride{0, 1, 0};  ///< by Operand::step
};

/// An input register as a kernel walks it: value (step, i) is at p[step * stride + i], or at p[step * stride]
/// for all i when `broadcast`.
struct Operand {
  const float* p = nullptr;
  std::uint32_t step = 0;  ///< index into Extent::stride: stays, one value a step, or a whole block a step
  // A whole word: with a bool, compilers copy the struct in overlapping halves, and its next reader stalls.
  std::uint32_t broadcast = 0;
};

struct BoundPeriodic {
  float offset = 0, period = 1, scale = 1;
};

/// What an op writes, dst[step * block stride + i], and its parameters: by its opcode, at most one of them.
struct KernelArgs {
  float* dst = nullptr;
  union {
    const float* constants = nullptr;
    const BoundNoise* noise;
    const BoundPeriodic* periodic;
    const SplineParams* spline;
    const AffineParams* affine;
  };
};
using Kernel = void (*)(const KernelArgs&, const Operand* in, const Extent&);

/// One place folded into the value of its set; see the definition at fold in batch_kernels.cpp.
struct FoldArgs {
  float* acc = nullptr;
  Operand d, px, py, pz;
  Vec3f extent_min, extent_max;
  float blend = 0;
};

/// Where a place stands, and how it is turned.
struct PlaceFrame {
  Vec3f at;
  float yaw_cos = 1, yaw_sin = 0;
};

/// Columns of a brick packed row by row: rows first_row ... , of each row columns first_x ... last_x.
struct PackedColumns {
  int first_row = 0, rows = 0, first_x = 0, last_x = 0;
  [[nodiscard]] constexpr int width() const { return last_x - first_x + 1; }
};

struct BatchKernels {
  std::array<Kernel, 256> op{};    ///< by opcode number; null where the evaluator acts itself
  std::array<Kernel, 256> dual{};  ///< the same over duals: one step, registers of four planes
  void (*fold)(const FoldArgs&, const Extent&) = nullptr;
  void (*fold_dual)(const FoldArgs&, const Extent&) = nullptr;
  /// The same from packed columns into the brick they come from. acc: [512]; the registers of columns may be
  /// read 8 values before their beginning and after their end.
  void (*fold_packed)(const FoldArgs&, const Extent&, const PackedColumns&) = nullptr;
  /// Gradient or value noise on a brick's own lattice. dst: [512] / [64]
  void (*noise3_grid)(const BoundNoise&, Vec3f origin, float voxel, float* dst) = nullptr;
  void (*noise2_grid)(const BoundNoise&, Vec3f origin, float voxel, float* dst) = nullptr;
  /// 3D noise whose x, y depend on the column only. x, y: [64]; z: [8]; dst: [512]
  void (*noise3_columns)(const BoundNoise&, const float* x, const float* y, const float* z, const Extent&,
                         float* dst) = nullptr;
  /// Points as a place sees them. All arrays: [count], rounded up to whole vectors
  void (*to_place)(const PlaceFrame&, int count, const float* x, const float* y, const float* z, float* px,
                   float* py, float* pz) = nullptr;
  int lanes = 1;  ///< values of one vector
};

[[nodiscard]] const BatchKernels& batch_kernels(SimdLevel level);

}  // namespace vf

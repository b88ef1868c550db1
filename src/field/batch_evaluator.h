// Values of a field: on bricks, on columns, at points; gradients at points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/vec.h"

namespace vf {

/// 8 x 8 x 8 samples; sample (i, j, k) is at origin + voxel * (i, j, k), stored at [k * 64 + j * 8 + i].
struct BrickGeometry {
  Vec3f origin;     ///< on the voxel lattice. [metres, frame]
  float voxel = 0;  ///< [metres]
};

/// Points as the lanes read them; all on the 1/1024 m grid (see snap_to_grid).
struct PointBatch {
  std::size_t count = 0;
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  std::span<const float* const> extra{};  ///< kSurface / kRandom inputs by param; each [count]
};

/// Nearest point of the sample grid.
[[nodiscard]] Vec3f snap_to_grid(Vec3f p);

/// One a thread: owns scratch space. Values are the same bits at every SIMD level, on every tape that is
/// valid at the point, and in every frame.
class BatchEvaluator {
 public:
  BatchEvaluator(const BoundField& field, SimdLevel level);
  ~BatchEvaluator();
  BatchEvaluator(BatchEvaluator&&) noexcept;
  BatchEvaluator& operator=(BatchEvaluator&&) noexcept;

  /// Prepares `tape` for any number of bricks. `known`: column ops (indices in the tape) whose values were
  /// computed before (see columns). The tape must stay where it is; its candidates, and what is decided of
  /// them, may change.
  void begin_bricks(const Tape& tape, std::span<const std::uint32_t> known);
  /// Output 0 of that tape on a brick. `known`: values of the known ops, each [64], y-major. `out`: [512]
  void brick(const BrickGeometry& brick, std::span<const float* const> known, float* out);
  /// Output 0 on one brick. `out`: [512]
  void brick(const Tape& tape, const BrickGeometry& brick, float* out);

  /// Values of chosen column ops (indices in the tape) on 8 x 8 columns. `out[i]`: [64]
  void columns(const Tape& tape, std::span<const std::uint32_t> ops, const BrickGeometry& brick,
               std::span<float* const> out);

  /// Moves coordinates to the sample grid, as snap_to_grid does.
  void snap(std::span<float> v) const;

  /// All outputs at points. `out[i]`: [count]
  void points(const Tape& tape, const PointBatch& points, std::span<float* const> out);

  /// Output 0 and its gradient at points; each array [count].
  void gradients(const Tape& tape, const PointBatch& points, float* value, float* gx, float* gy, float* gz);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf

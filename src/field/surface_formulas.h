// The material formulas of a recipe at points of a surface: pictures, meshes and tools ask the same way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

/// One a thread: owns scratch space. The same bits at every SIMD level, whatever other points are asked with.
class SurfaceFormulas {
 public:
  /// `field`: outputs weight and emission mask of each material in turn; it must outlive this.
  SurfaceFormulas(const BoundField& field, SimdLevel simd);

  [[nodiscard]] std::size_t outputs() const { return full_.outputs.size(); }
  /// Points are moved to the sample grid; normals have length 1. `out[o]`: [points.size()], for each output.
  /// [metres, frame]
  void at(std::span<const Vec3f> points, std::span<const Vec3f> normals, std::span<float* const> out);

 private:
  void chunk(std::span<const Vec3f> points, std::span<const Vec3f> normals, std::span<float* const> out);

  /// Route inputs of the points in x_, y_, z_, which lie in `box`.
  void find_paths(const Box3f& box);

  const BoundField& field_;
  const BoundFeatureSet* pads_ = nullptr;  ///< where the formulas ask for paths
  std::vector<std::uint32_t> near_;
  Tape full_;
  BatchEvaluator batch_;
  std::vector<float> x_, y_, z_;
  std::array<std::vector<float>, static_cast<std::size_t>(SurfaceInput::kCount)> inputs_;
};

}  // namespace vf

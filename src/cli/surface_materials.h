// Which materials a surface shows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/surface_formulas.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

/// A unit vector, or straight up where there is no direction.
[[nodiscard]] Vec3f unit_or_up(Vec3f v);

/// Weights of the recipe's materials. One a thread.
class MaterialWeights {
 public:
  MaterialWeights(const Scene& scene, SimdLevel simd);
  /// `out[m]`: the share of material m at each point, [count]; the shares of a point add up to 1. Points and
  /// unit normals in frame metres. Without material formulas the first material has it all.
  void at(std::span<const Vec3f> points, std::span<const Vec3f> normals,
          std::vector<std::vector<float>>& out);
  /// After at(): the share of each material's emission at each point.
  [[nodiscard]] const std::vector<std::vector<float>>& emission_masks() const { return masks_; }

 private:
  std::size_t materials_ = 0;
  std::shared_ptr<const BoundField> field_;
  std::unique_ptr<SurfaceFormulas> formulas_;  ///< of field_
  std::vector<std::vector<float>> masks_;
};

/// The mean colour of a surface and its own light: weights times colours. One a thread.
class MaterialColors {
 public:
  MaterialColors(const Scene& scene, SimdLevel simd);
  void at(std::span<const Vec3f> points, std::span<const Vec3f> normals, std::span<Vec3f> colors,
          std::span<Vec3f> emissions);

 private:
  const Recipe* recipe_;
  MaterialWeights weights_;
  std::vector<std::vector<float>> shares_;
};

}  // namespace vf::cli

// The water of a stratum: one level plane with small ripples. Light bends at it, mirrors in it, fades below
// it.
#pragma once

#include <limits>

#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "recipe/recipe.h"
#include "render/vec_ops.h"

namespace vf::render {

struct Water {
  bool present = false;
  float level = -std::numeric_limits<float>::infinity();
  Vec3f color;
  Vec3f fade;     ///< extinction of each colour. [1/metres]
  Vec3f scatter;  ///< radiance of deep water
  float wave_m = 0;
  float roughness = 0;

  /// Clear ways of paths below the level are dry. Null: there are none.
  const BoundField* paths = nullptr;

  [[nodiscard]] bool dry(Vec3f p) const { return paths != nullptr && in_clear_way(*paths, p); }
  [[nodiscard]] bool covers(Vec3f p) const { return present && p.z < level && !dry(p); }
  /// Share of light left after `d` metres.
  [[nodiscard]] Vec3f left_after(float d) const { return exp_of(fade * -d); }
  /// Unit normal of the rippled surface; ripples finer than the footprint lie flat.
  [[nodiscard]] Vec3f normal_at(float x, float y, float footprint_m) const;
  /// Factor on light that reaches p through the water.
  [[nodiscard]] Vec3f light_at(Vec3f p, Vec3f n, float footprint_m) const;
};

/// `ambient`: mean light that falls on the water.
[[nodiscard]] Water make_water(const WaterSettings& settings, float level, Vec3f ambient);

/// Share of light that a smooth border reflects; `ratio`: refractive index behind over before. cos > 0.
[[nodiscard]] float fresnel(float cos, float ratio);
/// Direction behind the border; false when all is reflected. `n` against `dir`.
[[nodiscard]] bool refract(Vec3f dir, Vec3f n, float ratio, Vec3f& out);
[[nodiscard]] inline Vec3f reflect(Vec3f dir, Vec3f n) {
  return dir - n * (2 * dot(dir, n));
}

inline constexpr float kWaterIndex = 1.33F;

}  // namespace vf::render

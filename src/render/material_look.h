// What a material looks like where a pattern has some value: the same for pictures and for textures.
#pragma once

#include <algorithm>
#include <cmath>

#include "recipe/recipe.h"
#include "render/patterns.h"
#include "render/vec_ops.h"

namespace vf::render {

/// How far the finest roughness of anything natural stands out.
inline constexpr float kGrainReliefM = 0.0035F;

/// Whether a pattern is of something grown or broken, which is rough in the small as well. [0..1]
[[nodiscard]] inline float naturalness(DetailPattern pattern) {
  switch (pattern) {
    case DetailPattern::kNoise:
    case DetailPattern::kCracks:
    case DetailPattern::kBands:
    case DetailPattern::kSpeckle:
      return 1;
    case DetailPattern::kPlaster:
    case DetailPattern::kBricks:
      return 0.5F;
    default:
      return 0;
  }
}

[[nodiscard]] inline float detail_strength(const Material& m) {
  return m.detail == DetailPattern::kNone ? 0.0F : m.detail_strength;
}
[[nodiscard]] inline float grain_share(const Material& m) {
  return detail_strength(m) * naturalness(m.detail);
}

/// Linear, without grain.
[[nodiscard]] inline Vec3f detail_color(const Material& m, const PatternValue& v) {
  const float strength = detail_strength(m);
  const Vec3f color = lerp(to_vec(m.color), to_vec(m.color2), clamp01(v.tone * std::min(1.0F, 2 * strength)));
  return color * lerp(1.0F, v.shade, strength);
}
/// Factor of the grain on the colour. `share`: of grain_share; `grain`: see patterns.h.
[[nodiscard]] inline float grain_shade(float share, float grain) {
  return 1 + 0.3F * share * grain;
}
[[nodiscard]] inline float detail_roughness(const Material& m, const PatternValue& v) {
  return clamp01(m.roughness + 0.08F * detail_strength(m) * (v.tone - 0.5F));
}

/// No relief is steeper than 50 degrees.
[[nodiscard]] inline float slope_limit(float du, float dv) {
  return 1.0F / std::max(1.0F, std::sqrt(du * du + dv * dv) / 1.2F);
}

}  // namespace vf::render

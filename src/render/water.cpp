#include "render/water.h"

#include <algorithm>
#include <cmath>

#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/patterns.h"
#include "render/vec_ops.h"

namespace vf::render {

Vec3f Water::normal_at(float x, float y, float footprint_m) const {
  // Three sizes of ripples; the slope follows from the height over the wavelength.
  float sx = 0, sy = 0;
  float size = 1.7F, share = 0.6F;
  for (int i = 0; i < 3; ++i) {
    const float seen = 1 - smooth_step(0.25F, 0.8F, footprint_m / size);
    if (seen > 0) {
      const Vec3f p{x / size, y / size, 3.7F + 5.0F * static_cast<float>(i)};
      const float e = 0.05F;
      const float h = gradient_noise(p);
      const float slope = share * wave_m * seen / (size * e);
      sx += (gradient_noise(p + Vec3f{e, 0, 0}) - h) * slope;
      sy += (gradient_noise(p + Vec3f{0, e, 0}) - h) * slope;
    }
    size *= 0.43F;
    share *= 0.38F;
  }
  return normalized({-sx, -sy, 1});
}

Vec3f Water::light_at(Vec3f p, Vec3f n, float footprint_m) const {
  if (!present) return {1, 1, 1};
  const float depth = level - p.z;
  // Walls and floors of a way are just outside it: asked for a hand's breadth before them.
  if (depth > 0 && dry(p + n * 0.1F)) return {1, 1, 1};
  if (depth > 0) {
    const float focus =
        smooth_step(0.0F, 0.5F, depth) * std::exp(-depth * 0.12F) * clamp01(0.35F + 0.65F * n.z);
    const float c = caustic(p.x, p.y, 3.0F + 1.5F / (0.5F + depth), footprint_m);
    return left_after(depth * 0.5F) * lerp(1.0F, c, 0.5F * focus);
  }
  // Above the water the ripples play on what faces it.
  const float reach = std::exp(depth * 0.3F) * clamp01(0.5F - 0.6F * n.z);
  if (reach < 0.02F) return {1, 1, 1};
  const float c = caustic(p.x * 0.6F + p.z * 0.2F, p.y * 0.6F - p.z * 0.13F, 2.8F, footprint_m);
  const float amount = 0.3F * reach * (c - 0.8F);
  return Vec3f{1, 1, 1} + lerp(color, {1, 1, 1}, 0.5F) * std::max(0.0F, amount);
}

Water make_water(const WaterSettings& settings, float level, Vec3f ambient) {
  Water water;
  if (!settings.present || !std::isfinite(level)) return water;
  water.present = true;
  water.level = level;
  water.color = to_vec(settings.color);
  water.wave_m = settings.wave_m;
  water.roughness = settings.roughness;
  // A third is left at the attenuation distance, in the brightest colour; the others go sooner.
  const float base = 1.0986F / std::max(settings.attenuation_m, 0.01F);
  const float top = std::max(max_of(water.color), 1e-3F);
  const auto fade = [&](float c) { return base * (1 + 1.1F * (1 - c / top)); };
  water.fade = {fade(water.color.x), fade(water.color.y), fade(water.color.z)};
  water.scatter = mul(water.color, ambient * 0.45F + Vec3f{settings.glow, settings.glow, settings.glow});
  return water;
}

float fresnel(float cos, float ratio) {
  const float g2 = ratio * ratio - 1 + cos * cos;
  if (g2 <= 0) return 1;
  const float g = std::sqrt(g2);
  const float a = (g - cos) / (g + cos);
  const float b = (cos * (g + cos) - 1) / (cos * (g - cos) + 1);
  return 0.5F * a * a * (1 + b * b);
}

bool refract(Vec3f dir, Vec3f n, float ratio, Vec3f& out) {
  const float cos = -dot(dir, n);
  const float eta = 1 / ratio;
  const float k = 1 - eta * eta * (1 - cos * cos);
  if (k < 0) return false;
  out = normalized(dir * eta + n * (eta * cos - std::sqrt(k)));
  return true;
}

}  // namespace vf::render

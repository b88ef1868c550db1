#include "cli/stack_strip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tasks.h"
#include "cli/surface_materials.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/resolve.h"
#include "recipe/recipe.h"
#include "render/image.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

constexpr float kSkinM = 1.2F;     // rock shows its material this deep
constexpr float kFadeM = 9;        // and is dark this deep
constexpr float kContourM = 2;     // lines of equal depth
constexpr float kLampSliceM = 14;  // lamps this far from the cut still glow in it

Vec3f vec(const Color& c) {
  return {c[0], c[1], c[2]};
}
Vec3f mix(Vec3f a, Vec3f b, float t) {
  return a * (1 - t) + b * t;
}
float clamp01(float v) {
  return std::clamp(v, 0.0F, 1.0F);
}

std::uint8_t to_srgb(float linear) {
  const float v = clamp01(linear);
  const float s = v <= 0.0031308F ? v * 12.92F : 1.055F * std::pow(v, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(s * 255.0F));
}

/// A lamp near the cut, in the cut's own coordinates.
struct Glow {
  float s = 0, z = 0;  ///< along the cut from its middle; above the content floor. [metres]
  float off_m = 0;
  float range_m = 0;
  Vec3f color;
};

class StripPainter {
 public:
  StripPainter(const Scene& scene, const StripOptions& options)
      : scene_(scene), options_(options), pixel_m_(options.length_m / static_cast<float>(options.width)) {
    for (const PlacedLight& lamp : scene.lights) add_lamp(lamp);
    const Recipe& recipe = *scene.built->recipe;
    const Vec3f haze = mix(vec(recipe.fog.color), vec(recipe.ambient.up), 0.35F);
    const float brightest = std::max({haze.x, haze.y, haze.z, 0.05F});
    air_ = haze * (0.20F / brightest);
    level_m_ = scene.built->water_level_m;
    water_ = mix(vec(recipe.water.color), air_, 0.15F);
  }

  /// One row of pixels. Thread-safe with a sampler of the caller's own.
  void row(int y, int height, FieldSampler& sampler, MaterialColors& materials, std::uint8_t* rgb) const {
    const auto n = static_cast<std::size_t>(options_.width);
    const float z = options_.bottom_m + pixel_m_ * (static_cast<float>(height - y) - 0.5F);
    std::vector<float> xs(n), ys(n), zs(n, z), phi(n), gx(n), gy(n), gz(n);
    for (std::size_t i = 0; i < n; ++i) {
      const float s = along(i);
      xs[i] = options_.middle.x + options_.along.x * s;
      ys[i] = options_.middle.y + options_.along.y * s;
    }
    sampler.gradients(n, xs.data(), ys.data(), zs.data(), phi.data(), gx.data(), gy.data(), gz.data());
    std::vector<Vec3f> points(n), normals(n), skin(n), light(n);
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = {xs[i], ys[i], z};
      normals[i] = unit_or_up({gx[i], gy[i], gz[i]});
    }
    materials.at(points, normals, skin, light);
    for (std::size_t i = 0; i < n; ++i) {
      const float solid = clamp01(0.5F - phi[i] / pixel_m_);  // soft over one pixel
      const Vec3f c = mix(air(along(i), z, phi[i]), rock(-phi[i], skin[i], light[i]), solid);
      rgb[3 * i] = to_srgb(c.x), rgb[3 * i + 1] = to_srgb(c.y), rgb[3 * i + 2] = to_srgb(c.z);
    }
  }

 private:
  [[nodiscard]] float along(std::size_t i) const {
    return pixel_m_ * (static_cast<float>(i) + 0.5F) - options_.length_m / 2;
  }

  void add_lamp(const PlacedLight& lamp) {
    const Light& light = scene_.built->recipe->lights[lamp.light];
    const float dx = lamp.at.x - options_.middle.x, dy = lamp.at.y - options_.middle.y;
    const float s = dx * options_.along.x + dy * options_.along.y;
    const float off = std::fabs(dx * options_.along.y - dy * options_.along.x);
    if (off > kLampSliceM || std::fabs(s) > options_.length_m / 2 + light.range_m) return;
    const Vec3f c = vec(light.color);
    lamps_.push_back(
        {s, lamp.at.z, off, std::min(light.range_m, 24.0F), c * (1 / std::max({c.x, c.y, c.z, 0.01F}))});
  }

  [[nodiscard]] static Vec3f rock(float depth_m, Vec3f skin, Vec3f light) {
    const float d = std::max(depth_m, 0.0F);
    constexpr Vec3f kDeep{0.016F, 0.0145F, 0.013F};
    const float fade = clamp01(1 - (d - kSkinM) / kFadeM);
    Vec3f c = d < kSkinM ? mix(skin * 0.85F, mix(kDeep, skin, 0.24F), d / kSkinM)
                         : mix(kDeep, skin, 0.24F * fade * fade);
    const float line = std::fabs(d - kContourM * std::round(d / kContourM));
    if (d > kSkinM && line < 0.08F) c = c * 1.28F;
    return c + light * (0.6F * clamp01(1 - d / 1.5F));
  }

  [[nodiscard]] Vec3f air(float s, float z, float phi) const {
    // Open air is lighter than nooks, as it would be.
    Vec3f c = air_ * (0.25F + 0.75F * clamp01(phi / 14));
    for (const Glow& g : lamps_) {
      const float d2 = (s - g.s) * (s - g.s) + (z - g.z) * (z - g.z) + g.off_m * g.off_m;
      const float share = clamp01(1 - std::sqrt(d2) / g.range_m);
      c = c + g.color * (0.55F * share * share / (1 + d2 / 9));
    }
    if (!std::isnan(level_m_) && z < level_m_) c = mix(c, water_, 0.82F);
    return c;
  }

  const Scene& scene_;
  const StripOptions& options_;
  float pixel_m_;
  std::vector<Glow> lamps_;
  Vec3f air_, water_;
  float level_m_ = 0;
};

}  // namespace

Image draw_stack_strip(const Scene& scene, const StripOptions& options) {
  Image image;
  image.width = options.width;
  image.height = std::max(1, static_cast<int>(std::lround(options.height_m / options.length_m *
                                                          static_cast<float>(options.width))));
  image.rgb.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  const StripPainter painter(scene, options);
  const unsigned workers = options.workers == 0 ? default_workers() : options.workers;
  std::vector<FieldSampler> samplers;
  std::vector<MaterialColors> materials;
  for (unsigned i = 0; i < workers; ++i) {
    samplers.emplace_back(scene.density, options.simd);
    materials.emplace_back(scene, options.simd);
  }
  parallel_for(static_cast<std::size_t>(image.height), workers, [&](std::size_t y, unsigned worker) {
    painter.row(static_cast<int>(y), image.height, samplers[worker], materials[worker],
                image.rgb.data() + y * static_cast<std::size_t>(image.width) * 3);
  });
  return image;
}

}  // namespace vf::cli

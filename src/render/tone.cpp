#include "render/tone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tasks.h"
#include "math/vec.h"
#include "render/image.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

struct Level {
  int width = 0, height = 0;
  std::vector<Vec3f> light;
  [[nodiscard]] Vec3f at(int x, int y) const {
    const int cx = std::clamp(x, 0, width - 1), cy = std::clamp(y, 0, height - 1);
    return light[static_cast<std::size_t>(cy) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(cx)];
  }
};

Level halved(const Level& in, unsigned workers) {
  Level out;
  out.width = (in.width + 1) / 2, out.height = (in.height + 1) / 2;
  out.light.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  parallel_for(static_cast<std::size_t>(out.height), workers, [&](std::size_t row, unsigned) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < out.width; ++x) {
      Vec3f sum;
      for (int b = -1; b <= 2; ++b) {
        for (int a = -1; a <= 2; ++a) {
          const float w = ((a == 0 || a == 1) ? 3.0F : 1.0F) * ((b == 0 || b == 1) ? 3.0F : 1.0F);
          sum = sum + in.at(2 * x + a, 2 * y + b) * w;
        }
      }
      out.light[row * static_cast<std::size_t>(out.width) + static_cast<std::size_t>(x)] =
          sum * (1.0F / 64.0F);
    }
  });
  return out;
}

Vec3f between(const Level& level, float x, float y) {
  const float fx = std::floor(x), fy = std::floor(y);
  const int ix = static_cast<int>(fx), iy = static_cast<int>(fy);
  return lerp(lerp(level.at(ix, iy), level.at(ix + 1, iy), x - fx),
              lerp(level.at(ix, iy + 1), level.at(ix + 1, iy + 1), x - fx), y - fy);
}

Vec3f transform(const float (&m)[9], Vec3f v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

float film_curve(float x) {
  const float x2 = x * x, x4 = x2 * x2;
  return 15.5F * x4 * x2 - 40.14F * x4 * x + 31.96F * x4 - 6.868F * x2 * x + 0.4298F * x2 + 0.1191F * x -
         0.00232F;
}

std::uint8_t to_byte(float v, float dither) {
  return static_cast<std::uint8_t>(std::clamp(v * 255.0F + dither, 0.0F, 255.0F));
}

}  // namespace

void add_glare(std::vector<Vec3f>& light, int width, int height, float amount, unsigned workers) {
  Level level;
  level.width = width, level.height = height;
  level.light.resize(light.size());
  for (std::size_t i = 0; i < light.size(); ++i) {
    const float top = max_of(light[i]);
    level.light[i] = top > 60 ? light[i] * (60 / top) : light[i];
  }
  std::vector<Level> levels;
  for (int n = 0; n < 6 && level.width > 4 && level.height > 4; ++n) {
    level = halved(level, workers);
    levels.push_back(level);
  }
  if (levels.size() < 2) return;
  parallel_for(static_cast<std::size_t>(height), workers, [&](std::size_t row, unsigned) {
    for (int x = 0; x < width; ++x) {
      Vec3f halo;
      float scale = 1, total = 0, weight = 1;
      for (const Level& l : levels) {
        scale *= 0.5F;
        halo = halo + between(l, (static_cast<float>(x) + 0.5F) * scale - 0.5F,
                              (static_cast<float>(row) + 0.5F) * scale - 0.5F) *
                          weight;
        total += weight;
        weight *= 0.9F;
      }
      Vec3f& c = light[row * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
      c = lerp(c, halo * (1 / total), amount);
    }
  });
}

Vec3f film_tone(Vec3f light) {
  constexpr float kIn[9] = {0.842479062253094F,  0.0784335999999992F, 0.0792237451477643F,
                            0.0423282422610123F, 0.878468636469772F,  0.0791661274605434F,
                            0.0423756549057051F, 0.0784336F,          0.879142973793104F};
  constexpr float kOut[9] = {1.19687900512017F,    -0.0980208811401368F, -0.0990297440797205F,
                             -0.0528968517574562F, 1.15190312990417F,    -0.0989611768448433F,
                             -0.0529716355144438F, -0.0980434501171241F, 1.15107367264116F};
  constexpr float kLow = -12.47393F, kHigh = 4.026069F;
  Vec3f v = transform(kIn, {std::max(0.0F, light.x), std::max(0.0F, light.y), std::max(0.0F, light.z)});
  const auto encode = [&](float c) {
    return film_curve(clamp01((std::log2(std::max(c, 1e-10F)) - kLow) / (kHigh - kLow)));
  };
  v = {encode(v.x), encode(v.y), encode(v.z)};
  // A little more contrast and colour than the neutral curve.
  constexpr float kPower = 1.3F, kSaturation = 1.35F;
  v = {std::pow(std::max(v.x, 0.0F), kPower), std::pow(std::max(v.y, 0.0F), kPower),
       std::pow(std::max(v.z, 0.0F), kPower)};
  const float grey = luminance(v);
  v = Vec3f{grey, grey, grey} + (v - Vec3f{grey, grey, grey}) * kSaturation;
  v = transform(kOut, v);
  return {clamp01(v.x), clamp01(v.y), clamp01(v.z)};
}

float metered_exposure(const std::vector<Vec3f>& light) {
  constexpr double kGrey = 0.17, kShare = 0.6;
  double sum = 0;
  for (const Vec3f& c : light) sum += static_cast<double>(std::log2(std::clamp(luminance(c), 1e-4F, 8.0F)));
  const double mean = std::exp2(sum / static_cast<double>(std::max<std::size_t>(1, light.size())));
  return static_cast<float>(std::clamp(std::pow(kGrey / mean, kShare), 0.35, 4.0));
}

Image to_image(const std::vector<Vec3f>& light, int width, int height, float exposure, unsigned workers) {
  Image image;
  image.width = width, image.height = height;
  image.rgb.resize(light.size() * 3);
  parallel_for(static_cast<std::size_t>(height), workers, [&](std::size_t row, unsigned) {
    for (int x = 0; x < width; ++x) {
      const std::size_t i = row * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      const Vec3f v = film_tone(light[i] * exposure);
      // Interleaved gradient noise (Jimenez 2014) hides the steps of 8 bits.
      const float wave = 0.06711056F * static_cast<float>(x) + 0.00583715F * static_cast<float>(row);
      const float raw = 52.9829189F * (wave - std::floor(wave));
      const float dither = raw - std::floor(raw);
      image.rgb[3 * i] = to_byte(v.x, dither);
      image.rgb[3 * i + 1] = to_byte(v.y, dither);
      image.rgb[3 * i + 2] = to_byte(v.z, dither);
    }
  });
  return image;
}

}  // namespace vf::render

#include "exports/textures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/image.h"
#include "render/patterns.h"

namespace vf {
namespace {

constexpr std::array kAll{DetailPattern::kNoise,   DetailPattern::kCracks,  DetailPattern::kTiles,
                          DetailPattern::kBricks,  DetailPattern::kBands,   DetailPattern::kGrass,
                          DetailPattern::kSpeckle, DetailPattern::kPlaster, DetailPattern::kLeaves};

Material material_with(DetailPattern pattern) {
  Material m;
  m.detail = pattern;
  m.detail_scale_m = 0.7F;
  m.bump_m = 0.04F;
  m.color = {0.4F, 0.3F, 0.2F}, m.color2 = {0.1F, 0.2F, 0.1F};
  return m;
}

TEST(TiledPattern, ComesAgainOnEachAxis) {
  for (const DetailPattern pattern : kAll) {
    const render::TiledPattern tiled(0.5F, 6);
    const float edge = tiled.edge_m();
    for (int i = 0; i < 200; ++i) {
      // Multiples of 1/64 m: sums with the edge are exact, so that only the pattern can differ.
      const Vec3f p{static_cast<float>(i * 37 % 191) / 64, static_cast<float>(i * 53 % 187) / 64,
                    static_cast<float>(i * 29 % 179) / 64};
      for (const Vec3f n : {Vec3f{0, 0, 1}, Vec3f{0, -1, 0}, Vec3f{1, 0, 0}}) {
        const render::PatternValue here = tiled.at(pattern, p, n, 0.008F);
        for (const Vec3f d : {Vec3f{edge, 0, 0}, Vec3f{0, edge, 0}, Vec3f{0, 0, edge}, Vec3f{-edge, 0, 0}}) {
          const render::PatternValue there = tiled.at(pattern, p + d, n, 0.008F);
          ASSERT_NEAR(here.tone, there.tone, 2e-3) << static_cast<int>(pattern);
          ASSERT_NEAR(here.height, there.height, 2e-3) << static_cast<int>(pattern);
          ASSERT_NEAR(here.shade, there.shade, 2e-3) << static_cast<int>(pattern);
        }
      }
      EXPECT_NEAR(tiled.grain(p, 0.008F), tiled.grain(p + Vec3f{edge, 0, 0}, 0.008F), 2e-3);
    }
  }
}

TEST(TiledPattern, LooksLikeTheEndlessOne) {
  // The mean and the spread of tones over a large area.
  for (const DetailPattern pattern : kAll) {
    const render::TiledPattern tiled(0.5F, 16);
    double mean = 0, endless_mean = 0, spread = 0, endless_spread = 0;
    constexpr int kEdge = 96;
    for (int i = 0; i < kEdge * kEdge; ++i) {
      const Vec3f p{static_cast<float>(i % kEdge) / 12, 0.19F, static_cast<float>(i / kEdge) / 12};
      const auto a = static_cast<double>(tiled.at(pattern, p, {0, -1, 0}, 0.008F).tone);
      const auto b = static_cast<double>(render::pattern_at(pattern, p, {0, -1, 0}, 0.5F, 0.008F).tone);
      mean += a, endless_mean += b, spread += a * a, endless_spread += b * b;
    }
    constexpr double kCount = kEdge * kEdge;
    mean /= kCount, endless_mean /= kCount;
    EXPECT_NEAR(mean, endless_mean, 0.08) << static_cast<int>(pattern);
    EXPECT_NEAR(std::sqrt(spread / kCount - mean * mean),
                std::sqrt(endless_spread / kCount - endless_mean * endless_mean), 0.08)
        << static_cast<int>(pattern);
  }
}

/// The largest step between neighbouring pixels, inside and over the border.
struct Steps {
  double inside = 0, over_border = 0;
};
Steps mean_steps(const TextureValues& t) {
  Steps out;
  const int n = t.edge_px;
  const auto height = [&](int x, int y) {
    return static_cast<double>(t.height_m[static_cast<std::size_t>((y % n) * n + x % n)]);
  };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      (x == n - 1 ? out.over_border : out.inside) += std::abs(height(x + 1, y) - height(x, y));
  out.inside /= static_cast<double>(n) * (n - 1);
  out.over_border /= n;
  return out;
}

TEST(Textures, ShowNoSeam) {
  for (const DetailPattern pattern : kAll) {
    const TextureValues t = draw_texture(material_with(pattern), TextureFace::kUpright, 128, 2);
    const Steps steps = mean_steps(t);
    // Joints of bricks and tiles lie on the border of the picture: there it is allowed to be steeper.
    const bool joints = pattern == DetailPattern::kTiles || pattern == DetailPattern::kBricks;
    EXPECT_LT(steps.over_border, (joints ? 12 : 2.2) * steps.inside + 1e-5) << static_cast<int>(pattern);
  }
}

TEST(Textures, AreTheSameForAnyNumberOfWorkers) {
  const Material m = material_with(DetailPattern::kCracks);
  const TextureValues one = draw_texture(m, TextureFace::kUpright, 64, 1);
  const TextureValues two = draw_texture(m, TextureFace::kUpright, 64, 2);
  EXPECT_EQ(one.color, two.color);
  EXPECT_EQ(one.height_m, two.height_m);
  EXPECT_EQ(one.roughness, two.roughness);
}

TEST(Textures, NormalsLeanAwayFromWhatRises) {
  TextureValues t;
  t.edge_px = 16;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x)  // a ridge in the middle, along the columns
      t.height_m.push_back(0.1F * static_cast<float>(std::min(x, 15 - x)));
  const Image image = normal_image(t, 16);
  const auto at = [&](int x, int c) {
    return int{image.rgb[static_cast<std::size_t>((8 * 16 + x) * 3 + c)]};
  };
  EXPECT_LT(at(4, 0), 127);  // rises to the right: leans left
  EXPECT_GT(at(11, 0), 128);
  EXPECT_NEAR(at(4, 1), 128, 1);
  EXPECT_GT(at(4, 2), 200);
}

TEST(Textures, GreenIsUpThePicture) {
  TextureValues t;
  t.edge_px = 16;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) t.height_m.push_back(0.1F * static_cast<float>(std::min(y, 15 - y)));
  const Image image = normal_image(t, 16);
  // Row 4 rises downward: its slope faces up the picture.
  EXPECT_GT(image.rgb[(4 * 16 + 8) * 3 + 1], 128);
  EXPECT_LT(image.rgb[(11 * 16 + 8) * 3 + 1], 127);
}

TEST(Textures, HollowsSeeLessSky) {
  TextureValues t;
  t.edge_px = 32;
  t.height_m.assign(32 * 32, 0.1F);
  t.roughness.assign(32 * 32, 0.25F);
  t.height_m[16 * 32 + 16] = 0;
  const Image image = surface_image(t, 0.5F);
  const std::size_t hollow = (16 * 32 + 16) * 3;
  EXPECT_LT(image.rgb[hollow], 200);
  EXPECT_EQ(image.rgb[0], 255);
  EXPECT_EQ(image.rgb[1], 64);
  EXPECT_EQ(image.rgb[2], 255);
}

TEST(Textures, PlainMaterialsHaveNone) {
  Material plain;
  EXPECT_FALSE(has_texture(plain));
  EXPECT_EQ(color_range(plain).mean, (Vec3f{0.5F, 0.5F, 0.5F}));
  plain.detail = DetailPattern::kNoise;
  EXPECT_TRUE(has_texture(plain));
}

}  // namespace
}  // namespace vf

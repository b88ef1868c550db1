#include "exports/textures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/tasks.h"
#include "exports/png.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/image.h"
#include "render/material_look.h"
#include "render/patterns.h"
#include "render/vec_ops.h"

namespace vf {

namespace {

constexpr float kWantedEdgeM = 4;
constexpr int kMostUnits = 16;
constexpr float kBetweenCells =
    0.37F;  // of a plane through noise: at whole numbers it is flatter than elsewhere
constexpr int kMeanEdgePx = 64;

/// Repeats of a pattern's own unit in one texture.
int units_of(const Material& material) {
  const int least = material.detail == DetailPattern::kBands ? 5 : 3;  // fewer look alike
  const float wanted = std::round(kWantedEdgeM / std::max(material.detail_scale_m, 1e-3F));
  return static_cast<int>(std::clamp(wanted, static_cast<float>(least), static_cast<float>(kMostUnits)));
}

render::TiledPattern tiled_pattern(const Material& material) {
  return {material.detail_scale_m, units_of(material)};
}

std::size_t pixels_of(int edge_px) {
  return static_cast<std::size_t>(edge_px) * static_cast<std::size_t>(edge_px);
}

void draw_row(const Material& material, TextureFace face, int row, TextureValues& out) {
  const render::TiledPattern pattern = tiled_pattern(material);
  const float texel = pattern.edge_m() / static_cast<float>(out.edge_px);
  const float up = -(static_cast<float>(row) + 0.5F) * texel, aside = kBetweenCells * material.detail_scale_m;
  const bool upright = face == TextureFace::kUpright && has_own_level_face(material);
  const float rough = render::grain_share(material);
  for (int column = 0; column < out.edge_px; ++column) {
    const float right = (static_cast<float>(column) + 0.5F) * texel;
    const Vec3f p = upright ? Vec3f{right, aside, up} : Vec3f{right, up, aside};
    const Vec3f n = upright ? Vec3f{0, -1, 0} : Vec3f{0, 0, 1};
    const render::PatternValue v = pattern.at(material.detail, p, n, texel);
    const float grain = rough > 0 ? pattern.grain(p, texel) : 0;
    const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(out.edge_px) +
                          static_cast<std::size_t>(column);
    const Vec3f color = render::detail_color(material, v) * render::grain_shade(rough, grain);
    out.color[i] = {render::clamp01(color.x), render::clamp01(color.y), render::clamp01(color.z)};
    out.height_m[i] = material.bump_m * v.height + rough * render::kGrainReliefM * grain;
    out.roughness[i] = render::detail_roughness(material, v);
  }
}

/// Values on a torus of pixels.
class Wrapped {
 public:
  Wrapped(const std::vector<float>& values, int edge) : values_(values), edge_(edge) {}
  float operator()(int x, int y) const {
    return values_[static_cast<std::size_t>(inside(y)) * static_cast<std::size_t>(edge_) +
                   static_cast<std::size_t>(inside(x))];
  }

 private:
  [[nodiscard]] int inside(int i) const { return (i % edge_ + edge_) % edge_; }
  const std::vector<float>& values_;
  int edge_;
};

std::uint8_t byte_of(float share) {
  return static_cast<std::uint8_t>(std::lround(render::clamp01(share) * 255));
}

Image image_of(int edge_px) {
  Image image;
  image.width = image.height = edge_px;
  image.rgb.reserve(pixels_of(edge_px) * 3);
  return image;
}

/// Means over squares of 2 radius + 1 pixels, on the torus: along rows, then along columns.
std::vector<float> blurred(const std::vector<float>& values, int edge, int radius) {
  std::vector<float> rows(values.size()), out(values.size());
  const auto pass = [&](const std::vector<float>& from, std::vector<float>& to, bool along_x) {
    const Wrapped at(from, edge);
    for (int line = 0; line < edge; ++line) {
      const auto value = [&](int i) { return along_x ? at(i, line) : at(line, i); };
      double sum = 0;
      for (int i = -radius; i <= radius; ++i) sum += static_cast<double>(value(i));
      for (int i = 0; i < edge; ++i) {
        const int index = along_x ? line * edge + i : i * edge + line;
        to[static_cast<std::size_t>(index)] = static_cast<float>(sum / (2 * radius + 1));
        sum += static_cast<double>(value(i + radius + 1)) - static_cast<double>(value(i - radius));
      }
    }
  };
  pass(values, rows, true);
  pass(rows, out, false);
  return out;
}

}  // namespace

bool has_texture(const Material& material) {
  return material.detail != DetailPattern::kNone && (material.detail_strength > 0 || material.bump_m > 0);
}

bool has_own_level_face(const Material& material) {
  return material.detail == DetailPattern::kBands && has_texture(material);
}

float texture_edge_m(const Material& material) {
  return tiled_pattern(material).edge_m();
}

TextureValues draw_texture(const Material& material, TextureFace face, int edge_px, unsigned workers) {
  TextureValues out;
  out.edge_px = edge_px;
  out.color.resize(pixels_of(edge_px));
  out.height_m.resize(pixels_of(edge_px));
  out.roughness.resize(pixels_of(edge_px));
  parallel_for(static_cast<std::size_t>(edge_px), workers,
               [&](std::size_t row, unsigned) { draw_row(material, face, static_cast<int>(row), out); });
  return out;
}

ColorRange color_range(const Material& material) {
  const Vec3f plain = render::to_vec(material.color);
  if (!has_texture(material)) return {plain, render::max_of(plain)};
  const TextureValues texture = draw_texture(material, TextureFace::kUpright, kMeanEdgePx, 1);
  ColorRange out;
  for (const Vec3f& c : texture.color) {
    out.mean = out.mean + c;
    out.brightest = std::max(out.brightest, render::max_of(c));
  }
  out.mean = out.mean * (1 / static_cast<float>(texture.color.size()));
  return out;
}

Image albedo_image(const TextureValues& texture, Vec3f gain) {
  Image image = image_of(texture.edge_px);
  for (const Vec3f& c : texture.color) {
    const Vec3f g = render::mul(c, gain);
    for (const float channel : {g.x, g.y, g.z}) image.rgb.push_back(srgb_byte(channel));
  }
  return image;
}

Image normal_image(const TextureValues& texture, float edge_m) {
  Image image = image_of(texture.edge_px);
  const Wrapped height(texture.height_m, texture.edge_px);
  const float two_texels = 2 * edge_m / static_cast<float>(texture.edge_px);
  for (int y = 0; y < texture.edge_px; ++y) {
    for (int x = 0; x < texture.edge_px; ++x) {
      const float du = (height(x + 1, y) - height(x - 1, y)) / two_texels;
      const float dv = (height(x, y - 1) - height(x, y + 1)) / two_texels;  // up the picture
      const float limit = render::slope_limit(du, dv);
      const Vec3f n = render::normalized({-du * limit, -dv * limit, 1});
      for (const float channel : {n.x, n.y, n.z}) image.rgb.push_back(byte_of(channel * 0.5F + 0.5F));
    }
  }
  return image;
}

Image surface_image(const TextureValues& texture, float edge_m) {
  constexpr float kReachM = 0.08F;  // how far relief shades what is beside it
  constexpr float kDepth = 1.6F;    // a hollow as deep as 1/1.6 of the reach sees no sky
  constexpr float kLeastSky = 0.35F;
  Image image = image_of(texture.edge_px);
  const float texel = edge_m / static_cast<float>(texture.edge_px);
  const int radius = std::max(2, static_cast<int>(std::lround(kReachM / texel)));
  const std::vector<float> around = blurred(texture.height_m, texture.edge_px, radius);
  const float reach = static_cast<float>(radius) * texel;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const float hollow = std::max(0.0F, around[i] - texture.height_m[i]) / reach;
    image.rgb.push_back(byte_of(std::max(kLeastSky, 1 - kDepth * hollow)));
    image.rgb.push_back(byte_of(texture.roughness[i]));
    image.rgb.push_back(255);
  }
  return image;
}

Result<std::vector<std::byte>> glow_ramp_png() {
  Image ramp;
  ramp.width = 256;
  ramp.height = 1;
  for (int i = 0; i < 256; ++i)
    for (int c = 0; c < 3; ++c) ramp.rgb.push_back(srgb_byte(static_cast<float>(i) / 255));
  return encode_png(ramp);
}

}  // namespace vf

// Colours reach pictures only, never the geometry: the mathematics library may be used here.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

float linear_from_srgb(std::uint32_t byte) {
  const double s = static_cast<double>(byte) / 255.0;
  return static_cast<float>(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Color> parse_color(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    const int high = hex_digit(text[1 + 2 * i]);
    const int low = hex_digit(text[2 + 2 * i]);
    if (high < 0 || low < 0) return std::nullopt;
    color[i] = linear_from_srgb(static_cast<std::uint32_t>(high * 16 + low));
  }
  return color;
}

Color kelvin_color(double kelvin) {
  const double t = kelvin;
  const double t2 = t * t;
  // Krystek 1985: the Planckian locus in CIE 1960 u, v; good to 8e-5 within 1000 .. 15000 K.
  const double u =
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t2) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t2);
  const double v =
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t2) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t2);
  const double d = 2 * u - 8 * v + 4;
  const double x = 3 * u / d;
  const double y = 2 * v / d;
  const double big_x = x / y;
  const double big_z = (1 - x - y) / y;
  const double r = 3.2404542 * big_x - 1.5371385 - 0.4985314 * big_z;
  const double g = -0.9692660 * big_x + 1.8760108 + 0.0415560 * big_z;
  const double b = 0.0556434 * big_x - 0.2040259 + 1.0572252 * big_z;
  const double most = std::max({r, g, b});
  const auto channel = [most](double c) { return static_cast<float>(std::clamp(c / most, 0.0, 1.0)); };
  return {channel(r), channel(g), channel(b)};
}

}  // namespace vf

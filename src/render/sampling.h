// Points of the unit square that cover it evenly: blocks of 2^n points are nets by themselves and together.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "render/vec_ops.h"

namespace vf::render {

struct Point2 {
  float u = 0, v = 0;
};

/// Point i of the (0, 2)-sequence of Sobol. Any 2^n points from a multiple of 2^n on fill every elementary
/// interval.
[[nodiscard]] inline Point2 net_point(std::uint32_t i) {
  std::uint32_t a = i;
  a = (a << 16) | (a >> 16);
  a = ((a & 0x00FF00FFU) << 8) | ((a & 0xFF00FF00U) >> 8);
  a = ((a & 0x0F0F0F0FU) << 4) | ((a & 0xF0F0F0F0U) >> 4);
  a = ((a & 0x33333333U) << 2) | ((a & 0xCCCCCCCCU) >> 2);
  a = ((a & 0x55555555U) << 1) | ((a & 0xAAAAAAAAU) >> 1);
  std::uint32_t b = 0;
  for (std::uint32_t v = 1U << 31; i != 0; i >>= 1, v ^= v >> 1)
    if ((i & 1U) != 0) b ^= v;
  constexpr float kScale = 1.0F / 16777216.0F;
  return {static_cast<float>(a >> 8) * kScale, static_cast<float>(b >> 8) * kScale};
}

/// Index of the 4 x 4 pattern that pixels repeat; neighbours get far-apart indices.
[[nodiscard]] inline std::uint32_t interleave_4x4(int x, int y) {
  constexpr std::uint8_t kOrder[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  return kOrder[(y & 3) * 4 + (x & 3)];
}

/// Cosine-weighted direction about +z.
[[nodiscard]] inline Vec3f cosine_direction(Point2 p) {
  const float r = std::sqrt(p.u), phi = 2 * std::numbers::pi_v<float> * p.v;
  return {r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(0.0F, 1 - p.u))};
}

/// Even point of the unit disc (Shirley and Chiu 1997).
[[nodiscard]] inline Point2 disc_point(Point2 p) {
  const float a = 2 * p.u - 1, b = 2 * p.v - 1;
  if (a == 0 && b == 0) return {0, 0};
  const bool wide = std::fabs(a) > std::fabs(b);
  const float r = wide ? a : b;
  const float quarter = std::numbers::pi_v<float> / 4;
  const float phi = wide ? quarter * (b / a) : 2 * quarter - quarter * (a / b);
  return {r * std::cos(phi), r * std::sin(phi)};
}

}  // namespace vf::render

// Vector arithmetic for pictures: points, directions and linear colours are all Vec3f here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "math/vec.h"

namespace vf::render {

[[nodiscard]] inline float dot(Vec3f a, Vec3f b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline Vec3f cross(Vec3f a, Vec3f b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline float length(Vec3f a) {
  return std::sqrt(dot(a, a));
}
/// Unit vector; straight up for a vector too short to have a direction.
[[nodiscard]] inline Vec3f normalized(Vec3f a) {
  const float l = length(a);
  return l > 1e-12F ? a * (1.0F / l) : Vec3f{0, 0, 1};
}
/// Component by component.
[[nodiscard]] inline Vec3f mul(Vec3f a, Vec3f b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
[[nodiscard]] inline float lerp(float a, float b, float t) {
  return a + (b - a) * t;
}
[[nodiscard]] inline Vec3f lerp(Vec3f a, Vec3f b, float t) {
  return a + (b - a) * t;
}
[[nodiscard]] inline float clamp01(float v) {
  return std::min(1.0F, std::max(0.0F, v));
}
[[nodiscard]] inline float smooth_step(float low, float high, float v) {
  const float t = clamp01((v - low) / (high - low));
  return t * t * (3 - 2 * t);
}
[[nodiscard]] inline float max_of(Vec3f a) {
  return std::max(a.x, std::max(a.y, a.z));
}
[[nodiscard]] inline float luminance(Vec3f c) {
  return 0.2126F * c.x + 0.7152F * c.y + 0.0722F * c.z;
}
[[nodiscard]] inline Vec3f to_vec(const std::array<float, 3>& a) {
  return {a[0], a[1], a[2]};
}
[[nodiscard]] inline Vec3f exp_of(Vec3f a) {
  return {std::exp(a.x), std::exp(a.y), std::exp(a.z)};
}

/// A frame about a unit vector, without branches that jump nearby (Duff et al. 2017).
struct Basis {
  Vec3f u, v, n;
  [[nodiscard]] Vec3f to_world(Vec3f a) const { return u * a.x + v * a.y + n * a.z; }
};
[[nodiscard]] inline Basis basis_about(Vec3f n) {
  const float s = n.z >= 0 ? 1.0F : -1.0F;
  const float a = -1.0F / (s + n.z);
  const float b = n.x * n.y * a;
  return {{1 + s * n.x * n.x * a, s * b, -s * n.x}, {b, s + n.y * n.y * a, -n.y}, n};
}

}  // namespace vf::render

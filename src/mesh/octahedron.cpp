#include <cmath>
#include <cstdint>

#include "math/rounding.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

float sign_of(float v) {
  return v < 0 ? -1.0F : 1.0F;
}

std::int16_t rounded(float v) {
  return static_cast<std::int16_t>(round_to_int(v * kOctScale));
}

}  // namespace

OctNormal encode_normal(Vec3f n) {
  const float sum = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
  const float scale = sum > 0 ? 1 / sum : 0.0F;
  float u = n.x * scale, v = n.y * scale;
  if (n.z < 0) {  // the lower half is folded out over the corners
    const float a = (1 - std::fabs(v)) * sign_of(u);
    v = (1 - std::fabs(u)) * sign_of(v);
    u = a;
  }
  return {rounded(u), rounded(v)};
}

Vec3f decode_normal(OctNormal n) {
  float x = static_cast<float>(n.u) / kOctScale, y = static_cast<float>(n.v) / kOctScale;
  const float z = 1 - std::fabs(x) - std::fabs(y);
  if (z < 0) {
    const float a = (1 - std::fabs(y)) * sign_of(x);
    y = (1 - std::fabs(x)) * sign_of(y);
    x = a;
  }
  const float length = std::sqrt(x * x + y * y + z * z);
  return {x / length, y / length, z / length};
}

}  // namespace vf

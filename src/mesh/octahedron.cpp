#include "mesh/octahedron.h"

#include <cmath>
#include <cstdint>

#include "math/rounding.h"
#include "math/vec.h"
#include "mesh/lanes.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

constexpr float kScale = 32767;

float sign_of(float v) {
  return v < 0 ? -1.0F : 1.0F;
}

std::int16_t rounded(float v) {
  return static_cast<std::int16_t>(round_to_int(v * kScale));
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

void encode_normals(Float4 x, Float4 y, Float4 z, Int4& u, Int4& v) {
  const Float4 zero{}, one = splat(1), sum = abs_of(x) + abs_of(y) + abs_of(z);
  const Float4 scale = sum > zero ? one / sum : zero;
  const Float4 pu = x * scale, pv = y * scale;
  const Float4 fu = (one - abs_of(pv)) * (pu < zero ? -one : one),
               fv = (one - abs_of(pu)) * (pv < zero ? -one : one);
  u = round_to_int((z < zero ? fu : pu) * kScale);
  v = round_to_int((z < zero ? fv : pv) * kScale);
}

Vec3f decode_normal(OctNormal n) {
  float x = static_cast<float>(n.u) / kScale, y = static_cast<float>(n.v) / kScale;
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

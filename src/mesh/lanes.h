// Four floats at a time, as the compilers we build with know them: every operation is one instruction of the
// oldest machines we build for, and rounds as the scalar one does.
//
// For what looks at one cell or polygon at a time; what is done to all alike: mesh/simd.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace vf {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

[[nodiscard]] inline Float4 load4(const float* p) {
  Float4 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store4(Float4 v, float* p) {
  std::memcpy(p, &v, sizeof v);
}
[[nodiscard]] inline Float4 splat(float v) {
  return Float4{v, v, v, v};
}
[[nodiscard]] inline Float4 to_float(Int4 v) {
  return __builtin_convertvector(v, Float4);
}
/// Toward zero, for |v| < 2^31.
[[nodiscard]] inline Int4 to_int(Float4 v) {
  return __builtin_convertvector(v, Int4);
}
[[nodiscard]] inline Int4 floor_to_int(Float4 v) {
  const Int4 i = to_int(v);
  return i + (to_float(i) > v);  // true is -1
}
[[nodiscard]] inline Int4 round_to_int(Float4 v) {
  return floor_to_int(v + 0.5F);
}
[[nodiscard]] inline Float4 abs_of(Float4 v) {
  Int4 bits;
  std::memcpy(&bits, &v, sizeof bits);
  bits &= 0x7FFFFFFF;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
[[nodiscard]] inline Float4 sqrt_of(Float4 v) {
  return Float4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}
/// As std::clamp.
[[nodiscard]] inline Float4 clamp_to(Float4 v, Float4 low, Float4 high) {
  v = v < low ? low : v;
  return high < v ? high : v;
}
/// The first three lanes.
[[nodiscard]] inline float dot3(Float4 a, Float4 b) {
  const Float4 p = a * b;
  return p[0] + p[1] + p[2];
}

/// Bit i: lane i of a mask of -1 and 0.
[[nodiscard]] inline unsigned bits_of(Int4 mask) {
#ifdef __SSE2__
  Float4 lanes;
  std::memcpy(&lanes, &mask, sizeof lanes);
  return static_cast<unsigned>(__builtin_ia32_movmskps(lanes));
#else
  mask &= Int4{1, 2, 4, 8};
  return static_cast<unsigned>(mask[0] | mask[1] | mask[2] | mask[3]);
#endif
}

/// Rows to columns.
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace vf

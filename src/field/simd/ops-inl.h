// The definition of every operation, once, over a value type T (F: values, Dual: values with gradients, and
// the interval evaluator's own type where evaluation step by step is a sound bound).

#if defined(VF_FIELD_SIMD_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_OPS_INL_H_
#undef VF_FIELD_SIMD_OPS_INL_H_
#else
#define VF_FIELD_SIMD_OPS_INL_H_
#endif

#include "field/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

template <class T>
HWY_INLINE T square_of(const T& a) {
  return a * a;
}
template <class T>
HWY_INLINE T length_of(const T& a, const T& b) {
  return sqrt_of(a * a + b * b);
}
template <class T>
HWY_INLINE T length_of(const T& a, const T& b, const T& c) {
  return sqrt_of(a * a + b * b + c * c);
}

/// floor(1024 a + 1/2) / 1024: steps, but its gradient is taken as that of a.
HWY_INLINE F snap_of(F a) {
  return floor_of(a * F(1024.0F) + F(0.5F)) * F(1.0F / 1024.0F);
}
HWY_INLINE Dual snap_of(const Dual& a) {
  return {snap_of(a.v), a.x, a.y, a.z};
}

template <class T>
HWY_INLINE T mod_of(const T& a, const T& b) {
  return a - b * floor_of(a / b);
}

/// Quadratic smooth minimum of radius k: one operand exactly where |a - b| >= k; at most k / 4 below the
/// minimum (Quilez). `quarter_inverse` = 1 / (4 k).
template <class T>
HWY_INLINE T smin_of(const T& a, const T& b, float k, float quarter_inverse) {
  const T h = max_of(T(k) - abs_of(a - b), T(0.0F));
  return min_of(a, b) - mul(h * h, quarter_inverse);
}
template <class T>
HWY_INLINE T smax_of(const T& a, const T& b, float k, float quarter_inverse) {
  return -smin_of(-a, -b, k, quarter_inverse);
}

template <class T>
HWY_INLINE T mix_of(const T& a, const T& b, const T& t) {
  const T inner = a + t * (b - a);
  return select(less_equal(value_of(t), F(0.0F)), a, select(less_equal(F(1.0F), value_of(t)), b, inner));
}

template <class T>
HWY_INLINE T smoothstep_of(const T& a, float low, float inverse) {
  const T t = min_of(max_of(mul(a - T(low), inverse), T(0.0F)), T(1.0F));
  return t * t * (T(3.0F) - mul(t, 2.0F));
}

template <class T>
HWY_INLINE T select_range_of(const T& a, const T& inside, const T& outside, float low, float high) {
  const F v = value_of(a);
  return select(hn::And(less_equal(F(low), v), less_equal(v, F(high))), inside, outside);
}

// ---------------------------------------------------------------- shapes (after Quilez, "distance
// functions")

template <class T>
HWY_INLINE T sphere_of(const T& x, const T& y, const T& z, const T& r) {
  return length_of(x, y, z) - r;
}
template <class T>
HWY_INLINE T ellipsoid_of(const T& x, const T& y, const T& z, const T& rx, const T& ry, const T& rz) {
  return (length_of(x / rx, y / ry, z / rz) - T(1.0F)) * min_of(min_of(rx, ry), rz);
}
template <class T>
HWY_INLINE T box_of(const T& x, const T& y, const T& z, const T& hx, const T& hy, const T& hz) {
  const T qx = abs_of(x) - hx, qy = abs_of(y) - hy, qz = abs_of(z) - hz;
  const T zero(0.0F);
  return length_of(max_of(qx, zero), max_of(qy, zero), max_of(qz, zero)) +
         min_of(max_of(qx, max_of(qy, qz)), zero);
}
template <class T>
HWY_INLINE T rect_of(const T& x, const T& y, const T& hx, const T& hy, const T& r) {
  const T qx = abs_of(x) - hx + r, qy = abs_of(y) - hy + r;
  const T zero(0.0F);
  return length_of(max_of(qx, zero), max_of(qy, zero)) + min_of(max_of(qx, qy), zero) - r;
}
template <class T>
HWY_INLINE T round_box_of(const T& x, const T& y, const T& z, const T& hx, const T& hy, const T& hz,
                          const T& r) {
  return box_of(x, y, z, hx - r, hy - r, hz - r) - r;
}
template <class T>
HWY_INLINE T cylinder_of(const T& x, const T& y, const T& z, const T& radius, const T& half) {
  const T q = length_of(x, y) - radius, qz = abs_of(z) - half;
  const T zero(0.0F);
  return length_of(max_of(q, zero), max_of(qz, zero)) + min_of(max_of(q, qz), zero);
}
template <class T>
HWY_INLINE T hexprism_of(const T& x, const T& y, const T& z, const T& apothem, const T& half) {
  const T ax = abs_of(x), ay = abs_of(y);
  const T hex = max_of(ay, mul(ax, 0.866025403784439F) + mul(ay, 0.5F)) - apothem;
  return max_of(hex, abs_of(z) - half);
}
template <class T>
HWY_INLINE T torus_of(const T& x, const T& y, const T& z, const T& major, const T& minor) {
  return length_of(length_of(x, y) - major, z) - minor;
}
/// Distance to a coil, with the slope of its turns taken into account: a lower estimate within one pitch.
template <class T>
HWY_INLINE T helix_of(const T& x, const T& y, const T& z, const T& radius, const T& pitch,
                      const T& thickness) {
  const T radial = length_of(x, y) - radius;
  const T along = z / pitch - mul(angle_of(x, y), 0.159154943091895F);
  const T off = (along - floor_of(along + T(0.5F))) * pitch;
  const T rise = mul(pitch / radius, 0.159154943091895F);
  const T vertical = off / sqrt_of(T(1.0F) + rise * rise);
  return length_of(radial, vertical) - thickness;
}
/// Segment a - b with its inverse squared length given. Values of the parameters only (no gradients through
/// them).
template <class T>
HWY_INLINE T capsule_of(const T& x, const T& y, const T& z, const T& ax, const T& ay, const T& az,
                        const T& bx, const T& by, const T& bz, const T& r) {
  const T dx = bx - ax, dy = by - ay, dz = bz - az;
  const T px = x - ax, py = y - ay, pz = z - az;
  const T length2 = max_of(dx * dx + dy * dy + dz * dz, T(1e-12F));
  const T t = min_of(max_of((px * dx + py * dy + pz * dz) / length2, T(0.0F)), T(1.0F));
  return length_of(px - dx * t, py - dy * t, pz - dz * t) - r;
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Highway, wrapped so that every level gives the same bits: pinned min, max and floor, no fused multiply-add,
// own transcendental functions. Included once per target by foreach_target.
//
// F is a vector of floats; Dual carries a value and its gradient (forward mode). Operations are written once,
// as templates over the two.

#if defined(VF_FIELD_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_LANES_INL_H_
#undef VF_FIELD_SIMD_LANES_INL_H_
#else
#define VF_FIELD_SIMD_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using TagU = hn::RebindToUnsigned<Tag>;
using TagI = hn::RebindToSigned<Tag>;
using Vec = hn::Vec<Tag>;
using VecU = hn::Vec<TagU>;
using VecI = hn::Vec<TagI>;
using MaskF = hn::Mask<Tag>;
inline constexpr Tag kTag{};
inline constexpr TagU kTagU{};
inline constexpr TagI kTagI{};
inline constexpr std::size_t kLanes = hn::MaxLanes(Tag());

// ---------------------------------------------------------------- F

struct F {
  Vec v;
  HWY_INLINE F() : v(hn::Zero(kTag)) {}
  HWY_INLINE explicit F(Vec vec) : v(vec) {}
  HWY_INLINE explicit F(float s) : v(hn::Set(kTag, s)) {}
};

HWY_INLINE F load(const float* p) {
  return F(hn::LoadU(kTag, p));
}
HWY_INLINE void store(F a, float* p) {
  hn::StoreU(a.v, kTag, p);
}

HWY_INLINE F operator+(F a, F b) {
  return F(hn::Add(a.v, b.v));
}
HWY_INLINE F operator-(F a, F b) {
  return F(hn::Sub(a.v, b.v));
}
HWY_INLINE F operator*(F a, F b) {
  return F(hn::Mul(a.v, b.v));
}
HWY_INLINE F operator/(F a, F b) {
  return F(hn::Div(a.v, b.v));
}
HWY_INLINE F operator-(F a) {
  return F(hn::Neg(a.v));
}
HWY_INLINE F add(F a, float s) {
  return a + F(s);
}
HWY_INLINE F mul(F a, float s) {
  return a * F(s);
}

HWY_INLINE MaskF less(F a, F b) {
  return hn::Lt(a.v, b.v);
}
HWY_INLINE MaskF less_equal(F a, F b) {
  return hn::Le(a.v, b.v);
}
HWY_INLINE F select(MaskF m, F yes, F no) {
  return F(hn::IfThenElse(m, yes.v, no.v));
}

/// b < a ? b : a, on every target. That is what the instruction of x86 does with its operands in this order,
/// also with NaN and zeros; those of other machines differ.
HWY_INLINE F min_of(F a, F b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return F(hn::Min(b.v, a.v));
#else
  return select(less(b, a), b, a);
#endif
}
/// a < b ? b : a
HWY_INLINE F max_of(F a, F b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return F(hn::Max(b.v, a.v));
#else
  return select(less(a, b), b, a);
#endif
}
HWY_INLINE F abs_of(F a) {
  return F(hn::Abs(a.v));
}
/// -0 never leaves it.
HWY_INLINE F floor_of(F a) {
  return F(hn::Add(hn::Floor(a.v), hn::Zero(kTag)));
}
HWY_INLINE F sqrt_of(F a) {
  return F(hn::Sqrt(a.v));
}
/// Toward zero; what leaves the 32 bits gives the nearer end of them, NaN gives 0. Highway leaves NaN open:
/// x86 answers with its own mark, the scalar target with undefined behaviour.
HWY_INLINE VecI to_int(F a) {
  return hn::ConvertTo(kTagI, hn::IfThenElseZero(hn::Eq(a.v, a.v), a.v));
}
HWY_INLINE F value_of(F a) {
  return a;
}

/// cos(2 pi t) for any t: exact at multiples of 1/4, even, of period 1.
HWY_INLINE F cos_turns(F t) {
  const F s = t - floor_of(t + F(0.5F));  // [-1/2, 1/2]
  const F a = abs_of(s);
  const MaskF far = less(F(0.25F), a);
  const F b = select(far, F(0.5F) - a, a);  // [0, 1/4], cosine's sign apart
  const MaskF use_sine = less(F(0.125F), b);
  const F r = select(use_sine, F(0.25F) - b, b) * F(6.28318530717958647692F);  // [0, pi/4]
  const F r2 = r * r;
  // Minimax polynomials on [0, pi/4] (Moshier, Cephes).
  const F c = ((F(2.443315711809948e-5F) * r2 + F(-1.388731625493765e-3F)) * r2 + F(4.166664568298827e-2F)) *
                  (r2 * r2) -
              r2 * F(0.5F) + F(1.0F);
  const F n = ((F(-1.9515295891e-4F) * r2 + F(8.3321608736e-3F)) * r2 + F(-1.6666654611e-1F)) * (r2 * r) + r;
  const F value = select(use_sine, n, c);
  return select(far, -value, value);
}

/// cos of an angle in radians. |a| <= 8192; the reduction loses accuracy, never determinism, beyond.
HWY_INLINE F cos_of(F a) {
  // Cody-Waite: a - n * 2 pi in three exact steps, then turns.
  const F n = floor_of(a * F(0.159154943091895F) + F(0.5F));
  const F r = ((a - n * F(6.28125F)) - n * F(1.93500518798828125e-3F)) - n * F(3.0199159819567e-7F);
  return cos_turns(r * F(0.159154943091895F));
}
HWY_INLINE F sin_of(F a) {
  const F n = floor_of(a * F(0.159154943091895F) + F(0.5F));
  const F r = ((a - n * F(6.28125F)) - n * F(1.93500518798828125e-3F)) - n * F(3.0199159819567e-7F);
  return cos_turns(r * F(0.159154943091895F) - F(0.25F));
}

/// e^a for a in [-80, 80] (Cephes expf).
HWY_INLINE F exp_of(F a) {
  const F n = floor_of(a * F(1.44269504088896341F) + F(0.5F));
  const F r = (a - n * F(0.693359375F)) - n * F(-2.12194440e-4F);
  F p = F(1.9875691500e-4F);
  p = p * r + F(1.3981999507e-3F);
  p = p * r + F(8.3334519073e-3F);
  p = p * r + F(4.1665795894e-2F);
  p = p * r + F(1.6666665459e-1F);
  p = p * r + F(5.0000001201e-1F);
  const F e = p * (r * r) + r + F(1.0F);
  const auto exponent = hn::ShiftLeft<23>(hn::Add(to_int(n), hn::Set(kTagI, 127)));
  return e * F(hn::BitCast(kTag, exponent));
}

/// Direction of (x, y) in radians, (-pi, pi]; 0 at the origin (Cephes atanf on [0, 1]).
HWY_INLINE F angle_of(F x, F y) {
  const F ax = abs_of(x), ay = abs_of(y);
  const F hi = max_of(ax, ay), lo = min_of(ax, ay);
  const MaskF zero = less_equal(hi, F(0.0F));
  const F q = lo / select(zero, F(1.0F), hi);
  const MaskF big = less(F(0.414213562373095F), q);
  const F t = select(big, (q - F(1.0F)) / (q + F(1.0F)), q);
  const F t2 = t * t;
  F p = F(8.05374449538e-2F);
  p = p * t2 - F(1.38776856032e-1F);
  p = p * t2 + F(1.99777106478e-1F);
  p = p * t2 - F(3.33329491539e-1F);
  F r = p * t2 * t + t;
  r = select(big, r + F(0.785398163397448F), r);
  r = select(less(ax, ay), F(1.57079632679490F) - r, r);
  r = select(less(x, F(0.0F)), F(3.14159265358979F) - r, r);
  return select(less(y, F(0.0F)), -r, r);
}

// ---------------------------------------------------------------- Dual

struct Dual {
  F v, x, y, z;
  HWY_INLINE Dual() = default;
  HWY_INLINE explicit Dual(float s) : v(s) {}
  HWY_INLINE Dual(F value, F dx, F dy, F dz) : v(value), x(dx), y(dy), z(dz) {}
};

HWY_INLINE F value_of(const Dual& a) {
  return a.v;
}
HWY_INLINE Dual operator+(const Dual& a, const Dual& b) {
  return {a.v + b.v, a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE Dual operator-(const Dual& a, const Dual& b) {
  return {a.v - b.v, a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE Dual operator-(const Dual& a) {
  return {-a.v, -a.x, -a.y, -a.z};
}
HWY_INLINE Dual operator*(const Dual& a, const Dual& b) {
  return {a.v * b.v, a.x * b.v + a.v * b.x, a.y * b.v + a.v * b.y, a.z * b.v + a.v * b.z};
}
HWY_INLINE Dual operator/(const Dual& a, const Dual& b) {
  const F q = a.v / b.v;
  return {q, (a.x - q * b.x) / b.v, (a.y - q * b.y) / b.v, (a.z - q * b.z) / b.v};
}
HWY_INLINE Dual add(const Dual& a, float s) {
  return {a.v + F(s), a.x, a.y, a.z};
}
HWY_INLINE Dual mul(const Dual& a, float s) {
  return {a.v * F(s), a.x * F(s), a.y * F(s), a.z * F(s)};
}
/// value f with derivative d of the function at a.
HWY_INLINE Dual chain(const Dual& a, F f, F d) {
  return {f, a.x * d, a.y * d, a.z * d};
}

HWY_INLINE MaskF less(const Dual& a, const Dual& b) {
  return less(a.v, b.v);
}
HWY_INLINE MaskF less_equal(const Dual& a, const Dual& b) {
  return less_equal(a.v, b.v);
}
HWY_INLINE Dual select(MaskF m, const Dual& yes, const Dual& no) {
  return {select(m, yes.v, no.v), select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
HWY_INLINE Dual min_of(const Dual& a, const Dual& b) {
  return select(less(b, a), b, a);
}
HWY_INLINE Dual max_of(const Dual& a, const Dual& b) {
  return select(less(a, b), b, a);
}
HWY_INLINE Dual abs_of(const Dual& a) {
  const MaskF negative = less(a.v, F(0.0F));
  return {abs_of(a.v), select(negative, -a.x, a.x), select(negative, -a.y, a.y), select(negative, -a.z, a.z)};
}
HWY_INLINE Dual floor_of(const Dual& a) {
  return {floor_of(a.v), F(), F(), F()};
}
/// The gradient of a root is taken as 0 where the root is 0 (the tip of a cone).
HWY_INLINE Dual sqrt_of(const Dual& a) {
  const F r = sqrt_of(a.v);
  const MaskF zero = less_equal(r, F(0.0F));
  return chain(a, r, select(zero, F(0.0F), F(0.5F) / select(zero, F(1.0F), r)));
}
HWY_INLINE Dual cos_turns(const Dual& a) {
  return chain(a, cos_turns(a.v), F(6.28318530717958647692F) * cos_turns(a.v + F(0.25F)));
}
HWY_INLINE Dual cos_of(const Dual& a) {
  return chain(a, cos_of(a.v), -sin_of(a.v));
}
HWY_INLINE Dual sin_of(const Dual& a) {
  return chain(a, sin_of(a.v), cos_of(a.v));
}
HWY_INLINE Dual exp_of(const Dual& a) {
  const F e = exp_of(a.v);
  return chain(a, e, e);
}
HWY_INLINE Dual angle_of(const Dual& x, const Dual& y) {
  const F r2 = x.v * x.v + y.v * y.v;
  const MaskF zero = less_equal(r2, F(0.0F));
  const F inverse = select(zero, F(0.0F), F(1.0F) / select(zero, F(1.0F), r2));
  const F fx = -(y.v * inverse), fy = x.v * inverse;
  return {angle_of(x.v, y.v), x.x * fx + y.x * fy, x.y * fx + y.y * fy, x.z * fx + y.z * fy};
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

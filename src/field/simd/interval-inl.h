// Ival: a vector of intervals, and the operations on it.
//
// Rounding to nearest is monotone, so evaluating + - * / sqrt min max floor at the ends, in the order of the
// values, bounds the rounded values, not only the real ones: such forms need no margin. Forms that differ
// from the order of the values (marked "real") bound the real function and are widened by a proven part of
// their terms. u = 2^-24. An interval with an end that is not finite means "nothing is known" and stays so
// (see checked).

#if defined(VF_FIELD_SIMD_INTERVAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_INTERVAL_INL_H_
#undef VF_FIELD_SIMD_INTERVAL_INL_H_
#else
#define VF_FIELD_SIMD_INTERVAL_INL_H_
#endif

#include <cmath>

#include "field/simd/interval.h"
#include "field/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

inline constexpr float kRoundoff = 0x1p-24F;
/// Covers what underflow adds to any relative error.
inline constexpr float kTiniest = 0x1p-120F;
inline constexpr float kLargest = 3.402823466e38F;
/// Fat ops answer only where no inner term can overflow.
inline constexpr float kFatLimit = 0x1p30F;

struct Ival {
  F lo, hi;
  HWY_INLINE Ival() = default;
  HWY_INLINE explicit Ival(float s) : lo(s), hi(s) {}
  HWY_INLINE explicit Ival(F v) : lo(v), hi(v) {}
  HWY_INLINE Ival(F l, F h) : lo(l), hi(h) {}
};

HWY_INLINE F infinity() {
  return F(HUGE_VALF);
}
HWY_INLINE Ival everything() {
  return {-infinity(), infinity()};
}
HWY_INLINE MaskF both(MaskF a, MaskF b) {
  return hn::And(a, b);
}
HWY_INLINE MaskF either(MaskF a, MaskF b) {
  return hn::Or(a, b);
}
HWY_INLINE MaskF neither(MaskF a, MaskF b) {
  return hn::Not(hn::Or(a, b));
}
HWY_INLINE MaskF equal(F a, F b) {
  return hn::Eq(a.v, b.v);
}
HWY_INLINE bool any(MaskF m) {
  return !hn::AllFalse(kTag, m);
}

HWY_INLINE Ival select(MaskF m, const Ival& yes, const Ival& no) {
  return {select(m, yes.lo, no.lo), select(m, yes.hi, no.hi)};
}
HWY_INLINE Ival hull(const Ival& a, const Ival& b) {
  return {min_of(a.lo, b.lo), max_of(a.hi, b.hi)};
}
/// Both hold, so the tighter ends do.
HWY_INLINE Ival meet(const Ival& a, const Ival& b) {
  return {max_of(a.lo, b.lo), min_of(a.hi, b.hi)};
}
HWY_INLINE F magnitude(const Ival& a) {
  return max_of(abs_of(a.lo), abs_of(a.hi));
}
HWY_INLINE MaskF is_point(const Ival& a) {
  return equal(a.lo, a.hi);
}
HWY_INLINE MaskF is_known(const Ival& a, float limit = kLargest) {
  return both(less_equal(abs_of(a.lo), F(limit)), less_equal(abs_of(a.hi), F(limit)));
}
/// NaN, infinite or crossed ends become "everything".
HWY_INLINE Ival checked(const Ival& a) {
  return select(both(is_known(a), less_equal(a.lo, a.hi)), a, everything());
}
HWY_INLINE Ival widened(const Ival& a, F by) {
  return {a.lo - by, a.hi + by};
}
/// Margin of `units` times 2^-24 of the terms.
HWY_INLINE F margin(float units, F terms) {
  return terms * F(units * kRoundoff) + F(kTiniest);
}

// ---------------------------------------------------------------- step by step

HWY_INLINE Ival operator+(const Ival& a, const Ival& b) {
  return {a.lo + b.lo, a.hi + b.hi};
}
HWY_INLINE Ival operator-(const Ival& a, const Ival& b) {
  return {a.lo - b.hi, a.hi - b.lo};
}
HWY_INLINE Ival operator-(const Ival& a) {
  return {-a.hi, -a.lo};
}
HWY_INLINE Ival operator*(const Ival& a, const Ival& b) {
  const F p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {min_of(min_of(p, q), min_of(r, s)), max_of(max_of(p, q), max_of(r, s))};
}
HWY_INLINE Ival operator/(const Ival& a, const Ival& b) {
  const F p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  const Ival quotient{min_of(min_of(p, q), min_of(r, s)), max_of(max_of(p, q), max_of(r, s))};
  return select(either(less(F(0.0F), b.lo), less(b.hi, F(0.0F))), quotient, everything());
}
HWY_INLINE Ival add(const Ival& a, float s) {
  return {a.lo + F(s), a.hi + F(s)};
}
HWY_INLINE Ival scale(const Ival& a, F s) {
  const F p = a.lo * s, q = a.hi * s;
  return {min_of(p, q), max_of(p, q)};
}
HWY_INLINE Ival mul(const Ival& a, float s) {
  return s < 0 ? Ival{a.hi * F(s), a.lo * F(s)} : Ival{a.lo * F(s), a.hi * F(s)};
}
HWY_INLINE Ival min_of(const Ival& a, const Ival& b) {
  return {min_of(a.lo, b.lo), min_of(a.hi, b.hi)};
}
HWY_INLINE Ival max_of(const Ival& a, const Ival& b) {
  return {max_of(a.lo, b.lo), max_of(a.hi, b.hi)};
}
HWY_INLINE Ival abs_of(const Ival& a) {
  return {max_of(max_of(a.lo, -a.hi), F(0.0F)), max_of(-a.lo, a.hi)};
}
HWY_INLINE Ival floor_of(const Ival& a) {
  return {floor_of(a.lo), floor_of(a.hi)};
}
HWY_INLINE Ival sqrt_of(const Ival& a) {
  return {sqrt_of(a.lo), sqrt_of(a.hi)};
}
/// a * a, rounded, falls and rises with |a|.
HWY_INLINE Ival square_of(const Ival& a) {
  const Ival m = abs_of(a);
  return {m.lo * m.lo, m.hi * m.hi};
}
HWY_INLINE Ival length_of(const Ival& a, const Ival& b) {
  return sqrt_of(square_of(a) + square_of(b));
}
HWY_INLINE Ival length_of(const Ival& a, const Ival& b, const Ival& c) {
  return sqrt_of(square_of(a) + square_of(b) + square_of(c));
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#include "field/simd/ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

HWY_INLINE Ival snap_of(const Ival& a) {
  return {snap_of(a.lo), snap_of(a.hi)};
}
HWY_INLINE Ival cube_of(const Ival& a) {
  return {a.lo * a.lo * a.lo, a.hi * a.hi * a.hi};
}

// ---------------------------------------------------------------- blends

/// What a choice between two operands came to.
struct Chosen {
  Ival value;
  MaskF only_a, only_b;
};

HWY_INLINE Chosen choose(const Ival& blended, const Ival& a, const Ival& b, MaskF only_a, MaskF only_b) {
  return {select(only_a, a, select(only_b, b, blended)), only_a, hn::AndNot(only_a, only_b)};
}

/// Where both are equal the first one counts: the value is the same, its gradient is not.
HWY_INLINE Chosen min_choice(const Ival& a, const Ival& b) {
  const MaskF known = both(is_known(a), is_known(b));
  const Ival value = select(known, min_of(a, b), everything());
  return choose(value, a, b, both(known, less_equal(a.hi, b.lo)), both(known, less(b.hi, a.lo)));
}
HWY_INLINE Chosen max_choice(const Ival& a, const Ival& b) {
  const MaskF known = both(is_known(a), is_known(b));
  const Ival value = select(known, max_of(a, b), everything());
  return choose(value, a, b, both(known, less_equal(b.hi, a.lo)), both(known, less(a.hi, b.lo)));
}

/// Real: rises with both operands, so the ends give the ends. Rounding, with m = min(a, b), h <= k:
///   h: u |a - b| + u k <= 2 u k;  h^2 / (4 k): (2 * 2 + 1 + 2) u k / 4 < 2 u k;  the difference: u |result|
/// once for the value and once for the end; the widening itself adds one u |result|. In all 3 u |r| + 4 u k.
HWY_INLINE Ival smin_range(const Ival& a, const Ival& b, float k, const IntervalMargins& m) {
  const float quarter = 0.25F / k;
  const F lo = smin_of(a.lo, b.lo, k, quarter), hi = smin_of(a.hi, b.hi, k, quarter);
  return {lo - margin(m.smin, abs_of(lo) + F(k)), hi + margin(m.smin, abs_of(hi) + F(k))};
}
/// |a - b| >= k, as rounded, makes the value one operand exactly, and rounding is monotone.
HWY_INLINE Chosen smin_choice(const Ival& a, const Ival& b, float k, const IntervalMargins& m) {
  const MaskF known = both(is_known(a, kFatLimit), is_known(b, kFatLimit));
  const Ival value = select(known, smin_range(a, b, k, m), everything());
  const F apart(k * m.drop);
  return choose(value, a, b, both(known, less_equal(apart, b.lo - a.hi)),
                both(known, less_equal(apart, a.lo - b.hi)));
}

/// Real: linear in t, and rises with a and b for t in [0, 1]. Rounding of a + t (b - a): 2 u |t (b - a)| +
/// u |result| <= 3 u (|a| + |b|), twice, and one for the widening.
HWY_INLINE Chosen mix_choice(const Ival& a, const Ival& b, const Ival& t, const IntervalMargins& m) {
  const Ival s = min_of(max_of(t, Ival(0.0F)), Ival(1.0F));
  const F terms = magnitude(a) + magnitude(b);
  const F lo = min_of(a.lo + s.lo * (b.lo - a.lo), a.lo + s.hi * (b.lo - a.lo));
  const F hi = max_of(a.hi + s.lo * (b.hi - a.hi), a.hi + s.hi * (b.hi - a.hi));
  const MaskF known = both(is_known(t), both(is_known(a, kFatLimit), is_known(b, kFatLimit)));
  const Ival value = select(known, widened({lo, hi}, margin(m.mix, terms)), everything());
  return choose(value, a, b, both(is_known(t), less_equal(t.hi, F(0.0F))),
                both(is_known(t), less_equal(F(1.0F), t.lo)));
}

HWY_INLINE Chosen select_choice(const Ival& v, const Ival& inside, const Ival& outside, float low,
                                float high) {
  const MaskF known = is_known(v);
  const MaskF within = both(less_equal(F(low), v.lo), less_equal(v.hi, F(high)));
  const MaskF without = either(less(v.hi, F(low)), less(F(high), v.lo));
  const Ival value =
      select(both(known, both(is_known(inside), is_known(outside))), hull(inside, outside), everything());
  return choose(value, inside, outside, both(known, within), both(known, without));
}

/// Real: t t (3 - 2 t) rises. Rounding: 3 u of the value, twice, and one for the widening. Exact at 0 and 1.
HWY_INLINE Ival smoothstep_range(const Ival& a, float low, float inverse, const IntervalMargins& m) {
  const Ival t = min_of(max_of(mul(a - Ival(low), inverse), Ival(0.0F)), Ival(1.0F));
  const F lo = t.lo * t.lo * (F(3.0F) - t.lo * F(2.0F)), hi = t.hi * t.hi * (F(3.0F) - t.hi * F(2.0F));
  const F part(m.smoothstep * kRoundoff);
  const MaskF one = less_equal(F(1.0F), t.lo);
  return {select(one, F(1.0F), lo - lo * part), select(one, F(1.0F), hi + hi * part)};
}

// ---------------------------------------------------------------- periodic

/// Cosine of turns in [t.lo, t.hi], |t| < 4; `slack`: how far the values' turns may be off. Real: between
/// extrema it is monotone. cos_turns is within 2 u of the cosine and never leaves [-1, 1] (interval_test.cpp
/// tries every float).
HWY_INLINE Ival cosine_range(const Ival& t, F slack, float units, const IntervalMargins& m) {
  const F first = t.lo - slack, last = t.hi + slack;
  const MaskF look = less(F(0.0F), F(m.extrema));
  const MaskF top = both(look, less(floor_of(first), floor_of(last)));
  const MaskF bottom = both(look, less(floor_of(first + F(0.5F)), floor_of(last + F(0.5F))));
  const F a = cos_turns(t.lo), b = cos_turns(t.hi);
  const F by = F(units * kRoundoff) + slack * slack * F(20.0F);
  const F lo = max_of(min_of(a, b) - by, F(-1.0F)), hi = min_of(max_of(a, b) + by, F(1.0F));
  return {select(bottom, F(-1.0F), lo), select(top, F(1.0F), hi)};
}

/// v + o brought into one period, as the kernels do it, at both ends of a box.
struct Wrapped {
  Ival u;  ///< [0, period), a rounding off
  Ival shifted;
  MaskF same;  ///< no period's end lies between
  MaskF next;  ///< exactly one does
};
HWY_INLINE Wrapped wrap(const Ival& shifted, float period, const IntervalMargins& m) {
  const F p(period);
  const F q = floor_of(shifted.lo / p), r = floor_of(shifted.hi / p);
  const MaskF ignore = equal(F(m.wraps), F(0.0F));
  return {
      {shifted.lo - q * p, shifted.hi - r * p}, shifted, either(equal(q, r), ignore), equal(q + F(1.0F), r)};
}

/// Within one period every step is monotone. Across one end the turns are [t.lo - 1, t.hi]; what the cell
/// index and the product with the period may be off is at most u |v + o| each, in turns the slack.
HWY_INLINE Ival wave_range(const Ival& v, const BoundPeriodic& p, const IntervalMargins& m) {
  const Wrapped w = wrap(add(v, p.offset), p.period, m);
  const F period(p.period);
  const Ival t{w.u.lo / period, w.u.hi / period};
  const F slack = margin(4, magnitude(w.shifted) / period + F(1.0F));
  const Ival turns{select(w.same, t.lo, t.lo - F(1.0F)), t.hi};
  const Ival value = cosine_range(turns, slack, m.cosine, m);
  const MaskF usable = both(either(w.same, w.next), less(slack, F(0.125F)));
  return select(usable, value, Ival{F(-1.0F), F(1.0F)});
}

/// Across a period's end anything within the period.
HWY_INLINE Ival repeat_range(const Ival& v, const BoundPeriodic& p, const IntervalMargins& m) {
  const float half = p.period * 0.5F;
  const Wrapped w = wrap(add(add(v, p.offset), half), p.period, m);
  const F slack = margin(4, magnitude(w.shifted) + F(p.period));
  const Ival whole{F(p.period * (1 - m.period)) - slack, F(p.period * m.period) + slack};
  return mul(add(select(w.same, w.u, whole), -half), p.scale);
}

/// a - b floor(a / b): within one cell of a constant b step by step; across cells it lies between 0 and b.
/// The quotient is off by u |a / b| before its floor, the product by u (|a| + |b|), the difference by as
/// much.
HWY_INLINE Ival mod_range(const Ival& a, const Ival& b, const IntervalMargins& m) {
  const Ival q = a / b;
  const Ival n = floor_of(q);
  const MaskF usable = both(is_known(n), both(is_known(a, kFatLimit), is_known(b, kFatLimit)));
  const MaskF same = either(equal(n.lo, n.hi), equal(F(m.wraps), F(0.0F)));
  const Ival steps = a - b * Ival(n.lo, select(same, n.lo, n.hi));
  const F slack = margin(m.mod, magnitude(a) + magnitude(b));
  const Ival whole{min_of(b.lo, F(0.0F)) - slack, max_of(b.hi, F(0.0F)) + slack};
  const Ival value = select(same, steps, meet(steps, whole));
  return select(usable, value, everything());
}

// ---------------------------------------------------------------- transcendental

/// The reduction of cos_of, with n of the lower end for both. For |a| <= 8192: n < 1305, its products with
/// the first two parts of 2 pi are exact, so the argument is off by less than 2 u in turns, and the turns by
/// as much.
HWY_INLINE Ival radians_range(const Ival& a, float shift, const IntervalMargins& m) {
  const F n = floor_of(a.lo * F(0.159154943091895F) + F(0.5F));
  const auto turns = [&](F v) HWY_ATTR {
    const F r = ((v - n * F(6.28125F)) - n * F(1.93500518798828125e-3F)) - n * F(3.0199159819567e-7F);
    return r * F(0.159154943091895F) - F(shift);
  };
  const MaskF usable = is_known(a, 8192.0F);
  const MaskF narrow = less(a.hi - a.lo, F(6.3F));
  const Ival t{turns(a.lo), turns(a.hi)};
  const Ival value = cosine_range(t, F(16 * kRoundoff), m.trigonometry, m);
  return select(usable, select(narrow, value, Ival{F(-1.0F), F(1.0F)}), everything());
}

/// Real: rises. exp_of is within 4 u of itself of the exponential (interval_test.cpp).
HWY_INLINE Ival exp_range(const Ival& a, const IntervalMargins& m) {
  const F part(m.exponential * kRoundoff);
  const F lo = exp_of(a.lo), hi = exp_of(a.hi);
  return select(is_known(a, 80.0F), {lo - lo * part, hi + hi * part}, everything());
}

/// Real: the direction's extremes over a box are at its corners, but for the cut on the negative x axis.
HWY_INLINE Ival angle_range(const Ival& x, const Ival& y, const IntervalMargins& m) {
  const F p = angle_of(x.lo, y.lo), q = angle_of(x.lo, y.hi), r = angle_of(x.hi, y.lo),
          s = angle_of(x.hi, y.hi);
  const Ival corners{min_of(min_of(p, q), min_of(r, s)), max_of(max_of(p, q), max_of(r, s))};
  const MaskF zero = less_equal(F(0.0F), y.hi);
  const MaskF cut = both(less(x.lo, F(0.0F)), both(less(y.lo, F(0.0F)), zero));
  const F pi(3.14159274F);
  const Ival value = widened(select(cut, {-pi, pi}, corners), margin(m.angle, pi));
  return select(both(is_known(x, kFatLimit), is_known(y, kFatLimit)), value, everything());
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// Bounds of ops whose evaluation step by step would be too wide: splines, capsules, helices.

#if defined(VF_FIELD_SIMD_INTERVAL_SHAPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_INTERVAL_SHAPES_INL_H_
#undef VF_FIELD_SIMD_INTERVAL_SHAPES_INL_H_
#else
#define VF_FIELD_SIMD_INTERVAL_SHAPES_INL_H_
#endif

#include <algorithm>

#include "field/simd/interval-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

/// One cubic of a spline with the places of its extrema; both equal 0 where it has none.
struct CubicSegment {
  float at, next, inverse, c0, c1, c2, c3, root0, root1;
};

inline CubicSegment cubic_segment(const SplineParams& s, std::size_t i) {
  CubicSegment c{};
  const float h = s.at[i + 1] - s.at[i];
  const float rise = s.to[i + 1] - s.to[i];
  const float m0 = s.slope[i] * h, m1 = s.slope[i + 1] * h;
  c.at = s.at[i];
  c.next = s.at[i + 1];
  c.inverse = 1.0F / h;
  c.c0 = s.to[i];
  c.c1 = m0;
  c.c2 = 3.0F * rise - 2.0F * m0 - m1;
  c.c3 = m0 + m1 - 2.0F * rise;
  // c1 + 2 c2 t + 3 c3 t^2 = 0, by the form that does not cancel.
  const double a = 3.0 * static_cast<double>(c.c3), b = static_cast<double>(c.c2),
               d = static_cast<double>(c.c1);
  const double inside = b * b - a * d;
  if (inside > 0) {
    const double q = -(b + (b < 0 ? -std::sqrt(inside) : std::sqrt(inside)));
    const auto in_segment = [](double t) { return static_cast<float>(std::clamp(t, 0.0, 1.0)); };
    if (a != 0) c.root0 = in_segment(q / a);
    if (q != 0) c.root1 = in_segment(d / q);
  }
  return c;
}

HWY_INLINE F cubic_at(const CubicSegment& c, F t) {
  return F(c.c0) + t * (F(c.c1) + t * (F(c.c2) + t * F(c.c3)));
}

/// Real: a cubic's extremes over a range are at its ends and at its extrema inside. Horner's rounding is
/// below 8 u of the sum of the terms' magnitudes for |t| <= 1, once for the value, once for the bound.
HWY_INLINE Ival spline_range(const Ival& x, const SplineParams& s, const IntervalMargins& m) {
  const std::size_t n = s.at.size();
  // Beyond the ends the lines are evaluated step by step, over the part of the box that lies there.
  const Ival below{min_of(x.lo, F(s.at[0])), min_of(x.hi, F(s.at[0]))};
  const Ival above{max_of(x.lo, F(s.at[n - 1])), max_of(x.hi, F(s.at[n - 1]))};
  const auto beyond = [&](const Ival& v, std::size_t i)
                          HWY_ATTR { return Ival(s.to[i]) + mul(v - Ival(s.at[i]), s.slope[i]); };
  Ival result{infinity(), -infinity()};
  result = select(less(x.lo, F(s.at[0])), hull(result, beyond(below, 0)), result);
  result = select(less_equal(F(s.at[n - 1]), x.hi), hull(result, beyond(above, n - 1)), result);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const CubicSegment c = cubic_segment(s, i);
    const MaskF meets = both(less_equal(F(c.at), x.hi), less(x.lo, F(c.next)));
    if (!any(meets)) continue;
    const F t0 = max_of(x.lo - F(c.at), F(0.0F)) * F(c.inverse);
    const F t1 = (min_of(x.hi, F(c.next)) - F(c.at)) * F(c.inverse);
    const F e0 = min_of(max_of(F(c.root0), t0), t1), e1 = min_of(max_of(F(c.root1), t0), t1);
    const F p = cubic_at(c, t0), q = cubic_at(c, t1), r = cubic_at(c, e0), w = cubic_at(c, e1);
    const Ival ends{min_of(min_of(p, q), min_of(r, w)), max_of(max_of(p, q), max_of(r, w))};
    const float terms = std::fabs(c.c0) + std::fabs(c.c1) + std::fabs(c.c2) + std::fabs(c.c3);
    result = select(meets, hull(result, widened(ends, margin(m.spline, F(terms)))), result);
  }
  return result;
}

/// Real, for a segment and radius that do not vary: for any unit n, the distance from p to the segment is at
/// least n.(p - a) - max(0, n.(b - a)); with n away from the point nearest to the box's centre that is tight.
/// The distance to that one point bounds it from above. Rounding: the nearest point's place along the segment
/// is off by 5 u |p - a| + 6 u |b - a|, differences and the length by 5 u more; once for the value, once for
/// the bound.
HWY_INLINE Ival capsule_distance(const Ival& x, const Ival& y, const Ival& z, F ax, F ay, F az, F bx, F by,
                                 F bz, const IntervalMargins& m) {
  const auto middle = [](const Ival& v) HWY_ATTR { return v.lo * F(0.5F) + v.hi * F(0.5F); };
  const auto half = [](const Ival& v, F c) HWY_ATTR { return max_of(v.hi - c, c - v.lo); };
  const F cx = middle(x), cy = middle(y), cz = middle(z);
  const F part(m.reach);
  const F hx = half(x, cx) * part, hy = half(y, cy) * part, hz = half(z, cz) * part;
  const F dx = bx - ax, dy = by - ay, dz = bz - az;
  const F px = cx - ax, py = cy - ay, pz = cz - az;
  const F squared = dx * dx + dy * dy + dz * dz;
  const F length2 = max_of(squared, F(1e-12F));
  const F t = min_of(max_of((px * dx + py * dy + pz * dz) / length2, F(0.0F)), F(1.0F));
  const F ex = px - dx * t, ey = py - dy * t, ez = pz - dz * t;
  const F distance = length_of(ex, ey, ez);
  const F inverse = F(1.0F) / max_of(distance, F(1e-30F));
  const F nx = ex * inverse, ny = ey * inverse, nz = ez * inverse;
  const F along = max_of(nx * dx + ny * dy + nz * dz, F(0.0F));
  const F reach = abs_of(nx) * hx + abs_of(ny) * hy + abs_of(nz) * hz;
  const F lo = max_of((nx * px + ny * py + nz * pz) - along - reach, F(0.0F));
  const F hi = length_of(abs_of(ex) + hx, abs_of(ey) + hy, abs_of(ez) + hz);
  const F terms =
      (abs_of(px) + abs_of(py) + abs_of(pz)) + (hx + hy + hz) + (abs_of(dx) + abs_of(dy) + abs_of(dz));
  // A segment shorter than 1e-6 m does not find its nearest point.
  const F stub = select(less(squared, F(2e-12F)), F(2e-6F), F(0.0F));
  const F by_margin = margin(m.capsule, terms);
  return {lo - by_margin, hi + by_margin + stub};
}

HWY_INLINE Ival capsule_range(const Ival* in, const IntervalMargins& m) {
  const Ival steps = capsule_of(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]);
  MaskF fixed = is_point(in[3]);
  for (int i = 4; i < 9; ++i) fixed = both(fixed, is_point(in[i]));
  const Ival distance =
      capsule_distance(in[0], in[1], in[2], in[3].lo, in[4].lo, in[5].lo, in[6].lo, in[7].lo, in[8].lo, m);
  return select(fixed, meet(steps, distance - in[9]), steps);
}

/// As helix_of, step by step, but for the angle's cut and the wrap of the turns. Only |off| matters, which
/// has no jump; across the cut, turns count from the negative x axis instead. Rounding: angle and turns are
/// within 16 u of
/// (|z / pitch| + 1).
HWY_INLINE Ival helix_range(const Ival* in, const IntervalMargins& m) {
  const Ival &x = in[0], &y = in[1], &z = in[2], &radius = in[3], &pitch = in[4], &thickness = in[5];
  const Ival radial = length_of(x, y) - radius;
  const MaskF cut = both(less(x.hi, F(0.0F)), both(less(y.lo, F(0.0F)), less_equal(F(0.0F), y.hi)));
  const Ival angle = angle_range(select(cut, -x, x), select(cut, -y, y), m);
  const Ival straight = z / pitch - mul(angle, 0.159154943091895F);
  const Ival along = select(cut, add(straight, -0.5F), straight);
  const F slack = margin(m.helix, magnitude(along) + F(1.0F));
  const Ival wide = widened(along, slack);
  const F n = floor_of(wide.lo + F(0.5F));
  const MaskF same = either(equal(n, floor_of(wide.hi + F(0.5F))), equal(F(m.wraps), F(0.0F)));
  const Ival whole{F(0.0F), F(0.5F) + slack};
  const Ival off = select(same, abs_of(widened(Ival{wide.lo - n, wide.hi - n}, slack)), whole) * pitch;
  const Ival rise = mul(pitch / radius, 0.159154943091895F);
  const Ival vertical = off / sqrt_of(Ival(1.0F) + square_of(rise));
  return length_of(radial, vertical) - thickness;
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

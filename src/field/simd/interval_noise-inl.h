// Bounds of noise over boxes. An octave lies within each of
//   - the hull of its polynomial over the box, with the lattice's own gradients, where the box spans at most
//   two
//     cells an axis;
//   - value and gradient at the box's centre, with the proven curvature (Taylor), or with the proven slope
//   alone;
//   - its amplitude.
// Octaves bounded by the second kind add up their gradients, which partly cancel.

#if defined(VF_FIELD_SIMD_INTERVAL_NOISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_INTERVAL_NOISE_INL_H_
#undef VF_FIELD_SIMD_INTERVAL_NOISE_INL_H_
#else
#define VF_FIELD_SIMD_INTERVAL_NOISE_INL_H_
#endif

#include "field/noise_constants.h"
#include "field/simd/interval-inl.h"
#include "field/simd/noise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

/// A box on one axis of an octave, in cells.
struct Span {
  HWY_INLINE Span() = default;
  VecU index;    ///< the lower end's cell
  Ival t;        ///< position of each end in its own cell
  MaskF single;  ///< both ends in one cell
  MaskF twin;    ///< in neighbours
  MaskF exact;   ///< positions in the cell are exact to a rounding
  MaskF usable;  ///< positions leave the cell by less than 1/256 of it
  F off;         ///< by how much they may leave it
  F half;        ///< from the centre to the further end. [cells]
  F half_m;      ///< the same in metres
};

/// On the 1/1024 m grid v + o and its cell are exact below 2^14 m. Elsewhere v + o rounds once, which every
/// later step then takes as it is; the quotient may round up into the next cell, u |v + o| / period too
/// early.
HWY_INLINE Span span_of(const Ival& v, F centre, const BoundOctaveAxis& axis) {
  const F period(axis.period), offset(axis.offset);
  const F lo = v.lo + offset, hi = v.hi + offset, c = centre + offset;
  const F q = floor_of(lo / period), r = floor_of(hi / period);
  Span s;
  s.index = hn::Add(hn::BitCast(kTagU, to_int(q)), hn::Set(kTagU, axis.base));
  s.t = {(lo - q * period) / period, (hi - r * period) / period};
  s.single = equal(q, r);
  s.twin = equal(q + F(1.0F), r);
  const F reach = max_of(abs_of(lo), abs_of(hi));
  s.off = margin(2, reach / period);
  s.usable = less(s.off, F(1.0F / 256));
  s.exact = less(reach, F(16384.0F));
  s.half_m = max_of(hi - c, c - lo) * F(1.0F + 4 * kRoundoff);
  s.half = s.half_m / period * F(1.0F + 4 * kRoundoff);
  return s;
}

/// The span within its first or its second cell.
HWY_INLINE Ival in_cell(const Span& s, bool second) {
  if (second) return {F(0.0F), s.t.hi};
  return {s.t.lo, select(s.single, s.t.hi, F(1.0F))};
}
HWY_INLINE VecU cell_index(const Span& s, bool second) {
  return second ? hn::Add(s.index, hn::Set(kTagU, 1U)) : s.index;
}

/// Real: fade rises on [0, 1] and stays level within roundings of it.
HWY_INLINE Ival fade_range(const Ival& t) {
  return {fade(t.lo), fade(t.hi)};
}
/// Real: linear in t, and rises with both ends for t in [0, 1].
HWY_INLINE Ival lerp_range(const Ival& t, const Ival& a, const Ival& b) {
  const F lo = b.lo - a.lo, hi = b.hi - a.hi;
  return {min_of(a.lo + t.lo * lo, a.lo + t.hi * lo), max_of(a.hi + t.lo * hi, a.hi + t.hi * hi)};
}

struct CellBox {
  HWY_INLINE CellBox() = default;
  VecU x0, x1, y0, y1, z0, z1;  ///< hash words of the corners
  Ival u, v, w;
};

inline HWY_NOINLINE Ival gradient_hull3(const CellBox& c) {
  const Ival one(1.0F);
  const Ival u1 = c.u - one, v1 = c.v - one, w1 = c.w - one;
  const Ival fu = fade_range(c.u), fv = fade_range(c.v), fw = fade_range(c.w);
  const auto dot = [](VecU word, const Ival& u, const Ival& v, const Ival& w) HWY_ATTR {
    const Gradient3 g = gradient3(hash_cells(word));
    return scale(u, g.x) + scale(v, g.y) + scale(w, g.z);
  };
  const auto row = [&](VecU yz, const Ival& v, const Ival& w) HWY_ATTR {
    return lerp_range(fu, dot(hn::Xor(c.x0, yz), c.u, v, w), dot(hn::Xor(c.x1, yz), u1, v, w));
  };
  const auto plane = [&](VecU z, const Ival& w) HWY_ATTR {
    return lerp_range(fv, row(hn::Xor(c.y0, z), c.v, w), row(hn::Xor(c.y1, z), v1, w));
  };
  return lerp_range(fw, plane(c.z0, c.w), plane(c.z1, w1));
}

inline HWY_NOINLINE Ival gradient_hull2(const CellBox& c) {
  const Ival one(1.0F);
  const Ival u1 = c.u - one, v1 = c.v - one;
  const Ival fu = fade_range(c.u), fv = fade_range(c.v);
  const auto dot = [](VecU word, const Ival& u, const Ival& v) HWY_ATTR {
    const Gradient2 g = gradient2(hash_cells(word));
    return scale(u, g.x) + scale(v, g.y);
  };
  const auto row = [&](VecU yz, const Ival& v) HWY_ATTR {
    return lerp_range(fu, dot(hn::Xor(c.x0, yz), c.u, v), dot(hn::Xor(c.x1, yz), u1, v));
  };
  return lerp_range(fv, row(hn::Xor(c.y0, c.z0), c.v), row(hn::Xor(c.y1, c.z0), v1));
}

template <int kDims>
HWY_NOINLINE Ival value_hull(const CellBox& c) {
  const Ival fu = fade_range(c.u), fv = fade_range(c.v);
  const auto at = [](VecU word) HWY_ATTR { return Ival(lattice_value(hash_cells(word))); };
  const auto plane = [&](VecU z) HWY_ATTR {
    const VecU y0 = hn::Xor(c.y0, z), y1 = hn::Xor(c.y1, z);
    return lerp_range(fv, lerp_range(fu, at(hn::Xor(c.x0, y0)), at(hn::Xor(c.x1, y0))),
                      lerp_range(fu, at(hn::Xor(c.x0, y1)), at(hn::Xor(c.x1, y1))));
  };
  if constexpr (kDims == 2) return plane(c.z0);
  return lerp_range(fade_range(c.w), plane(c.z0), plane(c.z1));
}

/// Runs `cell(second_x, second_y, second_z)` for every combination of cells that some lane spans, and joins.
template <int kDims, class Cell>
HWY_INLINE Ival over_cells(const Span& x, const Span& y, const Span& z, const Cell& cell,
                           const IntervalMargins& m) {
  Ival result{infinity(), -infinity()};
  const int combinations = m.wraps == 0 ? 1 : 1 << kDims;
  for (int combination = 0; combination < combinations; ++combination) {
    const bool sx = (combination & 1) != 0, sy = (combination & 2) != 0, sz = (combination & 4) != 0;
    MaskF spans = equal(F(), F());
    if (sx) spans = x.twin;
    if (sy) spans = both(spans, y.twin);
    if (sz) spans = both(spans, z.twin);
    if (any(spans)) result = select(spans, hull(result, cell(sx, sy, sz)), result);
  }
  return result;
}

template <int kDims>
HWY_INLINE Ival octave_hull(const Span& x, const Span& y, const Span& z, const BoundOctave& o,
                            NoiseBasis basis, const IntervalMargins& m) {
  const VecU one = hn::Set(kTagU, 1U), seed = hn::Set(kTagU, o.seed);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY), kz = hn::Set(kTagU, kHashZ);
  const Ival raw = over_cells<kDims>(
      x, y, z,
      [&](bool sx, bool sy, bool sz) HWY_ATTR {
        CellBox c;
        const VecU ix = cell_index(x, sx), iy = cell_index(y, sy);
        c.x0 = hn::Mul(ix, kx), c.x1 = hn::Mul(hn::Add(ix, one), kx);
        c.y0 = hn::Mul(iy, ky), c.y1 = hn::Mul(hn::Add(iy, one), ky);
        c.u = in_cell(x, sx), c.v = in_cell(y, sy);
        c.z0 = c.z1 = seed;
        if constexpr (kDims == 3) {
          const VecU iz = cell_index(z, sz);
          c.z0 = hn::Xor(hn::Mul(iz, kz), seed), c.z1 = hn::Xor(hn::Mul(hn::Add(iz, one), kz), seed);
          c.w = in_cell(z, sz);
        }
        if (basis == NoiseBasis::kValue) return value_hull<kDims>(c);
        if constexpr (kDims == 3) {
          return gradient_hull3(c);
        } else {
          return gradient_hull2(c);
        }
      },
      m);
  return mul(raw, o.scaled_amplitude);
}

/// What is proven of a basis, for amplitude 1.
struct Proven {
  float slope, gradient, curvature, twist, jerk, jerk21, jerk111;
};
inline Proven proven_of(NoiseBasis basis, int dims) {
  if (basis == NoiseBasis::kValue) {
    return {kValueSlope,     dims == 3 ? kValue3Gradient : kValue2Gradient,
            kValueCurvature, kValueTwist,
            kValueJerk,      kValueJerk21,
            kValueJerk111};
  }
  if (dims == 3) {
    return {kPerlin3Slope, kPerlin3Gradient, kPerlin3Curvature, kPerlin3Twist,
            kPerlin3Jerk,  kPerlin3Jerk21,   kPerlin3Jerk111};
  }
  return {kPerlin2Slope, kPerlin2Gradient, kPerlin2Curvature, kPerlin2Twist, kPerlin2Jerk, kPerlin2Jerk21, 0};
}

/// Value and derivatives of an octave at a point: x, y, z; xx, yy, zz, xy, xz, yz. [cells]
struct Jet {
  HWY_INLINE Jet() = default;
  F v, x, y, z, xx, yy, zz, xy, xz, yz;
};

/// A number at each corner of a cell, brought together by the fades: its mean, and its differences along
/// axes.
struct Blend {
  HWY_INLINE Blend() = default;
  F mean, dx, dy, dz, dxy, dxz, dyz;
};
template <int kDims>
HWY_INLINE Blend blend(const F* a, F fx, F fy, F fz) {
  const auto between = [](F t, F p, F q) HWY_ATTR { return p + t * (q - p); };
  constexpr int kPlanes = kDims == 3 ? 2 : 1;
  F mean[2], dx[2], dy[2], dxy[2];
  for (int k = 0; k < kPlanes; ++k) {
    const F* c = a + 4 * k;
    const F low = between(fx, c[0], c[1]), high = between(fx, c[2], c[3]);
    const F step_low = c[1] - c[0], step_high = c[3] - c[2];
    mean[k] = between(fy, low, high);
    dy[k] = high - low;
    dx[k] = between(fy, step_low, step_high);
    dxy[k] = step_high - step_low;
  }
  Blend b;
  if constexpr (kDims == 2) {
    b.mean = mean[0], b.dx = dx[0], b.dy = dy[0], b.dxy = dxy[0];
  } else {
    b.mean = between(fz, mean[0], mean[1]), b.dz = mean[1] - mean[0];
    b.dx = between(fz, dx[0], dx[1]), b.dxz = dx[1] - dx[0];
    b.dy = between(fz, dy[0], dy[1]), b.dyz = dy[1] - dy[0];
    b.dxy = between(fz, dxy[0], dxy[1]);
  }
  return b;
}

struct FadeJet {
  HWY_INLINE explicit FadeJet(F t)
      : v(fade(t)),
        first(t * t * (t - F(1.0F)) * (t - F(1.0F)) * F(30.0F)),
        second(t * (t - F(1.0F)) * (t * F(2.0F) - F(1.0F)) * F(60.0F)) {}
  F v, first, second;
};

/// The octave for scaled amplitude 1. Each corner holds a linear function with gradient g: the sum over
/// corners of weight times function, differentiated by the product rule.
template <int kDims>
HWY_NOINLINE Jet octave_jet(F px, F py, F pz, const BoundOctave& o, NoiseBasis basis) {
  const VecU one = hn::Set(kTagU, 1U), seed = hn::Set(kTagU, o.seed);
  const Cell<F> cx = locate(px, o.x), cy = locate(py, o.y);
  Cell<F> cz = cx;
  VecU hx[2] = {hn::Mul(cx.index, hn::Set(kTagU, kHashX)),
                hn::Mul(hn::Add(cx.index, one), hn::Set(kTagU, kHashX))};
  VecU hy[2] = {hn::Mul(cy.index, hn::Set(kTagU, kHashY)),
                hn::Mul(hn::Add(cy.index, one), hn::Set(kTagU, kHashY))};
  VecU hz[2] = {seed, seed};
  if constexpr (kDims == 3) {
    cz = locate(pz, o.z);
    hz[0] = hn::Xor(hn::Mul(cz.index, hn::Set(kTagU, kHashZ)), seed);
    hz[1] = hn::Xor(hn::Mul(hn::Add(cz.index, one), hn::Set(kTagU, kHashZ)), seed);
  }
  const FadeJet fx(cx.t), fy(cy.t), fz(cz.t);
  F value[8], gx[8], gy[8], gz[8];
  for (std::size_t c = 0; c < std::size_t{1} << kDims; ++c) {
    const VecU h = hash_cells(hn::Xor(hx[c & 1], hn::Xor(hy[c >> 1 & 1], hz[c >> 2])));
    const F u = cx.t - F(static_cast<float>(c & 1)), v = cy.t - F(static_cast<float>(c >> 1 & 1));
    if (basis == NoiseBasis::kValue) {
      value[c] = lattice_value(h);
    } else if constexpr (kDims == 3) {
      const Gradient3 g = gradient3(h);
      gx[c] = g.x, gy[c] = g.y, gz[c] = g.z;
      value[c] = g.x * u + g.y * v + g.z * (cz.t - F(static_cast<float>(c >> 2)));
    } else {
      const Gradient2 g = gradient2(h);
      gx[c] = g.x, gy[c] = g.y;
      value[c] = g.x * u + g.y * v;
    }
  }
  const auto brought = [&](const F* a) HWY_ATTR { return blend<kDims>(a, fx.v, fy.v, fz.v); };
  const Blend b = brought(value);
  Jet j;
  j.v = b.mean;
  j.x = fx.first * b.dx, j.y = fy.first * b.dy;
  j.xx = fx.second * b.dx, j.yy = fy.second * b.dy;
  j.xy = fx.first * fy.first * b.dxy;
  if constexpr (kDims == 3) {
    j.z = fz.first * b.dz;
    j.zz = fz.second * b.dz;
    j.xz = fx.first * fz.first * b.dxz;
    j.yz = fy.first * fz.first * b.dyz;
  }
  if (basis == NoiseBasis::kValue) return j;
  const Blend x = brought(gx), y = brought(gy);
  j.x = j.x + x.mean, j.y = j.y + y.mean;
  j.xx = j.xx + F(2.0F) * fx.first * x.dx, j.yy = j.yy + F(2.0F) * fy.first * y.dy;
  j.xy = j.xy + fx.first * y.dx + fy.first * x.dy;
  if constexpr (kDims == 3) {
    const Blend z = brought(gz);
    j.z = j.z + z.mean;
    j.zz = j.zz + F(2.0F) * fz.first * z.dz;
    j.xz = j.xz + fx.first * z.dx + fz.first * x.dz;
    j.yz = j.yz + fy.first * z.dy + fz.first * y.dz;
  }
  return j;
}

/// g d + 1/2 s d^2 over [-h, h].
HWY_INLINE Ival parabola_range(F g, F s, F h) {
  const F slope = abs_of(g) * h, bend = s * h * h * F(0.5F);
  // Its vertex is at -g / s, where it is -g^2 / (2 s).
  const MaskF inside = less(slope, abs_of(bend + bend));
  const F vertex = -(g * g) / (select(inside, s, F(1.0F)) * F(2.0F));
  const F a = bend - slope, b = bend + slope;
  return {min_of(a, select(inside, min_of(vertex, a), a)), max_of(b, select(inside, max_of(vertex, b), b))};
}

/// The first and second order of a jet over the box |d| <= h.
HWY_INLINE Ival jet_range(const Jet& j, F hx, F hy, F hz) {
  const Ival axes =
      parabola_range(j.x, j.xx, hx) + parabola_range(j.y, j.yy, hy) + parabola_range(j.z, j.zz, hz);
  const F mixed = abs_of(j.xy) * hx * hy + abs_of(j.xz) * hx * hz + abs_of(j.yz) * hy * hz;
  return widened(axes, mixed);
}

/// An octave about the box's centre, amplitude included.
struct Expansion {
  HWY_INLINE Expansion() = default;
  Jet jet;
  F third;      ///< what the jet may be off
  Ival around;  ///< bound of value - jet.v
};

/// Taylor: to the second order with the proven third derivatives, to the first with the second, to none with
/// the first.
template <int kDims>
HWY_INLINE Expansion expand(F cx, F cy, F cz, const Span& x, const Span& y, const Span& z,
                            const BoundOctave& o, NoiseBasis basis, const IntervalMargins& m) {
  const Proven p = proven_of(basis, kDims);
  const float amplitude = o.amplitude;
  Expansion e;
  e.jet = octave_jet<kDims>(cx, cy, cz, o, basis);
  const F scaled(o.scaled_amplitude);
  Jet& j = e.jet;
  for (F* f : {&j.v, &j.x, &j.y, &j.z, &j.xx, &j.yy, &j.zz, &j.xy, &j.xz, &j.yz}) *f = *f * scaled;
  const F hx = x.half, hy = y.half, hz = kDims == 3 ? z.half : F();
  const F sum = hx + hy + hz;
  const F squares = hx * hx + hy * hy + hz * hz;
  const F cubes = hx * hx * hx + hy * hy * hy + hz * hz * hz;
  const F pairs = (hx * (hy + hz) + hy * hz);
  const F flat = min_of(sum * F(p.slope * amplitude * m.noise_slope),
                        sqrt_of(squares) * F(p.gradient * amplitude * m.noise_slope));
  const float second = amplitude * m.noise_curvature, third = amplitude * m.noise_jerk / 6.0F;
  const F reach = abs_of(j.x) * hx + abs_of(j.y) * hy + abs_of(j.z) * hz;
  const F straight = reach + squares * F(p.curvature * second * 0.5F) + pairs * F(p.twist * second);
  e.third = cubes * F(p.jerk * third) + (sum * squares - cubes) * F(3.0F * p.jerk21 * third) +
            hx * hy * hz * F(6.0F * p.jerk111 * third);
  const F radius = min_of(flat, straight);
  e.around = meet(widened(jet_range(j, hx, hy, hz), e.third), {-radius, radius});
  return e;
}

/// Adds a jet in cells to one in metres.
template <int kDims>
HWY_INLINE void add_jet(Jet& to, const Jet& j, MaskF take, const BoundOctave& o) {
  const F px(1.0F / o.x.period), py(1.0F / o.y.period);
  const auto add_to = [&](F& sum, F v) HWY_ATTR { sum = sum + select(take, v, F()); };
  add_to(to.x, j.x * px), add_to(to.y, j.y * py);
  add_to(to.xx, j.xx * px * px), add_to(to.yy, j.yy * py * py), add_to(to.xy, j.xy * px * py);
  if constexpr (kDims == 3) {
    const F pz(1.0F / o.z.period);
    add_to(to.z, j.z * pz), add_to(to.zz, j.zz * pz * pz);
    add_to(to.xz, j.xz * px * pz), add_to(to.yz, j.yz * py * pz);
  }
}

/// Rounding: fade is within 8 u; a row within 19 u, the slopes in y and z within 19 u; a plane's P within 62
/// u and Q within 39 u; joining them adds 71 u, all of the scaled amplitude: below 192 u for the value. The
/// bound's own centre or corner has no more. Derivatives are off by less than their part of the 0.5 % by
/// which the next ones are too large, or, in boxes so small that those vanish, by less than the margin.
template <int kDims>
HWY_NOINLINE Ival gradient_noise_range(const Ival& x, const Ival& y, const Ival& z, const BoundNoise& noise,
                                       const IntervalMargins& m) {
  const auto middle = [](const Ival& v) HWY_ATTR { return v.lo * F(0.5F) + v.hi * F(0.5F); };
  const F cx = middle(x), cy = middle(y), cz = middle(z);
  Ival sum(0.0F), rest(0.0F);
  Jet joint;
  F rounding, hx, hy, hz;
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    const Span sx = span_of(x, cx, o.x), sy = span_of(y, cy, o.y);
    const Span sz = kDims == 3 ? span_of(z, cz, o.z) : sx;
    const F by = margin(m.noise, F(o.scaled_amplitude));
    const float limit = o.amplitude * m.noise_range;
    // Gradient noise keeps its amplitude with room for rounding; a lattice value may be -1.
    const F range = noise.basis == NoiseBasis::kValue ? F(limit) + by : F(limit);
    Ival value{-range, range};
    const MaskF exact = both(sx.exact, both(sy.exact, sz.exact));
    const MaskF usable = both(sx.usable, both(sy.usable, sz.usable));
    const Expansion e = expand<kDims>(cx, cy, cz, sx, sy, sz, o, noise.basis, m);
    value = select(exact, meet(value, widened(e.around + Ival(e.jet.v), by)), value);
    const MaskF spanned = both(either(sx.single, sx.twin), either(sy.single, sy.twin));
    const MaskF hulled = both(spanned, either(sz.single, sz.twin));
    if (any(hulled))
      value =
          select(hulled, meet(value, widened(octave_hull<kDims>(sx, sy, sz, o, noise.basis, m), by)), value);
    value = select(usable, value, everything());
    const Ival shaped = shape_octave(value, o.amplitude, noise.shape);
    sum = i == 0 ? shaped : sum + shaped;
    if (noise.shape != NoiseShape::kPlain) continue;
    // Into the joint jet where that loses little against the octave's own bound.
    const F hz_cells = kDims == 3 ? sz.half : F();
    const Ival own = widened(jet_range(e.jet, sx.half, sy.half, hz_cells), e.third);
    const MaskF take =
        both(both(exact, usable), less_equal(own.hi - own.lo, (value.hi - value.lo) * F(1.1F)));
    add_jet<kDims>(joint, e.jet, take, o);
    rest = rest + select(take, widened(Ival(e.jet.v), e.third), value);
    // v + o rounds apart in each octave, so a point is not quite as far from the centre in one as in another.
    const F drift = (sx.off + sy.off + sz.off) * F(kValueSlope * o.amplitude);
    rounding = rounding + by + by + drift;
    hx = max_of(hx, sx.half_m), hy = max_of(hy, sy.half_m);
    if constexpr (kDims == 3) hz = max_of(hz, sz.half_m);
  }
  if (noise.shape != NoiseShape::kPlain || noise.count == 1) return sum;
  return meet(sum, widened(rest + jet_range(joint, hx, hy, hz), rounding));
}

/// Cellular noise over a part of one cell, step by step.
struct NearCell {
  HWY_INLINE NearCell() = default;
  VecU x, y, z;
  Ival u, v, w;
};
template <int kDims>
HWY_NOINLINE Ival cellular_hull(const NearCell& c, std::uint32_t seed) {
  const auto word = [](VecU index, int step, std::uint32_t key) HWY_ATTR {
    return hn::Mul(hn::Add(index, hn::Set(kTagU, static_cast<std::uint32_t>(step))), hn::Set(kTagU, key));
  };
  const auto distance = [](const Ival& at, int step, VecU bits) HWY_ATTR {
    const F unit =
        F(hn::ConvertTo(kTag, hn::BitCast(kTagI, hn::ShiftRight<8>(bits)))) * F(1.0F / 16777216.0F);
    return square_of(add(at, static_cast<float>(-step)) - Ival(unit));
  };
  Ival best(1.0F);
  const int z_reach = kDims == 3 ? 1 : 0;
  for (int k = -z_reach; k <= z_reach; ++k) {
    VecU hz = hn::Set(kTagU, seed);
    if constexpr (kDims == 3) hz = hn::Xor(hz, word(c.z, k, kHashZ));
    for (int j = -1; j <= 1; ++j) {
      const VecU hy = hn::Xor(hz, word(c.y, j, kHashY));
      for (int i = -1; i <= 1; ++i) {
        const VecU h = hash_cells(hn::Xor(hy, word(c.x, i, kHashX)));
        const VecU h2 = hash_cells(hn::Xor(h, hn::Set(kTagU, kHashX)));
        Ival squared = distance(c.u, i, h) + distance(c.v, j, h2);
        if constexpr (kDims == 3)
          squared = squared + distance(c.w, k, hash_cells(hn::Xor(h2, hn::Set(kTagU, kHashY))));
        best = min_of(best, squared);
      }
    }
  }
  return sqrt_of(best) - Ival(0.5F);
}

/// Step by step within one cell an axis or two; about the centre with slope 1 everywhere. A position may
/// leave its cell by `off`, and a point of the lattice may be missed by twice that.
template <int kDims>
HWY_NOINLINE Ival cellular_range(const Ival& x, const Ival& y, const Ival& z, const BoundNoise& noise,
                                 const IntervalMargins& m) {
  const BoundOctave& o = noise.octaves[0];
  const auto middle = [](const Ival& v) HWY_ATTR { return v.lo * F(0.5F) + v.hi * F(0.5F); };
  const F cx = middle(x), cy = middle(y), cz = middle(z);
  const Span sx = span_of(x, cx, o.x), sy = span_of(y, cy, o.y);
  const Span sz = kDims == 3 ? span_of(z, cz, o.z) : sx;
  F squares = sx.half * sx.half + sy.half * sy.half;
  if constexpr (kDims == 3) squares = squares + sz.half * sz.half;
  const F off = sx.off + sy.off + sz.off;
  const F by = (margin(32, F(1.0F)) + off + off) * F(m.cellular);
  const F centre = cellular_at<F, kDims>(cx, cy, cz, noise);
  const F radius = sqrt_of(squares) * F(m.cellular_slope);
  Ival value = meet(Ival{F(-0.5F), F(0.5F)}, widened(Ival(centre), radius + by));
  const MaskF spanned = both(either(sx.single, sx.twin), either(sy.single, sy.twin));
  const MaskF hulled = both(spanned, either(sz.single, sz.twin));
  if (any(hulled)) {
    const auto in_cells = [&](bool second_x, bool second_y, bool second_z) HWY_ATTR {
      NearCell c;
      c.x = cell_index(sx, second_x), c.y = cell_index(sy, second_y), c.z = cell_index(sz, second_z);
      c.u = in_cell(sx, second_x), c.v = in_cell(sy, second_y), c.w = in_cell(sz, second_z);
      return cellular_hull<kDims>(c, o.seed);
    };
    value = select(hulled, meet(value, widened(over_cells<kDims>(sx, sy, sz, in_cells, m), by)), value);
  }
  const MaskF usable = both(sx.usable, both(sy.usable, sz.usable));
  const MaskF exact = both(sx.exact, both(sy.exact, sz.exact));
  return select(both(usable, exact), value, everything());
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

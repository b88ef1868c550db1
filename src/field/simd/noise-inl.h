// Lattice noise. One canonical order of operations for the grid, column and point paths, so that all give the
// same bits:
//
//   hash     h = cx*KX ^ cy*KY ^ cz*KZ ^ seed;  h ^= h >> 15;  h *= M;      (cells modulo 2^32)
//   row      S = lerp(fx, gx0*u, gx1*(u-1));  T = lerp(fx, gy0, gy1);  U = lerp(fx, gz0, gz1)
//   plane    P = a * lerp(fy, S0 + T0*v, S1 + T1*(v-1));  Q = a * lerp(fy, U0, U1)
//   value    P0 + (Q0*w + (D0*fz + DQ*(fz*w))),  D0 = (P1 - Q1) - P0,  DQ = Q1 - Q0
//
// with u, v, w the position in the cell, f = the quintic fade (Perlin 2002), a = the octave's amplitude over
// the proven maximum. lerp(t, a, b) = a + t*(b-a). The value is linear in w and fz for a column, so a brick
// pays for the lattice once a plane and for seven operations a sample.
//
// Gradients in 3D: the 12 edge directions of a cube (weight 3/4) and its 8 corners (weight 1/4), all of
// length sqrt(2), from 5 bits of the hash without a table. In 2D: 16 directions of length 1, none on an axis.

#if defined(VF_FIELD_SIMD_NOISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_NOISE_INL_H_
#undef VF_FIELD_SIMD_NOISE_INL_H_
#else
#define VF_FIELD_SIMD_NOISE_INL_H_
#endif

#include "field/simd/bound_noise.h"
#include "field/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

inline constexpr std::uint32_t kHashX = 0x9E3779B1U, kHashY = 0x85EBCA77U, kHashZ = 0xC2B2AE3DU;
inline constexpr std::uint32_t kHashM = 0x2C1B3C6DU;

HWY_INLINE F scale(F a, F s) {
  return a * s;
}
HWY_INLINE F lift(F a, F*) {
  return a;
}
HWY_INLINE Dual lift(F a, Dual*) {
  return {a, F(), F(), F()};
}

HWY_INLINE F lerp(F t, F a, F b) {
  return a + t * (b - a);
}

HWY_INLINE F fade(F t) {
  return t * t * t * (t * (t * F(6.0F) - F(15.0F)) + F(10.0F));
}
/// A position in a cell with its fade and that one's slope.
struct Faded {
  F t, f, slope;
  HWY_INLINE explicit Faded(F at) : t(at), f(fade(at)) {
    const F s = at * (at - F(1.0F));
    slope = F(30.0F) * s * s;
  }
};

HWY_INLINE VecU hash_cells(VecU product) {
  const VecU h = hn::Xor(product, hn::ShiftRight<15>(product));
  return hn::Mul(h, hn::Set(kTagU, kHashM));
}

struct Gradient3 {
  F x, y, z;
};
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// In 8 lanes and more a permute looks components up by the uppermost bits of the hash, with the sign of x
// (and of y, in 16 lanes): half the instructions of masks. A 0 may then have a sign; rows, which are sums,
// lose it.
inline constexpr int kLookedUpBits = kLanes == 16 ? 4 : 3;
inline constexpr std::size_t kOfKind = kLanes / 4;  ///< entries of a table for each kind
struct GradientTable {
  alignas(64) float of[kLanes];
};
/// Of a component that is 0 in `zero_kind`; negative where `sign_bit` of the index is set.
constexpr GradientTable gradient_table(std::size_t zero_kind, std::size_t sign_bit) {
  GradientTable table{};
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t kind = i / kOfKind;
    const float size = kind == zero_kind ? 0.0F : kind == 3 ? 0.816496580927726F : 1.0F;
    table.of[i] = (i & sign_bit) != 0 ? -size : size;
  }
  return table;
}
inline constexpr GradientTable kGradientX = gradient_table(0, kOfKind / 2),
                               kGradientY = gradient_table(1, kLanes == 16 ? 1 : 0),
                               kGradientZ = gradient_table(2, 0);
#endif

/// Bits 31 and 30 of the hash say which component is 0, or that none is; 29, 28, 27 are the signs of x, y, z.
HWY_INLINE Gradient3 gradient3(VecU h) {
  const VecU sign = hn::Set(kTagU, 0x80000000U);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  const auto index = hn::IndicesFromVec(kTag, hn::ShiftRight<32 - kLookedUpBits>(h));
  const auto look_up = [&](const GradientTable& table)
                           HWY_ATTR { return F(hn::TableLookupLanes(hn::Load(kTag, table.of), index)); };
  const auto with_sign = [&](F size, VecU shifted) HWY_ATTR {
    return F(hn::BitCast(kTag, hn::Or(hn::And(shifted, sign), hn::BitCast(kTagU, size.v))));
  };
  const F x = look_up(kGradientX), y = look_up(kGradientY),
          z = with_sign(look_up(kGradientZ), hn::ShiftLeft<4>(h));
  if constexpr (kLanes == 16) return {x, y, z};
  return {x, with_sign(y, hn::ShiftLeft<3>(h)), z};
#else
  const VecU kind = hn::ShiftRight<30>(h);
  const auto zero_x =
      hn::MaskFromVec(hn::BitCast(kTag, hn::VecFromMask(kTagU, hn::Eq(kind, hn::Zero(kTagU)))));
  const auto zero_y =
      hn::MaskFromVec(hn::BitCast(kTag, hn::VecFromMask(kTagU, hn::Eq(kind, hn::Set(kTagU, 1U)))));
  const auto zero_z =
      hn::MaskFromVec(hn::BitCast(kTag, hn::VecFromMask(kTagU, hn::Eq(kind, hn::Set(kTagU, 2U)))));
  const auto corner =
      hn::MaskFromVec(hn::BitCast(kTag, hn::VecFromMask(kTagU, hn::Eq(kind, hn::Set(kTagU, 3U)))));
  const VecU size =
      hn::BitCast(kTagU, hn::IfThenElse(corner, hn::Set(kTag, 0.816496580927726F), hn::Set(kTag, 1.0F)));
  const auto signed_size = [&](VecU shifted)
                               HWY_ATTR { return hn::BitCast(kTag, hn::Or(hn::And(shifted, sign), size)); };
  return {F(hn::IfThenZeroElse(zero_x, signed_size(hn::ShiftLeft<2>(h)))),
          F(hn::IfThenZeroElse(zero_y, signed_size(hn::ShiftLeft<3>(h)))),
          F(hn::IfThenZeroElse(zero_z, signed_size(hn::ShiftLeft<4>(h))))};
#endif
}

struct Gradient2 {
  F x, y;
};
/// Directions at 11.25 + 22.5 i degrees.
HWY_INLINE Gradient2 gradient2(VecU h) {
  const VecU sign = hn::Set(kTagU, 0x80000000U);
  const auto bit = [&](VecU shifted) HWY_ATTR {
    return hn::MaskFromVec(
        hn::BitCast(kTag, hn::VecFromMask(kTagU, hn::Ne(hn::And(shifted, sign), hn::Zero(kTagU)))));
  };
  const auto steep = bit(h);
  const auto swap = bit(hn::ShiftLeft<1>(h));
  const Vec c = hn::IfThenElse(steep, hn::Set(kTag, 0.831469612302545F), hn::Set(kTag, 0.980785280403230F));
  const Vec s = hn::IfThenElse(steep, hn::Set(kTag, 0.555570233019602F), hn::Set(kTag, 0.195090322016128F));
  const VecU x = hn::BitCast(kTagU, hn::IfThenElse(swap, s, c));
  const VecU y = hn::BitCast(kTagU, hn::IfThenElse(swap, c, s));
  return {F(hn::BitCast(kTag, hn::Or(hn::And(hn::ShiftLeft<2>(h), sign), x))),
          F(hn::BitCast(kTag, hn::Or(hn::And(hn::ShiftLeft<3>(h), sign), y)))};
}
/// Lattice value in [-1, 1).
HWY_INLINE F lattice_value(VecU h) {
  const auto i = hn::ShiftRight<8>(hn::BitCast(kTagI, h));
  return F(hn::ConvertTo(kTag, i)) * F(1.0F / 8388608.0F);
}

// ---------------------------------------------------------------- from a coordinate to its cell

template <class T>
struct Cell {
  VecU index;  ///< global, modulo 2^32
  T t;         ///< position in the cell, [0, 1)
};

HWY_INLINE Cell<F> locate(F x, const BoundOctaveAxis& axis) {
  const F shifted = x + F(axis.offset);
  const F q = floor_of(shifted / F(axis.period));
  const F u = shifted - q * F(axis.period);
  const VecU index = hn::Add(hn::BitCast(kTagU, to_int(q)), hn::Set(kTagU, axis.base));
  return {index, u * F(axis.inverse)};
}
HWY_INLINE Cell<Dual> locate(const Dual& x, const BoundOctaveAxis& axis) {
  const Cell<F> cell = locate(x.v, axis);
  return {cell.index, chain(x, cell.t, F(axis.inverse))};
}

// ---------------------------------------------------------------- one octave at arbitrary points
//
// The slopes of the canonical form along u, v, w, worked out by hand, and chained to what the position
// depends on once for all octaves. Forward mode through every operation carries three slopes where most have
// one: it cost twice as much. Where only values are asked for, compilers drop what leads to slopes.

/// P and Q of a lattice plane, and their slopes along u and v, which are for an amplitude of one.
struct Plane {
  F p, q, pu, pv, qu, qv;
};

/// Lattice plane `hz` (the z part of the hash with the seed) of gradient noise under a point.
HWY_INLINE Plane gradient_plane(const Faded& u, const Faded& v, VecU hx0, VecU hx1, VecU hy0, VecU hy1,
                                VecU hz, float amplitude) {
  const F u1 = u.t - F(1.0F), v1 = v.t - F(1.0F);
  struct Row {
    F s, t, up, su, tu, upu;  // S, T, U, and their slopes along u
  };
  const auto row = [&](VecU hy) HWY_ATTR {
    const VecU hyz = hn::Xor(hy, hz);
    const Gradient3 g0 = gradient3(hash_cells(hn::Xor(hx0, hyz)));
    const Gradient3 g1 = gradient3(hash_cells(hn::Xor(hx1, hyz)));
    const F s0 = u.t * g0.x, ds = u1 * g1.x - s0, dt = g1.y - g0.y, dup = g1.z - g0.z;
    return Row{s0 + u.f * ds, g0.y + u.f * dt, g0.z + u.f * dup, lerp(u.f, g0.x, g1.x) + u.slope * ds,
               u.slope * dt,  u.slope * dup};
  };
  const Row a = row(hy0), b = row(hy1);
  const F ra = a.s + a.t * v.t, dr = b.s + b.t * v1 - ra, dup = b.up - a.up;
  return {(ra + v.f * dr) * F(amplitude),
          (a.up + v.f * dup) * F(amplitude),
          lerp(v.f, a.su + a.tu * v.t, b.su + b.tu * v1),
          lerp(v.f, a.t, b.t) + v.slope * dr,
          lerp(v.f, a.upu, b.upu),
          v.slope * dup};
}

HWY_INLINE Plane value_plane(const Faded& u, const Faded& v, VecU hx0, VecU hx1, VecU hy0, VecU hy1, VecU hz,
                             float amplitude) {
  const auto at = [&](VecU hx, VecU hy)
                      HWY_ATTR { return lattice_value(hash_cells(hn::Xor(hx, hn::Xor(hy, hz)))); };
  const F a0 = at(hx0, hy0), da = at(hx1, hy0) - a0, b0 = at(hx0, hy1), db = at(hx1, hy1) - b0;
  const F ra = a0 + u.f * da, dr = b0 + u.f * db - ra;
  return {
      (ra + v.f * dr) * F(amplitude), F(0.0F), u.slope * lerp(v.f, da, db), v.slope * dr, F(0.0F), F(0.0F)};
}

/// The value of an octave, with its slopes along x, y, z. [1 / metre]
HWY_INLINE Dual join_planes(const Plane& a, const Plane& b, const Faded& w, const BoundOctave& o) {
  const auto join = [&](F p0, F q0, F p1, F q1) HWY_ATTR {
    return p0 + (q0 * w.t + (((p1 - q1) - p0) * w.f + (q1 - q0) * (w.f * w.t)));
  };
  const F d0 = (b.p - b.q) - a.p, dq = b.q - a.q;
  const F along_w = a.q + (d0 * w.slope + dq * (w.slope * w.t + w.f));
  return {join(a.p, a.q, b.p, b.q), join(a.pu, a.qu, b.pu, b.qu) * F(o.scaled_amplitude * o.x.inverse),
          join(a.pv, a.qv, b.pv, b.qv) * F(o.scaled_amplitude * o.y.inverse), along_w * F(o.z.inverse)};
}

template <class T>
HWY_INLINE T shape_octave(const T& value, float amplitude, NoiseShape shape) {
  if (shape == NoiseShape::kPlain) return value;
  const T folded = mul(abs_of(value), 2.0F);
  return shape == NoiseShape::kRidged ? T(amplitude) - folded : folded - T(amplitude);
}

HWY_INLINE Dual octave3(F x, F y, F z, const BoundOctave& o, NoiseBasis basis) {
  const VecU one = hn::Set(kTagU, 1U);
  const Cell<F> cx = locate(x, o.x), cy = locate(y, o.y), cz = locate(z, o.z);
  const Faded u(cx.t), v(cy.t), w(cz.t);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY), kz = hn::Set(kTagU, kHashZ);
  const VecU seed = hn::Set(kTagU, o.seed);
  const VecU hx0 = hn::Mul(cx.index, kx), hx1 = hn::Mul(hn::Add(cx.index, one), kx);
  const VecU hy0 = hn::Mul(cy.index, ky), hy1 = hn::Mul(hn::Add(cy.index, one), ky);
  const VecU hz0 = hn::Xor(hn::Mul(cz.index, kz), seed),
             hz1 = hn::Xor(hn::Mul(hn::Add(cz.index, one), kz), seed);
  if (basis == NoiseBasis::kValue) {
    return join_planes(value_plane(u, v, hx0, hx1, hy0, hy1, hz0, o.scaled_amplitude),
                       value_plane(u, v, hx0, hx1, hy0, hy1, hz1, o.scaled_amplitude), w, o);
  }
  return join_planes(gradient_plane(u, v, hx0, hx1, hy0, hy1, hz0, o.scaled_amplitude),
                     gradient_plane(u, v, hx0, hx1, hy0, hy1, hz1, o.scaled_amplitude), w, o);
}

HWY_INLINE Dual octave2(F x, F y, const BoundOctave& o, NoiseBasis basis) {
  const VecU one = hn::Set(kTagU, 1U);
  const Cell<F> cx = locate(x, o.x), cy = locate(y, o.y);
  const Faded u(cx.t), v(cy.t);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY);
  const VecU seed = hn::Set(kTagU, o.seed);
  const VecU hx0 = hn::Mul(cx.index, kx), hx1 = hn::Mul(hn::Add(cx.index, one), kx);
  const VecU hy0 = hn::Mul(cy.index, ky), hy1 = hn::Mul(hn::Add(cy.index, one), ky);
  const F along_x(o.scaled_amplitude * o.x.inverse), along_y(o.scaled_amplitude * o.y.inverse);
  if (basis == NoiseBasis::kValue) {
    const Plane plane = value_plane(u, v, hx0, hx1, hy0, hy1, seed, o.scaled_amplitude);
    return {plane.p, plane.pu * along_x, plane.pv * along_y, F()};
  }
  const F u1 = u.t - F(1.0F), v1 = v.t - F(1.0F);
  struct Row {
    F s, t, su, tu;
  };
  const auto row = [&](VecU hy) HWY_ATTR {
    const Gradient2 g0 = gradient2(hash_cells(hn::Xor(hx0, hn::Xor(hy, seed))));
    const Gradient2 g1 = gradient2(hash_cells(hn::Xor(hx1, hn::Xor(hy, seed))));
    const F s0 = u.t * g0.x, ds = u1 * g1.x - s0, dt = g1.y - g0.y;
    return Row{s0 + u.f * ds, g0.y + u.f * dt, lerp(u.f, g0.x, g1.x) + u.slope * ds, u.slope * dt};
  };
  const Row a = row(hy0), b = row(hy1);
  const F ra = a.s + a.t * v.t, dr = b.s + b.t * v1 - ra;
  return {(ra + v.f * dr) * F(o.scaled_amplitude), lerp(v.f, a.su + a.tu * v.t, b.su + b.tu * v1) * along_x,
          (lerp(v.f, a.t, b.t) + v.slope * dr) * along_y, F()};
}

/// All octaves of a noise, with its slopes along its own coordinates.
HWY_INLINE Dual noise3(F x, F y, F z, const BoundNoise& noise) {
  Dual sum;
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    const Dual octave = shape_octave(octave3(x, y, z, o, noise.basis), o.amplitude, noise.shape);
    sum = i == 0 ? octave : sum + octave;  // not from zero: that would make +0 of -0
  }
  return sum;
}
HWY_INLINE Dual noise2(F x, F y, const BoundNoise& noise) {
  Dual sum;
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    const Dual octave = shape_octave(octave2(x, y, o, noise.basis), o.amplitude, noise.shape);
    sum = i == 0 ? octave : sum + octave;
  }
  return sum;
}

HWY_INLINE F noise3_at(F x, F y, F z, const BoundNoise& noise) {
  return noise3(x, y, z, noise).v;
}
HWY_INLINE F noise2_at(F x, F y, const BoundNoise& noise) {
  return noise2(x, y, noise).v;
}
HWY_INLINE Dual noise3_at(const Dual& x, const Dual& y, const Dual& z, const BoundNoise& noise) {
  const Dual n = noise3(x.v, y.v, z.v, noise);
  return {n.v, n.x * x.x + n.y * y.x + n.z * z.x, n.x * x.y + n.y * y.y + n.z * z.y,
          n.x * x.z + n.y * y.z + n.z * z.z};
}
HWY_INLINE Dual noise2_at(const Dual& x, const Dual& y, const BoundNoise& noise) {
  const Dual n = noise2(x.v, y.v, noise);
  return {n.v, n.x * x.x + n.y * y.x, n.x * x.y + n.y * y.y, n.x * x.z + n.y * y.z};
}

// ---------------------------------------------------------------- cellular: distance to the nearest point

/// Distance in periods to the nearest random point of the 3 x 3 (x 3) cells around, at most 1, less 1/2. The
/// limit makes it exact: a point of a cell further out is at least one period away.
template <class T, int kDims>
HWY_INLINE T cellular_at(const T& x, const T& y, const T& z, const BoundNoise& noise) {
  const BoundOctave& o = noise.octaves[0];
  const Cell<T> cx = locate(x, o.x), cy = locate(y, o.y), cz = locate(z, o.z);
  const VecU seed = hn::Set(kTagU, o.seed);
  T best(1.0F);
  const int z_reach = kDims == 3 ? 1 : 0;
  for (int k = -z_reach; k <= z_reach; ++k) {
    const VecU hz =
        kDims == 3 ? hn::Xor(seed, hn::Mul(hn::Add(cz.index, hn::Set(kTagU, static_cast<std::uint32_t>(k))),
                                           hn::Set(kTagU, kHashZ)))
                   : seed;
    for (int j = -1; j <= 1; ++j) {
      const VecU hy = hn::Xor(hz, hn::Mul(hn::Add(cy.index, hn::Set(kTagU, static_cast<std::uint32_t>(j))),
                                          hn::Set(kTagU, kHashY)));
      for (int i = -1; i <= 1; ++i) {
        const VecU h =
            hash_cells(hn::Xor(hy, hn::Mul(hn::Add(cx.index, hn::Set(kTagU, static_cast<std::uint32_t>(i))),
                                           hn::Set(kTagU, kHashX))));
        const VecU h2 = hash_cells(hn::Xor(h, hn::Set(kTagU, kHashX)));
        const VecU h3 = hash_cells(hn::Xor(h2, hn::Set(kTagU, kHashY)));
        const auto unit = [](VecU bits) HWY_ATTR {
          return F(hn::ConvertTo(kTag, hn::BitCast(kTagI, hn::ShiftRight<8>(bits)))) * F(1.0F / 16777216.0F);
        };
        const T dx = cx.t - T(static_cast<float>(i)) - lift(unit(h), static_cast<T*>(nullptr));
        const T dy = cy.t - T(static_cast<float>(j)) - lift(unit(h2), static_cast<T*>(nullptr));
        T squared = dx * dx + dy * dy;
        if constexpr (kDims == 3) {
          const T dz = cz.t - T(static_cast<float>(k)) - lift(unit(h3), static_cast<T*>(nullptr));
          squared = squared + dz * dz;
        }
        best = min_of(best, squared);
      }
    }
  }
  return sqrt_of(best) - T(0.5F);
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

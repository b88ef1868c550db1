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
HWY_INLINE Dual scale(const Dual& a, F s) {
  return {a.v * s, a.x * s, a.y * s, a.z * s};
}
HWY_INLINE F lift(F a, F*) {
  return a;
}
HWY_INLINE Dual lift(F a, Dual*) {
  return {a, F(), F(), F()};
}

template <class T>
HWY_INLINE T lerp(const T& t, const T& a, const T& b) {
  return a + t * (b - a);
}
/// lerp of two values that do not move with the point.
template <class T>
HWY_INLINE T lerp_fixed(const T& t, F a, F b) {
  return lift(a, static_cast<T*>(nullptr)) + scale(t, b - a);
}

HWY_INLINE F fade(F t) {
  return t * t * t * (t * (t * F(6.0F) - F(15.0F)) + F(10.0F));
}
HWY_INLINE Dual fade(const Dual& t) {
  const F s = t.v * (t.v - F(1.0F));
  return chain(t, fade(t.v), F(30.0F) * s * s);
}

HWY_INLINE VecU hash_cells(VecU product) {
  const VecU h = hn::Xor(product, hn::ShiftRight<15>(product));
  return hn::Mul(h, hn::Set(kTagU, kHashM));
}

struct Gradient3 {
  F x, y, z;
};
HWY_INLINE Gradient3 gradient3(VecU h) {
  const VecU sign = hn::Set(kTagU, 0x80000000U);
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

template <class T>
struct Plane {
  T p, q;
};

/// Lattice plane `hz` (the z part of the hash with the seed) of gradient noise under a point.
template <class T>
HWY_INLINE Plane<T> gradient_plane(const T& u, const T& v, const T& fu, const T& fv, VecU hx0, VecU hx1,
                                   VecU hy0, VecU hy1, VecU hz, float amplitude) {
  const T one(1.0F);
  const auto row = [&](VecU hy, T* s, T* t, T* up) HWY_ATTR {
    const VecU hyz = hn::Xor(hy, hz);
    const Gradient3 g0 = gradient3(hash_cells(hn::Xor(hx0, hyz)));
    const Gradient3 g1 = gradient3(hash_cells(hn::Xor(hx1, hyz)));
    *s = lerp(fu, scale(u, g0.x), scale(u - one, g1.x));
    *t = lerp_fixed(fu, g0.y, g1.y);
    *up = lerp_fixed(fu, g0.z, g1.z);
  };
  T s0, t0, u0, s1, t1, u1;
  row(hy0, &s0, &t0, &u0);
  row(hy1, &s1, &t1, &u1);
  return {mul(lerp(fv, s0 + t0 * v, s1 + t1 * (v - one)), amplitude), mul(lerp(fv, u0, u1), amplitude)};
}

template <class T>
HWY_INLINE Plane<T> value_plane(const T& fu, const T& fv, VecU hx0, VecU hx1, VecU hy0, VecU hy1, VecU hz,
                                float amplitude) {
  const auto row = [&](VecU hy) HWY_ATTR {
    const VecU hyz = hn::Xor(hy, hz);
    return lerp_fixed(fu, lattice_value(hash_cells(hn::Xor(hx0, hyz))),
                      lattice_value(hash_cells(hn::Xor(hx1, hyz))));
  };
  const T r0 = row(hy0), r1 = row(hy1);
  return {mul(lerp(fv, r0, r1), amplitude), T(0.0F)};
}

template <class T>
HWY_INLINE T join_planes(const Plane<T>& a, const Plane<T>& b, const T& w, const T& fw) {
  const T d0 = (b.p - b.q) - a.p;
  const T dq = b.q - a.q;
  return a.p + (a.q * w + (d0 * fw + dq * (fw * w)));
}

template <class T>
HWY_INLINE T shape_octave(const T& value, float amplitude, NoiseShape shape) {
  if (shape == NoiseShape::kPlain) return value;
  const T folded = mul(abs_of(value), 2.0F);
  return shape == NoiseShape::kRidged ? T(amplitude) - folded : folded - T(amplitude);
}

template <class T>
HWY_INLINE T octave3(const T& x, const T& y, const T& z, const BoundOctave& o, NoiseBasis basis) {
  const VecU one = hn::Set(kTagU, 1U);
  const Cell<T> cx = locate(x, o.x), cy = locate(y, o.y), cz = locate(z, o.z);
  const T fu = fade(cx.t), fv = fade(cy.t), fw = fade(cz.t);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY), kz = hn::Set(kTagU, kHashZ);
  const VecU seed = hn::Set(kTagU, o.seed);
  const VecU hx0 = hn::Mul(cx.index, kx), hx1 = hn::Mul(hn::Add(cx.index, one), kx);
  const VecU hy0 = hn::Mul(cy.index, ky), hy1 = hn::Mul(hn::Add(cy.index, one), ky);
  const VecU hz0 = hn::Xor(hn::Mul(cz.index, kz), seed),
             hz1 = hn::Xor(hn::Mul(hn::Add(cz.index, one), kz), seed);
  if (basis == NoiseBasis::kValue) {
    return join_planes(value_plane(fu, fv, hx0, hx1, hy0, hy1, hz0, o.scaled_amplitude),
                       value_plane(fu, fv, hx0, hx1, hy0, hy1, hz1, o.scaled_amplitude), cz.t, fw);
  }
  return join_planes(gradient_plane(cx.t, cy.t, fu, fv, hx0, hx1, hy0, hy1, hz0, o.scaled_amplitude),
                     gradient_plane(cx.t, cy.t, fu, fv, hx0, hx1, hy0, hy1, hz1, o.scaled_amplitude), cz.t,
                     fw);
}

template <class T>
HWY_INLINE T octave2(const T& x, const T& y, const BoundOctave& o, NoiseBasis basis) {
  const VecU one = hn::Set(kTagU, 1U);
  const Cell<T> cx = locate(x, o.x), cy = locate(y, o.y);
  const T fu = fade(cx.t), fv = fade(cy.t);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY);
  const VecU seed = hn::Set(kTagU, o.seed);
  const VecU hx0 = hn::Mul(cx.index, kx), hx1 = hn::Mul(hn::Add(cx.index, one), kx);
  const VecU hy0 = hn::Mul(cy.index, ky), hy1 = hn::Mul(hn::Add(cy.index, one), ky);
  if (basis == NoiseBasis::kValue) return value_plane(fu, fv, hx0, hx1, hy0, hy1, seed, o.scaled_amplitude).p;
  const T unit(1.0F);
  const auto row = [&](VecU hy, const T& v) HWY_ATTR {
    const Gradient2 g0 = gradient2(hash_cells(hn::Xor(hx0, hn::Xor(hy, seed))));
    const Gradient2 g1 = gradient2(hash_cells(hn::Xor(hx1, hn::Xor(hy, seed))));
    return lerp(fu, scale(cx.t, g0.x), scale(cx.t - unit, g1.x)) + lerp_fixed(fu, g0.y, g1.y) * v;
  };
  return mul(lerp(fv, row(hy0, cy.t), row(hy1, cy.t - unit)), o.scaled_amplitude);
}

template <class T>
HWY_INLINE T noise3_at(const T& x, const T& y, const T& z, const BoundNoise& noise) {
  T sum =
      shape_octave(octave3(x, y, z, noise.octaves[0], noise.basis), noise.octaves[0].amplitude, noise.shape);
  for (int i = 1; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    sum = sum + shape_octave(octave3(x, y, z, o, noise.basis), o.amplitude, noise.shape);
  }
  return sum;
}
template <class T>
HWY_INLINE T noise2_at(const T& x, const T& y, const BoundNoise& noise) {
  T sum = shape_octave(octave2(x, y, noise.octaves[0], noise.basis), noise.octaves[0].amplitude, noise.shape);
  for (int i = 1; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    sum = sum + shape_octave(octave2(x, y, o, noise.basis), o.amplitude, noise.shape);
  }
  return sum;
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

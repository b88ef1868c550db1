// Noise on a brick's own lattice: the work of a lattice row, plane and column is shared by all samples on it.
//
// Tried and kept: distinct rows and planes only (a brick inside one cell pays for 2 x 2 rows); the amplitude
// folded into the planes; rows two at a time where a vector holds 16 lanes.

#if defined(VF_FIELD_SIMD_NOISE_GRID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VF_FIELD_SIMD_NOISE_GRID_INL_H_
#undef VF_FIELD_SIMD_NOISE_GRID_INL_H_
#else
#define VF_FIELD_SIMD_NOISE_GRID_INL_H_
#endif

#include "field/simd/batch_kernels.h"
#include "field/simd/noise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

inline constexpr int kEdge = kBrickEdge;
inline constexpr int kLaneCount = static_cast<int>(kLanes);
inline constexpr int kAxisPad = 16;  ///< 8 samples, repeated to fill the widest vector
inline constexpr int kAxisUsed = kLaneCount > kEdge ? kLaneCount : kEdge;

/// The cells that the 8 samples of an axis fall into.
struct AxisCells {
  alignas(64) float t[kAxisPad];                  ///< position in the cell
  alignas(64) float f[kAxisPad];                  ///< its fade
  alignas(64) std::uint32_t hash[kAxisPad];       ///< cell times the axis' hash constant
  alignas(64) std::uint32_t next_hash[kAxisPad];  ///< the same of the next cell
  // Lattice lines in use, rising, and which two each sample lies between.
  int lines = 0;
  std::uint32_t line_hash[2 * kEdge + 1] = {};  ///< one more, for the odd row out
  std::uint8_t low[kEdge], high[kEdge];
};

HWY_INLINE void fill_axis(const BoundOctaveAxis& axis, const float* positions, std::uint32_t constant,
                          bool want_lines, AxisCells* out) {
  alignas(64) std::uint32_t cells[kAxisPad];
  const VecU k = hn::Set(kTagU, constant), one = hn::Set(kTagU, 1U);
  for (int i = 0; i < kAxisUsed; i += kLaneCount) {
    const Cell<F> cell = locate(load(positions + i), axis);
    store(cell.t, out->t + i);
    store(fade(cell.t), out->f + i);
    hn::StoreU(cell.index, kTagU, cells + i);
    hn::StoreU(hn::Mul(cell.index, k), kTagU, out->hash + i);
    hn::StoreU(hn::Mul(hn::Add(cell.index, one), k), kTagU, out->next_hash + i);
  }
  if (!want_lines) return;
  // Without branches: where lines repeat is different in every brick, and a missed branch costs as much as a
  // row.
  std::uint32_t n = 2;
  out->line_hash[0] = out->hash[0];
  out->line_hash[1] = out->next_hash[0];
  out->low[0] = 0;
  out->high[0] = 1;
  for (std::size_t i = 1; i < kEdge; ++i) {
    const std::uint32_t step =
        cells[i] - cells[i - 1];  // samples rise, so this is small, and never wraps below 0
    n += step < 2 ? step : 2;
    out->line_hash[n - 2] = out->hash[i];
    out->line_hash[n - 1] = out->next_hash[i];
    out->low[i] = static_cast<std::uint8_t>(n - 2);
    out->high[i] = static_cast<std::uint8_t>(n - 1);
  }
  out->lines = static_cast<int>(n);
}

/// S, T, U of lattice rows, 8 samples a row.
struct Rows {
  alignas(64) float s[(2 * kEdge + 1) * kEdge];
  alignas(64) float t[(2 * kEdge + 1) * kEdge];
  alignas(64) float u[(2 * kEdge + 1) * kEdge];
};

/// v[(y, x)] of row index `row[y]`: one vector of the 64 columns starting at column c.
HWY_INLINE F load_rows(const float* rows, const std::uint8_t* row, int c) {
#if HWY_TARGET == HWY_AVX3
  const hn::Half<Tag> half;
  const int y = c / kEdge;
  return F(
      hn::Combine(kTag, hn::LoadU(half, rows + row[y + 1] * kEdge), hn::LoadU(half, rows + row[y] * kEdge)));
#else
  return load(rows + row[c / kEdge] * kEdge + c % kEdge);
#endif
}

/// Spreads a per-y value over the 64 columns.
HWY_INLINE void spread_y(const float* y8, float* columns) {
  for (int y = 0; y < kEdge; ++y)
    for (int x = 0; x < kEdge; ++x) columns[y * kEdge + x] = y8[y];
}

/// The y and z part of the hash of the row (or two rows, where a vector holds them) that starts at `row`.
/// Made in registers: a store of half a vector followed by a load of the whole would stall.
HWY_INLINE VecU row_hashes(const AxisCells& y, std::uint32_t plane_hash, int row) {
#if HWY_TARGET == HWY_AVX3
  const hn::Half<TagU> half;
  return hn::Combine(kTagU, hn::Set(half, y.line_hash[row + 1] ^ plane_hash),
                     hn::Set(half, y.line_hash[row] ^ plane_hash));
#else
  return hn::Set(kTagU, y.line_hash[row] ^ plane_hash);
#endif
}

template <NoiseBasis kBasis, int kDims>
HWY_INLINE void fill_rows(const AxisCells& x, const AxisCells& y, std::uint32_t plane_hash, Rows* rows) {
  const F one(1.0F);
  for (int e = 0; e < y.lines * kEdge; e += kLaneCount) {
    const int xi = kLaneCount >= kEdge ? 0 : e % kEdge;
    const VecU hyz = row_hashes(y, plane_hash, e / kEdge);
    const VecU h0 = hash_cells(hn::Xor(hn::LoadU(kTagU, x.hash + xi), hyz));
    const VecU h1 = hash_cells(hn::Xor(hn::LoadU(kTagU, x.next_hash + xi), hyz));
    const F u = load(x.t + xi), fu = load(x.f + xi);
    if constexpr (kBasis == NoiseBasis::kValue) {
      store(lerp(fu, lattice_value(h0), lattice_value(h1)), rows->s + e);
    } else if constexpr (kDims == 2) {
      const Gradient2 g0 = gradient2(h0), g1 = gradient2(h1);
      store(lerp(fu, scale(u, g0.x), scale(u - one, g1.x)), rows->s + e);
      store(lerp(fu, g0.y, g1.y), rows->t + e);
    } else {
      const Gradient3 g0 = gradient3(h0), g1 = gradient3(h1);
      store(lerp(fu, scale(u, g0.x), scale(u - one, g1.x)), rows->s + e);
      store(lerp(fu, g0.y, g1.y), rows->t + e);
      store(lerp(fu, g0.z, g1.z), rows->u + e);
    }
  }
}

struct Columns {
  alignas(64) float p[kEdge * kEdge];
  alignas(64) float q[kEdge * kEdge];
};

template <NoiseBasis kBasis, int kDims>
HWY_INLINE void fill_plane(const AxisCells& y, const float* v64, const float* fv64, const Rows& rows,
                           float amplitude, Columns* out) {
  const F one(1.0F);
  for (int c = 0; c < kEdge * kEdge; c += kLaneCount) {
    const F fv = load(fv64 + c);
    if constexpr (kBasis == NoiseBasis::kValue) {
      const F r0 = load_rows(rows.s, y.low, c), r1 = load_rows(rows.s, y.high, c);
      store(mul(lerp(fv, r0, r1), amplitude), out->p + c);
    } else {
      const F v = load(v64 + c);
      const F r0 = load_rows(rows.s, y.low, c) + load_rows(rows.t, y.low, c) * v;
      const F r1 = load_rows(rows.s, y.high, c) + load_rows(rows.t, y.high, c) * (v - one);
      store(mul(lerp(fv, r0, r1), amplitude), out->p + c);
      if constexpr (kDims == 3)
        store(mul(lerp(fv, load_rows(rows.u, y.low, c), load_rows(rows.u, y.high, c)), amplitude),
              out->q + c);
    }
    if constexpr (kBasis == NoiseBasis::kValue && kDims == 3) store(F(0.0F), out->q + c);
  }
}

/// The differences between two neighbouring planes: D0, DQ of the canonical form.
struct Joint {
  alignas(64) float d0[kEdge * kEdge];
  alignas(64) float dq[kEdge * kEdge];
};

HWY_INLINE void join_planes(const Columns& a, const Columns& b, const Extent& e, Joint* out) {
  for (int c = e.first; c < e.end; c += kLaneCount) {
    const F bq = load(b.q + c);
    store((load(b.p + c) - bq) - load(a.p + c), out->d0 + c);
    store(bq - load(a.q + c), out->dq + c);
  }
}

/// Adds the octave on its z steps, from its planes.
template <NoiseShape kShape, bool kFirst>
HWY_INLINE void add_steps(const AxisCells& z, const Columns* planes, const Joint* joints, float amplitude,
                          const Extent& e, float* dst) {
  for (int step = e.first_step; step < e.end_step; ++step) {
    const Columns& a = planes[z.low[step]];
    const Joint& j = joints[z.low[step]];
    const F w(z.t[step]), fw(z.f[step]);
    const F fww = fw * w;
    float* out = dst + step * kEdge * kEdge;
    for (int c = e.first; c < e.end; c += kLaneCount) {
      F value = load(a.p + c) + (load(a.q + c) * w + (load(j.d0 + c) * fw + load(j.dq + c) * fww));
      value = shape_octave(value, amplitude, kShape);
      if constexpr (!kFirst) value = load(out + c) + value;
      store(value, out + c);
    }
  }
}

template <NoiseShape kShape>
HWY_INLINE void add_steps(const AxisCells& z, const Columns* planes, const Joint* joints, float amplitude,
                          bool first, const Extent& e, float* dst) {
  if (first) return add_steps<kShape, true>(z, planes, joints, amplitude, e, dst);
  add_steps<kShape, false>(z, planes, joints, amplitude, e, dst);
}

HWY_INLINE void add_octave(NoiseShape shape, const AxisCells& z, const Columns* planes, float amplitude,
                           bool first, const Extent& e, float* dst) {
  Joint joints[2 * kEdge];
  for (int plane = z.low[e.first_step]; plane < z.high[e.end_step - 1]; ++plane)
    join_planes(planes[plane], planes[plane + 1], e, &joints[plane]);
  if (shape == NoiseShape::kPlain)
    return add_steps<NoiseShape::kPlain>(z, planes, joints, amplitude, first, e, dst);
  if (shape == NoiseShape::kRidged)
    return add_steps<NoiseShape::kRidged>(z, planes, joints, amplitude, first, e, dst);
  add_steps<NoiseShape::kBillow>(z, planes, joints, amplitude, first, e, dst);
}

/// All of a brick.
inline constexpr Extent kWholeBrick{0, kEdge, 0, kEdge* kEdge, {0, 1, kEdge* kEdge}};

HWY_INLINE void positions_of(float origin, float voxel, float* out) {
  for (int i = 0; i < kAxisPad; ++i) out[i] = origin + voxel * static_cast<float>(i % kEdge);
}

template <NoiseBasis kBasis>
void noise3_grid_of(const BoundNoise& noise, Vec3f origin, float voxel, float* dst) {
  alignas(64) float px[kAxisPad];
  alignas(64) float py[kAxisPad];
  alignas(64) float pz[kAxisPad];
  positions_of(origin.x, voxel, px);
  positions_of(origin.y, voxel, py);
  positions_of(origin.z, voxel, pz);
  alignas(64) float v64[kEdge * kEdge];
  alignas(64) float fv64[kEdge * kEdge];
  AxisCells x, y, z;
  Rows rows;
  Columns planes[2 * kEdge];
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    fill_axis(o.x, px, kHashX, false, &x);
    fill_axis(o.y, py, kHashY, true, &y);
    fill_axis(o.z, pz, kHashZ, true, &z);
    spread_y(y.t, v64);
    spread_y(y.f, fv64);
    for (int plane = 0; plane < z.lines; ++plane) {
      fill_rows<kBasis, 3>(x, y, z.line_hash[plane] ^ o.seed, &rows);
      fill_plane<kBasis, 3>(y, v64, fv64, rows, o.scaled_amplitude, &planes[plane]);
    }
    add_octave(noise.shape, z, planes, o.amplitude, i == 0, kWholeBrick, dst);
  }
}

void noise3_grid(const BoundNoise& noise, Vec3f origin, float voxel, float* dst) {
  if (noise.basis == NoiseBasis::kValue) return noise3_grid_of<NoiseBasis::kValue>(noise, origin, voxel, dst);
  noise3_grid_of<NoiseBasis::kPerlin>(noise, origin, voxel, dst);
}

template <NoiseBasis kBasis>
void noise2_grid_of(const BoundNoise& noise, Vec3f origin, float voxel, float* dst) {
  alignas(64) float px[kAxisPad];
  alignas(64) float py[kAxisPad];
  positions_of(origin.x, voxel, px);
  positions_of(origin.y, voxel, py);
  alignas(64) float v64[kEdge * kEdge];
  alignas(64) float fv64[kEdge * kEdge];
  AxisCells x, y;
  Rows rows;
  Columns plane;
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    fill_axis(o.x, px, kHashX, false, &x);
    fill_axis(o.y, py, kHashY, true, &y);
    spread_y(y.t, v64);
    spread_y(y.f, fv64);
    fill_rows<kBasis, 2>(x, y, o.seed, &rows);
    fill_plane<kBasis, 2>(y, v64, fv64, rows, o.scaled_amplitude, &plane);
    for (int c = 0; c < kEdge * kEdge; c += kLaneCount) {
      const F value = shape_octave(load(plane.p + c), o.amplitude, noise.shape);
      store(i == 0 ? value : load(dst + c) + value, dst + c);
    }
  }
}

void noise2_grid(const BoundNoise& noise, Vec3f origin, float voxel, float* dst) {
  if (noise.basis == NoiseBasis::kValue) return noise2_grid_of<NoiseBasis::kValue>(noise, origin, voxel, dst);
  noise2_grid_of<NoiseBasis::kPerlin>(noise, origin, voxel, dst);
}

void noise3_columns(const BoundNoise& noise, const float* xs, const float* ys, const float* zs,
                    const Extent& e, float* dst) {
  alignas(64) float pz[kAxisPad];
  for (int i = 0; i < kAxisPad; ++i) pz[i] = zs[i % kEdge];
  AxisCells z;
  Columns planes[2 * kEdge];
  const VecU one = hn::Set(kTagU, 1U);
  const VecU kx = hn::Set(kTagU, kHashX), ky = hn::Set(kTagU, kHashY);
  for (int i = 0; i < noise.count; ++i) {
    const BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    fill_axis(o.z, pz, kHashZ, true, &z);
    const int first_plane = z.low[e.first_step], last_plane = z.high[e.end_step - 1];
    for (int c = e.first; c < e.end; c += kLaneCount) {
      const Cell<F> cx = locate(load(xs + c), o.x), cy = locate(load(ys + c), o.y);
      const Faded u(cx.t), v(cy.t);
      const VecU hx0 = hn::Mul(cx.index, kx), hx1 = hn::Mul(hn::Add(cx.index, one), kx);
      const VecU hy0 = hn::Mul(cy.index, ky), hy1 = hn::Mul(hn::Add(cy.index, one), ky);
      for (int plane = first_plane; plane <= last_plane; ++plane) {
        const VecU hz = hn::Set(kTagU, z.line_hash[plane] ^ o.seed);
        const Plane p = noise.basis == NoiseBasis::kValue
                            ? value_plane(u, v, hx0, hx1, hy0, hy1, hz, o.scaled_amplitude)
                            : gradient_plane(u, v, hx0, hx1, hy0, hy1, hz, o.scaled_amplitude);
        store(p.p, planes[plane].p + c);
        store(p.q, planes[plane].q + c);
      }
    }
    add_octave(noise.shape, z, planes, o.amplitude, i == 0, e, dst);
  }
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

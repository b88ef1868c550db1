#include "mesh/simd/mesh_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/simd/mesh_kernels.cpp"
// clang-format off
#include "field/simd/targets.h"  // IWYU pragma: keep (says which targets there are)
#include <cstdint>
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include <cstddef>

#include "field/program.h"
#include "field/simd/lanes-inl.h"
#include "field/simd_level.h"
#include "mesh/crossings.h"
#include "mesh/lanes.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/vertex_fit.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

struct Vec3 {
  F x, y, z;
  HWY_INLINE Vec3() = default;
  HWY_INLINE Vec3(F ax, F ay, F az) : x(ax), y(ay), z(az) {}
};
HWY_INLINE F dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// Four floats side by side, of as many things as there are lanes.
struct Rows {
  F a, b, c, d;
};
HWY_INLINE Rows load_rows(const float* p) {
  Vec a, b, c, d;
  hn::LoadInterleaved4(kTag, p, a, b, c, d);
  return {F(a), F(b), F(c), F(d)};
}
HWY_INLINE void store_rows(F a, F b, F c, F d, float* p) {
  hn::StoreInterleaved4(a.v, b.v, c.v, d.v, kTag, p);
}
HWY_INLINE VecU load_words(const std::uint32_t* p) {
  return hn::LoadU(kTagU, p);
}
HWY_INLINE void store_words(VecU v, std::uint32_t* p) {
  hn::StoreU(v, kTagU, p);
}
HWY_INLINE MaskF mask_of(hn::Mask<TagU> m) {
  return hn::MaskFromVec(hn::BitCast(kTag, hn::VecFromMask(kTagU, m)));
}
HWY_INLINE MaskF both(MaskF a, MaskF b) {
  return hn::And(a, b);
}
HWY_INLINE MaskF either(MaskF a, MaskF b) {
  return hn::Or(a, b);
}
HWY_INLINE F clamp_to(F v, float low, float high) {
  return min_of(max_of(v, F(low)), F(high));
}
HWY_INLINE F round_of(F v) {
  return floor_of(v + F(0.5F));
}
/// All ones where the mask holds.
HWY_INLINE VecU bits_where(MaskF m) {
  return hn::BitCast(kTagU, hn::VecFromMask(kTag, m));
}

// ---------------------------------------------------------------- crossings

struct Edges {
  MaskF x, y;  ///< which axis they run along; else z
  Vec3 at;     ///< samples where they start
  HWY_INLINE explicit Edges(const LatticeEdge* edges) {
    static_assert(sizeof(LatticeEdge) == sizeof(std::uint32_t));
    const VecU bits = load_words(reinterpret_cast<const std::uint32_t*>(edges));
    const VecU axis = hn::And(bits, hn::Set(kTagU, 3U)), most = hn::Set(kTagU, 63U);
    x = mask_of(hn::Eq(axis, hn::Zero(kTagU)));
    y = mask_of(hn::Eq(axis, hn::Set(kTagU, 1U)));
    const auto number = [](VecU v) HWY_ATTR { return F(hn::ConvertTo(kTag, hn::BitCast(kTagI, v))); };
    at = {number(hn::And(hn::ShiftRight<LatticeEdge::kX>(bits), most)),
          number(hn::And(hn::ShiftRight<LatticeEdge::kY>(bits), most)),
          number(hn::And(hn::ShiftRight<LatticeEdge::kZ>(bits), most))};
  }
  [[nodiscard]] HWY_INLINE F along(F ax, F ay, F az) const { return select(x, ax, select(y, ay, az)); }
};

/// At t of the edges' length, on the grid of points (see snap_to_grid). Returns where they then are.
HWY_INLINE F place(const LatticeFrame& frame, const LatticeEdge* edge, F t, const HermiteArrays& to,
                   std::size_t i) {
  const Edges edges(edge + i);
  const F voxel(frame.voxel), ox(frame.origin.x), oy(frame.origin.y), oz(frame.origin.z);
  const F x = ox + voxel * edges.at.x, y = oy + voxel * edges.at.y, z = oz + voxel * edges.at.z;
  const F along = round_of((edges.along(x, y, z) + voxel * t) * F(kGridPerM)) * F(1.0F / kGridPerM);
  store(select(edges.x, along, x), to.x + i);
  store(select(edges.y, along, y), to.y + i);
  store(select(either(edges.x, edges.y), z, along), to.z + i);
  return (along - edges.along(ox, oy, oz)) / voxel - edges.along(edges.at.x, edges.at.y, edges.at.z);
}

void guess(const LatticeFrame& frame, const CrossingArrays& c, const HermiteArrays& to) {
  for (std::size_t i = 0; i < c.count; i += kLanes) {
    const F low = load(c.low + i);
    store(place(frame, c.edge, low / (low - load(c.high + i)), to, i), c.t + i);
  }
}

void step(const LatticeFrame& frame, const MovingArrays& m, const HermiteArrays& to) {
  for (std::size_t i = 0; i < m.count; i += kLanes) {
    const F t = load(m.t + i), v = load(m.value + i), way = load(m.end_t + i) - t,
            slope = load(m.slope + i) * way;
    // v + slope u + bend u^2 on the way, u in [0, 1]. (slope^2 - 4 bend v) is a sum of squares here.
    const F side = slope + F(2) * v;
    const F root = sqrt_of(side * side - F(4) * load(m.end_value + i) * v);
    const F moved = t + way * (F(2) * v / (select(less(v, F(0.0F)), -root, root) - slope));
    store(place(frame, m.edge, moved, to, i), m.t + i);
  }
}

void surface_points(const LatticeFrame& frame, const CrossingArrays& c, const HermiteArrays& h, float* out) {
  const F per_voxel(1 / frame.voxel), middle(SurfacePoint::kTileMiddle), zero, one(1.0F);
  for (std::size_t i = 0; i < c.count; i += kLanes) {
    const Edges edges(c.edge + i);
    const F gx = load(h.gx + i), gy = load(h.gy + i), gz = load(h.gz + i);
    const F length = sqrt_of(gx * gx + gy * gy + gz * gz);
    // Not so (and not for NaN either): the crest of a noise, the tip of a cone. All that is known there is
    // where the rock ends.
    const MaskF known = less(F(1e-6F), length);
    const F scale = one / length;
    const F back = clamp_to(load(h.value + i) * scale * per_voxel, -0.5F, 0.5F);
    const F sign = select(less(load(c.low + i), zero), one, F(-1.0F));
    Vec3 n{gx * scale, gy * scale, gz * scale};
    Vec3 p{(load(h.x + i) - F(frame.origin.x)) * per_voxel, (load(h.y + i) - F(frame.origin.y)) * per_voxel,
           (load(h.z + i) - F(frame.origin.z)) * per_voxel};
    p.x = select(known, p.x - n.x * back, p.x) - middle;
    p.y = select(known, p.y - n.y * back, p.y) - middle;
    p.z = select(known, p.z - n.z * back, p.z) - middle;
    n.x = select(known, n.x, select(edges.x, sign, zero));
    n.y = select(known, n.y, select(edges.y, sign, zero));
    n.z = select(known, n.z, select(either(edges.x, edges.y), zero, sign));
    const F d = dot(n, p);
    // A point is a line of the cache: rows are made by vectors, and moved to their lines one by one.
    constexpr std::size_t kRow = 4 * kLanes;
    HWY_ALIGN float rows[4 * kRow];
    store_rows(n.x, n.y, n.z, one, rows);
    store_rows(p.x, p.y, p.z, n.z * d, rows + kRow);
    store_rows(n.x * n.x, n.y * n.y, n.z * n.z, n.x * d, rows + 2 * kRow);
    store_rows(n.x * n.y, n.x * n.z, n.y * n.z, n.y * d, rows + 3 * kRow);
    for (std::size_t k = 0; k < kLanes; ++k)
      for (std::size_t r = 0; r < 4; ++r) store4(load4(rows + r * kRow + 4 * k), out + 16 * (i + k) + 4 * r);
  }
}

// ---------------------------------------------------------------- vertices

/// Quadrics, symmetric and positive definite: least where a x = b.
struct Quadrics {
  F xx, yy, zz, xy, xz, yz;
  Vec3 b;
  [[nodiscard]] HWY_INLINE Vec3 times(const Vec3& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  }
};

/// How far a coordinate is outside the margins; else at most 0.
HWY_INLINE F outside(F v) {
  return max_of(F(kCellLow) - v, v - F(kCellHigh));
}
HWY_INLINE F held(F v) {
  return clamp_to(v, kCellLow, kCellHigh);
}

/// The minimum lies outside the cell: holds the axis that is out farthest at its bound and minimises over the
/// rest, twice; the last axis is held by whoever rounds it.
HWY_INLINE Vec3 least_in_cell(const Quadrics& q, const Vec3& at) {
  const F out_x = outside(at.x), out_y = outside(at.y), out_z = outside(at.z);
  const MaskF is_x = both(less_equal(out_y, out_x), less_equal(out_z, out_x));
  const MaskF is_z = hn::AndNot(is_x, less(out_y, out_z));
  // f: the axis that is held; u, v: the other two, in order.
  const auto first = [&](F x, F y, F z) HWY_ATTR { return select(is_x, x, select(is_z, z, y)); };
  const auto low = [&](F x, F y) HWY_ATTR { return select(is_x, y, x); };
  const auto high = [&](F y, F z) HWY_ATTR { return select(is_z, y, z); };
  const F f = held(first(at.x, at.y, at.z));
  const F uu = low(q.xx, q.yy), vv = high(q.yy, q.zz), uv = first(q.yz, q.xz, q.xy);
  const F fu = first(q.xy, q.xy, q.xz), fv = first(q.xz, q.yz, q.yz);
  const F bu = low(q.b.x, q.b.y) - fu * f, bv = high(q.b.y, q.b.z) - fv * f;
  const F scale = F(1.0F) / (uu * vv - uv * uv);
  F u = (bu * vv - bv * uv) * scale, v = (bv * uu - bu * uv) * scale;
  const F out_u = outside(u), out_v = outside(v), zero;
  const MaskF hold_u = both(less(zero, out_u), less_equal(out_v, out_u));
  const MaskF hold_v = hn::AndNot(hold_u, less(zero, out_v));
  const F next_u = (bu - uv * held(v)) / uu, next_v = (bv - uv * held(u)) / vv;
  u = select(hold_u, held(u), select(hold_v, next_u, u));
  v = select(hold_v, held(v), select(hold_u, next_v, v));
  return {select(is_x, f, u), select(is_x, u, select(is_z, v, f)), select(is_z, f, v)};
}

/// That no normal is more than 15 degrees off the mean, by the sums alone: the cosines' mean is the length of
/// the normals' mean, their squares add up to what n n^T gives along it, and no value of a set is further
/// from its mean than their deviation times sqrt(count - 1) (Samuelson 1968).
HWY_INLINE MaskF surely_smooth(const Vec3& n, const Quadrics& q, F count, F per_point) {
  // Far more than the rounding errors of sums of twelve.
  constexpr float kMargin = 1e-4F, kVarianceMargin = 4e-6F;
  const F length2 = dot(n, n), mean = sqrt_of(length2) * per_point;
  const F variance = dot(n, q.times(n)) * per_point / length2 - mean * mean;
  const F room = mean - F(kHalfSmoothCos + kMargin);
  return both(less(F(0.0F), room), less((count - F(1.0F)) * (variance + F(kVarianceMargin)), room * room));
}

HWY_INLINE F in_cell(F v) {
  return clamp_to(round_of(v * F(static_cast<float>(kVoxelUnits))), static_cast<float>(kCellMargin),
                  static_cast<float>(kVoxelUnits - kCellMargin));
}

void fit(const SumArrays& s, const FitArrays& out) {
  const F units(static_cast<float>(kVoxelUnits)), middle(SurfacePoint::kTileMiddle), zero;
  for (std::size_t i = 0; i < s.count; i += kLanes) {
    const Rows normal = load_rows(s.normal + 4 * i), place = load_rows(s.place + 4 * i),
               squares = load_rows(s.squares + 4 * i), mixed = load_rows(s.mixed + 4 * i);
    Quadrics q{squares.a, squares.b, squares.c, mixed.a, mixed.b, mixed.c, {}};
    const F count = normal.d, per_point = F(1.0F) / count, pull = F(kPull) * count;
    const MaskF smooth = surely_smooth({normal.a, normal.b, normal.c}, q, count, per_point);
    store_words(bits_where(smooth), out.smooth + i);
    Vec3 m{place.a * per_point, place.b * per_point, place.c * per_point};
    // Relative to the mean: what is left over is small, and so are its rounding errors.
    const Vec3 along = q.times(m);
    const Vec3 b{squares.d - along.x, mixed.d - along.y, place.d - along.z};
    q.xx = q.xx + pull;
    q.yy = q.yy + pull;
    q.zz = q.zz + pull;
    // The inverse by cofactors.
    const F cxx = q.yy * q.zz - q.yz * q.yz, cxy = q.xz * q.yz - q.xy * q.zz, cxz = q.xy * q.yz - q.xz * q.yy,
            cyy = q.xx * q.zz - q.xz * q.xz, cyz = q.xy * q.xz - q.xx * q.yz, czz = q.xx * q.yy - q.xy * q.xy;
    const F scale = F(1.0F) / (q.xx * cxx + q.xy * cxy + q.xz * cxz);
    const VecU cell = load_words(s.cell + i), most = hn::Set(kTagU, 255U);
    const auto number = [](VecU v) HWY_ATTR { return F(hn::ConvertTo(kTag, hn::BitCast(kTagI, v))); };
    const Vec3 corner{number(hn::And(cell, most)), number(hn::And(hn::ShiftRight<8>(cell), most)),
                      number(hn::And(hn::ShiftRight<16>(cell), most))};
    m = {m.x + (middle - corner.x), m.y + (middle - corner.y), m.z + (middle - corner.z)};
    Vec3 at{m.x + (cxx * b.x + cxy * b.y + cxz * b.z) * scale,
            m.y + (cxy * b.x + cyy * b.y + cyz * b.z) * scale,
            m.z + (cxz * b.x + cyz * b.y + czz * b.z) * scale};
    const MaskF out_of_cell =
        either(either(less(zero, outside(at.x)), less(zero, outside(at.y))), less(zero, outside(at.z)));
    if (!hn::AllFalse(kTag, out_of_cell)) {
      const Vec3 mean = q.times(m);
      q.b = {b.x + mean.x, b.y + mean.y, b.z + mean.z};
      const Vec3 inside = least_in_cell(q, at);
      at = {select(out_of_cell, inside.x, at.x), select(out_of_cell, inside.y, at.y),
            select(out_of_cell, inside.z, at.z)};
    }
    store_rows(in_cell(at.x) + corner.x * units, in_cell(at.y) + corner.y * units,
               in_cell(at.z) + corner.z * units, zero, out.at + 4 * i);
  }
}

void agree(std::size_t count, const float* normals, std::size_t stride, std::uint32_t* out) {
  constexpr int kFew = static_cast<int>(SmoothGroups::kFew);
  for (std::size_t i = 0; i < count; i += kLanes) {
    Vec3 n[kFew];
    F there[kFew];
    for (int k = 0; k < kFew; ++k) {
      const Rows rows = load_rows(normals + static_cast<std::size_t>(k) * stride + 4 * i);
      n[k] = {rows.a, rows.b, rows.c};
      there[k] = rows.d;
    }
    VecU bits = hn::Zero(kTagU);
    const auto set = [&](MaskF m, int bit)
                         HWY_ATTR { bits = hn::Or(bits, hn::And(bits_where(m), hn::Set(kTagU, 1U << bit))); };
    for (int a = 0; a < kFew; ++a)
      for (int b = a + 1; b < kFew; ++b) set(less_equal(F(kSmoothCos), dot(n[b], n[a])), agree_bit(a, b));
    Vec3 sum;
    for (int k = 0; k < kFew; ++k) sum = {sum.x + n[k].x, sum.y + n[k].y, sum.z + n[k].z};
    const F length2 = dot(sum, sum), scale = F(1.0F) / sqrt_of(length2);
    const Vec3 mean{sum.x * scale, sum.y * scale, sum.z * scale};
    MaskF all = less(F(0.01F), length2);
    for (int k = 0; k < kFew; ++k)
      all = both(all, either(less_equal(there[k], F(0.0F)), less_equal(F(kHalfSmoothCos), dot(n[k], mean))));
    set(all, kAllAgreeBit);
    store_words(bits, out + i);
  }
}

/// A fraction in [-1, 1] as a whole number of 16 bits.
HWY_INLINE VecI packed(F v) {
  return hn::ConvertTo(kTagI, round_of(v * F(kOctScale)).v);
}
HWY_INLINE VecU pair(VecI low, VecI high) {
  return hn::Or(hn::And(hn::BitCast(kTagU, low), hn::Set(kTagU, 0xFFFFU)),
                hn::ShiftLeft<16>(hn::BitCast(kTagU, high)));
}

void pack(std::size_t count, const float* at, const float* normal, float* corners, std::uint32_t* xyzu,
          std::uint32_t* v) {
  const F one(1.0F), zero;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Rows n = load_rows(normal + 4 * i), p = load_rows(at + 4 * i);
    const F scale = one / sqrt_of(n.a * n.a + n.b * n.b + n.c * n.c);
    const F x = n.a * scale, y = n.b * scale, z = n.c * scale;
    HWY_ALIGN float rows[4 * kLanes];
    store_rows(x, y, z, n.d, rows);
    for (std::size_t k = 0; k < kLanes; ++k) {
      store4(load4(at + 4 * (i + k)), corners + 8 * (i + k));
      store4(load4(rows + 4 * k), corners + 8 * (i + k) + 4);
    }
    // As encode_normal.
    const F sum = abs_of(x) + abs_of(y) + abs_of(z);
    const F shrink = select(less(zero, sum), one / sum, zero);
    const F pu = x * shrink, pv = y * shrink;
    const F fu = (one - abs_of(pv)) * select(less(pu, zero), -one, one),
            fv = (one - abs_of(pu)) * select(less(pv, zero), -one, one);
    const MaskF below = less(z, zero);
    const auto whole = [](F f) HWY_ATTR { return hn::ConvertTo(kTagI, f.v); };
    hn::StoreInterleaved2(pair(whole(p.a), whole(p.b)), pair(whole(p.c), packed(select(below, fu, pu))),
                          kTagU, xyzu + 2 * i);
    store_words(hn::BitCast(kTagU, packed(select(below, fv, pv))), v + i);
  }
}

// ---------------------------------------------------------------- polygons

/// Two vectors in the plane across an edge turn anticlockwise.
HWY_INLINE MaskF anticlockwise(F au, F av, F bu, F bv) {
  return less(F(0.0F), au * bv - av * bu);
}

void split(std::size_t count, const std::uint32_t* axis, const float* at, const float* normal,
           std::size_t stride, std::uint32_t* out) {
  const auto corner = [](const float* p) HWY_ATTR {
    const Rows r = load_rows(p);
    return Vec3(r.a, r.b, r.c);
  };
  const auto minus = [](const Vec3& a, const Vec3& b)
                         HWY_ATTR { return Vec3(a.x - b.x, a.y - b.y, a.z - b.z); };
  for (std::size_t i = 0; i < count; i += kLanes) {
    const VecU along = load_words(axis + i);
    const MaskF x = mask_of(hn::Eq(along, hn::Zero(kTagU))), y = mask_of(hn::Eq(along, hn::Set(kTagU, 1U)));
    const auto turns = [&](const Vec3& a, const Vec3& b) HWY_ATTR {
      const auto u = [&](const Vec3& v) HWY_ATTR { return select(x, v.y, select(y, v.z, v.x)); };
      const auto v = [&](const Vec3& w) HWY_ATTR { return select(x, w.z, select(y, w.x, w.y)); };
      return anticlockwise(u(a), v(a), u(b), v(b));
    };
    const Vec3 c0 = corner(at + 4 * i), c1 = corner(at + stride + 4 * i),
               c2 = corner(at + 2 * stride + 4 * i), c3 = corner(at + 3 * stride + 4 * i);
    const Vec3 first = minus(c2, c0), second = minus(c3, c1);
    const MaskF first_good = both(turns(minus(c1, c0), first), turns(first, minus(c3, c0)));
    const MaskF second_good = both(turns(minus(c2, c1), second), turns(second, minus(c0, c1)));
    const auto off = [&](const Vec3& way, std::size_t k)
                         HWY_ATTR { return abs_of(dot(way, corner(normal + k * stride + 4 * i))); };
    const MaskF nearer = less_equal(off(first, 0) + off(first, 2), off(second, 1) + off(second, 3));
    store_words(bits_where(both(first_good, either(hn::Not(second_good), nearer))), out + i);
  }
}

MeshKernels make_mesh_kernels() {
  return {&guess, &step, &surface_points, &fit, &agree, &pack, &split};
}

/// Constant: nothing in it depends on the machine but whether it may be called.
const MeshKernels& mesh_table() {
  static const MeshKernels table = make_mesh_kernels();
  return table;
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "field/simd/of_level.h"

namespace vf {

const MeshKernels& mesh_kernels(SimdLevel level) {
  return VF_OF_LEVEL(level, mesh_table)();
}

}  // namespace vf
#endif

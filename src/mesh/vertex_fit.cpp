#include "mesh/vertex_fit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "math/rounding.h"
#include "mesh/lanes.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// Pull to the mean of the crossings, for each of them. At 0.01 a right angle is met to 2 % of the way from
/// the mean to the edge; sheets that bend less than about 6 degrees within a cell are left to the mean, whose
/// error there is of the second order.
constexpr float kPull = 0.01F;

constexpr float kLow = static_cast<float>(kCellMargin) / kVoxelUnits;
constexpr float kHigh = 1 - kLow;

/// Far more than the rounding errors of cosines made of sums of twelve normals, and of their variance.
constexpr float kSureMargin = 1e-4F, kVarianceMargin = 4e-6F;

std::int32_t to_units(float v) {
  const std::int32_t units = round_to_int(v * kVoxelUnits);
  return std::clamp(units, kCellMargin, kVoxelUnits - kCellMargin);
}

struct Lanes3 {
  Float4 x, y, z;
};

/// Four quadrics, symmetric and positive definite: least where a x = b.
struct Quadrics {
  Float4 xx, yy, zz, xy, xz, yz;
  Lanes3 b;
};

/// How far a coordinate is outside the margins; else at most 0.
Float4 outside(Float4 v) {
  const Float4 below = kLow - v, above = v - kHigh;
  return below < above ? above : below;
}

Float4 held(Float4 v) {
  return clamp_to(v, splat(kLow), splat(kHigh));
}

bool any(Int4 mask) {
  return bits_of(mask) != 0;
}

/// The minimum lies outside the cell: holds the axis that is out farthest at its bound and minimises over the
/// rest, twice; the last axis is held by whoever rounds it.
Lanes3 least_in_cell(const Quadrics& q, const Lanes3& at) {
  const Float4 out_x = outside(at.x), out_y = outside(at.y), out_z = outside(at.z);
  const Int4 is_x = (out_x >= out_y) & (out_x >= out_z), is_z = ~is_x & (out_z > out_y);
  // f: the axis that is held; u, v: the other two, in order.
  const auto first = [&](Float4 x, Float4 y, Float4 z) { return is_x ? x : is_z ? z : y; };
  const auto low = [&](Float4 x, Float4 y) { return is_x ? y : x; };
  const auto high = [&](Float4 y, Float4 z) { return is_z ? y : z; };
  const Float4 f = held(first(at.x, at.y, at.z));
  const Float4 uu = low(q.xx, q.yy), vv = high(q.yy, q.zz), uv = first(q.yz, q.xz, q.xy);
  const Float4 fu = first(q.xy, q.xy, q.xz), fv = first(q.xz, q.yz, q.yz);
  const Float4 bu = low(q.b.x, q.b.y) - fu * f, bv = high(q.b.y, q.b.z) - fv * f;
  const Float4 scale = 1 / (uu * vv - uv * uv);
  Float4 u = (bu * vv - bv * uv) * scale, v = (bv * uu - bu * uv) * scale;
  const Float4 out_u = outside(u), out_v = outside(v);
  const Int4 hold_u = (out_u > 0.0F) & (out_u >= out_v), hold_v = ~hold_u & (out_v > 0.0F);
  const Float4 next_u = (bu - uv * held(v)) / uu, next_v = (bv - uv * held(u)) / vv;
  u = hold_u ? held(u) : hold_v ? next_u : u;
  v = hold_v ? held(v) : hold_u ? next_v : v;
  return {is_x ? f : u, is_x ? u : is_z ? v : f, is_z ? f : v};
}

/// That no normal is more than 15 degrees off the mean, by the sums alone: the cosines' mean is the length of
/// the normals' mean, their squares add up to what n n^T gives along it, and no value of a set is further from
/// its mean than their deviation times sqrt(count - 1) (Samuelson 1968). `q`: without the pull.
Int4 surely_smooth(const Lanes3& n, const Quadrics& q, Float4 count, Float4 per_point) {
  const Float4 length2 = n.x * n.x + n.y * n.y + n.z * n.z;
  const Float4 squares = q.xx * (n.x * n.x) + q.yy * (n.y * n.y) + q.zz * (n.z * n.z) +
                         2 * (q.xy * (n.x * n.y) + q.xz * (n.x * n.z) + q.yz * (n.y * n.z));
  const Float4 mean = sqrt_of(length2) * per_point;
  const Float4 variance = squares * per_point / length2 - mean * mean;
  const Float4 room = mean - (kHalfSmoothCos + kSureMargin);
  return (room > 0.0F) & ((count - 1) * (variance + kVarianceMargin) < room * room);
}

Float4 in_cell(Float4 v) {
  return clamp_to(to_float(round_to_int(v * static_cast<float>(kVoxelUnits))), splat(kCellMargin),
                  splat(kVoxelUnits - kCellMargin));
}

}  // namespace

void fit_four(const VertexSums* s, FittedVertex* out) {
  const auto rows = [s](Float4 SurfacePoint::* row, Float4& a, Float4& b, Float4& c, Float4& d) {
    a = s[0].sum.*row, b = s[1].sum.*row, c = s[2].sum.*row, d = s[3].sum.*row;
    transpose(a, b, c, d);
  };
  Float4 nx, ny, nz, count, mx, my, mz, rx, ry, rz;
  Quadrics q;
  rows(&SurfacePoint::normal, nx, ny, nz, count);
  rows(&SurfacePoint::place, mx, my, mz, rz);
  rows(&SurfacePoint::squares, q.xx, q.yy, q.zz, rx);
  rows(&SurfacePoint::mixed, q.xy, q.xz, q.yz, ry);
  const Float4 per_point = 1 / count, pull = kPull * count;
  const Int4 smooth = surely_smooth({nx, ny, nz}, q, count, per_point);
  mx *= per_point;
  my *= per_point;
  mz *= per_point;
  // Relative to the mean: what is left over is small, and so are its rounding errors.
  const Lanes3 b{rx - (q.xx * mx + q.xy * my + q.xz * mz), ry - (q.xy * mx + q.yy * my + q.yz * mz),
                 rz - (q.xz * mx + q.yz * my + q.zz * mz)};
  q.xx += pull;
  q.yy += pull;
  q.zz += pull;
  // The inverse by cofactors.
  const Float4 cxx = q.yy * q.zz - q.yz * q.yz, cxy = q.xz * q.yz - q.xy * q.zz,
               cxz = q.xy * q.yz - q.xz * q.yy, cyy = q.xx * q.zz - q.xz * q.xz,
               cyz = q.xy * q.xz - q.xx * q.yz, czz = q.xx * q.yy - q.xy * q.xy;
  const Float4 scale = 1 / (q.xx * cxx + q.xy * cxy + q.xz * cxz);
  Float4 cx = s[0].corner, cy = s[1].corner, cz = s[2].corner, none = s[3].corner;
  transpose(cx, cy, cz, none);
  mx += SurfacePoint::kTileMiddle - cx;
  my += SurfacePoint::kTileMiddle - cy;
  mz += SurfacePoint::kTileMiddle - cz;
  Lanes3 at{mx + (cxx * b.x + cxy * b.y + cxz * b.z) * scale,
            my + (cxy * b.x + cyy * b.y + cyz * b.z) * scale,
            mz + (cxz * b.x + cyz * b.y + czz * b.z) * scale};
  const Int4 out_of_cell = (outside(at.x) > 0.0F) | (outside(at.y) > 0.0F) | (outside(at.z) > 0.0F);
  if (any(out_of_cell)) {
    q.b = {b.x + (q.xx * mx + q.xy * my + q.xz * mz), b.y + (q.xy * mx + q.yy * my + q.yz * mz),
           b.z + (q.xz * mx + q.yz * my + q.zz * mz)};
    const Lanes3 held_at = least_in_cell(q, at);
    at = {out_of_cell ? held_at.x : at.x, out_of_cell ? held_at.y : at.y, out_of_cell ? held_at.z : at.z};
  }
  constexpr float kUnits = kVoxelUnits;
  Float4 x = in_cell(at.x) + cx * kUnits, y = in_cell(at.y) + cy * kUnits, z = in_cell(at.z) + cz * kUnits;
  none = Float4{};
  transpose(x, y, z, none);
  out[0] = {x, s[0].sum.normal, smooth[0] != 0};
  out[1] = {y, s[1].sum.normal, smooth[1] != 0};
  out[2] = {z, s[2].sum.normal, smooth[2] != 0};
  out[3] = {none, s[3].sum.normal, smooth[3] != 0};
}

std::array<std::int32_t, 2> fit_on_face(const std::array<float, 2>& at_a,
                                        const std::array<float, 2>& normal_a,
                                        const std::array<float, 2>& at_b,
                                        const std::array<float, 2>& normal_b) {
  const float mu = 0.5F * (at_a[0] + at_b[0]), mv = 0.5F * (at_a[1] + at_b[1]);
  const float uu = normal_a[0] * normal_a[0] + normal_b[0] * normal_b[0] + 2 * kPull;
  const float uv = normal_a[0] * normal_a[1] + normal_b[0] * normal_b[1];
  const float vv = normal_a[1] * normal_a[1] + normal_b[1] * normal_b[1] + 2 * kPull;
  const float da = normal_a[0] * (at_a[0] - mu) + normal_a[1] * (at_a[1] - mv);
  const float db = normal_b[0] * (at_b[0] - mu) + normal_b[1] * (at_b[1] - mv);
  const float ru = normal_a[0] * da + normal_b[0] * db, rv = normal_a[1] * da + normal_b[1] * db;
  const float det = uu * vv - uv * uv;
  return {to_units(mu + (ru * vv - rv * uv) / det), to_units(mv + (rv * uu - ru * uv) / det)};
}

}  // namespace vf

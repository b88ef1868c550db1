#include "mesh/vertex_fit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "math/rounding.h"
#include "mesh/lanes.h"
#include "mesh/octahedron.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// Pull to the mean of the crossings, for each of them. At 0.01 a right angle is met to 2 % of the way from
/// the mean to the edge; sheets that bend less than about 6 degrees within a cell are left to the mean, whose
/// error there is of the second order.
constexpr float kPull = 0.01F;

constexpr float kLow = static_cast<float>(kCellMargin) / kVoxelUnits;
constexpr float kHigh = 1 - kLow;

/// Normals within 15 degrees of their mean differ by no more than 30 (kSmoothCos). cos 15 degrees.
constexpr float kHalfSmoothCos = 0.9659258F;
/// Far more than the rounding errors of a sum of twelve normals.
constexpr float kSureMargin = 1e-4F;

std::int32_t to_units(float v) {
  const std::int32_t units = round_to_int(v * kVoxelUnits);
  return std::clamp(units, kCellMargin, kVoxelUnits - kCellMargin);
}

/// Symmetric, positive definite.
struct Quadric {
  std::array<std::array<float, 3>, 3> a{};
  std::array<float, 3> b{};
};

/// Minimum over the axes that are free, the others standing at `x`.
void solve_free(const Quadric& q, const std::array<bool, 3>& fixed, std::array<float, 3>& x) {
  std::array<std::size_t, 3> free{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (!fixed[i]) free[n++] = i;
  std::array<float, 3> r{};
  for (std::size_t k = 0; k < n; ++k) {
    r[k] = q.b[free[k]];
    for (std::size_t j = 0; j < 3; ++j)
      if (fixed[j]) r[k] -= q.a[free[k]][j] * x[j];
  }
  const auto a = [&](std::size_t i, std::size_t j) { return q.a[free[i]][free[j]]; };
  if (n == 1) {
    x[free[0]] = r[0] / a(0, 0);
  } else if (n == 2) {
    const float det = a(0, 0) * a(1, 1) - a(0, 1) * a(0, 1);
    x[free[0]] = (r[0] * a(1, 1) - r[1] * a(0, 1)) / det;
    x[free[1]] = (r[1] * a(0, 0) - r[0] * a(0, 1)) / det;
  }
}

/// The minimum lies outside the cell: holds the axis that is out farthest at its bound and minimises over the
/// rest.
void solve_in_cell(const Quadric& q, std::array<float, 3>& x) {
  std::array<bool, 3> fixed{};
  for (int step = 0; step < 3; ++step) {
    float worst = 0;
    std::size_t axis = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      const float out = std::max(kLow - x[i], x[i] - kHigh);
      if (!fixed[i] && out > worst) {
        worst = out;
        axis = i;
      }
    }
    if (axis == 3) return;
    x[axis] = std::clamp(x[axis], kLow, kHigh);
    fixed[axis] = true;
    solve_free(q, fixed, x);
  }
}

/// Four vertices in lanes.
struct Lanes {
  Float4 x, y, z;
};

/// Rows x, y, z of four records; the fourth column is dropped.
Lanes columns(Float4 a, Float4 b, Float4 c, Float4 d) {
  transpose(a, b, c, d);
  return {a, b, c};
}

Float4 in_cell(Float4 v) {
  return clamp_to(to_float(round_to_int(v * static_cast<float>(kVoxelUnits))), splat(kCellMargin),
                  splat(kVoxelUnits - kCellMargin));
}

/// Where the quadrics are least, within the margins, in units.
Lanes least_points(const VertexSums* s, Float4 count) {
  const auto rows = [s](Float4 VertexSums::* row) {
    return columns(s[0].*row, s[1].*row, s[2].*row, s[3].*row);
  };
  const Lanes row_x = rows(&VertexSums::x), row_y = rows(&VertexSums::y), row_z = rows(&VertexSums::z),
              rhs = rows(&VertexSums::rhs), sum = rows(&VertexSums::mean);
  const Float4 per_point = 1 / count, pull = kPull * count;
  const Float4 mx = sum.x * per_point, my = sum.y * per_point, mz = sum.z * per_point;
  const Float4 xx = row_x.x, xy = row_x.y, xz = row_x.z, yy = row_y.y, yz = row_y.z, zz = row_z.z;
  const Float4 axx = xx + pull, ayy = yy + pull, azz = zz + pull;
  // Relative to the mean: what is left over is small, and so are its rounding errors.
  const Float4 bx = rhs.x - (xx * mx + xy * my + xz * mz), by = rhs.y - (xy * mx + yy * my + yz * mz),
               bz = rhs.z - (xz * mx + yz * my + zz * mz);
  // The inverse by cofactors.
  const Float4 cxx = ayy * azz - yz * yz, cxy = xz * yz - xy * azz, cxz = xy * yz - xz * ayy,
               cyy = axx * azz - xz * xz, cyz = xy * xz - axx * yz, czz = axx * ayy - xy * xy;
  const Float4 scale = 1 / (axx * cxx + xy * cxy + xz * cxz);
  Lanes at{mx + (cxx * bx + cxy * by + cxz * bz) * scale, my + (cxy * bx + cyy * by + cyz * bz) * scale,
           mz + (cxz * bx + cyz * by + czz * bz) * scale};
  const auto outside = [](Float4 v) { return ~((v >= kLow) & (v <= kHigh)); };
  const Int4 out = outside(at.x) | outside(at.y) | outside(at.z);
  if ((out[0] | out[1] | out[2] | out[3]) != 0) {
    for (int i = 0; i < 4; ++i) {
      if (out[i] == 0) continue;
      const Quadric q{{{{axx[i], xy[i], xz[i]}, {xy[i], ayy[i], yz[i]}, {xz[i], yz[i], azz[i]}}},
                      {rhs.x[i] + pull[i] * mx[i], rhs.y[i] + pull[i] * my[i], rhs.z[i] + pull[i] * mz[i]}};
      std::array<float, 3> x{at.x[i], at.y[i], at.z[i]};
      solve_in_cell(q, x);
      at.x[i] = x[0];
      at.y[i] = x[1];
      at.z[i] = x[2];
    }
  }
  return {in_cell(at.x), in_cell(at.y), in_cell(at.z)};
}

void fit_four(const VertexSums* s, FittedVertex* out) {
  Float4 nx = s[0].normal, ny = s[1].normal, nz = s[2].normal, count = s[3].normal;
  transpose(nx, ny, nz, count);
  const Float4 length2 = nx * nx + ny * ny + nz * nz;
  // A point's normal is at least this far along the mean: the others add up to no more than their number.
  const Float4 sure = count - (1 - kHalfSmoothCos - kSureMargin);
  const Int4 smooth = (length2 >= sure * sure) & (length2 > 0.01F);
  const Float4 scale = 1 / sqrt_of(length2);
  nx *= scale;
  ny *= scale;
  nz *= scale;
  Int4 u, v;
  encode_normals(nx, ny, nz, u, v);
  const Lanes place = least_points(s, count);
  const Lanes corner = columns(s[0].corner, s[1].corner, s[2].corner, s[3].corner);
  constexpr float kUnits = kVoxelUnits;
  Float4 x = corner.x * kUnits + place.x, y = corner.y * kUnits + place.y, z = corner.z * kUnits + place.z;
  const Int4 ix = __builtin_convertvector(x, Int4), iy = __builtin_convertvector(y, Int4),
             iz = __builtin_convertvector(z, Int4);
  const auto word = [](std::int32_t w) { return static_cast<std::int16_t>(w); };
  for (int i = 0; i < 4; ++i) {
    out[i].vertex = {word(ix[i]), word(iy[i]), word(iz[i]), {word(u[i]), word(v[i])}};
    out[i].smooth = smooth[i] != 0;
  }
  Float4 none{}, one{};
  transpose(x, y, z, none);
  transpose(nx, ny, nz, one);
  out[0].at = x, out[0].normal = nx;
  out[1].at = y, out[1].normal = ny;
  out[2].at = z, out[2].normal = nz;
  out[3].at = none, out[3].normal = one;
}

}  // namespace

void fit_vertices(const VertexSums* sums, std::size_t count, FittedVertex* out) {
  for (std::size_t i = 0; i < count; i += 4) fit_four(sums + i, out + i);
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

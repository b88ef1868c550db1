#include "mesh/vertex_fit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "math/rounding.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// Pull to the mean of the crossings, for each of them. At 0.01 a right angle is met to 2 % of the way from
/// the mean to the edge; sheets that bend less than about 6 degrees within a cell are left to the mean, whose
/// error there is of the second order.
constexpr float kPull = 0.01F;

constexpr float kLow = static_cast<float>(kCellMargin) / kVoxelUnits;
constexpr float kHigh = 1 - kLow;

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

}  // namespace

Vec3i VertexFit::solve() const {
  const Float4 m = mean_ * (1 / count_);
  const float pull = kPull * count_;
  const float xy = x_[1], xz = x_[2], yz = y_[2];
  const float axx = x_[0] + pull, ayy = y_[1] + pull, azz = z_[2] + pull;
  // Relative to the mean: what is left over is small, and so are its rounding errors.
  const Float4 b = rhs_ - (x_ * m[0] + y_ * m[1] + z_ * m[2]);
  // The inverse by cofactors.
  const Float4 cx{ayy * azz - yz * yz, xz * yz - xy * azz, xy * yz - xz * ayy, 0};
  const Float4 cy{cx[1], axx * azz - xz * xz, xy * xz - axx * yz, 0};
  const Float4 cz{cx[2], cy[2], axx * ayy - xy * xy, 0};
  const float scale = 1 / (axx * cx[0] + xy * cx[1] + xz * cx[2]);
  const Float4 at = m + (cx * b[0] + cy * b[1] + cz * b[2]) * scale;
  std::array<float, 3> x{at[0], at[1], at[2]};
  const bool inside =
      x[0] >= kLow && x[0] <= kHigh && x[1] >= kLow && x[1] <= kHigh && x[2] >= kLow && x[2] <= kHigh;
  if (!inside) {
    const Quadric q{{{{axx, xy, xz}, {xy, ayy, yz}, {xz, yz, azz}}},
                    {rhs_[0] + pull * m[0], rhs_[1] + pull * m[1], rhs_[2] + pull * m[2]}};
    solve_in_cell(q, x);
  }
  return {to_units(x[0]), to_units(x[1]), to_units(x[2])};
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

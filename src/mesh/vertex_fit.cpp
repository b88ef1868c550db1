#include "mesh/vertex_fit.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "math/rounding.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

std::int32_t to_units(float v) {
  const std::int32_t units = round_to_int(v * kVoxelUnits);
  return std::clamp(units, kCellMargin, kVoxelUnits - kCellMargin);
}

}  // namespace

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

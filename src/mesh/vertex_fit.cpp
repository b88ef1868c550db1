#include "mesh/vertex_fit.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "math/rounding.h"
#include "mesh/tile_mesh.h"

namespace vf {

std::array<std::int32_t, 2> fit_on_face(std::span<const FacePoint> points, std::int32_t edge_units) {
  const auto count = static_cast<float>(points.size());
  float mu = 0, mv = 0;
  for (const FacePoint& p : points) mu += p.at[0], mv += p.at[1];
  mu /= count;
  mv /= count;
  float uu = 0, uv = 0, vv = 0, ru = 0, rv = 0;
  for (const FacePoint& p : points) {
    const float nu = p.normal[0], nv = p.normal[1];
    const float d = nu * (p.at[0] - mu) + nv * (p.at[1] - mv);
    uu += nu * nu;
    uv += nu * nv;
    vv += nv * nv;
    ru += nu * d;
    rv += nv * d;
  }
  uu += count * kPull;
  vv += count * kPull;
  const float det = uu * vv - uv * uv;
  const auto to_units = [edge_units](float v) {
    return std::clamp(round_to_int(v * kVoxelUnits), kCellMargin, edge_units - kCellMargin);
  };
  return {to_units(mu + (ru * vv - rv * uv) / det), to_units(mv + (rv * uu - ru * uv) / det)};
}

}  // namespace vf

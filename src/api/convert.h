// Vectors of the public face <-> those behind it.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "math/vec.h"

namespace voxelforge {

[[nodiscard]] inline std::array<float, 3> to_array(vf::Vec3f v) {
  return {v.x, v.y, v.z};
}

/// Of length 1; nothing for 0 and for what is not finite.
[[nodiscard]] inline std::optional<vf::Vec3f> unit_direction(const std::array<double, 3>& d) {
  const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  return vf::Vec3f{static_cast<float>(d[0] / length), static_cast<float>(d[1] / length),
                   static_cast<float>(d[2] / length)};
}

}  // namespace voxelforge

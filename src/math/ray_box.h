// The part of a ray that lies in a box.
#pragma once

#include <algorithm>

#include "math/box.h"
#include "math/vec.h"

namespace vf {

/// From `low` to `high` along a ray; empty when low > high.
struct RayStretch {
  float low = 0, high = 0;
  [[nodiscard]] bool empty() const { return low > high; }
};

/// The part of `along` that lies in the box.
[[nodiscard]] inline RayStretch clip_ray(const Box3f& box, Vec3f origin, Vec3f direction, RayStretch along) {
  const auto slab = [&](float from, float step, float min, float max) {
    if (step == 0) {
      if (from < min || from > max) along.high = along.low - 1;
      return;
    }
    const float a = (min - from) / step, b = (max - from) / step;
    along.low = std::max(along.low, std::min(a, b));
    along.high = std::min(along.high, std::max(a, b));
  };
  slab(origin.x, direction.x, box.min.x, box.max.x);
  slab(origin.y, direction.y, box.min.y, box.max.y);
  slab(origin.z, direction.z, box.min.z, box.max.z);
  return along;
}

}  // namespace vf

// Axis-aligned boxes.
#pragma once

#include <algorithm>

#include "math/interval.h"
#include "math/vec.h"

namespace vf {

/// Closed box: min <= max on every axis.
struct Box3f {
  Vec3f min, max;

  [[nodiscard]] bool intersects(const Box3f& o) const {
    return min.x <= o.max.x && o.min.x <= max.x && min.y <= o.max.y && o.min.y <= max.y && min.z <= o.max.z &&
           o.min.z <= max.z;
  }
  [[nodiscard]] Box3f grown(float by) const {
    return {{min.x - by, min.y - by, min.z - by}, {max.x + by, max.y + by, max.z + by}};
  }
  [[nodiscard]] bool contains(Vec3f p) const {
    return min.x <= p.x && p.x <= max.x && min.y <= p.y && p.y <= max.y && min.z <= p.z && p.z <= max.z;
  }
  friend bool operator==(const Box3f&, const Box3f&) = default;
};

/// Closed rectangle in plan.
struct Box2f {
  float min_x = 0, min_y = 0, max_x = 0, max_y = 0;
  friend bool operator==(const Box2f&, const Box2f&) = default;
};

}  // namespace vf

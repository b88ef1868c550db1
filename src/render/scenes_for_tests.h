// Small scenes whose surfaces are known in closed form.
#pragma once

#include <cmath>

#include "render/formula_field.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {

inline float box_distance(Vec3f p, Vec3f half) {
  const Vec3f q{std::fabs(p.x) - half.x, std::fabs(p.y) - half.y, std::fabs(p.z) - half.z};
  const Vec3f outside{std::max(q.x, 0.0F), std::max(q.y, 0.0F), std::max(q.z, 0.0F)};
  return length(outside) + std::min(0.0F, max_of(q));
}

inline constexpr Box3f kTestBounds{{-40, -40, -6}, {40, 40, 26}};

/// A hall with floor z = 0 and roof z = 20, and a ball of radius 2 at (8, 0, 3).
inline float hall_with_ball(Vec3f p) {
  return std::min(std::min(p.z, 20 - p.z), length(p - Vec3f{8, 0, 3}) - 2);
}

/// The hall with a wall 2 cm thick at x = 10.
inline float hall_with_thin_wall(Vec3f p) {
  return std::min(std::min(p.z, 20 - p.z), box_distance(p - Vec3f{10, 0, 10}, {0.01F, 30, 12}));
}

/// The hall with plates 3 cm thick, turned about z by all angles, standing on the floor and above it, and
/// posts of 6 cm.
inline float hall_with_plates(Vec3f p) {
  float v = std::min(p.z, 20 - p.z);
  for (int i = 0; i < 12; ++i) {
    const float angle = 0.26F * static_cast<float>(i), c = std::cos(angle), s = std::sin(angle);
    const Vec3f q = p - Vec3f{3 + 2.6F * static_cast<float>(i), 7 * std::sin(2.1F * static_cast<float>(i)),
                              i % 3 == 0 ? 6.0F : 1.5F};
    v = std::min(v, box_distance({c * q.x + s * q.y, c * q.y - s * q.x, q.z}, {1.8F, 0.015F, 1.6F}));
    v = std::min(v, box_distance(q - Vec3f{1, 3, 0}, {0.03F, 0.03F, 4}));
  }
  return v;
}

inline TraceGrid grid_about(const SceneField& field, Vec3f eye, unsigned workers = 1) {
  GridSettings settings;
  settings.eye = eye;
  settings.bounds = kTestBounds;
  settings.workers = workers;
  return TraceGrid::build(field, settings, {});
}

}  // namespace vf::render

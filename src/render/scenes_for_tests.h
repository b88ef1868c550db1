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

inline TraceGrid grid_about(const SceneField& field, Vec3f eye, unsigned workers = 1) {
  GridSettings settings;
  settings.eye = eye;
  settings.bounds = kTestBounds;
  settings.workers = workers;
  return TraceGrid::build(field, settings, {});
}

}  // namespace vf::render

// Vectors in plan and on floors, for the geometry of paths. Double precision over basic operations: the same
// bits everywhere.
#pragma once

#include <cmath>
#include <cstdint>

#include "math/trig.h"
#include "plan/path_plan.h"

namespace vf {

/// Position in the sector, seen from above. [metres]
struct PlanPoint {
  double x = 0, y = 0;
  friend PlanPoint operator+(const PlanPoint& a, const PlanPoint& b) { return {a.x + b.x, a.y + b.y}; }
  friend PlanPoint operator-(const PlanPoint& a, const PlanPoint& b) { return {a.x - b.x, a.y - b.y}; }
  friend PlanPoint operator*(double s, const PlanPoint& a) { return {s * a.x, s * a.y}; }
};

[[nodiscard]] inline double dot(const PlanPoint& a, const PlanPoint& b) {
  return a.x * b.x + a.y * b.y;
}
[[nodiscard]] inline double cross(const PlanPoint& a, const PlanPoint& b) {
  return a.x * b.y - a.y * b.x;
}
[[nodiscard]] inline double length(const PlanPoint& a) {
  return std::sqrt(dot(a, a));
}
/// Turned by a quarter to the left.
[[nodiscard]] inline PlanPoint left_of(const PlanPoint& a) {
  return {-a.y, a.x};
}
/// Turned to the left by an angle.
[[nodiscard]] inline PlanPoint turned(const PlanPoint& a, const SinCos& by) {
  return {by.cos * a.x - by.sin * a.y, by.sin * a.x + by.cos * a.y};
}
[[nodiscard]] inline PlanPoint unit(const PlanPoint& a) {
  const double l = length(a);
  return l > 0 ? PlanPoint{a.x / l, a.y / l} : PlanPoint{1, 0};
}

[[nodiscard]] inline std::int64_t micrometres(double metres) {
  return static_cast<std::int64_t>(std::floor(metres * 1e6 + 0.5));
}
[[nodiscard]] inline double metres(std::int64_t micrometres) {
  return static_cast<double>(micrometres) / 1e6;
}
[[nodiscard]] inline PositionUm position_um(const PlanPoint& p, double z) {
  return {micrometres(p.x), micrometres(p.y), micrometres(z)};
}
[[nodiscard]] inline PlanPoint plan_point(const PositionUm& p) {
  return {metres(p.x), metres(p.y)};
}

}  // namespace vf

#include "mesh/closest_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "math/vec.h"

namespace vf {

namespace {

Vec3d operator-(const Vec3d& a, const Vec3d& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3d operator+(const Vec3d& a, const Vec3d& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec3d operator*(const Vec3d& a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
double dot(const Vec3d& a, const Vec3d& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ClosestPoints between(const Vec3d& on_segment, const Vec3d& on_triangle) {
  const Vec3d d = on_segment - on_triangle;
  return {on_segment, on_triangle, std::sqrt(dot(d, d))};
}

/// By the region of the triangle's plane that the point lies over.
Vec3d closest_on_triangle(const Vec3d& p, const std::array<Vec3d, 3>& t) {
  const Vec3d ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t[0];
  const Vec3d bp = p - t[1];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t[1];
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return t[0] + ab * (d1 / (d1 - d3));
  const Vec3d cp = p - t[2];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t[2];
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return t[0] + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return t[1] + (t[2] - t[1]) * ((d4 - d3) / (d4 - d3 + d5 - d6));
  const double sum = va + vb + vc;
  return t[0] + ab * (vb / sum) + ac * (vc / sum);
}

ClosestPoints closest_of_segments(const Vec3d& p1, const Vec3d& q1, const Vec3d& p2, const Vec3d& q2) {
  const Vec3d d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  const double denominator = a * e - b * b;
  double s = denominator > 0 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
  double t = e > 0 ? (b * s + f) / e : 0.0;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > 0 ? std::clamp((b * t - c) / a, 0.0, 1.0) : 0.0;
  }
  return between(p1 + d1 * s, p2 + d2 * t);
}

}  // namespace

std::optional<TriangleHit> ray_triangle(const Vec3d& origin, const Vec3d& direction,
                                        const std::array<Vec3d, 3>& triangle) {
  const Vec3d a = triangle[0] - origin, b = triangle[1] - origin, c = triangle[2] - origin;
  // Volumes of the ray with each side: swapping the ends of a side changes the sign and nothing else.
  const double u = dot(direction, cross(c, b)), v = dot(direction, cross(a, c)),
               w = dot(direction, cross(b, a));
  const bool back = u >= 0 && v >= 0 && w >= 0, front = u <= 0 && v <= 0 && w <= 0;
  const double sum = u + v + w;
  if ((!back && !front) || sum == 0) return std::nullopt;
  const double t = (dot(a, direction) * u + dot(b, direction) * v + dot(c, direction) * w) / sum /
                   dot(direction, direction);
  if (t < 0) return std::nullopt;
  return TriangleHit{t, {u / sum, v / sum, w / sum}};
}

Vec3d triangle_normal(const std::array<Vec3d, 3>& t) {
  const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
  const double length = std::sqrt(dot(n, n));
  return length > 0 ? n * (1 / length) : Vec3d{0, 0, 1};
}

ClosestPoints closest_points(const Vec3d& a, const Vec3d& b, const std::array<Vec3d, 3>& triangle) {
  const Vec3d d = b - a;
  if (dot(d, d) > 0) {
    const std::optional<TriangleHit> hit = ray_triangle(a, d, triangle);
    if (hit && hit->t <= 1) return between(a + d * hit->t, a + d * hit->t);
  }
  ClosestPoints best = between(a, closest_on_triangle(a, triangle));
  const auto offer = [&](const ClosestPoints& c) {
    if (c.distance < best.distance) best = c;
  };
  offer(between(b, closest_on_triangle(b, triangle)));
  for (std::size_t i = 0; i < 3; ++i) offer(closest_of_segments(a, b, triangle[i], triangle[(i + 1) % 3]));
  return best;
}

}  // namespace vf

#include "mesh/polygon.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// Twice the area of a triangle as seen along the edge; > 0: anticlockwise. Exact.
std::int32_t area(int axis, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
  const Vec3i p{b.x - a.x, b.y - a.y, b.z - a.z}, q{c.x - a.x, c.y - a.y, c.z - a.z};
  if (axis == 0) return p.y * q.z - p.z * q.y;
  if (axis == 1) return p.z * q.x - p.x * q.z;
  return p.x * q.y - p.y * q.x;
}

/// How far the ends of a diagonal see each other off their tangent planes.
float bend(const PolygonCorner& a, const PolygonCorner& b) {
  const Vec3f d{static_cast<float>(b.at.x - a.at.x), static_cast<float>(b.at.y - a.at.y),
                static_cast<float>(b.at.z - a.at.z)};
  return std::fabs(a.normal.x * d.x + a.normal.y * d.y + a.normal.z * d.z) +
         std::fabs(b.normal.x * d.x + b.normal.y * d.y + b.normal.z * d.z);
}

void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool flip, std::vector<Triangle>& out) {
  if (flip) std::swap(b, c);
  out.push_back({{a, b, c}});
}

}  // namespace

void triangulate_quad(int axis, const std::array<PolygonCorner, 4>& c, bool flip,
                      std::vector<Triangle>& out) {
  // Each cell's vertex stays in its own quadrant about the edge, so the quadrilateral is star-shaped as seen
  // along it, and at least one of the diagonals leaves two triangles with an area.
  const bool first_good =
      area(axis, c[0].at, c[1].at, c[2].at) > 0 && area(axis, c[0].at, c[2].at, c[3].at) > 0;
  const bool second_good =
      area(axis, c[1].at, c[2].at, c[3].at) > 0 && area(axis, c[1].at, c[3].at, c[0].at) > 0;
  const bool first = first_good && (!second_good || bend(c[0], c[2]) <= bend(c[1], c[3]));
  if (first) {
    add_triangle(c[0].vertex, c[1].vertex, c[2].vertex, flip, out);
    add_triangle(c[0].vertex, c[2].vertex, c[3].vertex, flip, out);
  } else {
    add_triangle(c[1].vertex, c[2].vertex, c[3].vertex, flip, out);
    add_triangle(c[1].vertex, c[3].vertex, c[0].vertex, flip, out);
  }
}

void triangulate_fan(std::uint32_t centre, const std::uint32_t* corners, int count, bool flip,
                     std::vector<Triangle>& out) {
  for (int i = 0; i < count; ++i) add_triangle(centre, corners[i], corners[(i + 1) % count], flip, out);
}

}  // namespace vf

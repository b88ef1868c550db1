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

/// A corner as seen along the edge.
struct Seen {
  std::int32_t u = 0, v = 0;
};
Seen seen(int axis, const Vec3i& p) {
  return axis == 0 ? Seen{p.y, p.z} : axis == 1 ? Seen{p.z, p.x} : Seen{p.x, p.y};
}

/// Twice the area of a triangle; > 0: anticlockwise. Exact.
std::int32_t area(Seen a, Seen b, Seen c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
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
  const Seen p0 = seen(axis, c[0].at), p1 = seen(axis, c[1].at), p2 = seen(axis, c[2].at),
             p3 = seen(axis, c[3].at);
  const bool first_good = area(p0, p1, p2) > 0 && area(p0, p2, p3) > 0;
  const bool second_good = area(p1, p2, p3) > 0 && area(p1, p3, p0) > 0;
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

#include "mesh/polygon.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "mesh/lanes.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// How far the ends of a diagonal see each other off their tangent planes.
float bend(const PolygonCorner& a, const PolygonCorner& b) {
  const Float4 d = b.at - a.at;
  return std::fabs(dot3(a.normal, d)) + std::fabs(dot3(b.normal, d));
}

/// Of the four corners as seen along the edge: twice the areas of the triangles 012, 023, 123, 130; > 0:
/// anticlockwise. Exact: the corners' differences have 11 bits at most.
Float4 areas(Float4 u, Float4 v) {
  // 012: (1 - 0) x (2 - 0), 023: (2 - 0) x (3 - 0), 123: (2 - 1) x (3 - 1), 130: (3 - 1) x (0 - 1)
  const Float4 from_u = __builtin_shufflevector(u, u, 0, 0, 1, 1),
               from_v = __builtin_shufflevector(v, v, 0, 0, 1, 1);
  const Float4 a_u = __builtin_shufflevector(u, u, 1, 2, 2, 3) - from_u,
               a_v = __builtin_shufflevector(v, v, 1, 2, 2, 3) - from_v;
  const Float4 b_u = __builtin_shufflevector(u, u, 2, 3, 3, 0) - from_u,
               b_v = __builtin_shufflevector(v, v, 2, 3, 3, 0) - from_v;
  return a_u * b_v - a_v * b_u;
}

}  // namespace

bool split_first(int axis, const PolygonCorner& c0, const PolygonCorner& c1, const PolygonCorner& c2,
                 const PolygonCorner& c3) {
  // Each cell's vertex stays in its own quadrant about the edge, so the quadrilateral is star-shaped as seen
  // along it, and at least one of the diagonals leaves two triangles with an area.
  Float4 x = c0.at, y = c1.at, z = c2.at, none = c3.at;
  transpose(x, y, z, none);
  const Float4 area = axis == 0 ? areas(y, z) : axis == 1 ? areas(z, x) : areas(x, y);
  const bool first_good = area[0] > 0 && area[1] > 0;
  const bool second_good = area[2] > 0 && area[3] > 0;
  return first_good && (!second_good || bend(c0, c2) <= bend(c1, c3));
}

void write_fan(std::uint32_t centre, const std::uint32_t* corners, std::size_t count, bool flip,
               Triangle* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    if (flip) std::swap(a, b);
    out[i] = {{centre, a, b}};
  }
}

}  // namespace vf

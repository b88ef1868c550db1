// The polygon around a crossed lattice edge -> triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "mesh/lanes.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// A vertex as polygons see it. The first three lanes count.
struct PolygonCorner {
  Float4 at;      ///< whole numbers. [voxel / 512]
  Float4 normal;  ///< length 1
};

/// The four cells around a lattice edge that runs along `axis`, in order: anticlockwise seen from +axis. On
/// the next two axes (u, v) the cell is on the low side (-1) or the high side (0).
inline constexpr std::array<std::array<int, 2>, 4> kAroundEdge{{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}};

/// Of four corners as seen along an edge: twice the areas of the triangles 012, 023, 123, 130; > 0:
/// anticlockwise. Exact: the corners' differences have 11 bits at most.
[[nodiscard]] inline Float4 split_areas(Float4 u, Float4 v) {
  // 012: (1 - 0) x (2 - 0), 023: (2 - 0) x (3 - 0), 123: (2 - 1) x (3 - 1), 130: (3 - 1) x (0 - 1)
  const Float4 from_u = __builtin_shufflevector(u, u, 0, 0, 1, 1),
               from_v = __builtin_shufflevector(v, v, 0, 0, 1, 1);
  const Float4 a_u = __builtin_shufflevector(u, u, 1, 2, 2, 3) - from_u,
               a_v = __builtin_shufflevector(v, v, 1, 2, 2, 3) - from_v;
  const Float4 b_u = __builtin_shufflevector(u, u, 2, 3, 3, 0) - from_u,
               b_v = __builtin_shufflevector(v, v, 2, 3, 3, 0) - from_v;
  return a_u * b_v - a_v * b_u;
}

/// Whether a quadrilateral of four cells is split between its corners 0 and 2, or else between 1 and 3: along
/// the diagonal that lies better on the surface, as long as both triangles have an area. `corners` in the
/// order of kAroundEdge.
[[nodiscard]] inline bool split_first(int axis, const PolygonCorner& c0, const PolygonCorner& c1,
                                      const PolygonCorner& c2, const PolygonCorner& c3) {
  // Each cell's vertex stays in its own quadrant about the edge, so the quadrilateral is star-shaped as seen
  // along it, and at least one of the diagonals leaves two triangles with an area.
  Float4 x = c0.at, y = c1.at, z = c2.at, none = c3.at;
  transpose(x, y, z, none);
  const Float4 area = axis == 0 ? split_areas(y, z) : axis == 1 ? split_areas(z, x) : split_areas(x, y);
  const bool first_good = area[0] > 0 && area[1] > 0;
  const bool second_good = area[2] > 0 && area[3] > 0;
  // How far the ends of each diagonal see each other off their tangent planes.
  const Float4 first = c2.at - c0.at, second = c3.at - c1.at;
  Float4 a = first * c0.normal, b = first * c2.normal, c = second * c1.normal, d = second * c3.normal;
  transpose(a, b, c, d);
  const Float4 off = abs_of(a + b + c);
  return first_good && (!second_good || off[0] + off[1] <= off[2] + off[3]);
}

/// The two triangles of such a quadrilateral; `flip` when the air is at the low end.
inline void write_quad(bool first, const std::array<std::uint32_t, 4>& v, bool flip, Triangle* out) {
  // The diagonal runs from a to c. Indices instead of choices: which diagonal is a coin toss to a branch.
  const std::size_t s = first ? 0 : 1;
  const std::uint32_t a = v[s], c = v[s + 2];
  std::uint32_t b = v[s + 1], d = v[(s + 3) & 3];
  if (flip) std::swap(b, d);  // the same two triangles seen from below: a d c and a c b
  out[0] = {{a, b, c}};
  out[1] = {{a, c, d}};
}

/// A polygon with vertices of ambiguous faces: a fan from the edge's own crossing, which sees all of it.
///
/// A fan from a face's vertex would do for the topology, but may fold over or hold triangles without area.
/// `out`: room for `count` triangles.
void write_fan(std::uint32_t centre, const std::uint32_t* corners, std::size_t count, bool flip,
               Triangle* out);

}  // namespace vf

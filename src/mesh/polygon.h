// The polygon around a crossed lattice edge -> triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

/// Whether a quadrilateral of four cells is split between its corners 0 and 2, or else between 1 and 3: along
/// the diagonal that lies better on the surface, as long as both triangles have an area. `corners` in the
/// order of kAroundEdge.
[[nodiscard]] bool split_first(int axis, const PolygonCorner& c0, const PolygonCorner& c1,
                               const PolygonCorner& c2, const PolygonCorner& c3);

/// The two triangles of such a quadrilateral; `flip` when the air is at the low end.
inline void write_quad(bool first, const std::array<std::uint32_t, 4>& v, bool flip, Triangle* out) {
  // The diagonal runs from a to c.
  const std::uint32_t a = first ? v[0] : v[1], b = first ? v[1] : v[2], c = first ? v[2] : v[3],
                      d = first ? v[3] : v[0];
  out[0] = {{a, flip ? c : b, flip ? b : c}};
  out[1] = {{a, flip ? d : c, flip ? c : d}};
}

/// A polygon with vertices of ambiguous faces: a fan from the edge's own crossing, which sees all of it.
///
/// A fan from a face's vertex would do for the topology, but may fold over or hold triangles without area.
/// `out`: room for `count` triangles.
void write_fan(std::uint32_t centre, const std::uint32_t* corners, std::size_t count, bool flip,
               Triangle* out);

}  // namespace vf

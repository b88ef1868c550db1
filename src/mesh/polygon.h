// The polygon around a crossed lattice edge -> triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// A corner of a polygon.
struct PolygonCorner {
  std::uint32_t vertex = 0;
  Vec3i at;      ///< [voxel / 512]
  Vec3f normal;  ///< length 1
};

/// The four cells around a lattice edge that runs along `axis`, in order: anticlockwise seen from +axis. On
/// the next two axes (u, v) the cell is on the low side (-1) or the high side (0).
inline constexpr std::array<std::array<int, 2>, 4> kAroundEdge{{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}};

/// Splits the quadrilateral of four cells along one diagonal: the one that lies better on the surface, as
/// long as both triangles have an area. `corners` in the order of kAroundEdge; `flip` when the air is at the
/// low end.
void triangulate_quad(int axis, const std::array<PolygonCorner, 4>& corners, bool flip,
                      std::vector<Triangle>& out);

/// A polygon with vertices of ambiguous faces: a fan from the edge's own crossing, which sees all of it.
///
/// A fan from a face's vertex would do for the topology, but may fold over or hold triangles without area.
void triangulate_fan(std::uint32_t centre, const std::uint32_t* corners, int count, bool flip,
                     std::vector<Triangle>& out);

}  // namespace vf

// What stands around a crossed lattice edge: shared by the inside of a tile and by seams.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/cell_table.h"
#include "mesh/polygon.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// The segment of a face: across `axis`, on the low side of cell x, y, z; around the solid corner u, v.
struct FaceKey {
  int axis = 0, x = 0, y = 0, z = 0, u = 0, v = 0;
};

/// Null when the face is not ambiguous. `segments` sorted by z, y, x, axis.
[[nodiscard]] inline const FaceSegment* find_segment(std::span<const FaceSegment> segments,
                                                     const FaceKey& key) {
  const auto order = [](const auto& s) { return std::tuple<int, int, int, int>(s.z, s.y, s.x, s.axis); };
  auto it = std::lower_bound(segments.begin(), segments.end(), key,
                             [&](const FaceSegment& s, const FaceKey& k) { return order(s) < order(k); });
  for (; it != segments.end() && order(*it) == order(key); ++it)
    if (it->u == key.u && it->v == key.v) return &*it;
  return nullptr;
}

/// The edge of cell k around a lattice edge (kAroundEdge), in that cell's own numbers.
[[nodiscard]] inline std::size_t edge_in_cell(int axis, std::size_t k) {
  return static_cast<std::size_t>(edge_at(axis, -kAroundEdge[k][0], -kAroundEdge[k][1]));
}

[[nodiscard]] inline std::uint32_t vertex_of(const CellVertices& cell, int axis, std::size_t k) {
  return cell.first + cell.of_edge[edge_in_cell(axis, k)];
}

/// Whether any of the four faces that meet at the edge is ambiguous: cells 0 and 2 hold them all.
[[nodiscard]] inline bool has_ambiguous_face(int axis, const std::array<const CellVertices*, 4>& around) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const int high = 1 << (2 * u + 1) | 1 << (2 * v + 1), low = 1 << (2 * u) | 1 << (2 * v);
  return (kCellShapes[around[0]->mask].ambiguous & high) != 0 ||
         (kCellShapes[around[2]->mask].ambiguous & low) != 0;
}

/// Which cell around an edge keeps the face between cells k and k + 1: it is the low face of whichever of the
/// two lies higher.
[[nodiscard]] constexpr std::size_t owner_of_face_after(std::size_t k) {
  return k == 0 ? 1 : k == 3 ? 3 : 2;
}

/// The end of the segment, on the face after cell k, that an edge's polygon passes.
struct FaceEnd {
  bool ambiguous = false;  ///< else there is no such segment, and the rest says nothing
  FaceKey key;
  std::size_t end = 0;  ///< into FaceSegment's vertices
};
/// `owner`: see owner_of_face_after; `flip`: the air is at the edge's low end.
[[nodiscard]] inline FaceEnd face_after(int axis, std::size_t k, const CellVertices& owner, bool flip) {
  const auto a = static_cast<std::size_t>(axis);
  const std::size_t iu = (a + 1) % 3, iv = (a + 2) % 3;
  const std::size_t face_axis = k % 2 == 0 ? iu : iv;
  FaceEnd face;
  face.ambiguous = (kCellShapes[owner.mask].ambiguous >> (2 * face_axis) & 1) != 0;
  const auto& place = kAroundEdge[owner_of_face_after(k)];
  std::array<int, 3> in_cell{};  // the edge's solid end
  in_cell[a] = flip ? 1 : 0;
  in_cell[iu] = -place[0];
  in_cell[iv] = -place[1];
  face.key = {static_cast<int>(face_axis), owner.x, owner.y, owner.z, in_cell[(face_axis + 1) % 3],
              in_cell[(face_axis + 2) % 3]};
  face.end = (face_axis + 1) % 3 == a ? 0 : 1;
  return face;
}

struct EdgeFan {
  std::uint32_t centre = 0;
  std::array<std::uint32_t, 8> corners{};
  std::size_t count = 0;
};

/// The polygon around an edge that some ambiguous face meets. `flip`: the air is at the edge's low end.
/// find(k, face): the segment, looked for in the tile of cell k of `around`, or null; vertex(k, v): the
/// number in the result of a vertex of that tile.
template <class Find, class Vertex>
[[nodiscard]] EdgeFan fan_of_edge(int axis, const std::array<const CellVertices*, 4>& around, bool flip,
                                  const Find& find, const Vertex& vertex) {
  EdgeFan fan;
  bool found = false;
  for (std::size_t k = 0; k < 4; ++k) {
    fan.corners[fan.count++] = vertex(k, vertex_of(*around[k], axis, k));
    const std::size_t owner = owner_of_face_after(k);
    const FaceEnd face = face_after(axis, k, *around[owner], flip);
    if (!face.ambiguous) continue;
    const FaceSegment* segment = find(owner, face.key);
    VF_CHECK(segment != nullptr);
    fan.corners[fan.count++] = vertex(owner, segment->vertex[face.end]);
    if (!found) fan.centre = vertex(owner, segment->crossing[face.end]);
    found = true;
  }
  VF_CHECK(found);
  return fan;
}

}  // namespace vf

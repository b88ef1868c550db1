#include "mesh/cell_table.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vf {

namespace {

constexpr bool solid(int mask, int corner) {
  return (mask >> corner & 1) != 0;
}

constexpr bool crossed(int mask, int e) {
  const CellEdge edge = cell_edge(e);
  return solid(mask, edge.from) != solid(mask, edge.to);
}

/// The other end of the segment that starts at edge `e` on face `f`.
constexpr int across(int mask, int f, int e) {
  const int axis = f / 2, side = f & 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
  // The face's edges along u lie at v = 0, 1 and those along v at u = 0, 1.
  const std::array<int, 4> edges{edge_at(u, 0, side), edge_at(u, 1, side), edge_at(v, side, 0),
                                 edge_at(v, side, 1)};
  int count = 0;
  for (const int i : edges) count += crossed(mask, i) ? 1 : 0;
  if (count == 2) {
    for (const int i : edges)
      if (i != e && crossed(mask, i)) return i;
  }
  // Ambiguous: the segment goes around the solid corner of e, to the other edge of the face that meets it.
  const CellEdge own = cell_edge(e);
  const int corner = solid(mask, own.from) ? own.from : own.to;
  for (const int i : edges) {
    const CellEdge other = cell_edge(i);
    if (i != e && (other.from == corner || other.to == corner)) return i;
  }
  return -1;
}

/// The two faces that meet at edge e.
constexpr std::array<int, 2> faces_of(int e) {
  const int axis = e / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
  return {2 * u + (e & 1), 2 * v + (e >> 1 & 1)};
}

constexpr CellShape shape_of(int mask) {
  CellShape shape;
  shape.cycle.fill(kNotCrossed);
  for (int f = 0; f < kCellFaces; ++f) {
    const int axis = f / 2, side = f & 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool all = crossed(mask, edge_at(u, 0, side)) && crossed(mask, edge_at(u, 1, side)) &&
                     crossed(mask, edge_at(v, side, 0)) && crossed(mask, edge_at(v, side, 1));
    if (all) shape.ambiguous = static_cast<std::uint8_t>(shape.ambiguous | 1 << f);
  }
  for (int start = 0; start < kCellEdges; ++start) {
    if (!crossed(mask, start) || shape.cycle[static_cast<std::size_t>(start)] != kNotCrossed) continue;
    int e = start, face = faces_of(start)[0];
    do {
      shape.cycle[static_cast<std::size_t>(e)] = shape.cycles;
      shape.edges[shape.cycles] = static_cast<std::uint16_t>(shape.edges[shape.cycles] | 1 << e);
      e = across(mask, face, e);
      const std::array<int, 2> faces = faces_of(e);
      face = faces[0] == face ? faces[1] : faces[0];
    } while (e != start);
    ++shape.cycles;
  }
  return shape;
}

constexpr std::array<CellShape, 256> all_shapes() {
  std::array<CellShape, 256> shapes{};
  for (int mask = 0; mask < 256; ++mask) shapes[static_cast<std::size_t>(mask)] = shape_of(mask);
  return shapes;
}

}  // namespace

constexpr std::array<CellShape, 256> kCellShapes = all_shapes();

}  // namespace vf

// How the surface runs through a cell, by the signs of its eight corners.
//
// On a face with two crossed edges one segment joins them. On an ambiguous face (solid corners on one
// diagonal) two segments cut the solid corners off: the face alone decides, so both its cells see the same.
// The segments of the six faces close to cycles; each cycle is one sheet of the surface and gets one vertex.
// A vertex for every cycle, rather than one for every cell, is what keeps a dual mesh manifold (Nielson, Dual
// Marching Cubes, 2004).
#pragma once

#include <array>
#include <cstdint>

namespace vf {

inline constexpr int kCellEdges = 12;
inline constexpr int kMaxCycles = 4;
inline constexpr std::uint8_t kNotCrossed = 0xFF;

/// Corner i of a cell is at (i & 1, i >> 1 & 1, i >> 2): bit i of a mask is set where it is solid.
using CornerMask = std::uint8_t;

/// Edge e runs along axis e / 4, from the corner that is 0 on that axis; its place on the next two axes (in
/// the order x, y, z, x, y) is (e & 1, e >> 1 & 1).
struct CellEdge {
  std::uint8_t axis, from, to;  ///< corners
};

/// Face f is across axis f / 2, on its side f & 1.
inline constexpr int kCellFaces = 6;

struct CellShape {
  std::uint8_t cycles = 0;
  std::uint8_t ambiguous = 0;                     ///< bit f: face f has four crossed edges
  std::array<std::uint8_t, kCellEdges> cycle{};   ///< of each edge, or kNotCrossed
  std::array<std::uint16_t, kMaxCycles> edges{};  ///< of each cycle, bit e for edge e
};

[[nodiscard]] constexpr CellEdge cell_edge(int e) {
  const int axis = e / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
  const int from = (e & 1) << u | (e >> 1 & 1) << v;
  return {static_cast<std::uint8_t>(axis), static_cast<std::uint8_t>(from),
          static_cast<std::uint8_t>(from | 1 << axis)};
}

/// The edge along `axis` that lies at (u, v), each 0 or 1, on the next two axes.
[[nodiscard]] constexpr int edge_at(int axis, int u, int v) {
  return axis * 4 + u + 2 * v;
}

/// For each of the 256 masks.
extern const std::array<CellShape, 256> kCellShapes;

}  // namespace vf

#include "mesh/transition_table.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace vf {

namespace {

/// From sample to sample. [i + 3 j]
struct Edge {
  int from = 0, to = 0;
};

constexpr std::array<Edge, kTransitionEdges> kEdges = [] {
  std::array<Edge, kTransitionEdges> edges{};
  for (int direction = 0; direction < 2; ++direction) {
    const int step = direction == 0 ? 1 : 3, side = direction == 0 ? 3 : 1;
    for (int across = 0; across < 3; ++across) {
      for (int along = 0; along < 2; ++along) {
        const int from = along * step + across * side;
        edges[static_cast<std::size_t>(transition_edge(direction, along, across))] = {from, from + step};
      }
      if (across == 1) continue;
      const int from = across * side;
      edges[static_cast<std::size_t>(coarse_transition_edge(direction, across))] = {from, from + 2 * step};
    }
  }
  return edges;
}();

/// Five squares, then the four triangles.
constexpr int kFaces = 9;
struct Face {
  int count = 0;
  std::array<int, 4> edges{};
};

constexpr std::array<Face, kFaces> kTransitionFaces = [] {
  std::array<Face, kFaces> faces{};
  std::size_t n = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      faces[n++] = {4,
                    {transition_edge(0, i, j), transition_edge(0, i, j + 1), transition_edge(1, j, i),
                     transition_edge(1, j, i + 1)}};
  faces[n++] = {4, {12, 13, 14, 15}};
  for (int side = 0; side < 4; ++side) {
    const auto& halves = kTransitionHalves[static_cast<std::size_t>(side)];
    faces[n++] = {3, {kFineTransitionEdges + side, halves[0], halves[1], 0}};
  }
  return faces;
}();

constexpr bool crossed(int mask, int e) {
  const Edge edge = kEdges[static_cast<std::size_t>(e)];
  return (mask >> edge.from & 1) != (mask >> edge.to & 1);
}

constexpr int crossed_edges(int mask, const Face& face) {
  int count = 0;
  for (int i = 0; i < face.count; ++i)
    count += crossed(mask, face.edges[static_cast<std::size_t>(i)]) ? 1 : 0;
  return count;
}

/// The other end of the segment that starts at edge `e` on a face: around the solid corner where the face is
/// ambiguous.
constexpr int across(int mask, const Face& face, int e) {
  const bool ambiguous = crossed_edges(mask, face) == 4;
  const Edge own = kEdges[static_cast<std::size_t>(e)];
  const int corner = (mask >> own.from & 1) != 0 ? own.from : own.to;
  for (int i = 0; i < face.count; ++i) {
    const int other = face.edges[static_cast<std::size_t>(i)];
    if (other == e || !crossed(mask, other)) continue;
    const Edge edge = kEdges[static_cast<std::size_t>(other)];
    if (!ambiguous || edge.from == corner || edge.to == corner) return other;
  }
  return -1;
}

constexpr bool has_edge(const Face& face, int e) {
  for (int i = 0; i < face.count; ++i)
    if (face.edges[static_cast<std::size_t>(i)] == e) return true;
  return false;
}

/// The face that meets face `f` at edge e; any of the two when f is -1.
constexpr int other_face(int e, int f) {
  for (int i = 0; i < kFaces; ++i)
    if (i != f && has_edge(kTransitionFaces[static_cast<std::size_t>(i)], e)) return i;
  return -1;
}

TransitionShape shape_of(int mask) {
  TransitionShape shape;
  shape.cycle.fill(kNoTransitionCycle);
  for (int q = 0; q < kTransitionSquares; ++q)
    if (crossed_edges(mask, kTransitionFaces[static_cast<std::size_t>(q)]) == 4)
      shape.ambiguous = static_cast<std::uint8_t>(shape.ambiguous | 1 << q);
  for (int start = 0; start < kTransitionEdges; ++start) {
    if (!crossed(mask, start) || shape.cycle[static_cast<std::size_t>(start)] != kNoTransitionCycle) continue;
    VF_CHECK(shape.cycles < kMaxTransitionCycles);
    int e = start, face = other_face(start, -1);
    do {
      shape.cycle[static_cast<std::size_t>(e)] = shape.cycles;
      shape.edges[shape.cycles] = static_cast<std::uint16_t>(shape.edges[shape.cycles] | 1 << e);
      e = across(mask, kTransitionFaces[static_cast<std::size_t>(face)], e);
      face = other_face(e, face);
    } while (e != start);
    ++shape.cycles;
  }
  return shape;
}

std::array<TransitionShape, 512> all_shapes() {
  std::array<TransitionShape, 512> shapes{};
  for (int mask = 0; mask < 512; ++mask) shapes[static_cast<std::size_t>(mask)] = shape_of(mask);
  return shapes;
}

}  // namespace

const std::array<TransitionShape, 512> kTransitionShapes = all_shapes();

}  // namespace vf

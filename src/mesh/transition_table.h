// How the surface runs through a transition cell, by the signs of its nine samples.
//
// Where a fine tile meets a coarse one, a cell without thickness lies in their common side for each coarse
// square there: four fine squares on one side of it, the coarse square on the other, and around it four
// triangles (a, m, b) between a coarse edge a b and its two halves. As in a cell, segments on these faces
// close to cycles, and each cycle gets one vertex; see cell_table.h.
#pragma once

#include <array>
#include <cstdint>

namespace vf {

/// Sample i, j (each 0, 1 or 2, on the side's axes u and v): bit i + 3 j of a mask, set where it is solid.
using TransitionMask = std::uint16_t;

/// 0 ... 11: the halves of edges and those between; 12 ... 15: the coarse ones.
inline constexpr int kTransitionEdges = 16;
inline constexpr int kFineTransitionEdges = 12;
inline constexpr int kMaxTransitionCycles = 4;
/// 0 ... 3: the fine squares, i + 2 j; 4: the coarse one.
inline constexpr int kTransitionSquares = 5;
inline constexpr int kCoarseSquare = 4;
inline constexpr std::uint8_t kNoTransitionCycle = 0xFF;

/// The fine edge that starts at (`along` on its own axis, `across` on the other); direction 0: u, 1: v.
[[nodiscard]] constexpr int transition_edge(int direction, int along, int across) {
  return 6 * direction + along + 2 * across;
}
/// The coarse edge on the low side (across 0) or the high side (across 2) of the other axis.
[[nodiscard]] constexpr int coarse_transition_edge(int direction, int across) {
  return kFineTransitionEdges + 2 * direction + across / 2;
}

struct TransitionShape {
  std::uint8_t cycles = 0;
  std::uint8_t ambiguous = 0;                               ///< bit q: square q has four crossed edges
  std::array<std::uint8_t, kTransitionEdges> cycle{};       ///< of each edge, or none
  std::array<std::uint16_t, kMaxTransitionCycles> edges{};  ///< of each cycle, bit e for edge e
};

/// For each of the 512 masks.
extern const std::array<TransitionShape, 512> kTransitionShapes;

/// For each coarse edge: its two halves.
inline constexpr std::array<std::array<std::uint8_t, 2>, 4> kTransitionHalves{
    {{transition_edge(0, 0, 0), transition_edge(0, 1, 0)},
     {transition_edge(0, 0, 2), transition_edge(0, 1, 2)},
     {transition_edge(1, 0, 0), transition_edge(1, 1, 0)},
     {transition_edge(1, 0, 2), transition_edge(1, 1, 2)}}};

}  // namespace vf

#include "mesh/transition_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace vf {
namespace {

/// Each crossed edge is in one cycle, and no cycle is of coarse edges alone: its vertex has a crossing of the
/// fine tile to stand at.
TEST(TransitionTable, EveryCrossedEdgeIsInOneCycleAndEveryCycleHasFineEdges) {
  int most = 0;
  for (std::size_t mask = 0; mask < kTransitionShapes.size(); ++mask) {
    const TransitionShape& shape = kTransitionShapes[mask];
    most = std::max(most, int{shape.cycles});
    unsigned all = 0;
    for (std::size_t c = 0; c < shape.cycles; ++c) {
      const unsigned edges = shape.edges[c];
      EXPECT_EQ(all & edges, 0U);
      all |= edges;
      EXPECT_GE(std::popcount(edges & ((1U << kFineTransitionEdges) - 1)), 2) << "mask " << mask;
    }
    const auto solid = [&](int i, int j) { return (mask >> (i + 3 * j) & 1) != 0; };
    for (int direction = 0; direction < 2; ++direction) {
      for (int across = 0; across < 3; ++across) {
        const auto at = [&](int along) {
          return direction == 0 ? solid(along, across) : solid(across, along);
        };
        for (int along = 0; along < 2; ++along)
          EXPECT_EQ((all >> transition_edge(direction, along, across) & 1) != 0, at(along) != at(along + 1));
        if (across == 1) continue;
        EXPECT_EQ((all >> coarse_transition_edge(direction, across) & 1) != 0, at(0) != at(2));
      }
    }
  }
  EXPECT_EQ(most, kMaxTransitionCycles);
}

/// Rock and air change places: the same edges are crossed. Where no square is ambiguous, in the same cycles.
TEST(TransitionTable, RockAndAirMayChangePlaces) {
  for (std::size_t mask = 0; mask < kTransitionShapes.size(); ++mask) {
    const TransitionShape &a = kTransitionShapes[mask], &b = kTransitionShapes[511 - mask];
    EXPECT_EQ(a.ambiguous, b.ambiguous);
    if (a.ambiguous != 0) continue;
    EXPECT_EQ(a.cycle, b.cycle);
  }
}

}  // namespace
}  // namespace vf

#include "mesh/cell_table.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>

namespace vf {
namespace {

TEST(CellTable, EachCrossedEdgeIsOnOneCycle) {
  for (int mask = 0; mask < 256; ++mask) {
    const CellShape& shape = kCellShapes[static_cast<std::size_t>(mask)];
    int on_cycles = 0;
    for (std::size_t c = 0; c < shape.cycles; ++c) {
      EXPECT_GE(std::popcount(shape.edges[c]), 3) << mask;
      on_cycles += std::popcount(shape.edges[c]);
    }
    int crossed = 0;
    for (int e = 0; e < kCellEdges; ++e) {
      const CellEdge edge = cell_edge(e);
      const bool differs = ((mask >> edge.from ^ mask >> edge.to) & 1) != 0;
      crossed += differs ? 1 : 0;
      const std::uint8_t cycle = shape.cycle[static_cast<std::size_t>(e)];
      EXPECT_EQ(cycle != kNotCrossed, differs) << mask;
      if (differs) {
        EXPECT_NE(shape.edges[cycle] >> e & 1, 0) << mask;
      }
    }
    EXPECT_EQ(on_cycles, crossed) << mask;
  }
}

TEST(CellTable, SolidCornersOnAFacesDiagonalAreApart) {
  // Corners 0 and 3 lie across the low z face from each other.
  const CellShape& shape = kCellShapes[0b0000'1001];
  EXPECT_EQ(shape.cycles, 2);
  EXPECT_EQ(shape.ambiguous, 1 << 4);
  // The air between them is one: the inverse has one sheet less there, but its own ambiguous face is the
  // same.
  EXPECT_EQ(kCellShapes[0b1111'0110].ambiguous, 1 << 4);
}

TEST(CellTable, TheCheckerboardHasFourSheets) {
  EXPECT_EQ(kCellShapes[0b0110'1001].cycles, 4);
  EXPECT_EQ(kCellShapes[0b0110'1001].ambiguous, 0x3F);
}

/// What one cell says of a face, the cell on its other side says too: the same corners, the same pairs of
/// edges.
TEST(CellTable, BothCellsOfAFaceJoinTheSameEdges) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int signs = 0; signs < 16; ++signs) {
      std::array<std::set<std::set<int>>, 2> segments;
      for (int side = 0; side < 2; ++side) {
        // The face's corners with the rest of the cell all air: every cycle is then cut by the face in its
        // segments.
        int mask = 0;
        for (int c = 0; c < 4; ++c)
          if ((signs >> c & 1) != 0) mask |= 1 << (side << axis | (c & 1) << u | c >> 1 << v);
        const CellShape& shape = kCellShapes[static_cast<std::size_t>(mask)];
        for (std::size_t c = 0; c < shape.cycles; ++c) {
          std::set<int> ends;
          for (int k = 0; k < 2; ++k) {
            if ((shape.edges[c] >> edge_at(u, k, side) & 1) != 0) ends.insert(k);
            if ((shape.edges[c] >> edge_at(v, side, k) & 1) != 0) ends.insert(2 + k);
          }
          segments[static_cast<std::size_t>(side)].insert(ends);
        }
      }
      EXPECT_EQ(segments[0], segments[1]) << axis << " " << signs;
    }
  }
}

}  // namespace
}  // namespace vf

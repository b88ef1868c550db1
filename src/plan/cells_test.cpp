#include "plan/cells.h"

#include <gtest/gtest.h>
#include <cstdint>

#include "base/ids.h"

namespace vf {
namespace {

// Negative control 13: truncation would pull cells left of zero one to the right.
TEST(Cells, NegativeCoordinatesRoundDown) {
  EXPECT_EQ(floor_div(-1, 64), -1);
  EXPECT_EQ(floor_div(-64, 64), -1);
  EXPECT_EQ(floor_div(-65, 64), -2);
  EXPECT_EQ(floor_div(63, 64), 0);
  EXPECT_EQ(ceil_div(-1, 64), 0);
  EXPECT_EQ(ceil_div(-64, 64), -1);
  EXPECT_EQ(ceil_div(1, 64), 1);
}

TEST(Cells, EveryCellBelongsToTheSectorOfItsMinCorner) {
  for (const Lattice lattice : {Lattice{64 * 24, 0, 0}, Lattice{1000, 17, -333}, Lattice{70000, 5, 9}}) {
    for (const std::int64_t sector :
         {std::int64_t{-3}, std::int64_t{0}, std::int64_t{9766}, -kMaxSector, kMaxSector - 1}) {
      const CellRange own = lattice.cells_of_sector(sector, -sector);
      const CellRange next = lattice.cells_of_sector(sector + 1, -sector);
      EXPECT_EQ(own.last_x + 1, next.first_x) << "no cell is lost or doubled at a border";
      for (std::int64_t c = own.first_x; c <= own.last_x; ++c)
        EXPECT_EQ(floor_div(lattice.corner_x(c), kSector64), sector);
      EXPECT_LT(lattice.corner_x(own.first_x - 1), sector * kSector64);
      EXPECT_GE(lattice.corner_x(own.last_x + 1), (sector + 1) * kSector64);
    }
  }
}

TEST(Cells, MeetingAnAreaMissesNoCell) {
  const Lattice lattice{100, 30, -70};
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto at = [&](std::uint64_t k) {
      return static_cast<std::int64_t>(hash_words({i, k}) % 4000) - 2000;
    };
    const std::int64_t x0 = at(0), y0 = at(1), x1 = x0 + at(2) % 300 + 300, y1 = y0 + at(3) % 300 + 300;
    const CellRange range = lattice.cells_meeting(x0, y0, x1, y1);
    for (std::int64_t c = -60; c <= 60; ++c) {
      const bool meets_x = lattice.corner_x(c) <= x1 && lattice.corner_x(c) + lattice.pitch >= x0;
      EXPECT_TRUE(!meets_x || (range.first_x <= c && c <= range.last_x));
      const bool meets_y = lattice.corner_y(c) <= y1 && lattice.corner_y(c) + lattice.pitch >= y0;
      EXPECT_TRUE(!meets_y || (range.first_y <= c && c <= range.last_y));
    }
  }
}

}  // namespace
}  // namespace vf

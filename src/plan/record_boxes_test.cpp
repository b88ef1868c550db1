#include "plan/record_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "plan/cells.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "recipe/recipe.h"
#include "test_support/plans.h"

namespace vf {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

PositionUm rounded(double x, double y, double z) {
  return {std::llround(x), std::llround(y), std::llround(z)};
}

TEST(RecordBoxes, HoldTheTurnedExtentsOfAFeature) {
  test::Dice dice(3);
  for (int i = 0; i < 200; ++i) {
    const FeatureRecord r = test::some_feature(dice, 0);
    const BoxUm box = box_of(r);
    const double c = std::cos(static_cast<double>(r.yaw_turns) * kTurn),
                 s = std::sin(static_cast<double>(r.yaw_turns) * kTurn);
    double farthest = -1e18;
    for (int corner = 0; corner < 8; ++corner) {
      const double px = 1e6 * static_cast<double>((corner & 1) != 0 ? r.extent_max.x : r.extent_min.x);
      const double py = 1e6 * static_cast<double>((corner & 2) != 0 ? r.extent_max.y : r.extent_min.y);
      const double pz = 1e6 * static_cast<double>((corner & 4) != 0 ? r.extent_max.z : r.extent_min.z);
      const double x = static_cast<double>(r.at.x) + c * px - s * py;
      farthest = std::max(farthest, x);
      EXPECT_TRUE(box.contains(
          rounded(x, static_cast<double>(r.at.y) + s * px + c * py, static_cast<double>(r.at.z) + pz)));
    }
    EXPECT_LE(static_cast<double>(box.max.x), farthest + 10) << "and is no larger than it must be";
  }
}

TEST(RecordBoxes, HoldTheRangeOfALight) {
  Recipe recipe;
  recipe.lights.resize(2);
  recipe.lights[1].range_m = 12.5F;
  const BoxUm box = box_of(LightRecord{{1}, {1'000'000, -2'000'000, 3'000'000}, 1}, recipe);
  EXPECT_TRUE(box.contains({13'500'000, -2'000'000, 3'000'000}));
  EXPECT_TRUE(box.contains({1'000'000, -14'500'000, -9'500'000}));
  EXPECT_FALSE(box.contains({13'500'010, -2'000'000, 3'000'000}));
}

/// Points of the strip of floor of a piece: along its middle line, and to both sides of it.
template <class Visit>
void visit_strip(const PathPiece& p, double beside_um, const Visit& visit) {
  const double dx = static_cast<double>(p.to.x - p.from.x), dy = static_cast<double>(p.to.y - p.from.y);
  const double chord = std::hypot(dx, dy), heading = std::atan2(dy, dx);
  const double curvature = static_cast<double>(p.curvature_nano) * 1e-15;  // [1/um]
  const double turn = 2 * std::asin(chord * curvature / 2);
  for (int i = 0; i <= 32; ++i) {
    const double t = i / 32.0, at = heading - turn / 2 + t * turn;
    double x = static_cast<double>(p.from.x) + t * dx, y = static_cast<double>(p.from.y) + t * dy;
    if (p.curvature_nano != 0) {
      x = static_cast<double>(p.from.x) + (std::sin(at) - std::sin(heading - turn / 2)) / curvature;
      y = static_cast<double>(p.from.y) - (std::cos(at) - std::cos(heading - turn / 2)) / curvature;
    }
    for (const double side : {-beside_um, 0.0, beside_um})
      visit(x - side * std::sin(at), y + side * std::cos(at),
            static_cast<double>(p.from.z) + t * static_cast<double>(p.to.z - p.from.z));
  }
}

TEST(RecordBoxes, HoldTheStripOfAPieceWithItsBanks) {
  test::Dice dice(5);
  int arcs = 0;
  for (int i = 0; i < 400; ++i) {
    PathPiece p;
    p.from = test::some_position(dice);
    p.to = {p.from.x + dice.whole(-9'000'000, 9'000'000), p.from.y + dice.whole(-9'000'000, 9'000'000),
            p.from.z + dice.whole(-900'000, 900'000)};
    p.banked = i % 2 == 0;
    const double chord =
        std::hypot(static_cast<double>(p.to.x - p.from.x), static_cast<double>(p.to.y - p.from.y));
    if (i % 3 != 0) {  // up to 60 degrees: the chord is the radius then
      p.curvature_nano =
          std::llround((i % 3 == 1 ? 1 : -1) * 1e15 / chord * static_cast<double>(dice.unit()));
      ++arcs;
    }
    const BoxUm box = box_of(p);
    const double clear = static_cast<double>(p.clear_mm) * 1e3;
    visit_strip(p, static_cast<double>(p.half_width_mm) * 1e3 + (p.banked ? 8e6 : 0.5e6),
                [&](double x, double y, double z) {
                  EXPECT_TRUE(box.contains(rounded(x, y, z)));
                  EXPECT_TRUE(box.contains(rounded(x, y, z + (p.banked ? 8e6 : clear))));
                  EXPECT_TRUE(box.contains(rounded(x, y, z - (p.banked ? 8e6 : 1e6))));
                });
  }
  EXPECT_GT(arcs, 100);
}

TEST(RecordBoxes, HoldThePlaceOfANodeHoweverItIsTurned) {
  const PathNode node{{1}, PathNodeKind::kJunction, {-5'000'000, 7'000'000, 11'000'000}};
  const BoxUm box = box_of(node);
  for (int i = 0; i < 64; ++i) {
    const double a = kTurn * i / 64;
    EXPECT_TRUE(box.contains(rounded(-5e6 + 6e6 * std::numbers::sqrt2 * std::cos(a),
                                     7e6 + 6e6 * std::numbers::sqrt2 * std::sin(a), 14.25e6)));
  }
}

TEST(RecordBoxes, EndWhere64BitsEnd) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(),
                         kLeast = std::numeric_limits<std::int64_t>::min();
  FeatureRecord r;
  r.at = {kMost, kLeast, 0};
  r.extent_min = {-3e38F, -3e38F, -3e38F};
  r.extent_max = {3e38F, 3e38F, 3e38F};
  EXPECT_EQ(box_of(r), (BoxUm{{kLeast, kLeast, kLeast}, {kMost, kMost, kMost}}));
  PathPiece p;
  p.from = {kLeast, 0, kMost};
  p.to = {kMost, 0, kMost};
  EXPECT_TRUE(box_of(p).contains(p.from));
  EXPECT_TRUE(box_of(p).contains(p.to));
  const PathNode node{{1}, PathNodeKind::kJunction, {kMost - 5, kLeast + 5, kMost / 2}};
  EXPECT_TRUE(box_of(node).contains(node.at));
}

// Negative control 13: micrometres -> sectors and voxels by a division that truncates is not symmetric about
// zero. The gate mirrors every position; the fault is the division.
using Divide = std::int64_t (*)(std::int64_t, std::int64_t);
std::int64_t truncated(std::int64_t a, std::int64_t b) {
  return a / b;
}

int mirror_faults(Divide divide) {
  int faults = 0;
  test::Dice dice(9);
  for (const std::int64_t edge : {std::int64_t{250'000}, std::int64_t{4'000'000}, kSectorUm, kUmPer64}) {
    for (int i = 0; i < 500; ++i) {
      const std::int64_t um = dice.whole(0, 3 * kSectorUm);
      // Cell c reaches from c to c + 1 edges, so its mirror image is cell -c - 1, borders apart.
      const std::int64_t cell = divide(um, edge), mirrored = divide(-um, edge);
      const bool border = um % edge == 0;
      if (mirrored != (border ? -cell : -cell - 1)) ++faults;
      if (mirrored * edge > -um || -um >= (mirrored + 1) * edge) ++faults;
    }
  }
  return faults;
}

TEST(MirrorCoordinates, AreHeldByDividingDown) {
  EXPECT_EQ(mirror_faults(floor_div), 0);
}
TEST(MirrorCoordinates, FailWhenNegativesAreTruncated) {
  EXPECT_GT(mirror_faults(truncated), 3000);
}

TEST(MirrorCoordinates, BoxesReachTheMirroredSectors) {
  test::Dice dice(11);
  int over_a_border = 0;
  for (int i = 0; i < 500; ++i) {
    FeatureRecord r = test::some_feature(dice, 0);
    r.yaw_turns = 0;
    r.at = {dice.whole(1, 600) * kUmPer64, dice.whole(1, 200'000) * kUmPer64, 0};
    r.extent_min = {-r.extent_max.x, -r.extent_max.y, 0};
    const CellRange here = sectors_of(box_of(r), 4, -3);
    r.at = {-r.at.x, -r.at.y, 0};
    const CellRange there = sectors_of(box_of(r), -4, 3);
    EXPECT_EQ(there, (CellRange{-here.last_x - 1, -here.last_y - 1, -here.first_x - 1, -here.first_y - 1}));
    over_a_border += here.count() > 1 ? 1 : 0;
  }
  EXPECT_GT(over_a_border, 10);
}

}  // namespace
}  // namespace vf

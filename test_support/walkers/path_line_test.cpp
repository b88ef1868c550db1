#include "test_support/walkers/path_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/ids.h"
#include "math/vec.h"
#include "plan/path_plan.h"

namespace vf::test {
namespace {

constexpr double kSame = 1e-4;  // metres: of the series that turns a chord into an angle (see walk_leg)

PositionUm at(double x, double y, double z) {
  const auto um = [](double m) { return static_cast<std::int64_t>(std::llround(m * 1e6)); };
  return {um(x), um(y), um(z)};
}

void add_leg(PathPlan& plan, std::uint64_t from, std::uint64_t to, const std::vector<PathPiece>& pieces) {
  PathLeg leg;
  leg.from.value = from;
  leg.to.value = to;
  leg.first = static_cast<std::uint32_t>(plan.pieces.size());
  leg.count = static_cast<std::uint32_t>(pieces.size());
  plan.legs.push_back(leg);
  plan.pieces.insert(plan.pieces.end(), pieces.begin(), pieces.end());
}

PathPiece piece(PositionUm from, PositionUm to, double curvature = 0) {
  PathPiece out;
  out.from = from;
  out.to = to;
  out.curvature_nano = static_cast<std::int64_t>(std::llround(curvature * 1e9));
  return out;
}

Id<PathNodeTag> node(std::uint64_t value) {
  Id<PathNodeTag> id;
  id.value = value;
  return id;
}

/// Straight from 1 to 2, and on to 3 along an arc of 10 m that turns left by 60 degrees and rises by 2 m.
PathPlan bend() {
  const double r = 10, a = std::numbers::pi / 3;
  PathPlan plan;
  add_leg(plan, 1, 2, {piece(at(0, 0, 1), at(10, 0, 1))});
  add_leg(plan, 3, 2, {piece(at(10 + r * std::sin(a), r - r * std::cos(a), 3), at(10, 0, 1), -1 / r)});
  return plan;
}

TEST(PathLine, FollowsStraightPiecesAndArcs) {
  const PathPlan plan = bend();
  const std::vector<Vec3d> line = path_line(plan, node(1), node(3), {0, 0, 0});
  ASSERT_GT(line.size(), 20U);
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Vec3d &p = line[i], &q = line[i - 1];
    EXPECT_LE(std::hypot(p.x - q.x, p.y - q.y, p.z - q.z), 0.5 + 1e-6);
    EXPECT_GT(p.x, q.x);
    if (p.x <= 10) {
      EXPECT_NEAR(p.y, 0, 1e-6);
      EXPECT_NEAR(p.z, 1, 1e-6);
    } else {  // about the centre 10, 10
      const double turned = std::atan2(p.x - 10, 10 - p.y), half = std::numbers::pi / 6;
      EXPECT_NEAR(std::hypot(p.x - 10, p.y - 10), 10, kSame);
      EXPECT_NEAR(p.z, 2 + std::tan(turned - half) / std::tan(half), kSame);  // as the field lays the floor
    }
  }
}

TEST(PathLine, IsTheSameLineBackwardAndInTheWorld) {
  const PathPlan plan = bend();
  const std::vector<Vec3d> there = path_line(plan, node(1), node(3), {0, 0, 0});
  const std::vector<Vec3d> back = path_line(plan, node(3), node(1), {1024, -2048, -64});
  ASSERT_EQ(there.size(), back.size());
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Vec3d &p = there[i], &q = back[back.size() - 1 - i];
    EXPECT_NEAR(p.x + 1024, q.x, kSame);
    EXPECT_NEAR(p.y - 2048, q.y, kSame);
    EXPECT_NEAR(p.z - 64, q.z, kSame);
  }
}

TEST(PathLine, IsEmptyWhereNothingJoins) {
  PathPlan plan = bend();
  add_leg(plan, 7, 8, {piece(at(0, 50, 1), at(10, 50, 1))});
  EXPECT_TRUE(path_line(plan, node(1), node(8), {}).empty());
  EXPECT_TRUE(path_line(plan, node(1), node(9), {}).empty());
  plan.legs[0].kind = PathLegKind::kPassage;
  EXPECT_TRUE(path_line(plan, node(1), node(3), {}).empty());
}

}  // namespace
}  // namespace vf::test

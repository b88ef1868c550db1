#include "test_support/walkers/bullet_walker.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "exports/corridor_file.h"
#include "math/vec.h"

namespace vf::test {
namespace {

void add_quad(Corridor& corridor, const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d) {
  const auto first = static_cast<std::uint32_t>(corridor.vertices.size());
  for (const Vec3f& p : {a, b, c, d}) corridor.vertices.push_back(p);
  corridor.triangles.push_back({first, first + 1, first + 2});
  corridor.triangles.push_back({first, first + 2, first + 3});
}

/// A level floor, 4 m wide, with a line over `line_m` of it.
Corridor floor_of(float floor_m, float line_m) {
  Corridor corridor;
  corridor.origin_m = {1000, 2000, -300};
  add_quad(corridor, {-1, -2, 0}, {floor_m, -2, 0}, {floor_m, 2, 0}, {-1, 2, 0});
  corridor.line = {{0, 0, 0}, {line_m / 2, 0, 0}, {line_m, 0, 0}};
  return corridor;
}

TEST(BulletWalker, WalksAtItsSpeedOnTheFloor) {
  const BulletWalk walk = walk_with_bullet(floor_of(13, 12));
  EXPECT_EQ(walk.end, WalkEnd::kArrived);
  EXPECT_EQ(walk.length_m, 12);
  EXPECT_NEAR(walk.reached_m, 11.5, 0.05);
  EXPECT_NEAR(walk.simulated_s, 11.5 / 3, 0.25);  // it starts from rest
  EXPECT_NEAR(walk.at_m.x, 1011.5, 0.05);
  EXPECT_NEAR(walk.at_m.y, 2000, 0.01);
  EXPECT_NEAR(walk.at_m.z, -300, 0.01);
}

TEST(BulletWalker, FallsWhereTheFloorEnds) {
  const BulletWalk walk = walk_with_bullet(floor_of(6, 12));
  EXPECT_EQ(walk.end, WalkEnd::kFell);
  EXPECT_GT(walk.reached_m, 6);
  EXPECT_LT(walk.reached_m, 8.5);
}

TEST(BulletWalker, FallsWithoutAnyGround) {
  Corridor corridor = floor_of(6, 12);
  corridor.triangles.clear();
  EXPECT_EQ(walk_with_bullet(corridor).end, WalkEnd::kFell);
}

TEST(BulletWalker, IsStuckAtAWall) {
  Corridor corridor = floor_of(13, 12);
  add_quad(corridor, {5, -2, 0}, {5, -2, 3}, {5, 2, 3}, {5, 2, 0});
  const BulletWalk walk = walk_with_bullet(corridor);
  EXPECT_EQ(walk.end, WalkEnd::kStuck);
  EXPECT_NEAR(walk.reached_m, 4.66, 0.05);
}

TEST(BulletWalker, DoesNotClimbWhatIsSteeperThanAHalfRightAngle) {
  for (const bool steep : {false, true}) {
    Corridor corridor = floor_of(4, 0);
    const float rise = steep ? 1.3F : 0.7F;  // 52 and 35 degrees
    add_quad(corridor, {4, -2, 0}, {14, -2, 10 * rise}, {14, 2, 10 * rise}, {4, 2, 0});
    corridor.line = {{0, 0, 0}, {4, 0, 0}, {13, 0, 9 * rise}};
    const WalkEnd end = walk_with_bullet(corridor).end;
    EXPECT_EQ(end, steep ? WalkEnd::kStuck : WalkEnd::kArrived);
  }
}

TEST(BulletWalker, WalksTheSameEveryTime) {
  Corridor corridor = floor_of(13, 12);
  add_quad(corridor, {5, 0.1F, 0}, {5, 0.1F, 3}, {8, 2, 3}, {8, 2, 0});
  const BulletWalk first = walk_with_bullet(corridor), second = walk_with_bullet(corridor);
  EXPECT_EQ(first.end, second.end);
  EXPECT_EQ(first.at_m, second.at_m);
  EXPECT_EQ(first.simulated_s, second.simulated_s);
}

}  // namespace
}  // namespace vf::test

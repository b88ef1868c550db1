// Controls of the outside walkers, on corridors that our own mesher made: what the contract of a route asks
// for lets everybody through, and each fault stops those whom it must stop, there where it lies, and nobody
// else.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "exports/atomic_file.h"
#include "exports/corridor_file.h"
#include "math/vec.h"
#include "test_support/walkers/bullet_walker.h"
#include "test_support/walkers/corridor_fields.h"
#include "test_support/walkers/recast_walker.h"

namespace vf::test {
namespace {

namespace fs = std::filesystem;

struct Control {
  CorridorShape shape;
  bool clearance = true, player = true;  ///< arrive
  WalkEnd bullet = WalkEnd::kArrived;
  bool hole_in_mesh = false;  ///< the triangles within 1 m of the middle are missing
};
std::ostream& operator<<(std::ostream& out, const Control& control) {
  return out << control.shape.name;
}

/// Controls turn on what lies in the middle of 40 m: from 16 m to 24 m, less the 2 m where the walk begins.
constexpr double kFaultFromM = 14, kFaultToM = 22;
/// A walker ends before it by no more than the widest one's radius and a step between two places.
constexpr double kBeforeM = 2.5;

std::vector<Control> controls() {
  return {
      // What is built, and what is just allowed.
      {.shape = {.name = "level"}},
      {.shape = {.name = "grade_14_5", .grade_deg = 14.5}},
      {.shape = {.name = "grade_14_5_heading_30", .grade_deg = 14.5, .heading_deg = 30}},
      {.shape = {.name = "grade_14_5_heading_45", .grade_deg = 14.5, .heading_deg = 45}},
      {.shape = {.name = "grade_12_heading_77", .grade_deg = 12, .heading_deg = 77}},
      {.shape = {.name = "down_14_5_heading_30", .grade_deg = -14.5, .heading_deg = 30}},
      {.shape = {.name = "arc", .length_m = 20, .grade_deg = 11.5, .arc_radius_m = 7}},
      {.shape = {.name = "coil", .length_m = 88, .grade_deg = 11.7, .arc_radius_m = 10, .coil = true}},
      {.shape = {.name = "causeway",
                 .grade_deg = 12,
                 .solid = "min(2.25 - abs(v), -w, w + 1)",
                 .air = "min(8 - abs(v), w + 5, 6 - w)"}},
      {.shape = {.name = "tunnel_of_radius_2_4", .solid = "min(length(v, w - 1.5) - 2.4, 4 - abs(u - 20))"}},
      {.shape = {.name = "width_3_4", .solid = "min(abs(v) - 1.7, 4 - abs(u - 20))"}},
      // Too steep, narrow or low for the contract, though a player passes.
      {.shape = {.name = "grade_16", .grade_deg = 10, .steeper_deg = 16}, .clearance = false},
      {.shape = {.name = "grade_16_heading_30", .grade_deg = 10, .steeper_deg = 16, .heading_deg = 30},
       .clearance = false},
      {.shape = {.name = "width_2_6", .solid = "min(abs(v) - 1.3, 4 - abs(u - 20))"}, .clearance = false},
      {.shape = {.name = "width_3", .solid = "min(abs(v) - 1.5, 4 - abs(u - 20))"}, .clearance = false},
      {.shape = {.name = "tunnel_of_radius_2", .solid = "min(length(v, w - 1.5) - 2, 4 - abs(u - 20))"},
       .clearance = false},
      {.shape = {.name = "height_2_8", .solid = "min(w - 2.8, 4 - abs(u - 20))"}, .clearance = false},
      // Somebody has to go around, or cannot pass.
      {.shape = {.name = "pillar_in_the_middle", .solid = "0.5 - max(abs(u - 20), abs(v))"},
       .clearance = false,
       .bullet = WalkEnd::kStuck},
      {.shape = {.name = "step_0_4", .solid = "min(u - 20, 0.4 - w)"},
       .clearance = false,
       .player = false,
       .bullet = WalkEnd::kStuck},
      {.shape = {.name = "beam_at_1_2", .solid = "min(w - 1.2, 0.3 - abs(u - 20))"},
       .clearance = false,
       .player = false,
       .bullet = WalkEnd::kStuck},
      {.shape = {.name = "gap_of_2_m", .air = "min(1 - abs(u - 20), 2 - abs(v), w + 4, 1 - w)"},
       .clearance = false,
       .player = false,
       .bullet = WalkEnd::kFell},
      {.shape = {.name = "hole_in_the_mesh"},
       .clearance = false,
       .player = false,
       .bullet = WalkEnd::kFell,
       .hole_in_mesh = true},
  };
}

void cut_hole(Corridor& corridor) {
  const Vec3f middle = corridor.line[corridor.line.size() / 2];
  std::erase_if(corridor.triangles, [&](const std::array<std::uint32_t, 3>& t) {
    return std::any_of(t.begin(), t.end(), [&](std::uint32_t i) {
      const Vec3f& p = corridor.vertices[i];
      return std::abs(p.x - middle.x) < 1 && std::abs(p.z - middle.z) < 0.5F;
    });
  });
}

void expect_end(bool arrives, bool arrived, double reached_m, double length_m) {
  EXPECT_EQ(arrived, arrives);
  if (arrives) {
    EXPECT_GT(reached_m, length_m - 0.6);
  } else {
    EXPECT_GT(reached_m, kFaultFromM - kBeforeM);
    EXPECT_LT(reached_m, kFaultToM);
  }
}

class WalkerControlsSlow : public testing::TestWithParam<Control> {};

TEST_P(WalkerControlsSlow, StopThoseWhomTheyMust) {
  const Control& control = GetParam();
  Corridor corridor = mesh_corridor(control.shape);
  if (control.hole_in_mesh) cut_hole(corridor);

  const char* given = std::getenv("TEST_TMPDIR");
  const fs::path folder = given == nullptr ? fs::temp_directory_path() : fs::path(given);
  const fs::path file = folder / (std::to_string(::getpid()) + "_" + control.shape.name + ".obj");
  ASSERT_TRUE(write_file(file, encode_corridor(corridor)).has_value());
  const Result<std::vector<RecastWalk>> walks = walk_with_recast({file});
  ASSERT_TRUE(walks.has_value()) << walks.error().text();
  for (const RecastWalk& walk : *walks) {
    SCOPED_TRACE(walk.agent + ": " + walk.why);
    expect_end(walk.agent == "clearance" ? control.clearance : control.player, walk.reached, walk.reached_m,
               walk.length_m);
  }

  const BulletWalk walk = walk_with_bullet(corridor);
  SCOPED_TRACE("bullet");
  EXPECT_EQ(walk.end, control.bullet);
  expect_end(control.bullet == WalkEnd::kArrived, walk.end == WalkEnd::kArrived, walk.reached_m,
             walk.length_m);
  fs::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Corridors, WalkerControlsSlow, testing::ValuesIn(controls()),
                         [](const auto& about) { return about.param.shape.name; });

}  // namespace
}  // namespace vf::test

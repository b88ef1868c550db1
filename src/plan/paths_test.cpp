// Paths of sectors: what neighbours share, what the contract asks of lines and heights.
#include "plan/paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/notes.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "plan/mouths.h"
#include "plan/passage_styles.h"
#include "plan/path_line.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_profile.h"
#include "plan/path_walk.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

const char* const kHills =
    "[type]\nid = \"hills\"\nheight_m = 48\n[field]\nground = \"14 + 6*perlin2(96) + 2*perlin2(32)\"\n"
    "phi = \"min(heightfield(ground), ceiling(40))\"\n[route]\nanchor = \"ground\"\n";

struct TestWorld {
  World world;
  std::vector<std::shared_ptr<const BuiltRecipe>> built;
  [[nodiscard]] StratumScope at(std::int64_t k) const { return stratum_scope(world, built, k); }
};

TestWorld open(const std::string& text, std::uint64_t seed) {
  Notes notes;
  WorldOverrides overrides;
  overrides.has_seed = true;
  overrides.seed = Seed{seed};
  auto world =
      open_world("w.toml", [&](const std::string&) -> Result<std::string> { return text; }, overrides, notes);
  EXPECT_TRUE(world.has_value()) << (world ? "" : world.error().text());
  TestWorld out{*std::move(world), {}};
  for (const StackEntry& entry : out.world.block) {
    auto built = build_recipe(entry.recipe, notes);
    EXPECT_TRUE(built.has_value()) << (built ? "" : built.error().text());
    out.built.push_back(std::make_shared<const BuiltRecipe>(*std::move(built)));
  }
  return out;
}

PathPlan plan_of(const TestWorld& w, std::int64_t k, std::int64_t sx, std::int64_t sy) {
  const Result<PathPlan> plan = plan_paths(w.at(k), sx, sy);
  EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().text());
  return plan ? *plan : PathPlan{};
}

TEST(Paths, EverySectorIsJoined) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const TestWorld w = open(kHills, seed);
    const PathPlan plan = plan_of(w, 3, static_cast<std::int64_t>(seed) - 2, 5);
    for (int kind = 0; kind < 6; ++kind)
      EXPECT_NE(find_node(plan, static_cast<PathNodeKind>(kind)), nullptr) << kind;
    // Walked from the arrival, every node is reached.
    std::vector<Id<PathNodeTag>> reached{find_node(plan, PathNodeKind::kArrival)->id};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const PathLeg& leg : plan.legs)
        for (const auto& [a, b] : {std::pair(leg.from, leg.to), std::pair(leg.to, leg.from)})
          if (a == reached[i] && b.value != 0 &&
              std::find(reached.begin(), reached.end(), b) == reached.end())
            reached.push_back(b);
    EXPECT_EQ(reached.size(), plan.nodes.size()) << "seed " << seed;
  }
}

TEST(Paths, PiecesOfALegShareTheirEndsAndKeepTheGrade) {
  const TestWorld w = open(kHills, 7);
  for (const std::int64_t sx : {-40'000, 0, 12}) {
    const PathPlan plan = plan_of(w, 1, sx, 70'000);
    for (const PathLeg& leg : plan.legs) {
      const PathPiece* before = nullptr;
      for (std::uint32_t i = leg.first; i < leg.first + leg.count; ++i) {
        const PathPiece& piece = plan.pieces[i];
        if (piece.shape != PathShape::kWay) continue;
        if (before != nullptr) {
          EXPECT_EQ(piece.from, before->to);
        }
        before = &piece;
        const double rise = std::fabs(metres(piece.to.z - piece.from.z));
        EXPECT_LE(rise, 0.2127 * length(plan_point(piece.to) - plan_point(piece.from)) * 1.05 + 1e-5);
      }
    }
  }
}

TEST(Paths, BothSidesOfABorderMeetExactly) {
  const TestWorld w = open(kHills, 11);
  const PathPlan west = plan_of(w, 2, 4, -3), east = plan_of(w, 2, 5, -3), north = plan_of(w, 2, 4, -2);
  const auto at = [](const PathPlan& plan, PathNodeKind kind) { return find_node(plan, kind)->at; };
  PositionUm a = at(west, PathNodeKind::kPortalEast), b = at(east, PathNodeKind::kPortalWest);
  EXPECT_EQ(a.x - 1'024'000'000, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
  a = at(west, PathNodeKind::kPortalNorth), b = at(north, PathNodeKind::kPortalSouth);
  EXPECT_EQ(a.y - 1'024'000'000, b.y);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.z, b.z);
}

/// What is rock about the axis decides how one comes down.
TEST(Paths, StylesOfPassagesFollowTheRockAboutThem) {
  const TestWorld hills = open(kHills, 13);
  const PassageAnchor anchor = passage_anchor(hills.at(0).stratum, 0, 0);
  const auto style_in = [&](const std::string& phi) {
    const TestWorld w = open(
        "[type]\nid = \"hills\"\nheight_m = 48\n[field]\nphi = \"" + phi + "\"\n[route]\nanchor = 12\n", 13);
    return passage_style(w.at(1), 0, 0, anchor, 60);
  };
  const std::string behind =
      fmt::format("{}*(x - {}) + {}*(y - {})", anchor.in.x, anchor.axis.x, anchor.in.y, anchor.axis.y);
  EXPECT_EQ(style_in("z - 12"), PassageStyle::kWell);
  EXPECT_EQ(style_in("z - 40"), PassageStyle::kSwitchback);
  EXPECT_EQ(style_in(behind), PassageStyle::kWall);
  EXPECT_EQ(style_in("0 - (" + behind + ")"), PassageStyle::kWall);
}

TEST(Paths, BothStrataSeeTheSameWell) {
  const TestWorld w = open(kHills, 13);
  const PathPlan upper = plan_of(w, 5, 1, 1), lower = plan_of(w, 6, 1, 1);
  const PathLeg *down = passage_down(upper), *up = passage_from_above(lower);
  ASSERT_NE(down, nullptr);
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(down->length_um, up->length_um);
  const auto between = static_cast<std::int64_t>(
      (w.at(5).stratum.content_floor_z_m - w.at(6).stratum.content_floor_z_m) * 1'000'000);
  // Pieces that both hold: those through the two bands.
  int shared = 0;
  for (std::uint32_t i = down->first; i < down->first + down->count; ++i)
    for (std::uint32_t j = up->first; j < up->first + up->count; ++j) {
      const PathPiece &a = upper.pieces[i], &b = lower.pieces[j];
      if (a.along_um != b.along_um || a.shape != b.shape) continue;
      ++shared;
      EXPECT_EQ(a.from.x, b.from.x);
      EXPECT_EQ(a.from.y, b.from.y);
      EXPECT_LE(std::abs(a.from.z + between - b.from.z), 1);
    }
  EXPECT_GT(shared, 3);
  EXPECT_EQ(passage_from_above(plan_of(w, 0, 1, 1)), nullptr) << "nothing lies above stratum 0";
}

/// Solid below the floor and air above it, in the final density, all along the spine and the well.
TEST(Paths, AreWalkableInTheDensity) {
  const TestWorld w = open(kHills, 17);
  const StratumScope scope = w.at(1);
  const PathPlan plan = plan_of(w, 1, 0, 0);
  auto field = field_in_window(scope, {}, {0, 0, 1024, 1024});
  ASSERT_TRUE(field.has_value());
  FieldSampler sampler(std::make_shared<const BoundField>(*std::move(field)), best_simd_level());
  std::vector<WalkPoint> walk = walk_spine(plan, 0.5);
  const std::vector<WalkPoint> well = walk_leg(plan, *passage_from_above(plan), 0.5);
  walk.insert(walk.end(), well.begin(), well.end());
  ASSERT_GT(walk.size(), 400U);
  const auto on_grid = [](double v) { return static_cast<float>(std::floor(v * 1024) / 1024); };
  for (const WalkPoint& p : walk)
    for (const double side : {-1.5, 0.0, 1.5}) {
      const PlanPoint at = p.at + side * left_of(p.heading);
      for (const double up : {-0.3, 0.25, 1.7, 3.0}) {
        const float x = on_grid(at.x), y = on_grid(at.y), z = on_grid(p.floor + up);
        float phi = 0;
        sampler.values(1, &x, &y, &z, &phi);
        EXPECT_EQ(phi < 0, up < 0) << "at " << x << ", " << y << ", " << up << " m over the floor";
      }
    }
}

TEST(Paths, SayWhyNoRouteFits) {
  const TestWorld w = open("[type]\nid = \"low\"\nheight_m = 4\n[field]\nphi = \"min(z - 1, 3 - z)\"\n", 1);
  const Result<PathPlan> plan = plan_paths(w.at(0), 0, 0);
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(plan.error().message.find("3 m of clear height"), std::string::npos) << plan.error().message;
}

TEST(PathProfile, KeepsTheGradeTheEndsAndTheLevels) {
  ProfileInput input;
  for (int i = 0; i <= 60; ++i) {
    input.at.push_back(4.0 * i);
    input.land.push_back(20 + 9 * std::sin(0.9 * i));
  }
  input.level = {{0, 8}, {100, 112}, {232, 240}};
  input.start = 15, input.end = 30, input.grade = 0.2;
  const std::vector<double> floor = fit_profile(input);
  EXPECT_EQ(floor.front(), 15);
  EXPECT_EQ(floor.back(), 30);
  for (std::size_t i = 1; i < floor.size(); ++i) EXPECT_LE(std::fabs(floor[i] - floor[i - 1]), 0.8 + 1e-12);
  for (std::size_t i = 25; i < 28; ++i) EXPECT_EQ(floor[i], floor[i + 1]);
}

TEST(PathLine, RoundsCornersWithoutAKink) {
  const RoundedLine line = round_corners({{0, 0}, {40, 0}, {60, 20}, {60, 70}}, {}, 30);
  for (std::size_t i = 0; i + 1 < line.segments.size(); ++i) {
    EXPECT_LT(length(line.segments[i].to - line.segments[i + 1].from), 1e-9);
    const LineSegment &a = line.segments[i], &b = line.segments[i + 1];
    const PlanPoint out = unit(a.to - a.at(0.999)), in = unit(b.at(0.001) - b.from);
    EXPECT_GT(dot(out, in), 0.9999);
  }
  EXPECT_GT(line.least_radius, 10);
}

}  // namespace
}  // namespace vf

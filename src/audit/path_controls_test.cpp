// Negative controls: a fault in a way turns exactly the named gates red.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/sector_audits.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "test_support/audited_paths.h"

namespace vf {
namespace {

using namespace test;
using Gates = std::set<std::string>;

Gates gates_of(const PathPlan& plan, std::string_view phi = kRock) {
  return red_gates(sector_with(phi, plan, plan));
}

TEST(PathControls, AreGreenWithoutAFault) {
  EXPECT_EQ(gates_of(straight_plan()), Gates{});
  EXPECT_EQ(gates_of(straight_plan(900), kAbyss), Gates{});
}

TEST(PathControls, MeasureEveryPlaceOfTheWay) {
  const PathPlan plan = straight_plan();
  const AuditReport report = audit_sector(sector_with(kRock, plan, plan), {"floor", "capsule", "grade"});
  ASSERT_EQ(report.rows.size(), 3U);
  for (const AuditRow& row : report.rows) EXPECT_GE(row.checked, 700U) << row.audit;
}

// Control 18: slope of 16 degrees.
TEST(PathControls, ASlopeOf16DegreesTurnsTheGradeRed) {
  const double rise = 8 * std::tan(16 * std::numbers::pi / 180);
  PathPlan plan = straight_plan();
  // Between the places: up on 8 m, level, and down again.
  plan.pieces[1] = straight(415, 423, kSpineFloorM, kSpineFloorM + rise);
  plan.pieces[2] = straight(423, 445, kSpineFloorM + rise, kSpineFloorM);
  plan.pieces[1].id = {201};
  plan.pieces[2].id = {202};
  EXPECT_EQ(gates_of(plan), Gates{"grade"});
}

// Control 17: the middle line of an arc keeps 14 degrees, its inner edge does not.
TEST(PathControls, ATightArcAt14DegreesTurnsTheGradeOfItsInnerEdgeRed) {
  const double radius = 6, grade = std::tan(14 * std::numbers::pi / 180), angle = 0.5;
  PathPlan plan = straight_plan();
  PathPiece arc;
  arc.id = {300};
  arc.from = position_um({400 + kSpineM, 500}, kSpineFloorM);
  arc.to = position_um({400 + kSpineM + radius * std::sin(angle), 500 + radius * (1 - std::cos(angle))},
                       kSpineFloorM + grade * radius * angle);
  arc.curvature_nano = micrometres(1000 / radius);
  plan.pieces.push_back(arc);
  plan.legs[0].count += 1;
  const AuditedSector sector = sector_with(kRock, plan, plan);
  const AuditReport report = audit_sector(sector, {"grade"});
  ASSERT_FALSE(report.violations.empty());
  for (const Violation& v : report.violations)
    EXPECT_NE(v.message.find("left edge"), std::string::npos) << v.message;
}

// From here on the proof of routes turns red wherever a sampled gate does: it proves width, height and floor.
// What it finds alone is in route_certificate_test.cpp.

// Control 18: width of 2.6 m.
TEST(PathControls, AWidthOf260TurnsWidthAndCapsuleRed) {
  PathPlan plan = straight_plan();
  for (PathPiece& piece : plan.pieces) piece.half_width_mm = 1300;
  EXPECT_EQ(gates_of(plan), (Gates{"capsule", "certificate", "width"}));
}

// Control 19: the ceiling lowered.
TEST(PathControls, ALowCeilingTurnsTheHeightRed) {
  PathPlan plan = straight_plan();
  plan.pieces[2].clear_mm = 2600;
  EXPECT_EQ(gates_of(plan), (Gates{"certificate", "height"}));
}

// Control 2: something moves the floor.
TEST(PathControls, AFloorOffItsPlanTurnsTheRippleRed) {
  const PathPlan plan = straight_plan();
  PathPlan moved = plan;
  moved.pieces[2].from.z += 68'000;
  moved.pieces[2].to.z += 68'000;
  EXPECT_EQ(red_gates(sector_with(kRock, plan, moved)), Gates{"ripple"});
}

TEST(PathControls, MissingPadsTurnTheFloorRed) {
  const PathPlan plan = straight_plan();
  // Ground 0.8 m under the way: no fall, but no floor either.
  const std::string_view shallow = "z - 11.2";
  EXPECT_EQ(gates_of(plan, shallow), Gates{});
  EXPECT_EQ(red_gates(sector_with(shallow, plan, {})), (Gates{"certificate", "floor"}));
}

// Control 20: rock in the corridor.
TEST(PathControls, RockInTheCorridorTurnsTheCapsuleRed) {
  const PathPlan plan = straight_plan();
  PathPlan narrowed = plan;
  narrowed.pieces[2].half_width_mm = 1450;
  EXPECT_TRUE(red_gates(sector_with(kRock, plan, narrowed)).contains("capsule"));
}

// Control 21: a node that nothing leads to.
TEST(PathControls, AnIslandTurnsTheFloodRed) {
  PathPlan plan = straight_plan();
  plan.nodes.push_back({{9}, PathNodeKind::kJunction, position_um({700, 700}, 12)});
  EXPECT_EQ(gates_of(plan), Gates{"flood"});
}

// Control 3: the graph is connected, the density has a wall.
TEST(PathControls, AWallAcrossTheWayTurnsTheFloodRed) {
  const PathPlan plan = straight_plan();
  EXPECT_EQ(red_gates(sector_with(kRock, plan, {})),
            (Gates{"capsule", "certificate", "flood", "sight", "width"}));
}

// Controls 4 and 5: a room in the ceiling band, and one in the bedrock.
TEST(PathControls, ARoomInABandTurnsTheSealsRed) {
  const PathPlan plan = straight_plan();
  for (const double z : {33.0, -5.0}) {
    PathPlan breached = plan;
    breached.pieces.push_back(straight(700, 710, z, z));
    breached.pieces.back().id = {400};
    EXPECT_EQ(red_gates(sector_with(kRock, plan, breached)), Gates{"seals"}) << z;
  }
}

// Audit 14: a column in the clearing, 4 m beside the way.
TEST(PathControls, AColumnInTheClearingTurnsThePlacesRed) {
  const PathPlan ways = straight_plan(0, 120);
  PathPlan plan = ways;
  plan.pieces.push_back(level_place(460, 500, kSpineFloorM));
  plan.pieces.back().id = {500};
  EXPECT_EQ(red_gates(sector_with("z - 12", plan, ways)), Gates{});
  EXPECT_EQ(red_gates(sector_with("min(z - 12, length(x - 460, y - 504) - 0.4)", plan, ways)),
            Gates{"places"});
}

TEST(PathControls, ALongWayWithoutAClearingTurnsThePlacesRed) {
  EXPECT_EQ(gates_of(straight_plan(0, 120)), Gates{"places"});
}

// Audit 15: a kerb removed.
TEST(PathControls, AMissingKerbTurnsTheFallsRed) {
  PathPlan plan = straight_plan(900);
  plan.pieces[2].kerb_mm = 0;
  EXPECT_EQ(gates_of(plan, kAbyss), Gates{"falls"});
}

// A landing counts only with a way back: land 2 m below the way that climbs to it, and the same without the
// slope.
TEST(PathControls, AFallWithoutAWayBackTurnsTheFallsRed) {
  const PathPlan plan = straight_plan();
  EXPECT_EQ(gates_of(plan, "z - clamp(10 + 0.25*(x - 425), 10, 12)"), Gates{});
  EXPECT_EQ(gates_of(plan, "z - 10"), Gates{"falls"});
  // A slope that ends 1 m under the way leads nowhere; a kerb makes falls impossible.
  EXPECT_EQ(gates_of(plan, "z - clamp(10 + 0.25*(x - 425), 10, 10.9)"), Gates{"falls"});
  EXPECT_EQ(gates_of(straight_plan(900), "z - 10"), Gates{});
}

// A trench between the way and the slope back.
TEST(PathControls, AWayBackBeyondATrenchTurnsTheFallsRed) {
  const PathPlan plan = straight_plan();
  EXPECT_EQ(gates_of(plan, "max(z - clamp(10 + 0.25*(x - 425), 10, 12), 0.75 - abs(x - 424))"),
            Gates{"falls"});
}

TEST(PathControls, SayWhereAndHowToLook) {
  PathPlan plan = straight_plan();
  plan.pieces[2].clear_mm = 2600;
  const AuditReport report = audit_sector(sector_with(kRock, plan, plan), {"height"});
  ASSERT_FALSE(report.violations.empty());
  EXPECT_LE(report.violations.size(), 8U) << "places, not samples";
  const Violation& v = report.violations.front();
  EXPECT_EQ(v.number, 4);
  EXPECT_EQ(v.message, "clear height: 2.75 m; at least 3 m");
  EXPECT_NEAR(v.at_m.x, 430, 2);
  EXPECT_NEAR(v.at_m.z, kSpineFloorM - 40, 0.01);
  EXPECT_TRUE(camera_arguments(v).starts_with("--camera ")) << camera_arguments(v);
}

}  // namespace
}  // namespace vf

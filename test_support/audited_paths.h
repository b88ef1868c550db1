// Sectors made up for controls of audits: one straight spine, in rock or over an abyss, and the same with a
// fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audited_sector.h"
#include "audit/sector_audits.h"
#include "base/check.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "plan/path_instances.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf::test {

inline constexpr double kSpineM = 60, kPieceOfSpineM = 15, kSpineFloorM = 12;

/// A piece of a way along +x.
inline PathPiece straight(double from_x, double to_x, double from_z, double to_z) {
  PathPiece p;
  p.from = position_um({from_x, 500}, from_z);
  p.to = position_um({to_x, 500}, to_z);
  return p;
}

inline PathPiece level_place(double x, double y, double z) {
  PathPiece p;
  p.shape = PathShape::kPlace;
  p.from = position_um({x - 6, y}, z);
  p.to = position_um({x + 6, y}, z);
  p.half_width_mm = 6000;
  return p;
}

/// A spine of pieces of 15 m from arrival to departure, short enough to need no place on it.
inline PathPlan straight_plan(std::int32_t kerb_mm = 0, double length_m = kSpineM) {
  PathPlan plan;
  plan.nodes.push_back({{1}, PathNodeKind::kArrival, position_um({400, 500}, kSpineFloorM)});
  plan.nodes.push_back({{2}, PathNodeKind::kDeparture, position_um({400 + length_m, 500}, kSpineFloorM)});
  for (double x = 400; x < 400 + length_m; x += kPieceOfSpineM)
    plan.pieces.push_back(straight(x, x + kPieceOfSpineM, kSpineFloorM, kSpineFloorM));
  PathLeg leg;
  leg.id = {3};
  leg.from = {1};
  leg.to = {2};
  leg.count = static_cast<std::uint32_t>(plan.pieces.size());
  leg.length_um = micrometres(length_m);
  plan.legs.push_back(leg);
  for (std::size_t i = 0; i < plan.pieces.size(); ++i) {
    plan.pieces[i].id = {100 + i};
    plan.pieces[i].kerb_mm = kerb_mm;
  }
  return plan;
}

/// The recipe's field with these paths in it, and nothing else.
inline std::shared_ptr<const BoundField> field_with(const BuiltRecipe& built, const PathPlan& plan) {
  const Box2f window{-kAuditMarginM, -kAuditMarginM, 1024 + kAuditMarginM, 1024 + kAuditMarginM};
  std::vector<std::vector<FeatureInstance>> paths(kPathSets);
  add_path_instances(plan, 0, 0, {0, 0}, window, paths);
  return std::make_shared<const BoundField>(bind_field(built.density, {0, 0}, window, std::move(paths), 0));
}

/// What is planned, and in a field that may have other paths.
inline AuditedSector sector_with(std::string_view phi, const PathPlan& planned, const PathPlan& in_field) {
  Result<Recipe> recipe = recipe_of("[field]\nphi = \"" + std::string(phi) + "\"\n");
  VF_CHECK(recipe.has_value());
  AuditedSector out;
  out.scope.stratum.recipe = std::make_shared<const Recipe>(std::move(*recipe));
  Notes notes;
  Result<BuiltRecipe> built = build_recipe(out.scope.stratum.recipe, notes);
  VF_CHECK(built.has_value());
  out.scope.built = std::make_shared<const BuiltRecipe>(std::move(*built));
  out.scope.stratum.height_m = 48;
  out.scope.stratum.content_floor_z_m = -40;
  out.plan = planned;
  out.simd = best_simd_level();
  out.field = field_with(*out.scope.built, in_field);
  return out;
}

/// Rock, but for a hall far from every way.
inline constexpr std::string_view kRock = "16 - length(x - 900, y - 900, z - 16)";
/// Ground 6 m below every way, and air up to the ceiling.
inline constexpr std::string_view kAbyss = "z - 6";

/// The audits of ways that turn red.
inline std::set<std::string> red_gates(const AuditedSector& sector) {
  const AuditReport report =
      audit_sector(sector, {"capsule", "floor", "grade", "width", "height", "ripple", "mouths", "flood",
                            "seals", "places", "sight", "falls", "certificate"});
  std::set<std::string> out;
  for (const AuditRow& row : report.rows)
    if (row.violations > 0) out.insert(row.audit);
  return out;
}

}  // namespace vf::test

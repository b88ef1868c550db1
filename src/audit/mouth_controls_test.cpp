// Negative controls of what sectors and strata share, in a shipped type.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/sector_audits.h"
#include "base/check.h"
#include "base/result.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "field/simd_level.h"
#include "plan/path_instances.h"
#include "plan/path_plan.h"
#include "test_support/audited_paths.h"
#include "test_support/shipped_worlds.h"

namespace vf {
namespace {

using Gates = std::set<std::string>;

/// Sector 0, 0 of the second stratum of flat plains.
AuditedSector some_sector() {
  const test::ShippedWorld w = test::open_shipped("flat_plain");
  Result<AuditedSector> sector = open_audited_sector(w.world, w.built, 1, 0, 0, best_simd_level());
  VF_CHECK(sector.has_value());
  return *std::move(sector);
}

/// Its field made anew from its own plan and those beside it.
void put_in_field(AuditedSector& sector) {
  const BoundField& old = *sector.field;
  std::vector<std::vector<FeatureInstance>> sets, paths(kPathSets);
  for (const BoundFeatureSet& set : old.sets) sets.push_back(set.instances);
  add_path_instances(sector.plan, 0, 0, old.frame, old.window, paths);
  add_path_instances(sector.beside[0], -1, 0, old.frame, old.window, paths);
  add_path_instances(sector.beside[1], 1, 0, old.frame, old.window, paths);
  add_path_instances(sector.beside[2], 0, -1, old.frame, old.window, paths);
  add_path_instances(sector.beside[3], 0, 1, old.frame, old.window, paths);
  for (std::size_t i = 0; i < kPathSets; ++i)
    sets[*sector.scope.built->density->path_sets + i] = std::move(paths[i]);
  sector.field = std::make_shared<const BoundField>(
      bind_field(old.program, old.frame, old.window, std::move(sets), old.seed_mix));
}

TEST(MouthControlsSlow, AreGreenWithoutAFault) {
  AuditedSector sector = some_sector();
  put_in_field(sector);
  const Gates red = test::red_gates(sector);
  EXPECT_FALSE(red.contains("mouths") || red.contains("mouth steps") || red.contains("seals"));
}

// Control 3: portal floors 0.4 m apart.
TEST(MouthControlsSlow, PortalFloors40CentimetresApartTurnTheMouthsRed) {
  AuditedSector sector = some_sector();
  put_in_field(sector);
  Gates expected = test::red_gates(sector);
  PathPlan& east = sector.beside[1];
  for (PathNode& node : east.nodes)
    if (node.kind == PathNodeKind::kPortalWest) {
      node.at.z += 400'000;
      for (const PathLeg& leg : east.legs)
        if (leg.from == node.id || leg.to == node.id)
          for (std::uint32_t i = 0; i < leg.count; ++i) {
            east.pieces[leg.first + i].from.z += 400'000;
            east.pieces[leg.first + i].to.z += 400'000;
          }
    }
  put_in_field(sector);
  expected.insert({"mouths", "mouth steps"});
  EXPECT_EQ(test::red_gates(sector), expected);
}

// The strata disagree about where a passage runs.
TEST(MouthControlsSlow, APassageElsewhereInTheStratumBelowTurnsTheMouthsRed) {
  AuditedSector sector = some_sector();
  for (PathPiece& piece : sector.below->pieces) {
    piece.from.z -= 20'000;
    piece.to.z -= 20'000;
  }
  EXPECT_GT(audit_sector(sector, {"mouths"}).rows.front().violations, 0U);
}

// Control 4: the type's own air in the bands is the composition's to close; a bore that no passage has is
// not.
TEST(MouthControlsSlow, AShaftThroughTheBedrockTurnsTheSealsRed) {
  AuditedSector sector = some_sector();
  put_in_field(sector);
  Gates expected = test::red_gates(sector);
  const PathPlan sound = sector.plan;
  for (double z = -9; z < 3; z += 3) {
    sector.plan.pieces.push_back(test::straight(300, 304, z, z));
    sector.plan.pieces.back().id = {900 + static_cast<std::uint64_t>(z + 9)};
  }
  put_in_field(sector);
  sector.plan = sound;
  expected.insert("seals");
  EXPECT_EQ(test::red_gates(sector), expected);
}

}  // namespace
}  // namespace vf

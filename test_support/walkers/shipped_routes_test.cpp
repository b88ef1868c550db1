// Programs that nobody here wrote walk the routes of shipped types, on the mesh of the final density: from
// the arrival to the departure, down the passage, to the arrival below. The fixed sample of script/test;
// script/nightly asks for more by VF_WALK_SEEDS, the last seed, and VF_WALK_SECTORS. VF_WALK_FIRST is the
// first seed; corridors that nobody could walk stay in the temporary folder.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "exports/atomic_file.h"
#include "exports/corridor_file.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "plan/path_plan.h"
#include "plan/path_walk.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "test_support/shipped_worlds.h"
#include "test_support/walkers/bullet_walker.h"
#include "test_support/walkers/path_line.h"
#include "test_support/walkers/recast_walker.h"

namespace vf::test {
namespace {

namespace fs = std::filesystem;

struct Sector {
  std::int64_t x = 0, y = 0;
};
/// The sectors of the audits' matrix.
constexpr std::array<Sector, 3> kSectors{{{0, 0}, {-40000, 70000}, {3, -2}}};
constexpr std::int64_t kStratum = 1;  // has passages above and below

/// One stratum of the way: where it is, and the mesh about the line.
struct Storey {
  explicit Storey(StratumScope s) : paths(std::move(s)) {}
  SectorPaths paths;
  PathPlan plan;
  Vec3d origin_m;
  RegionMesh mesh;
  std::vector<const MeshPiece*> pieces;

  [[nodiscard]] Id<PathNodeTag> node(PathNodeKind kind) const {
    const PathNode* found = find_node(plan, kind);
    VF_CHECK(found != nullptr);
    return found->id;
  }
};

void plan_storey(Storey& storey, const Sector& sector) {
  const Result<const PathPlan*> plan = storey.paths.plan(sector.x, sector.y);
  VF_CHECK(plan.has_value());
  storey.plan = **plan;
  storey.origin_m = {1024.0 * static_cast<double>(sector.x), 1024.0 * static_cast<double>(sector.y),
                     storey.paths.scope().stratum.content_floor_z_m};
}

void mesh_storey(Storey& storey, const Sector& sector, const std::vector<Vec3d>& line) {
  const auto height = static_cast<float>(storey.paths.scope().built->recipe->height_m);
  const std::vector<TileKey> tiles = corridor_tiles(line, storey.origin_m, height);
  const Result<BoundField> field = field_in_window(storey.paths, {sector.x, sector.y}, mesh_window(tiles));
  VF_CHECK(field.has_value());
  const SimdLevel simd = best_simd_level();
  storey.mesh = mesh_region(
      evaluate_for_mesh(std::make_shared<const BoundField>(*field), tiles, {simd, true}, 1), simd, 1);
  storey.pieces = storey.mesh.pieces();
}

/// From the arrival of kStratum to that of the stratum below.
Corridor corridor_down(const ShippedWorld& w, const Sector& sector) {
  Storey upper(stratum_scope(w.world, w.built, kStratum)),
      lower(stratum_scope(w.world, w.built, kStratum + 1));
  plan_storey(upper, sector);
  plan_storey(lower, sector);
  std::vector<Vec3d> line = path_line(upper.plan, upper.node(PathNodeKind::kArrival),
                                      upper.node(PathNodeKind::kDeparture), upper.origin_m);
  // Both plans have the pieces about the border: each is followed to there.
  const Stratum& above = upper.paths.scope().stratum;
  const double border_m =
      above.content_floor_z_m + upper.paths.scope().built->recipe->height_m + kBandM - above.height_m;
  for (const Vec3d& p : leg_line(upper.plan, *passage_down(upper.plan), upper.origin_m))
    if (p.z >= border_m) line.push_back(p);
  for (const Vec3d& p : leg_line(lower.plan, *passage_from_above(lower.plan), lower.origin_m))
    if (p.z < border_m) line.push_back(p);
  mesh_storey(upper, sector, line);
  mesh_storey(lower, sector, line);
  const std::array<CorridorPieces, 2> ground{
      {{upper.pieces, upper.origin_m}, {lower.pieces, lower.origin_m}}};
  return make_corridor(ground, line);
}

/// Recast takes longer than all the rest: of the fixed sample it walks every third type.
bool recast_walks(const std::string& type) {
  const std::vector<std::string> all = shipped_types();
  return std::getenv("VF_WALK_SEEDS") != nullptr ||
         (std::find(all.begin(), all.end(), type) - all.begin()) % 3 == 0;
}

/// At least 1; without the variable, 1.
std::uint64_t number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 1 : std::max<std::uint64_t>(1, std::strtoull(text, nullptr, 10));
}

class ShippedRoutesSlow : public testing::TestWithParam<std::string> {};

TEST_P(ShippedRoutesSlow, AreWalkedByBulletAndRecast) {
  const char* tmp = std::getenv("TEST_TMPDIR");
  const fs::path folder = fs::path(tmp != nullptr ? tmp : fs::temp_directory_path().string()) /
                          ("routes_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::vector<fs::path> files;
  for (std::uint64_t seed = number_of("VF_WALK_FIRST"); seed <= number_of("VF_WALK_SEEDS"); ++seed) {
    const ShippedWorld world = open_shipped(GetParam(), seed);
    for (std::uint64_t s = 0; s < std::min<std::uint64_t>(number_of("VF_WALK_SECTORS"), kSectors.size());
         ++s) {
      const std::string name = std::to_string(seed) + "_sector_" + std::to_string(s);
      const Corridor corridor = corridor_down(world, kSectors.at(s));
      const BulletWalk walk = walk_with_bullet(corridor);
      EXPECT_EQ(walk.end, WalkEnd::kArrived)
          << "seed " << name << ": Bullet's capsule came " << walk.reached_m << " of " << walk.length_m
          << " m, to " << walk.at_m.x << ", " << walk.at_m.y << ", " << walk.at_m.z;
      if (!recast_walks(GetParam())) continue;
      files.push_back(folder / ("seed_" + name + ".obj"));
      const Status written = write_file(files.back().string(), encode_corridor(corridor));
      ASSERT_TRUE(written.has_value()) << written.error().message;
    }
  }
  if (files.empty()) {
    fs::remove_all(folder);
    return;
  }
  const Result<std::vector<RecastWalk>> walks = walk_with_recast(files);
  ASSERT_TRUE(walks.has_value()) << walks.error().message;
  EXPECT_EQ(walks->size(), 2 * files.size());
  for (const RecastWalk& walk : *walks)
    EXPECT_TRUE(walk.reached) << fs::path(walk.file).stem().string() << ": Recast's " << walk.agent
                              << " agent came " << walk.reached_m << " of " << walk.length_m << " m, to "
                              << walk.at_m.x << ", " << walk.at_m.y << ", " << walk.at_m.z << ": " << walk.why
                              << "; " << walk.file;
  if (!HasFailure()) fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Types, ShippedRoutesSlow, testing::ValuesIn(shipped_types()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace vf::test

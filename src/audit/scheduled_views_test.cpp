// What a scheduler shows, step by step on a walk: at every moment one closed surface of the whole area.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/result.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "test_support/shipped_worlds.h"
#include "test_support/view_meshes.h"
#include "view/view_piece.h"
#include "view/view_scheduler.h"

namespace vf {
namespace {

constexpr ViewerId kMe{1};

/// The pieces that a host shows, of one stratum, joined and judged.
MeshAudit judge(const std::vector<ViewPiece>& pieces, std::vector<TileKey> tiles) {
  std::vector<const MeshPiece*> meshes;
  for (const ViewPiece& piece : pieces) meshes.push_back(&piece.product->piece());
  const test::ViewEnds ends(std::move(tiles));
  return audit_mesh(meshes,
                    [&](const MeshPoint& a, const MeshPoint& b) { return ends.near(a) && ends.near(b); });
}

void expect_closed_on_a_walk(const std::string& type, int steps) {
  test::ShippedWorld world = test::open_shipped(type, 7);
  const Stratum stratum = stratum_at(world.world, 0);
  const double z = stratum.content_floor_z_m + stratum.recipe->height_m / 2;
  ViewScheduler scheduler(std::move(world.world), std::move(world.built),
                          {0, best_simd_level(), std::size_t{256} << 20, false});
  std::size_t swaps = 0, triangles = 0;
  for (int step = 0; step < steps; ++step) {
    // With a jump half way.
    const Viewer viewer{
        kMe, {508.0 + 9 * step + (step > steps / 2 ? 90 : 0), 512.0 + 5 * step, z}, {}, {16, 128, false}};
    ASSERT_TRUE(scheduler.look({&viewer, 1}));
    while (!scheduler.settled(kMe)) {
      (void)scheduler.work(0);
      const Result<ViewUpdate> update = scheduler.poll(kMe, std::size_t{1} << 40);
      ASSERT_TRUE(update);
      if (!update->swap) continue;
      ++swaps;
      const MeshAudit audit = judge(scheduler.shown(kMe), scheduler.shown_tiles(kMe));
      ASSERT_EQ(audit.faults(), 0U) << type << ", step " << step << ": " << audit.first;
      triangles += audit.triangles;  // a step may lie in solid rock
    }
  }
  EXPECT_GT(triangles, 1000U);
  EXPECT_GT(swaps, static_cast<std::size_t>(steps / 2));
}

TEST(ScheduledViews, AreClosedAfterEveryStepOfAWalk) {
  expect_closed_on_a_walk("pool_rooms", 4);
}

TEST(ScheduledViewsSlow, AreClosedForEveryTypeAfterEveryStepOfAWalk) {
  for (const std::string& type : test::shipped_types()) expect_closed_on_a_walk(type, 4);
}

// Negative control: a host that drops a piece too early sees a hole.
TEST(ScheduledViews, ASeamThatIsMissingIsSeen) {
  test::ShippedWorld world = test::open_shipped("flat_plain", 7);
  ViewScheduler scheduler(std::move(world.world), std::move(world.built),
                          {0, best_simd_level(), std::size_t{256} << 20, false});
  const Viewer viewer{kMe, {300, 300, -20}, {}, {16, 128, false}};
  ASSERT_TRUE(scheduler.look({&viewer, 1}));
  while (!scheduler.settled(kMe)) {
    (void)scheduler.work(0);
    ASSERT_TRUE(scheduler.poll(kMe, std::size_t{1} << 40));
  }
  std::vector<ViewPiece> pieces = scheduler.shown(kMe);
  ASSERT_EQ(judge(pieces, scheduler.shown_tiles(kMe)).faults(), 0U);
  const auto seam = [](const ViewPiece& p) {
    return p.product->seam() != nullptr && p.product->seam()->two_levels();
  };
  const auto found = std::find_if(pieces.begin(), pieces.end(), seam);
  ASSERT_NE(found, pieces.end());
  pieces.erase(found);
  EXPECT_GT(judge(pieces, scheduler.shown_tiles(kMe)).open_edges, 0U);
}

}  // namespace
}  // namespace vf

// Views of the shipped types, from cameras anywhere and with rings of any size: one closed surface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/digest.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/mesh_digest.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "test_support/shipped_worlds.h"
#include "test_support/view_meshes.h"
#include "view/view_tiles.h"

namespace vf {
namespace {

const TileOptions kPruned{best_simd_level(), true};

/// Three to five levels; rings down to one tile's width and of no round size. They end at half to all of
/// `most_m`.
std::vector<std::vector<TileKey>> random_views(std::size_t count, float most_m, float height_m,
                                               std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() & 0xFFFF) / 65536.0F;
  };
  std::vector<std::vector<TileKey>> views;
  for (std::size_t i = 0; i < count; ++i) {
    ViewRings rings;
    rings.coarsest = 2 + static_cast<int>(random() % 3);
    float most = 4;
    for (float& radius : rings.radius_m) radius = most = between(0.9F, 1.8F) * most + 3;
    rings.radius_m[static_cast<std::size_t>(rings.coarsest)] = between(most_m / 2, most_m);
    const Vec3f camera{between(460, 560), between(460, 560), between(0, height_m)};
    views.push_back(select_tiles(camera, rings, height_m).tiles);
  }
  return views;
}

std::shared_ptr<const BoundField> field_around(const StratumScope& scope,
                                               const std::vector<std::vector<TileKey>>& views) {
  Box2f window = view_window(views[0]);
  for (const auto& view : views) {
    const Box2f w = view_window(view);
    window = {std::min(window.min_x, w.min_x), std::min(window.min_y, w.min_y),
              std::max(window.max_x, w.max_x), std::max(window.max_y, w.max_y)};
  }
  auto field = field_in_window(scope, {}, window);
  EXPECT_TRUE(field.has_value()) << (field ? "" : field.error().text());
  return std::make_shared<const BoundField>(std::move(*field));
}

void expect_closed_views(const std::string& type, std::size_t count, float most_m, std::uint32_t seed) {
  const test::ShippedWorld world = test::open_shipped(type);
  const StratumScope scope = stratum_scope(world.world, world.built, 0);
  const auto views = random_views(count, most_m, world.built.front()->density->height_m, seed);
  const auto field = field_around(scope, views);
  std::uint64_t of_two_levels = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ViewMesh mesh = mesh_view(field, views[i], kPruned, 2);
    const MeshAudit audit = test::audit(mesh);
    EXPECT_EQ(audit.faults(), 0U) << type << ", view " << i << ": " << audit.first << "; open "
                                  << audit.open_edges << ", non-manifold " << audit.non_manifold_edges
                                  << " / " << audit.non_manifold_vertices << ", misoriented "
                                  << audit.misoriented_edges << ", degenerate " << audit.degenerate_triangles
                                  << ", strays " << audit.strays;
    for (const MeshPiece& seam : mesh.seams) of_two_levels += seam.two_levels ? seam.triangles.size() : 0;
  }
  EXPECT_GT(of_two_levels, 100 * count) << type;
}

TEST(ShippedViews, AreClosed) {
  std::uint32_t seed = 1;
  for (const std::string& type : test::shipped_types()) expect_closed_views(type, 1, 48, seed++);
}

TEST(ShippedViewsSlow, AreClosedFromTwentyCameras) {
  std::uint32_t seed = 100;
  for (const std::string& type : test::shipped_types()) expect_closed_views(type, 20, 90, seed++);
}

/// Neither workers nor what was made before change a bit.
TEST(ShippedViews, DoNotDependOnWorkersOrOrder) {
  const std::string type = test::shipped_types().front();
  const test::ShippedWorld world = test::open_shipped(type);
  const StratumScope scope = stratum_scope(world.world, world.built, 0);
  auto views = random_views(1, 40, world.built.front()->density->height_m, 9);
  const auto field = field_around(scope, views);
  const ViewMesh first = mesh_view(field, views[0], kPruned, 1);
  std::reverse(views[0].begin(), views[0].end());
  const ViewMesh again = mesh_view(field, views[0], kPruned, 8);
  ASSERT_EQ(first.seam_keys, again.seam_keys);
  for (std::size_t i = 0; i < first.seams.size(); ++i)
    ASSERT_EQ(to_hex(digest_of(first.seams[i])), to_hex(digest_of(again.seams[i])));
}

}  // namespace
}  // namespace vf

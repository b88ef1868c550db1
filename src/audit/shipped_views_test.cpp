// Views of the shipped types, from cameras anywhere and with rings of any size: one closed surface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
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
#include "test_support/ball_views.h"
#include "test_support/shipped_worlds.h"
#include "test_support/view_meshes.h"
#include "view/view_rings.h"

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
    test::BallView view;
    view.coarsest = 2 + static_cast<int>(random() % 3);
    float most = 4;
    for (float& radius : view.radius_m) radius = most = between(0.9F, 1.8F) * most + 3;
    view.radius_m[static_cast<std::size_t>(view.coarsest)] = between(most_m / 2, most_m);
    view.middle = {between(460, 560), between(460, 560), between(0, height_m)};
    views.push_back(test::tiles_of(view, height_m));
    EXPECT_TRUE(unbalanced_tiles(views.back()).empty());
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

/// Places that two pieces share and do not shade alike: normals that nearly agree, but stand in
/// no piece together, as the two sides of a weak crease do.
std::uint64_t torn_normals(const ViewMesh& mesh) {
  struct At {
    MeshPoint point;
    std::int16_t u = 0, v = 0;
    std::size_t piece = 0;
    auto operator<=>(const At&) const = default;
    [[nodiscard]] Vec3f normal() const { return decode_normal({u, v}); }
    [[nodiscard]] bool same_normal(const At& o) const { return u == o.u && v == o.v; }
  };
  std::vector<At> all;
  const std::vector<const MeshPiece*> pieces = mesh.pieces();
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    // A tile keeps vertices for seams that this view may not have.
    std::vector<std::uint8_t> used(pieces[n]->vertices.size(), 0);
    for (const Triangle& t : pieces[n]->triangles)
      for (const std::uint32_t v : t.at) used[v] = 1;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const MeshVertex& v = pieces[n]->vertices[i];
      if (used[i] != 0) all.push_back({point_of(*pieces[n], v), v.normal.u, v.normal.v, n});
    }
  }
  std::sort(all.begin(), all.end());
  std::uint64_t torn = 0;
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(first, all.end(), [&](const At& at) { return at.point != first->point; });
    const auto together = [&](const At& a, const At& b) {
      return std::any_of(first, end, [&](const At& c) {
        return c.same_normal(a) &&
               std::any_of(first, end, [&](const At& d) { return d.same_normal(b) && d.piece == c.piece; });
      });
    };
    for (auto a = first; a != end; ++a) {
      for (auto b = a + 1; b != end; ++b) {
        constexpr float kCosTwoDegrees = 0.99939F;
        const Vec3f n = a->normal(), m = b->normal();
        const bool near = n.x * m.x + n.y * m.y + n.z * m.z > kCosTwoDegrees;
        if (near && !a->same_normal(*b) && !together(*a, *b)) ++torn;
      }
    }
    first = end;
  }
  return torn;
}

/// The triangles between levels.
std::uint64_t expect_closed(const std::shared_ptr<const BoundField>& field, const std::vector<TileKey>& tiles,
                            const std::string& what) {
  const ViewMesh mesh = mesh_view(field, tiles, kPruned, 2);
  const MeshAudit audit = test::audit(mesh);
  EXPECT_EQ(audit.faults(), 0U) << what << ": " << audit.first << "; open " << audit.open_edges
                                << ", non-manifold " << audit.non_manifold_edges << " / "
                                << audit.non_manifold_vertices << ", misoriented " << audit.misoriented_edges
                                << ", degenerate " << audit.degenerate_triangles << ", strays "
                                << audit.strays;
  EXPECT_EQ(torn_normals(mesh), 0U) << what;
  std::uint64_t triangles = 0;
  for (const MeshPiece& seam : mesh.seams) triangles += seam.two_levels ? seam.triangles.size() : 0;
  return triangles;
}

void expect_closed_views(const std::string& type, std::size_t count, float most_m, std::uint32_t seed) {
  const test::ShippedWorld world = test::open_shipped(type);
  const StratumScope scope = stratum_scope(world.world, world.built, 0);
  const auto views = random_views(count, most_m, world.built.front()->density->height_m, seed);
  const auto field = field_around(scope, views);
  std::uint64_t triangles = 0;
  for (std::size_t i = 0; i < views.size(); ++i)
    triangles += expect_closed(field, views[i], type + ", view " + std::to_string(i));
  EXPECT_GT(triangles, 100 * count) << type;
}

TEST(ShippedViews, AreClosed) {
  std::uint32_t seed = 1;
  for (const std::string& type : test::shipped_types()) expect_closed_views(type, 1, 48, seed++);
}

TEST(ShippedViewsSlow, AreClosedFromTwentyCameras) {
  std::uint32_t seed = 100;
  for (const std::string& type : test::shipped_types()) expect_closed_views(type, 20, 72, seed++);
}

/// The views that are shown: squares about a viewer, and the steps by which they follow him.
TEST(ShippedViewsSlow, AreClosedInEveryStepOfAViewer) {
  std::mt19937 random(5);
  for (const std::string& type : test::shipped_types()) {
    const test::ShippedWorld world = test::open_shipped(type);
    const StratumScope scope = stratum_scope(world.world, world.built, 0);
    const float height_m = world.built.front()->density->height_m;
    RingSettings rings;
    rings.near_m = 16 + 8 * static_cast<float>(random() % 3);
    rings.view_m = kLeastViewM;
    const auto place = [&] { return 480 + static_cast<float>(random() % 64); };
    const float x = place(), y = place();
    std::vector<std::vector<TileKey>> views{tiles_in(wanted_squares(rings, x, y), height_m)};
    // Some steps on the way to a place near by.
    ViewSquares shown = wanted_squares(rings, x, y);
    for (int step = 0; step < 2; ++step) {
      const auto next = next_squares(shown, rings, x + 21, y - 13);
      if (!next) break;
      shown = *next;
      views.push_back(tiles_in(shown, height_m));
    }
    const auto field = field_around(scope, views);
    for (std::size_t i = 0; i < views.size(); ++i) {
      EXPECT_TRUE(unbalanced_tiles(views[i]).empty());
      EXPECT_GT(expect_closed(field, views[i], type + ", step " + std::to_string(i)), 100U);
    }
  }
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

/// Negative control of torn_normals.
TEST(ShippedViews, ASeamThatBendsANormalIsSeen) {
  const test::ShippedWorld world = test::open_shipped(test::shipped_types().front());
  const StratumScope scope = stratum_scope(world.world, world.built, 0);
  const auto views = random_views(1, 40, world.built.front()->density->height_m, 9);
  ViewMesh mesh = mesh_view(field_around(scope, views), views[0], kPruned, 2);
  ASSERT_EQ(torn_normals(mesh), 0U);
  const auto seam = std::find_if(mesh.seams.begin(), mesh.seams.end(), [](const MeshPiece& piece) {
    return piece.two_levels && !piece.triangles.empty();
  });
  ASSERT_NE(seam, mesh.seams.end());
  for (MeshVertex& v : seam->vertices) v.normal.u = static_cast<std::int16_t>(v.normal.u - v.normal.u / 300);
  EXPECT_GT(torn_normals(mesh), 0U);
}

}  // namespace
}  // namespace vf

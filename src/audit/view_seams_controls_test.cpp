// Negative controls of seams between levels: what goes wrong there is seen. And what their vertices promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "mesh/seam_pieces.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "proof/certificate.h"
#include "test_support/meshes.h"
#include "test_support/view_meshes.h"

namespace vf {
namespace {

using namespace test;

Signs signs_of(const FieldFunction& f, int reach) {
  return {[f](int x, int y, int z) {
            return f({kVoxelM * static_cast<float>(x), kVoxelM * static_cast<float>(y),
                      kVoxelM * static_cast<float>(z)});
          },
          reach};
}

/// Tiles of level 0 on the low side of x = 0, of level 1 on the other.
std::vector<TileKey> half_and_half() {
  return two_levels(0x55);
}

constexpr Vec3f kMiddle{0.03F, -0.04F, 0.11F};

float ball(Vec3f p) {
  const Vec3f d = p - kMiddle;
  return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) - 3.3F;
}

ViewMesh ball_view(const std::vector<TileKey>& tiles = half_and_half()) {
  DifferenceGradients gradients(ball);
  return mesh_view(tiles, signs_of(ball, 16), gradients);
}

TEST(ViewSeamsControls, TheCleanViewIsClean) {
  const MeshAudit audit = audit_mesh(ball_view().pieces());
  EXPECT_EQ(audit.faults(), 0U) << audit.first;
  EXPECT_EQ(audit.backward_normals, 0U);
}

TEST(ViewSeamsControls, AMissingSeamIsOpen) {
  const ViewMesh clean = ball_view();
  std::size_t tried = 0;
  for (std::size_t i = 0; i < clean.seams.size(); ++i) {
    if (clean.seams[i].triangles.empty()) continue;
    ViewMesh view = clean;
    view.seams[i].triangles.clear();
    EXPECT_GT(audit_mesh(view.pieces()).open_edges, 0U);
    ++tried;
  }
  EXPECT_GE(tried, 15U);
}

/// The coarse half became fine, but one seam is still the one to the coarse tile.
TEST(ViewSeamsControls, ASeamToTheWrongLevelIsOpen) {
  const ViewMesh old = ball_view();
  std::vector<TileKey> fine;
  for (const TileKey& key : half_and_half()) {
    if (key.level == 1) {
      split(key, fine);
    } else {
      fine.push_back(key);
    }
  }
  DifferenceGradients gradients(ball);
  const ViewMesh now = mesh_view(fine, signs_of(ball, 16), gradients);
  ASSERT_EQ(audit_mesh(now.pieces()).faults(), 0U);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < now.seams.size(); ++i) {
    const auto same_place = [&](const SeamKey& key) {
      return key.at == now.seam_keys[i].at && key.axis == now.seam_keys[i].axis &&
             key.edge == now.seam_keys[i].edge && key.two_levels();
    };
    const auto was = std::find_if(old.seam_keys.begin(), old.seam_keys.end(), same_place);
    if (was == old.seam_keys.end() || now.seams[i].triangles.empty()) continue;
    ViewMesh view = now;
    view.seams[i] = old.seams[static_cast<std::size_t>(was - old.seam_keys.begin())];
    EXPECT_GT(audit_mesh(view.pieces()).open_edges, 0U);
    ++tried;
  }
  EXPECT_GE(tried, 8U);
}

TEST(ViewSeamsControls, AMesherRefusesTilesOfAnotherLevel) {
  const ViewMesh view = ball_view();
  const auto mixed = std::find_if(view.seam_keys.begin(), view.seam_keys.end(),
                                  [](const SeamKey& key) { return key.two_levels() && !key.edge; });
  ASSERT_NE(mixed, view.seam_keys.end());
  SeamKey wrong = *mixed;
  wrong.coarse = 0;
  std::array<const TileMesh*, 4> tiles{};
  const std::array<TileKey, 4> around = tiles_of(*mixed);
  for (std::size_t k = 0; k < 2; ++k)
    for (const TileMesh& tile : view.tiles)
      if (tile.inside.anchor == around[k]) tiles[k] = &tile;
  MeshPiece piece;
  SeamPieceMesher mesher;
  mesher.mesh(*mixed, tiles, piece);
  EXPECT_DEATH(mesher.mesh(wrong, tiles, piece), "does not hold");
}

/// A block of rock begins where the coarse tile does. A fine tile that is told its own last samples once more
/// instead of its neighbour's first does not see it.
TEST(ViewSeamsControls, AHaloOneVoxelShortIsOpen) {
  const auto block = [](int x, int y, int z) {
    return x >= 0 && x <= 5 && std::abs(y + 20) <= 5 && std::abs(z + 20) <= 5 ? -1.0F : 1.0F;
  };
  WildGradients gradients;
  const Signs signs{block, 26};
  ViewMesh view = mesh_view(half_and_half(), signs, gradients);
  ASSERT_EQ(audit_mesh(view.pieces()).faults(), 0U);
  const Signs short_halo{[&](int x, int y, int z) { return block(std::min(x, -1), y, z); }, 26};
  const std::vector<TileKey> one{{0, -1, -1, -1}};
  const auto tile = std::find_if(view.tiles.begin(), view.tiles.end(),
                                 [&](const TileMesh& t) { return t.inside.anchor == one[0]; });
  ASSERT_NE(tile, view.tiles.end());
  *tile = std::move(mesh_insides(one, short_halo, gradients)[0]);
  mesh_seams(view, 1);
  EXPECT_GT(audit_mesh(view.pieces()).open_edges, 0U);
}

// ---- vertices

using Normals = std::map<MeshPoint, std::set<std::pair<int, int>>>;

Normals normals_of(const ViewMesh& view) {
  Normals out;
  for (const MeshPiece* piece : view.pieces())
    for (const MeshVertex& v : piece->vertices) out[point_of(*piece, v)].insert({v.normal.u, v.normal.v});
  return out;
}

Vec3f metres(const MeshPoint& p) {
  constexpr float kUnit = kVoxelM / kVoxelUnits;
  return {kUnit * static_cast<float>(p.x), kUnit * static_cast<float>(p.y), kUnit * static_cast<float>(p.z)};
}

/// What two pieces have in common has one place and one normal, and these are the ball's, as near as the
/// coarse voxels allow.
TEST(ViewSeamsGeometry, ABallIsSmoothAcrossLevels) {
  std::size_t in_side = 0;
  for (unsigned mask = 0; mask < 256; mask += 15) {
    const ViewMesh view = ball_view(two_levels(mask));
    const MeshAudit audit = audit_mesh(view.pieces());
    EXPECT_EQ(audit.faults(), 0U) << "mask " << mask << ": " << audit.first;
    // Where levels are crosswise two slivers, as long as the hubs are apart, face anywhere.
    std::uint64_t crosswise = 0;
    for (const SeamKey& key : view.seam_keys)
      crosswise += key.edge && (key.coarse == 5 || key.coarse == 10) ? 1 : 0;
    EXPECT_LE(audit.backward_normals, 6 * crosswise) << "mask " << mask;
    for (const auto& [point, normals] : normals_of(view)) EXPECT_EQ(normals.size(), 1U) << "mask " << mask;
  }
  for (const auto& [point, normals] : normals_of(ball_view())) {
    ASSERT_EQ(normals.size(), 1U);
    const Vec3f p = metres(point), d = p - kMiddle;
    const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    const auto [u, v] = *normals.begin();
    const Vec3f n = decode_normal({static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)});
    EXPECT_GE((n.x * d.x + n.y * d.y + n.z * d.z) / length, 0.99F);
    EXPECT_LE(std::fabs(length - 3.3F), 0.05F);
    if (point.x == 0) ++in_side;
  }
  EXPECT_GT(in_side, 50U) << "vertices of transition cells";
}

/// Every side and edge of a turned box stays as sharp as it is where levels meet: each normal is that of one
/// of its sides, and who has two stands on an edge.
TEST(ViewSeamsGeometry, ATurnedBoxIsSharpAcrossLevels) {
  constexpr float kCos = 0.8F, kSin = 0.6F;
  const auto local = [](Vec3f p) {
    const Vec3f d = p - kMiddle;
    return Vec3f{kCos * d.x + kSin * d.y, kCos * d.y - kSin * d.x, d.z};
  };
  const auto box = [&](Vec3f p) {
    const Vec3f q = local(p);
    return std::max({std::fabs(q.x) - 2.4F, std::fabs(q.y) - 2.9F, std::fabs(q.z) - 2.7F});
  };
  DifferenceGradients gradients(box);
  const ViewMesh view = mesh_view(half_and_half(), signs_of(box, 20), gradients);
  const MeshAudit audit = audit_mesh(view.pieces());
  EXPECT_EQ(audit.faults(), 0U) << audit.first;
  std::size_t creased = 0;
  for (const auto& [point, normals] : normals_of(view)) {
    if (point.x != 0) continue;
    const Vec3f q = local(metres(point));
    const std::array<float, 3> off{std::fabs(std::fabs(q.x) - 2.4F), std::fabs(std::fabs(q.y) - 2.9F),
                                   std::fabs(std::fabs(q.z) - 2.7F)};
    EXPECT_LE(normals.size(), 2U);
    std::array<float, 3> sorted = off;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_LE(sorted[0], 0.05F);
    if (normals.size() == 2) {
      ++creased;
      EXPECT_LE(sorted[1], 0.1F);
    }
    for (const auto& [u, v] : normals) {
      const Vec3f n = decode_normal({static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)});
      const Vec3f t{kCos * n.x + kSin * n.y, kCos * n.y - kSin * n.x, n.z};
      EXPECT_GE(std::max({std::fabs(t.x), std::fabs(t.y), std::fabs(t.z)}), 0.999F);
    }
  }
  EXPECT_GT(creased, 3U);
}

}  // namespace
}  // namespace vf

// Queries against brute force over all triangles, and against what a world must never do: let a body through.
#include "mesh/collider.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "audit/mesh_audit.h"
#include "math/vec.h"
#include "mesh/closest_points.h"
#include "mesh/tile_mesh.h"
#include "test_support/meshes.h"

namespace vf {
namespace {

using namespace test;

/// A bumpy floor with a boulder, over four tiles.
MeshBlock ground() {
  return mesh_block({0, 0, 0, 0}, 2, 2, 1, [](Vec3f p) {
    const float floor = p.z - 3 - 0.7F * std::sin(p.x) * std::cos(0.8F * p.y);
    const float boulder = std::hypot(p.x - 8.3F, p.y - 7.6F, p.z - 4) - 1.7F;
    return std::min(floor, boulder);
  });
}

std::vector<TileCollider> colliders(const MeshBlock& block) {
  std::vector<TileCollider> out;
  for (std::size_t i = 0; i < block.tiles.size(); ++i) {
    const std::array<const MeshPiece*, 2> pieces{&block.tiles[i].inside, &block.seams[i]};
    out.emplace_back(pieces);
  }
  return out;
}

std::vector<std::array<Vec3d, 3>> all_triangles(const MeshBlock& block) {
  std::vector<std::array<Vec3d, 3>> out;
  for (const MeshPiece* piece : block.pieces()) {
    for (const Triangle& t : piece->triangles) {
      std::array<Vec3d, 3> corners;
      for (std::size_t i = 0; i < 3; ++i) {
        const MeshPoint p = point_of(*piece, piece->vertices[t.at[i]]);
        const auto metres = [](std::int64_t v) { return static_cast<double>(v) * 0.25 / kVoxelUnits; };
        corners[i] = {metres(p.x), metres(p.y), metres(p.z)};
      }
      out.push_back(corners);
    }
  }
  return out;
}

class Draws {
 public:
  explicit Draws(std::uint32_t seed) : generator_(seed) {}
  float operator()(float low, float high) {
    return low + (high - low) * static_cast<float>(generator_()) / 4294967296.0F;
  }

 private:
  std::mt19937 generator_;
};

Vec3d wide(Vec3f v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

TEST(TileCollider, RaysAgreeWithBruteForce) {
  const MeshBlock block = ground();
  const auto parts = colliders(block);
  const auto triangles = all_triangles(block);
  Draws draw(1);
  int hits = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3f from{draw(1, 15), draw(1, 15), draw(0, 8)};
    Vec3f d{draw(-1, 1), draw(-1, 1), draw(-1, 1)};
    d = d * (1 / std::hypot(d.x, d.y, d.z));
    std::optional<RayHit> hit;
    for (const TileCollider& c : parts)
      if (const auto h = c.ray(from, d, 30); h && (!hit || h->distance_m < hit->distance_m)) hit = h;
    std::optional<double> best;
    for (const auto& t : triangles)
      if (const auto at = ray_triangle(wide(from), wide(d), t); at && at->t <= 30 && (!best || at->t < *best))
        best = at->t;
    ASSERT_EQ(hit.has_value(), best.has_value()) << i;
    if (!hit) continue;
    ++hits;
    EXPECT_NEAR(static_cast<double>(hit->distance_m), *best, 1e-5);
  }
  EXPECT_GT(hits, 150);
}

TEST(TileCollider, NoRaySlipsThroughVerticesSidesOrSeams) {
  const MeshBlock block = ground();
  const auto parts = colliders(block);
  // Straight down through every vertex, and through the middle of every side.
  int asked = 0;
  const auto down = [&](double x, double y) {
    if (x < 0.3 || x > 15.7 || y < 0.3 || y > 15.7) return;
    ++asked;
    bool hit = false;
    for (const TileCollider& c : parts)
      hit = hit || c.ray({static_cast<float>(x), static_cast<float>(y), 8}, {0, 0, -1}, 20).has_value();
    ASSERT_TRUE(hit) << x << ", " << y;
  };
  for (const auto& t : all_triangles(block)) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3d &a = t[i], &b = t[(i + 1) % 3];
      down(a.x, a.y);
      down((a.x + b.x) / 2, (a.y + b.y) / 2);
    }
  }
  EXPECT_GT(asked, 10000);
}

TEST(TileCollider, CapsulesAgreeWithBruteForce) {
  const MeshBlock block = ground();
  const auto parts = colliders(block);
  const auto triangles = all_triangles(block);
  Draws draw(2);
  std::size_t contacts = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3f foot{draw(1, 15), draw(1, 15), draw(2, 6)};
    const Capsule capsule{foot, foot + Vec3f{draw(-0.5F, 0.5F), draw(-0.5F, 0.5F), 1.08F}, 0.375F};
    std::vector<CapsuleContact> found;
    for (const TileCollider& c : parts) c.touch(capsule, found);
    std::size_t expected = 0;
    for (const auto& t : triangles)
      if (closest_points(wide(capsule.from), wide(capsule.to), t).distance < 0.375) ++expected;
    ASSERT_EQ(found.size(), expected) << i;
    contacts += expected;
    for (const CapsuleContact& c : found) EXPECT_GT(c.depth_m, 0);
  }
  EXPECT_GT(contacts, 1000U);
}

/// A body that falls and is pushed out where it touches comes to rest on the ground.
TEST(TileCollider, AFallingCapsuleComesToRest) {
  const MeshBlock block = ground();
  const auto parts = colliders(block);
  Draws draw(3);
  for (int body = 0; body < 40; ++body) {
    Vec3f foot{draw(2, 14), draw(2, 14), 7};
    for (int step = 0; step < 400; ++step) {
      foot.z -= 0.05F;
      for (int push = 0; push < 4; ++push) {
        std::vector<CapsuleContact> found;
        for (const TileCollider& c : parts) c.touch({foot, foot + Vec3f{0, 0, 1.08F}, 0.34F}, found);
        if (found.empty()) break;
        const auto deepest = std::max_element(
            found.begin(), found.end(), [](const auto& a, const auto& b) { return a.depth_m < b.depth_m; });
        foot = foot + deepest->normal * deepest->depth_m;
      }
      foot.x = std::clamp(foot.x, 1.0F, 15.0F);
      foot.y = std::clamp(foot.y, 1.0F, 15.0F);
    }
    EXPECT_GT(foot.z, 2.3F) << body;
    EXPECT_LT(foot.z, 6.5F) << body;
  }
}

TEST(TileCollider, AnEmptyTileStopsNothing) {
  const MeshPiece piece;
  const std::array<const MeshPiece*, 1> pieces{&piece};
  const TileCollider collider(pieces);
  EXPECT_TRUE(collider.empty());
  EXPECT_FALSE(collider.ray({1, 1, 1}, {0, 0, -1}, 100).has_value());
  std::vector<CapsuleContact> found;
  collider.touch({{1, 1, 1}, {1, 1, 2}, 0.3F}, found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace vf

// Negative controls of the mesh audit: each fault, put into a clean mesh, turns its own count red, and no
// other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "test_support/meshes.h"

namespace vf {
namespace {

using namespace test;

/// A turned egg over eight tiles, closed.
MeshBlock egg() {
  return mesh_block({0, -1, -1, -1}, 2, 2, 2, [](Vec3f p) {
    const float x = 0.8F * p.x + 0.6F * p.y, y = 0.8F * p.y - 0.6F * p.x;
    return std::sqrt(0.6F * x * x + y * y + 1.4F * p.z * p.z) - 3.1F;
  });
}

MeshAudit closed_audit(const MeshBlock& block) {
  const auto pieces = block.pieces();
  return audit_mesh(pieces);
}

TEST(MeshControls, TheCleanMeshIsClean) {
  const MeshAudit audit = closed_audit(egg());
  EXPECT_EQ(audit.faults(), 0U) << audit.first;
  EXPECT_EQ(audit.backward_normals, 0U);
  EXPECT_EQ(audit.open_edges + audit.boundary_edges, 0U);
}

TEST(MeshControls, AVertexOutOfItsCell) {
  MeshBlock block = egg();
  MeshPiece& piece = block.tiles[7].inside;
  // One that the inside alone uses, so that nothing tears.
  for (MeshVertex& v : piece.vertices) {
    const auto deep = [](std::int16_t c) { return c > 2 * kVoxelUnits && c < (kTileEdge - 2) * kVoxelUnits; };
    if (!deep(v.x) || !deep(v.y) || !deep(v.z)) continue;
    v.x = static_cast<std::int16_t>(v.x + kVoxelUnits);
    break;
  }
  const MeshAudit audit = closed_audit(block);
  EXPECT_GT(audit.strays, 0U);
  EXPECT_EQ(audit.faults(), audit.strays) << audit.first;
}

TEST(MeshControls, AFlippedPolygon) {
  MeshBlock block = egg();
  Triangle& t = block.tiles[0].inside.triangles[10];
  std::swap(t.at[1], t.at[2]);
  const MeshAudit audit = closed_audit(block);
  EXPECT_EQ(audit.misoriented_edges, 3U);
  EXPECT_EQ(audit.faults(), 3U) << audit.first;
  EXPECT_EQ(audit.backward_normals, 3U);
}

TEST(MeshControls, AMissingBorderPiece) {
  MeshBlock block = egg();
  const auto full = std::find_if(block.seams.begin(), block.seams.end(),
                                 [](const MeshPiece& s) { return !s.triangles.empty(); });
  ASSERT_NE(full, block.seams.end());
  full->triangles.clear();
  const MeshAudit audit = closed_audit(block);
  EXPECT_GT(audit.open_edges, 0U);
  EXPECT_EQ(audit.faults(), audit.open_edges) << audit.first;
}

TEST(MeshControls, ATriangleThereTwice) {
  MeshBlock block = egg();
  MeshPiece& piece = block.tiles[0].inside;
  piece.triangles.push_back(piece.triangles[5]);
  const MeshAudit audit = closed_audit(block);
  EXPECT_EQ(audit.non_manifold_edges, 3U);
}

TEST(MeshControls, ATriangleWithoutArea) {
  MeshBlock block = egg();
  MeshPiece& piece = block.tiles[0].inside;
  piece.triangles[3].at[1] = piece.triangles[3].at[0];
  const MeshAudit audit = closed_audit(block);
  EXPECT_EQ(audit.degenerate_triangles, 1U);
}

/// Two closed bodies that share one vertex: every edge has its two triangles, and still it is no surface
/// there.
TEST(MeshControls, TwoSheetsInOneVertex) {
  const auto tetrahedron = [](int sign) {
    MeshPiece piece;
    const auto at = [sign](int x, int y, int z) {
      const auto c = [sign](int v) { return static_cast<std::int16_t>(4096 + sign * v); };
      return MeshVertex{c(x), c(y), c(z), encode_normal({0, 0, 1})};
    };
    piece.vertices = {at(0, 0, 0), at(300, 0, 0), at(0, 300, 0), at(0, 0, 300)};
    piece.triangles = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    if (sign < 0)
      for (Triangle& t : piece.triangles) std::swap(t.at[1], t.at[2]);
    return piece;
  };
  const MeshPiece a = tetrahedron(1), b = tetrahedron(-1);
  const std::array<const MeshPiece*, 2> both{&a, &b};
  const MeshAudit audit = audit_mesh(both);
  EXPECT_EQ(audit.open_edges + audit.non_manifold_edges + audit.misoriented_edges, 0U) << audit.first;
  EXPECT_EQ(audit.non_manifold_vertices, 1U);
}

}  // namespace
}  // namespace vf

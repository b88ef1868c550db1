#include "exports/surface_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exports/models_for_tests.h"
#include "math/vec.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {
namespace {

std::vector<SurfacePart> parts_of(const std::vector<MeshPiece>& meshes,
                                  const std::vector<std::vector<MaterialBlend>>& blends,
                                  const std::vector<MaterialTile>& tiles, Vec3f origin = {8, 0, 0}) {
  return surface_parts({test::painted(meshes, blends), tiles, origin}, 1);
}

float dot(Vec3f a, Vec3f b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec3f cross(Vec3f a, Vec3f b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TEST(SurfaceModel, PutsUpWhereGltfHasIt) {
  const auto parts = parts_of({test::floor_and_step()}, {test::floor_and_step_blends()}, {{}, {}});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].vertices[0].position, (Vec3f{0, 1, 0}));
  EXPECT_EQ(parts[0].vertices[2].position, (Vec3f{1, 1, -1}));
  EXPECT_EQ(parts[0].vertices[0].normal, (Vec3f{0, 1, 0}));
  EXPECT_EQ(parts[1].vertices[0].normal, (Vec3f{0, 0, 1}));
}

TEST(SurfaceModel, KeepsFrontsInFront) {
  for (const SurfacePart& part :
       parts_of({test::floor_and_step()}, {test::floor_and_step_blends()}, {{}, {}})) {
    for (const auto& t : part.triangles) {
      const ModelVertex &a = part.vertices[t[0]], &b = part.vertices[t[1]], &c = part.vertices[t[2]];
      EXPECT_GT(dot(cross(b.position - a.position, c.position - a.position), a.normal), 0);
    }
  }
}

TEST(SurfaceModel, MirrorsNoTextureAndKeepsItsSize) {
  const MaterialTile tile{{0.5F, 0.5F, 0.5F}, 1, 0.5F, false};
  for (const SurfacePart& part :
       parts_of({test::floor_and_step()}, {test::floor_and_step_blends()}, {tile, tile})) {
    for (const auto& t : part.triangles) {
      const ModelVertex &a = part.vertices[t[0]], &b = part.vertices[t[1]], &c = part.vertices[t[2]];
      // v runs down the picture: seen from the front, the picture's area is negative in u, v.
      const float area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
      EXPECT_FLOAT_EQ(area, -1 / (0.5F * 0.5F));
    }
  }
}

TEST(SurfaceModel, DropsWhatNoTriangleUsesAndKeepsSmoothGroupsApart) {
  const auto parts = parts_of({test::floor_and_step()}, {test::floor_and_step_blends()}, {{}, {}});
  for (const SurfacePart& part : parts) EXPECT_EQ(part.vertices.size(), 4U);
  // All of one material: the places on the edge are there twice, once for each normal.
  const auto one = parts_of({test::floor_and_step()}, {std::vector<MaterialBlend>(9, kFirstMaterial)}, {{}});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].vertices.size(), 8U);
}

TEST(SurfaceModel, WeldsEqualVerticesOfNeighbouringPieces) {
  // The same floor as two triangles in two pieces, the second counted from the tile before.
  MeshPiece first = test::floor_and_step(), second = first;
  first.triangles = {first.triangles[0]};
  second.triangles = {second.triangles[1]};
  second.anchor.tx -= 1;
  for (MeshVertex& v : second.vertices) v.x = static_cast<std::int16_t>(v.x + 32 * kVoxelUnits);
  const std::vector<MaterialBlend> moss(9, kFirstMaterial);
  const auto parts = parts_of({first, second}, {moss, moss}, {{}});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].vertices.size(), 4U);
  EXPECT_EQ(parts[0].triangles.size(), 2U);
}

TEST(SurfaceModel, DropsTrianglesThatAreALine) {
  MeshPiece piece = test::floor_and_step();
  piece.triangles.push_back({{3, 4, 5}});  // 3 and 4 are one place
  const auto parts = parts_of({piece}, {test::floor_and_step_blends()}, {{}, {}});
  EXPECT_EQ(parts[0].triangles.size() + parts[1].triangles.size(), 4U);
}

TEST(SurfaceModel, BlendsColoursAtBorders) {
  // A dark material that may look up to twice as bright, beside a bright one.
  const std::vector<MaterialTile> tiles{{{0.2F, 0.2F, 0.2F}, 2, 1, false}, {{0.4F, 0.1F, 0.9F}, 1, 1, false}};
  std::vector<MaterialBlend> blends(9, kFirstMaterial);
  blends[1] = {{0, 1, 0, 0}, {153, 102, 0, 0}, {}};
  const auto parts = parts_of({test::floor_and_step()}, {blends}, tiles);
  const auto tint = parts[0].vertices[1].tint;
  EXPECT_EQ(parts[0].vertices[0].tint, (std::array<std::uint8_t, 3>{128, 128, 128}));
  // 0.6 * 0.2 + 0.4 * (0.4, 0.1, 0.9) = (0.28, 0.16, 0.48), of 0.4 in the texture.
  EXPECT_EQ(tint, (std::array<std::uint8_t, 3>{179, 102, 255}));
}

TEST(SurfaceModel, IsTheSameForAnyNumberOfWorkers) {
  std::vector<MeshPiece> meshes;
  std::vector<std::vector<MaterialBlend>> blends;
  for (int i = 0; i < 20; ++i) {
    meshes.push_back(test::floor_and_step());
    meshes.back().anchor.ty = i;
    blends.push_back(test::floor_and_step_blends());
  }
  const std::vector<PaintedPiece> painted = test::painted(meshes, blends);
  const std::vector<MaterialTile> tiles(2);
  const auto one = surface_parts({painted, tiles, {}}, 1);
  const auto two = surface_parts({painted, tiles, {}}, 2);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].vertices, two[i].vertices);
    EXPECT_EQ(one[i].triangles, two[i].triangles);
  }
}

}  // namespace
}  // namespace vf

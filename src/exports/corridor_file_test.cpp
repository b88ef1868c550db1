#include "exports/corridor_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {
namespace {

/// Triangles of 1 m at these places (whole quarters of a metre), one corner each on the place.
MeshPiece triangles_at(const std::vector<Vec3f>& places) {
  MeshPiece piece;
  for (const Vec3f& p : places) {
    const auto first = static_cast<std::uint32_t>(piece.vertices.size());
    const auto vertex = [](float x, float y, float z) {
      const auto units = [](float v) { return static_cast<std::int16_t>(v * 4 * kVoxelUnits); };
      return MeshVertex{units(x), units(y), units(z), {}};
    };
    piece.vertices.push_back(vertex(p.x, p.y, p.z));
    piece.vertices.push_back(vertex(p.x + 1, p.y, p.z));
    piece.vertices.push_back(vertex(p.x, p.y + 1, p.z));
    piece.triangles.push_back({{first, first + 1, first + 2}});
  }
  return piece;
}

Corridor corridor_of(const MeshPiece& piece, const std::vector<Vec3d>& line, Vec3d origin_m = {}) {
  const std::array<const MeshPiece*, 1> pieces{&piece};
  const std::array<CorridorPieces, 1> ground{{{pieces, origin_m}}};
  return make_corridor(ground, line);
}

TEST(CorridorFile, KeepsWhatIsNearTheLine) {
  // On it; 5.5 m beside; 6.5 m beside; 7 m before its start; one corner near; 5 m and 7 m above.
  const MeshPiece piece = triangles_at(
      {{1, 0, 0}, {4, 5.5F, 0}, {4, 6.5F, 0}, {-7.5F, 0, 0}, {-6.5F, 0, 0}, {4, 0, 5}, {4, 0, 7}});
  const Corridor out = corridor_of(piece, {{0, 0, 0}, {8, 0, 0}});
  ASSERT_EQ(out.triangles.size(), 4U);
  ASSERT_EQ(out.vertices.size(), 12U);
  EXPECT_EQ(out.vertices[out.triangles[0][0]], (Vec3f{1, 0, 0}));
  EXPECT_EQ(out.vertices[out.triangles[1][0]], (Vec3f{4, 5.5F, 0}));
  EXPECT_EQ(out.vertices[out.triangles[2][1]], (Vec3f{-5.5F, 0, 0}));
  EXPECT_EQ(out.vertices[out.triangles[3][0]], (Vec3f{4, 0, 5}));
}

TEST(CorridorFile, IsMeasuredFromTheFloorWhereItPasses) {
  const MeshPiece piece = triangles_at({{4, 0, 4}, {4, 0, -4}});
  EXPECT_EQ(corridor_of(piece, {{0, 0, 0}, {8, 0, 8}}).triangles.size(), 1U);
}

TEST(CorridorFile, IsExactFarFromTheOriginOfTheWorld) {
  const MeshPiece piece = triangles_at({{1.25F, 2.5F, 3.75F}});
  const Vec3d far{1e7, -1e7, -4096};
  const Corridor out = corridor_of(piece, {{1e7 + 1.5, -1e7 + 2, -4093}, {1e7 + 9, -1e7 + 2, -4093}}, far);
  EXPECT_EQ(out.origin_m, (Vec3d{1e7 + 1, -1e7 + 2, -4093}));
  ASSERT_EQ(out.vertices.size(), 3U);
  EXPECT_EQ(out.vertices[0], (Vec3f{0.25F, 0.5F, 0.75F}));
  EXPECT_EQ(out.line[0], (Vec3f{0.5F, 0, 0}));
}

TEST(CorridorFile, JoinsTheGroundOfSeveralFrames) {
  const MeshPiece upper = triangles_at({{1, 0, 0}}), lower = triangles_at({{1, 0, 0}});
  const std::array<const MeshPiece*, 1> above{&upper}, below{&lower};
  const std::array<CorridorPieces, 2> ground{{{above, {0, 0, 0}}, {below, {0, 0, -64}}}};
  const std::vector<Vec3d> line{{0, 0, 0}, {2, 0, 0}, {2, 0, -64}, {0, 0, -64}};
  const Corridor out = make_corridor(ground, line);
  ASSERT_EQ(out.triangles.size(), 2U);
  EXPECT_EQ(out.vertices[out.triangles[1][0]], (Vec3f{1, 0, -64}));
}

TEST(CorridorFile, MeshesTheTilesThatComeNearTheLine) {
  // 8 m tiles; 6 m to either side of y = 4 and of z = 20, from 6 m before x = 4 to 6 m behind x = 28.
  const std::vector<Vec3d> line{{1004, 2004, -80}, {1028, 2004, -80}};
  const std::vector<TileKey> tiles = corridor_tiles(line, {1000, 2000, -100}, 64);
  ASSERT_EQ(tiles.size(), 6U * 3U * 3U);
  EXPECT_EQ(tiles.front(), (TileKey{0, -1, -1, 1}));
  EXPECT_EQ(tiles.back(), (TileKey{0, 4, 1, 3}));
  // Not beyond the bands of a stratum.
  for (const TileKey& key : corridor_tiles(line, {1000, 2000, -100}, 16)) EXPECT_LE(key.tz, 2);
  EXPECT_TRUE(corridor_tiles(line, {1000, 2000, -300}, 64).empty());
}

TEST(CorridorFile, IsAnObjWithItsLine) {
  const MeshPiece piece = triangles_at({{1, 0.5F, 0.25F}});
  EXPECT_EQ(encode_corridor(corridor_of(piece, {{0, 0, 0}, {8, 0, 1}})),
            "# voxelforge corridor 1\n"
            "# metres, y up\n"
            "# origin_m 0 0 0\n"
            "o ground\n"
            "v 1 0.25 -0.5\n"
            "v 2 0.25 -0.5\n"
            "v 1 0.25 -1.5\n"
            "f 1 2 3\n"
            "o route\n"
            "v 0 0 0\n"
            "v 8 1 0\n"
            "l 4 5\n");
}

}  // namespace
}  // namespace vf

// Surfaces cut where their material changes stay closed, whatever pieces and levels they are of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "math/vec.h"
#include "mesh/material_borders.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "test_support/meshes.h"
#include "test_support/view_meshes.h"

namespace vf {
namespace {

MaterialBlend all_of(std::uint64_t material) {
  MaterialBlend out = kFirstMaterial;
  out.material[0] = static_cast<std::uint8_t>(material);
  return out;
}

template <class Material>
BlendsAt blends_of(const Material& material) {
  return [material](std::span<const Vec3f> points, std::span<const Vec3f> normals,
                    std::span<MaterialBlend> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = all_of(material(points[i], normals[i]));
  };
}

std::vector<PaintedPiece> paint(std::span<const MeshPiece* const> pieces, const BlendsAt& blends_at) {
  std::vector<std::vector<MaterialBlend>> blends(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    std::vector<Vec3f> at, normals;
    for (const MeshVertex& v : pieces[p]->vertices) {
      at.push_back(position_m(*pieces[p], v));
      normals.push_back(decode_normal(v.normal));
    }
    blends[p].resize(at.size());
    blends_at(at, normals, blends[p]);
  }
  return cut_borders(pieces, blends, blends_at, 2);
}

/// Edges that are not passed once in each direction.
std::size_t open_edges(const std::vector<PaintedPiece>& pieces) {
  using Place = std::array<float, 3>;
  std::map<std::pair<Place, Place>, int> passed;
  for (const PaintedPiece& piece : pieces) {
    for (const PaintedTriangle& t : piece.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3f a = piece.vertices[t.at[k]].at, b = piece.vertices[t.at[(k + 1) % 3]].at;
        const Place from{a.x, a.y, a.z}, to{b.x, b.y, b.z};
        passed[std::minmax(from, to)] += from < to ? 1 : -1;
      }
    }
  }
  return static_cast<std::size_t>(
      std::count_if(passed.begin(), passed.end(), [](const auto& edge) { return edge.second != 0; }));
}

Vec3f area_of(Vec3f a, Vec3f b, Vec3f c) {
  const Vec3f u = b - a, v = c - a;
  return Vec3f{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x} * 0.5F;
}

/// Of cells of 0.4 m and the side that a normal looks to: at a crease the two sides change at different
/// places.
std::uint64_t patchwork(Vec3f p, Vec3f n) {
  const auto cell = [](float v) { return static_cast<std::uint64_t>(std::floor(v * 2.5F) + 1000); };
  return hash_words({cell(p.x), cell(p.y), cell(p.z), n.z > 0 ? 1U : 0U}) % 4;
}

test::Signs noise(std::uint64_t seed) {
  return {[seed](int x, int y, int z) {
            const auto word = [](int v) { return static_cast<std::uint64_t>(v + 1000); };
            const bool in = std::max({std::abs(x), std::abs(y), std::abs(z)}) <= 5;
            return in && hash_words({seed, word(x), word(y), word(z)}) % 2 == 0 ? -1.0F : 1.0F;
          },
          5};
}

TEST(MeshBorders, KeepEveryMixOfLevelsClosed) {
  for (unsigned mask = 0; mask < 256; mask += 15) {
    test::WildGradients gradients;
    const ViewMesh view = test::mesh_view(test::two_levels(mask), noise(mask + 1), gradients);
    const std::vector<const MeshPiece*> pieces = view.pieces();
    const std::vector<PaintedPiece> painted = paint(pieces, blends_of(patchwork));
    EXPECT_EQ(open_edges(painted), 0U) << mask;
    std::size_t before = 0, after = 0;
    for (const PaintedPiece& piece : painted)
      before += piece.from->triangles.size(), after += piece.triangles.size();
    EXPECT_GT(after, before + before / 2);
  }
}

// Each piece for itself knows nothing of what changes beyond a crease on its border.
TEST(MeshBorders, AreOpenWherePiecesAreCutAlone) {
  test::WildGradients gradients;
  const ViewMesh view = test::mesh_view(test::two_levels(0x5A), noise(9), gradients);
  std::vector<PaintedPiece> painted;
  for (const MeshPiece* piece : view.pieces()) {
    const std::array<const MeshPiece*, 1> alone{piece};
    painted.push_back(paint(alone, blends_of(patchwork)).front());
  }
  EXPECT_GT(open_edges(painted), 0U);
}

TEST(MeshBorders, PartsOfATriangleAddUpToIt) {
  test::WildGradients gradients;
  const ViewMesh view = test::mesh_view(test::two_levels(0xC3), noise(4), gradients);
  const std::vector<const MeshPiece*> pieces = view.pieces();
  for (const PaintedPiece& piece : paint(pieces, blends_of(patchwork))) {
    std::vector<Vec3f> areas(piece.from->triangles.size());
    for (const PaintedTriangle& t : piece.triangles) {
      const auto at = [&](std::size_t k) { return piece.vertices[t.at[k]].at; };
      areas[t.from] = areas[t.from] + area_of(at(0), at(1), at(2));
    }
    for (std::size_t i = 0; i < areas.size(); ++i) {
      const auto& t = piece.from->triangles[i].at;
      const auto at = [&](std::size_t k) { return position_m(*piece.from, piece.from->vertices[t[k]]); };
      const Vec3f off = areas[i] - area_of(at(0), at(1), at(2));
      // Cuts stand on the grid of 1/2048 m, beside the edge by half of that at most.
      EXPECT_LT(std::abs(off.x) + std::abs(off.y) + std::abs(off.z), 3e-3F);
    }
  }
}

/// A floor of 8 x 8 squares of a voxel.
MeshPiece floor_piece() {
  MeshPiece piece;
  piece.anchor = {0, 0, 0, 0};
  const OctNormal up = encode_normal({0, 0, 1});
  for (int y = 0; y <= 8; ++y)
    for (int x = 0; x <= 8; ++x)
      piece.vertices.push_back(
          {static_cast<std::int16_t>(x * kVoxelUnits), static_cast<std::int16_t>(y * kVoxelUnits), 0, up});
  for (std::uint32_t y = 0; y < 8; ++y)
    for (std::uint32_t x = 0; x < 8; ++x) {
      const std::uint32_t v = 9 * y + x;
      piece.triangles.push_back({{v, v + 1, v + 10}});
      piece.triangles.push_back({{v, v + 10, v + 9}});
    }
  return piece;
}

TEST(MeshBorders, OfAStraightLineAreStraight) {
  const MeshPiece piece = floor_piece();
  const std::array<const MeshPiece*, 1> pieces{&piece};
  const auto beyond = [](Vec3f p) { return p.x + 0.37F * p.y - 1.13F; };
  const auto painted = paint(pieces, blends_of([&](Vec3f p, Vec3f) { return beyond(p) > 0 ? 1U : 0U; }));
  ASSERT_EQ(painted.size(), 1U);
  std::size_t on_border = 0;
  std::size_t exact = 0;
  for (std::size_t v = piece.vertices.size(); v < painted[0].vertices.size(); ++v, ++on_border) {
    const Vec3f at = painted[0].vertices[v].at;
    // Known to 1/1024 of an edge, but for what keeps off its ends.
    EXPECT_LT(std::abs(beyond(at)), 0.25F / 32);
    const auto off_grid = [](float m) { return std::abs(m - 0.25F * std::floor(4 * m + 0.5F)); };
    if (std::max(off_grid(at.x), off_grid(at.y)) < 0.25F / 32 + 1.0F / 2048) continue;
    EXPECT_LT(std::abs(beyond(at)), 1.0F / 512);
    ++exact;
  }
  EXPECT_GT(on_border, 20U);
  EXPECT_GT(exact, 15U);
  std::array<float, 2> area{};
  for (const PaintedTriangle& t : painted[0].triangles) {
    const auto at = [&](std::size_t k) { return painted[0].vertices[t.at[k]].at; };
    const Vec3f middle = (at(0) + at(1) + at(2)) * (1.0F / 3);
    if (std::abs(beyond(middle)) > 0.25F / 32) {
      EXPECT_EQ(t.material, beyond(middle) > 0 ? 1U : 0U);
    }
    const float part = area_of(at(0), at(1), at(2)).z;
    EXPECT_GT(part, 1e-5F) << "a sliver";
    area[t.material] += part;
    for (const std::uint32_t v : t.at) EXPECT_EQ(painted[0].vertices[v].blend.material[0], t.material);
  }
  // Left of the line from (1.13, 0) to (0.39, 2).
  EXPECT_NEAR(area[0], 1.52F, 0.01F);
  EXPECT_NEAR(area[0] + area[1], 4.0F, 1e-4F);
}

TEST(MeshBorders, GiveTheMiddleOfThreeToTheFirst) {
  MeshPiece piece = floor_piece();
  piece.triangles = {{{0, 1, 10}}};
  const std::array<const MeshPiece*, 1> pieces{&piece};
  const std::vector<MaterialBlend> three = [] {
    std::vector<MaterialBlend> out(81, all_of(2));
    out[1] = all_of(5);
    out[10] = all_of(1);
    return out;
  }();
  const auto near = blends_of([](Vec3f p, Vec3f) { return p.y > 0.125F ? 1U : p.x > 0.125F ? 5U : 2U; });
  const auto painted = cut_borders(pieces, std::array{three}, near, 1);
  ASSERT_EQ(painted[0].triangles.size(), 4U);
  std::vector<std::uint32_t> materials;
  for (const PaintedTriangle& t : painted[0].triangles) materials.push_back(t.material);
  EXPECT_EQ(materials, (std::vector<std::uint32_t>{2, 5, 1, 1}));
}

}  // namespace
}  // namespace vf

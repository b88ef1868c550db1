#include "mesh/surface_materials.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "field/simd_level.h"
#include "math/arc_cosine.h"
#include "mesh/tile_mesh.h"

namespace vf {
namespace {

using Four = std::array<std::uint8_t, 4>;

TEST(SurfaceMaterials, KeepTheFourStrongestInOrder) {
  const std::vector<float> weights{0.1F, 0.4F, 0.05F, 0.2F, 0.25F, -3};
  const std::vector<float> masks{1, 0.5F, 1, 2, -1, 1};
  const MaterialBlend blend = blend_of(weights, masks);
  EXPECT_EQ(blend.material, (Four{1, 4, 3, 0}));
  int sum = 0;
  for (const std::uint8_t w : blend.weight) sum += w;
  EXPECT_EQ(sum, 255);
  EXPECT_NEAR(blend.weight[0], 0.4 / 0.95 * 255, 1.5);
  EXPECT_EQ(blend.glow, (Four{128, 0, 255, 255}));
}

TEST(SurfaceMaterials, PreferTheFirstOfEquals) {
  const std::vector<float> even(6, 1.0F);
  EXPECT_EQ(blend_of(even, even).material, (Four{0, 1, 2, 3}));
}

TEST(SurfaceMaterials, AreTheFirstWhereNothingIsLeft) {
  const std::vector<float> none{-1, 0, std::nanf("")};
  EXPECT_EQ(blend_of(none, none), kFirstMaterial);
  MeshPiece piece;
  piece.vertices.resize(3);
  const std::vector<const MeshPiece*> pieces{&piece};
  EXPECT_EQ(surface_materials(nullptr, pieces, SimdLevel::kScalar, 2).at(0),
            std::vector<MaterialBlend>(3, kFirstMaterial));
}

TEST(SurfaceMaterials, PlacesAreExactFarFromTheTileAndThroughNegativeOnes) {
  MeshPiece piece;
  piece.anchor = {0, 127, -2, 0};
  const Vec3f p = position_m(piece, {1, -1, 16384, {}});
  EXPECT_EQ(p, (Vec3f{127 * 8 + 1.0F / 2048, -16 - 1.0F / 2048, 8}));
}

TEST(ArcCosine, IsThatOfTheMathLibrary) {
  for (int i = -1000; i <= 1000; ++i) {
    const double c = i / 1000.0;
    EXPECT_NEAR(arc_cosine_deg(c), std::acos(c) * 180 / std::numbers::pi, 3e-6);
  }
  EXPECT_EQ(arc_cosine_deg(1.5), arc_cosine_deg(1));
}

}  // namespace
}  // namespace vf

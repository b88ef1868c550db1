#include "view/view_tiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {
namespace {

constexpr float kHeightM = 96;

struct Drawn {
  Vec3f camera;
  ViewRings rings;
};

/// Radii in any order, also such that rings are thinner than a tile.
Drawn draw(std::mt19937& random) {
  const auto between = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() & 0xFFFF) / 65536.0F;
  };
  Drawn out;
  out.camera = {between(-300, 300), between(-300, 300), between(-10, 110)};
  out.rings.coarsest = static_cast<int>(random() % 5);
  float most = 12;
  for (float& radius : out.rings.radius_m) radius = between(0, most *= 1.9F);
  out.rings.radius_m[static_cast<std::size_t>(out.rings.coarsest)] = between(60, 200);
  return out;
}

/// The tile that holds a point, or null.
const TileKey* tile_at(const std::vector<TileKey>& tiles, Vec3f p) {
  const TileKey* found = nullptr;
  for (const TileKey& key : tiles) {
    const Vec3f low = tile_origin(key);
    const float edge = tile_m(key.level);
    const auto in = [edge](float v, float from) { return v >= from && v < from + edge; };
    if (!in(p.x, low.x) || !in(p.y, low.y) || !in(p.z, low.z)) continue;
    EXPECT_EQ(found, nullptr) << "two tiles hold one point";
    found = &key;
  }
  return found;
}

TEST(ViewTiles, AreBalancedForAllCamerasAndRadii) {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const Drawn d = draw(random);
    const ViewTiles view = select_tiles(d.camera, d.rings, kHeightM);
    ASSERT_FALSE(view.tiles.empty());
    EXPECT_TRUE(unbalanced_tiles(view.tiles).empty()) << "case " << i;
  }
}

TEST(ViewTiles, FillTheirRadiiOnceEach) {
  std::mt19937 random(2);
  for (int i = 0; i < 12; ++i) {
    const Drawn d = draw(random);
    const ViewTiles view = select_tiles(d.camera, d.rings, kHeightM);
    for (int n = 0; n < 200; ++n) {
      const auto part = [&] { return static_cast<float>(random() & 0xFFFF) / 32768.0F - 1; };
      const Vec3f way{part() * 200, part() * 200, part() * 100};
      const Vec3f p = d.camera + way;
      const TileKey* tile = tile_at(view.tiles, p);
      const float far = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
      if (p.z < 0 || p.z >= kHeightM) continue;
      for (int level = 0; level <= d.rings.coarsest; ++level) {
        if (far >= d.rings.radius_m[static_cast<std::size_t>(level)]) continue;
        ASSERT_NE(tile, nullptr);
        EXPECT_LE(tile->level, level);
        break;
      }
    }
  }
}

/// Rings as the settings have them stay as they are meant: no level reaches much farther than its radius.
TEST(ViewTiles, OfTheUsualRingsAreFew) {
  const ViewTiles view = select_tiles({5, 7, 30}, {}, kHeightM);
  EXPECT_TRUE(unbalanced_tiles(view.tiles).empty());
  for (const TileKey& key : view.tiles) {
    const Vec3f low = tile_origin(key);
    const float half = tile_m(key.level) / 2;
    const float x = low.x + half - 5, y = low.y + half - 7;
    const float radius = ViewRings{}.radius_m[static_cast<std::size_t>(key.level)];
    EXPECT_LE(std::sqrt(x * x + y * y), radius + 3 * tile_m(key.level) + 1e-3F);
  }
  EXPECT_LT(view.tiles.size(), 2500U);
}

/// Steps back and forth across a border move it only without hysteresis.
TEST(ViewTiles, StayWhileTheCameraMovesBackAndForth) {
  ViewRings rings;
  rings.coarsest = 3;
  const Vec3f here{15.9F, 0, 20}, there{16.3F, 0.2F, 20.2F};
  EXPECT_NE(select_tiles(here, rings, kHeightM), select_tiles(there, rings, kHeightM));
  rings.hysteresis_m = 2;
  ViewTiles shown = select_tiles(here, rings, kHeightM);
  shown = select_tiles(there, rings, kHeightM, shown);  // grows where it must
  const ViewTiles first = shown;
  for (int i = 0; i < 3; ++i) {
    for (const Vec3f at : {here, there}) {
      shown = select_tiles(at, rings, kHeightM, shown);
      EXPECT_EQ(shown, first);
      EXPECT_TRUE(unbalanced_tiles(shown.tiles).empty());
    }
  }
  // Far away nothing of it is left.
  const Vec3f away{2000, 40, 20};
  EXPECT_EQ(select_tiles(away, rings, kHeightM, shown), select_tiles(away, rings, kHeightM));
}

}  // namespace
}  // namespace vf

// Seams between levels: whatever the signs are and however the levels lie, the pieces of a balanced view
// close to a 2-manifold.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/ids.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "proof/certificate.h"
#include "test_support/meshes.h"
#include "test_support/view_meshes.h"

namespace vf {
namespace {

using namespace test;

std::uint64_t bits_at(std::uint64_t seed, int x, int y, int z) {
  return hash_words({seed, static_cast<std::uint64_t>(x + 4096), static_cast<std::uint64_t>(y + 4096),
                     static_cast<std::uint64_t>(z + 4096)});
}

Signs white_noise(std::uint64_t seed, unsigned solid_of_16, int reach) {
  const auto value = [=](int x, int y, int z) {
    const std::uint64_t h = bits_at(seed, x, y, z);
    const float size = 0.1F + static_cast<float>(h >> 8 & 0xFF) / 256.0F;
    const bool in = std::max({std::abs(x), std::abs(y), std::abs(z)}) <= reach;
    return in && (h >> 32 & 15) < solid_of_16 ? -size : size;
  };
  return {value, reach};
}

std::string counts(const MeshAudit& a) {
  return a.first + "; open " + std::to_string(a.open_edges) + ", non-manifold " +
         std::to_string(a.non_manifold_edges) + " / " + std::to_string(a.non_manifold_vertices) +
         ", misoriented " + std::to_string(a.misoriented_edges) + ", degenerate " +
         std::to_string(a.degenerate_triangles) + ", strays " + std::to_string(a.strays);
}

void expect_closed(const std::vector<TileKey>& tiles, const Signs& signs, const std::string& what) {
  WildGradients gradients;
  const ViewMesh view = mesh_view(tiles, signs, gradients);
  const MeshAudit audit = audit_mesh(view.pieces());
  EXPECT_GT(audit.triangles, 100U) << what;
  EXPECT_EQ(audit.faults(), 0U) << what << ": " << counts(audit);
}

/// All mixes of two levels where eight tiles meet, and with them all that can meet at a side or an edge.
TEST(ViewSeams, EveryMixOfLevelsAtACornerIsClosed) {
  for (unsigned mask = 0; mask < 256; ++mask)
    expect_closed(two_levels(mask), white_noise(mask + 1, 2 + mask % 13, 5), "mask " + std::to_string(mask));
}

/// Checkerboards of the fine lattice and of the coarse one: noise finds few of the cells with the most
/// sheets.
void expect_closed_checkerboard(unsigned mask) {
  for (const int step : {1, 2}) {
    const auto board = [step](int x, int y, int z) {
      const bool in = std::max({std::abs(x), std::abs(y), std::abs(z)}) <= 4;
      const auto part = [step](int v) { return (v + 64) / step; };
      return in && ((part(x) + part(y) + part(z)) & 1) != 0 ? -1.0F : 1.0F;
    };
    expect_closed(two_levels(mask), {board, 4}, "mask " + std::to_string(mask));
  }
}

TEST(ViewSeams, CheckerboardsAreClosed) {
  for (unsigned mask = 1; mask < 256; mask += 22) expect_closed_checkerboard(mask);
}

TEST(ViewSeamsSlow, CheckerboardsAreClosedInEveryMixOfLevels) {
  for (unsigned mask = 1; mask < 256; ++mask) expect_closed_checkerboard(mask);
}

TEST(ViewSeamsSlow, NoiseOfAllDensitiesIsClosedInEveryMixOfLevels) {
  for (unsigned mask = 0; mask < 256; ++mask)
    for (unsigned solid = 1; solid < 16; solid += 2)
      expect_closed(two_levels(mask), white_noise(1000 * mask + solid, solid, 6),
                    "mask " + std::to_string(mask));
}

/// The tiles of a view need not be balanced where they meet in a point alone.
TEST(ViewSeams, LevelsTwoApartMayMeetInAPoint) {
  std::vector<TileKey> tiles = two_levels(0x7F, 2);
  const auto corner = std::find(tiles.begin(), tiles.end(), TileKey{1, -1, -1, -1});
  ASSERT_NE(corner, tiles.end());
  tiles.erase(corner);
  split({1, -1, -1, -1}, tiles);
  EXPECT_TRUE(unbalanced_tiles(tiles).empty());
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    expect_closed(tiles, white_noise(seed, 8, 10), "seed " + std::to_string(seed));
}

/// Three and four levels: cubes split at random, balanced, over which noise reaches across many corners.
std::vector<TileKey> random_levels(std::uint64_t seed, int coarsest) {
  std::vector<TileKey> tiles = two_levels(0, coarsest);
  for (int level = coarsest; level > 0; --level) {
    std::vector<TileKey> next;
    for (const TileKey& key : tiles) {
      // Only what lies at the origin: the noise does not reach far.
      const bool near =
          std::max({std::abs(2 * key.tx + 1), std::abs(2 * key.ty + 1), std::abs(2 * key.tz + 1)}) <= 3;
      const bool splits =
          key.level == level && near && bits_at(seed, key.tx, key.ty, key.tz + level) % 3 != 0;
      if (splits) {
        split(key, next);
      } else {
        next.push_back(key);
      }
    }
    tiles = next;
  }
  return balanced(tiles);
}

TEST(ViewSeams, RandomLevelsAreClosed) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    expect_closed(random_levels(seed, 3), white_noise(seed, seed % 2 == 0 ? 8 : 3, 35),
                  "seed " + std::to_string(seed));
}

TEST(ViewSeamsSlow, ManyRandomLevelsAreClosed) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<TileKey> tiles = random_levels(seed, seed % 2 == 0 ? 3 : 2);
    expect_closed(tiles, white_noise(seed, static_cast<unsigned>(1 + seed % 15), 36),
                  "seed " + std::to_string(seed));
  }
}

/// Regions of one level are closed by pieces of another cut: the triangles are the same.
TEST(ViewSeams, OfOneLevelAreThoseOfRegions) {
  WildGradients gradients;
  const Signs signs = white_noise(5, 8, 13);
  const MeshBlock block = mesh_block({0, -1, -1, -1}, 2, 2, 2, signs.value, gradients);
  ViewMesh view;
  view.tiles = block.tiles;
  mesh_seams(view, 1);
  const auto corners = [](const std::vector<MeshPiece>& pieces) {
    std::vector<std::array<MeshPoint, 3>> out;
    for (const MeshPiece& piece : pieces) {
      for (const Triangle& t : piece.triangles) {
        std::array<MeshPoint, 3> p;
        for (std::size_t i = 0; i < 3; ++i) p[i] = point_of(piece, piece.vertices[t.at[i]]);
        std::rotate(p.begin(), std::min_element(p.begin(), p.end()), p.end());
        out.push_back(p);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  EXPECT_GT(corners(view.seams).size(), 1000U);
  EXPECT_EQ(corners(view.seams), corners(block.seams));
}

/// Every seam is there once, and knows its tiles: those of the view that touch in its side or edge.
TEST(ViewSeams, AreNamedByTheirTiles) {
  for (unsigned mask = 0; mask < 256; mask += 5) {
    const std::vector<TileKey> tiles = two_levels(mask);
    const std::vector<SeamKey> seams = seams_between(tiles);
    for (std::size_t i = 0; i < seams.size(); ++i) {
      EXPECT_TRUE(i == 0 || before(seams[i - 1], seams[i]));
      const std::array<TileKey, 4> around = tiles_of(seams[i]);
      for (std::size_t k = 0; k < seams[i].tile_count(); ++k)
        EXPECT_NE(std::find(tiles.begin(), tiles.end(), around[k]), tiles.end());
    }
  }
  EXPECT_EQ(seams_between(two_levels(0)).size(), 12U + 6U);
  // Of one cube in eight tiles: 12 sides and 6 edges within; to each of three coarse ones 4 sides and 4 edges
  // within them; 2 edges along each of three lines; between the seven coarse ones 9 sides and 3 edges.
  EXPECT_EQ(seams_between(two_levels(1)).size(), 12U + 6U + 3U * (4U + 4U) + 3U * 2U + 9U + 3U);
}

TEST(ViewSeams, FindWhatIsNotBalanced) {
  std::vector<TileKey> tiles = two_levels(0xFE, 2);
  EXPECT_TRUE(unbalanced_tiles(tiles).empty());
  const auto next =
      std::find(tiles.begin(), tiles.end(), TileKey{1, 0, 0, -1});  // shares an edge of the first
  ASSERT_NE(next, tiles.end());
  tiles.erase(next);
  split({1, 0, 0, -1}, tiles);
  const std::vector<Unbalanced> found = unbalanced_tiles(tiles);
  ASSERT_FALSE(found.empty());
  for (const Unbalanced& pair : found) EXPECT_EQ(pair.coarse, (TileKey{2, -1, -1, -1}));
  EXPECT_TRUE(unbalanced_tiles(balanced(tiles)).empty());
}

}  // namespace
}  // namespace vf

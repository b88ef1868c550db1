// Always 2-manifold: whatever the signs are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "audit/mesh_audit.h"
#include "base/ids.h"
#include "test_support/meshes.h"

namespace vf {
namespace {

using namespace test;

constexpr int kReach = 13;  ///< samples from the corner where eight tiles meet; beyond it all is air

bool within(int x, int y, int z) {
  return std::max({std::abs(x), std::abs(y), std::abs(z)}) <= kReach;
}

/// -1 or 1 by the bits of the sample's place.
SampleFunction white_noise(std::uint64_t seed, unsigned solid_of_16) {
  return [=](int x, int y, int z) {
    const std::uint64_t h =
        hash_words({seed, static_cast<std::uint64_t>(x + 4096), static_cast<std::uint64_t>(y + 4096),
                    static_cast<std::uint64_t>(z + 4096)});
    const float size = 0.1F + static_cast<float>(h >> 8 & 0xFF) / 256.0F;
    return within(x, y, z) && (h >> 32 & 15) < solid_of_16 ? -size : size;
  };
}

/// Eight tiles around the origin, with nothing open anywhere.
void expect_closed(const SampleFunction& f, const char* what, std::uint64_t seed) {
  WildGradients gradients;
  const MeshBlock block = mesh_block({0, -1, -1, -1}, 2, 2, 2, f, gradients);
  const auto pieces = block.pieces();
  const MeshAudit audit = audit_mesh(pieces);
  EXPECT_GT(audit.triangles, 1000U) << what;
  EXPECT_EQ(audit.faults(), 0U) << what << " seed " << seed << ": " << audit.first << "; open "
                                << audit.open_edges << ", non-manifold " << audit.non_manifold_edges << " / "
                                << audit.non_manifold_vertices << ", misoriented " << audit.misoriented_edges
                                << ", degenerate " << audit.degenerate_triangles;
}

TEST(MeshTopology, WhiteNoiseIsClosedAndManifoldOverTilesAndSeams) {
  for (const unsigned solid : {1U, 4U, 8U, 12U, 15U})
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      expect_closed(white_noise(seed, solid), "noise", seed * 100 + solid);
}

TEST(MeshTopology, CheckerboardIsClosedAndManifold) {
  const auto board = [](int parity) {
    return [=](int x, int y, int z) {
      return within(x, y, z) && ((x + y + z + parity) & 1) != 0 ? -1.0F : 1.0F;
    };
  };
  expect_closed(board(0), "checkerboard", 0);
  expect_closed(board(1), "checkerboard", 1);
}

/// Every mask of a cell, 512 cells at a time, 8 samples apart and astride the borders of bricks and tiles;
/// and around them every kind of neighbourhood: all air, all solid, the mask repeated, mirrored, inverted,
/// and noise.
TEST(MeshTopologySlow, AllCellMasksInAllKindsOfNeighbourhood) {
  WildGradients gradients;
  for (int turn = 0; turn < 2; ++turn) {
    for (int kind = 0; kind < 6; ++kind) {
      const auto f = [&](int x, int y, int z) {
        if (std::max({std::abs(x), std::abs(y), std::abs(z)}) > 29) return 1.0F;
        const int cell = ((x + 32) >> 3) + 8 * ((y + 32) >> 3) + 64 * ((z + 32) >> 3);
        const int mask = (cell * 5 + turn * 51) & 255;
        const auto bit = [&](int px, int py, int pz) {
          return (mask >> ((px & 1) | (py & 1) << 1 | (pz & 1) << 2) & 1) != 0;
        };
        const auto middle = [](int v) { return (v & 7) == 3 || (v & 7) == 4; };
        // The cell is moved so that each turn sees others of its masks on borders of tiles.
        const int px = x + 4, py = y + 4, pz = z + 4;
        const bool in = middle(px) && middle(py) && middle(pz);
        bool solid = false;
        if (in) {
          solid = bit((px & 7) - 3, (py & 7) - 3, (pz & 7) - 3);
        } else if (kind == 1) {
          solid = true;
        } else if (kind == 2) {
          solid = bit(x, y, z);
        } else if (kind == 3) {
          solid = bit(x + 1, y + 1, z + 1);
        } else if (kind == 4) {
          solid = !bit(x, y, z);
        } else if (kind == 5) {
          solid = (hash_words({static_cast<std::uint64_t>(turn), static_cast<std::uint64_t>(x + 99),
                               static_cast<std::uint64_t>(y + 99), static_cast<std::uint64_t>(z + 99)}) &
                   1) != 0;
        }
        return solid ? -1.0F : 1.0F;
      };
      const MeshBlock block = mesh_block({0, -1, -1, -1}, 2, 2, 2, f, gradients);
      const auto pieces = block.pieces();
      const MeshAudit audit = audit_mesh(pieces);
      ASSERT_EQ(audit.faults(), 0U) << "turn " << turn << " kind " << kind << ": " << audit.first;
    }
  }
}

/// One mask alone in a single tile, open nowhere.
TEST(MeshTopology, ASingleBlobIsClosed) {
  WildGradients gradients;
  for (int mask = 1; mask < 256; ++mask) {
    const auto f = [&](int x, int y, int z) {
      const bool in = (x == 15 || x == 16) && (y == 15 || y == 16) && (z == 15 || z == 16);
      return in && (mask >> ((x & 1) | (y & 1) << 1 | (z & 1) << 2) & 1) != 0 ? -1.0F : 1.0F;
    };
    const MeshBlock block = mesh_block({0, 0, 0, 0}, 1, 1, 1, f, gradients);
    const auto pieces = block.pieces();
    const MeshAudit audit = audit_mesh(pieces);
    ASSERT_EQ(audit.faults(), 0U) << "mask " << mask << ": " << audit.first;
    ASSERT_GE(audit.triangles, 8U);
  }
}

}  // namespace
}  // namespace vf

// In: a field and a tile. Out: for each brick, proven solid, proven air, or its values, with the evidence.
//
// Product header of proof/. Immutable.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "field/program.h"
#include "math/vec.h"

namespace vf {

inline constexpr int kTileEdge = 32;    ///< [cells]
inline constexpr int kTileBricks = 64;  ///< 4 x 4 x 4, index (bz * 4 + by) * 4 + bx
inline constexpr int kMaxLevel = 4;
inline constexpr float kVoxelM = 0.25F;  ///< at level 0; doubles a level. [metres]

[[nodiscard]] constexpr float voxel_m(int level) {
  return kVoxelM * static_cast<float>(1 << level);
}

enum class Verdict : std::uint8_t { kSolid, kAir, kMixed };

/// Why a brick was evaluated.
enum class Reason : std::uint8_t {
  kProven,   ///< it was not
  kMixed,    ///< its bound holds zero
  kUnknown,  ///< its bound is missing or not finite
};

/// Samples 32 t ... 32 t + 31 of the level's lattice on each axis, in frame coordinates; z from the content
/// floor.
struct TileKey {
  int level = 0;
  std::int32_t tx = 0, ty = 0, tz = 0;
  friend bool operator==(const TileKey&, const TileKey&) = default;
};

struct TileDensity {
  TileKey key;
  std::array<Verdict, kTileBricks> verdict{};
  std::array<Reason, kTileBricks> reason{};
  std::array<std::int16_t, kTileBricks> block{};  ///< index of the brick's 512 values, or -1
  std::vector<float> values;

  [[nodiscard]] const float* brick(int b) const {
    const int i = block[static_cast<std::size_t>(b)];
    return i < 0 ? nullptr : values.data() + static_cast<std::size_t>(i) * kBrickSamples;
  }
};

/// Bricks of a tile, bit b for brick b.
using BrickMask = std::uint64_t;
inline constexpr BrickMask kAllBricks = ~BrickMask{0};

/// Counts of one pass; add up over tiles.
struct ProofCounts {
  std::uint64_t tiles = 0, tiles_proven = 0;
  std::uint64_t solid = 0, air = 0;  ///< bricks proven
  std::uint64_t evaluated = 0;       ///< bricks whose samples were computed
  std::uint64_t wasted = 0;          ///< evaluated, no sign change in [-1, 8] (filled by measure_waste)
  std::uint64_t unknown = 0;         ///< evaluated for want of a finite bound
  std::uint64_t samples = 0;
  std::uint64_t candidates = 0;           ///< features that a tile's bounds had to look at, over the tiles
  std::uint64_t feature_evaluations = 0;  ///< bricks x candidates left after the interval fold
  ProofCounts& operator+=(const ProofCounts& o);
};

}  // namespace vf

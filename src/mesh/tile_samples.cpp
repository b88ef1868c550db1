#include "mesh/tile_samples.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "field/program.h"
#include "mesh/lanes.h"
#include "proof/certificate.h"

namespace vf {

namespace {

constexpr int kBricks = kTileEdge / kBrickEdge;
constexpr std::size_t kRowsInLayer = kBrickEdge * kBrickEdge;

/// Bit i: value i of 32 is solid.
std::uint32_t signs_of(const float* values) {
  std::uint32_t bits = 0;
  for (std::size_t g = 0; g < 8; ++g) bits |= bits_of(load4(values + 4 * g) < 0.0F) << (4 * g);
  return bits;
}

}  // namespace

BrickMask bricks_at_border(int neighbour) {
  BrickMask mask = 0;
  for (int b = 0; b < kTileBricks; ++b) {
    const bool x = (neighbour & 1) == 0 || (b & 3) == 0;
    const bool y = (neighbour & 2) == 0 || (b >> 2 & 3) == 0;
    const bool z = (neighbour & 4) == 0 || b >> 4 == 0;
    if (x && y && z) mask |= BrickMask{1} << b;
  }
  return mask;
}

void TileSamples::load(const TileNeighbours& tiles) {
  bool any_solid = false, any_air = false, any_values = false;
  std::array<bool, 125> solid{};
  for (int bz = 0; bz < kBlockBricks; ++bz) {
    for (int by = 0; by < kBlockBricks; ++by) {
      for (int bx = 0; bx < kBlockBricks; ++bx) {
        const TileDensity* tile =
            tiles.at[static_cast<std::size_t>(bx / kBricks + 2 * (by / kBricks) + 4 * (bz / kBricks))];
        VF_CHECK(tile != nullptr);
        const int b = (bz % kBricks * kBricks + by % kBricks) * kBricks + bx % kBricks;
        const std::size_t i = brick_index(bx, by, bz);
        values_[i] = tile->brick(b);
        const Verdict verdict = tile->verdict[static_cast<std::size_t>(b)];
        VF_DCHECK(verdict != Verdict::kMixed || values_[i] != nullptr);
        solid[i] = verdict == Verdict::kSolid;
        any_values = any_values || values_[i] != nullptr;
        (solid[i] ? any_solid : any_air) = true;
      }
    }
  }
  uniform_ = !any_values && !(any_solid && any_air);
  if (uniform_) return;

  std::fill(rows_.begin(), rows_.end(), 0);
  for (int bz = 0; bz < kBlockBricks; ++bz)
    for (int by = 0; by < kBlockBricks; ++by)
      for (int bx = 0; bx < kBlockBricks; ++bx) read_signs(bx, by, bz, solid[brick_index(bx, by, bz)]);
  for (std::uint64_t& row : rows_) row &= (std::uint64_t{1} << kTileSamples) - 1;
}

void TileSamples::read_signs(int bx, int by, int bz, bool solid) {
  const std::size_t i = brick_index(bx, by, bz);
  if (values_[i] == nullptr && !solid) {
    layers_[i].fill(0);
    return;
  }
  const int layers = bz < kBricks ? kBrickEdge : 1, rows = by < kBricks ? kBrickEdge : 1;
  for (int z = 0; z < layers; ++z) {
    std::uint64_t bits = solid ? ~std::uint64_t{0} : 0;
    if (values_[i] != nullptr) {
      const float* layer = values_[i] + z * static_cast<int>(kRowsInLayer);
      bits = signs_of(layer);
      if (rows > 4) bits |= std::uint64_t{signs_of(layer + kRowsInLayer / 2)} << 32;
    }
    layers_[i][static_cast<std::size_t>(z)] = bits;
    std::uint64_t* row = &rows_[static_cast<std::size_t>((bz * 8 + z) * kTileSamples + by * 8)];
    for (int y = 0; y < rows; ++y, bits >>= 8) row[y] |= (bits & 0xFF) << (bx * 8);
  }
}

}  // namespace vf

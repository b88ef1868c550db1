// The 33^3 samples that a tile's cells stand between, read from the bricks of eight tiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "field/program.h"
#include "proof/certificate.h"

namespace vf {

/// A tile and those that follow it: index dx + 2 dy + 4 dz, the tile itself at 0. Of the others only the
/// bricks next to the tile are read.
struct TileNeighbours {
  std::array<const TileDensity*, 8> at{};
};

/// Bricks of neighbour dx + 2 dy + 4 dz that touch the tile.
[[nodiscard]] BrickMask bricks_at_border(int neighbour);

inline constexpr int kTileSamples = kTileEdge + 1;
inline constexpr int kBlockBricks = 5;  ///< bricks on each axis; of the last ones, sample 0

/// One a thread.
class TileSamples {
 public:
  void load(const TileNeighbours& tiles);

  /// No two samples differ in sign: no surface.
  [[nodiscard]] bool uniform() const { return uniform_; }
  /// Bit x: sample x, y, z is solid; 33 bits.
  [[nodiscard]] std::uint64_t row(int y, int z) const {
    return rows_[static_cast<std::size_t>(z * kTileSamples + y)];
  }
  /// Bit 8 y + x: sample x, y of layer z of a brick is solid. Of the last bricks too, whose other samples are
  /// beyond the block.
  [[nodiscard]] std::uint64_t layer(int bx, int by, int bz, int z) const {
    return layers_[brick_index(bx, by, bz)][static_cast<std::size_t>(z)];
  }
  /// The 512 values of a brick, or null where none was evaluated: nothing there differs in sign from a
  /// neighbour.
  [[nodiscard]] const float* brick(int bx, int by, int bz) const { return values_[brick_index(bx, by, bz)]; }

 private:
  void read_signs(int bx, int by, int bz, bool solid);
  static std::size_t brick_index(int bx, int by, int bz) {
    return static_cast<std::size_t>((bz * kBlockBricks + by) * kBlockBricks + bx);
  }
  std::array<const float*, 125> values_{};
  std::array<std::array<std::uint64_t, kBrickEdge>, 125> layers_{};
  std::array<std::uint64_t, std::size_t{kTileSamples} * kTileSamples> rows_{};
  bool uniform_ = true;
};

}  // namespace vf

// The columns of one tile, sampled once: their values for the bricks and their ranges for the proofs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "field/batch_evaluator.h"
#include "proof/certificate.h"
#include "proof/column_program.h"

namespace vf {

inline constexpr int kBrickColumns = 16;  ///< 4 x 4, index by * 4 + bx

/// Lanes go over the bricks of a tile in Morton order: each 8 lanes are one octant of it, and neighbours in a
/// vector are neighbours in space.
[[nodiscard]] constexpr int brick_of_lane(int lane) {
  const int x = (lane & 1) | (lane >> 2 & 2), y = (lane >> 1 & 1) | (lane >> 3 & 2),
            z = (lane >> 2 & 1) | (lane >> 4 & 2);
  return (z * 4 + y) * 4 + x;
}

/// One range for each of 64 lanes, as the interval evaluator reads it.
struct LaneRange {
  alignas(64) std::array<float, kTileBricks> lo, hi;
};

/// For each column op of a ColumnProgram. The ranges speak of the samples of this level's lattice, one sample
/// beyond the brick or tile on each side: what the proofs of bricks speak of. Not of the points between.
struct TileColumns {
  std::vector<std::array<std::array<float, 64>, kBrickColumns>> values;  ///< [y * 8 + x]
  std::vector<LaneRange> brick_range;                                    ///< by lane, whatever its z
  std::vector<LaneRange> octant_range;  ///< lanes 0 ... 7: octants of the tile
  std::vector<LaneRange> tile_range;    ///< the whole tile, the same in every lane
};

/// Samples columns -1 ... 38 of the tile at `key` (its tz does not matter). Reuses the memory of `out`.
class ColumnSampler {
 public:
  explicit ColumnSampler(const ColumnProgram& program);
  void sample(BatchEvaluator& batch, const TileKey& key, TileColumns& out);

 private:
  static constexpr int kPatches = 5;  ///< of 8 x 8 columns, on each axis
  static constexpr int kStride = kPatches * 8;
  using Plane = std::array<float, kStride * kStride>;  ///< [(y + 1) * kStride + x + 1]

  static void ranges_of(const Plane& plane, LaneRange& bricks, LaneRange& octants, LaneRange& tile);

  const ColumnProgram* program_;
  std::vector<Plane> planes_;
  std::vector<std::array<float, 64>> patch_;
  std::vector<float*> patch_out_;
};

}  // namespace vf

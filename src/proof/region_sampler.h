// Samples of a tile's lattice by the plain way: points on the whole program.
//
// What proofs, pruning and bricks are checked against. Places are gathered without the boxes and the index
// that the evaluators use: all whose sphere comes near.
#pragma once

#include <memory>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/tape.h"
#include "math/box.h"
#include "proof/certificate.h"

namespace vf {

/// Output 0 of the program with all places of the window: nothing was left out.
[[nodiscard]] Tape whole_tape(const BoundField& field);

/// A block of samples of a level's lattice within [-1, 32] of a tile, x fastest.
struct SampleBlock {
  int min_x = 0, min_y = 0, min_z = 0;  ///< first sample, from the tile's sample 0, 0, 0
  int nx = 0, ny = 0, nz = 0;
  std::vector<float> values;
  [[nodiscard]] float at(int x, int y, int z) const {
    return values[static_cast<std::size_t>(((z - min_z) * ny + y - min_y) * nx + x - min_x)];
  }
};

/// One a thread.
class RegionSampler {
 public:
  RegionSampler(std::shared_ptr<const BoundField> field, SimdLevel simd);

  /// Fills `block.values` from its extent: samples of the lattice of `key`'s level.
  void sample(const TileKey& key, SampleBlock& block);
  /// Values at lattice samples given as flat triples x, y, z from the tile's sample 0, 0, 0, each in [-1,
  /// 32].
  void sample_at(const TileKey& key, const std::vector<int>& xyz, std::vector<float>& values);
  /// Values at points of the 1/1024 m grid, all in `box`. [metres, frame]
  void sample_points(const Box3f& box, const std::vector<Vec3f>& points, std::vector<float>& values);

 private:
  void gather(const Box3f& box);
  void run(std::vector<float>& values);

  std::shared_ptr<const BoundField> field_;
  BatchEvaluator batch_;
  Tape tape_;
  Box3f gathered_{{1, 1, 1}, {0, 0, 0}};  ///< what the tape's candidates are complete for
  std::vector<float> x_, y_, z_;
};

}  // namespace vf

// Samples of a tile's lattice by the plain way: points on the whole program, with every place that could
// possibly reach them by a bound so loose that nobody needs to trust it, found without the index.
//
// What proofs, pruning and bricks are checked against.
#pragma once

#include <memory>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/tape.h"
#include "proof/certificate.h"

namespace vf {

/// Output 0 of the program with all places of the window: nothing was left out.
[[nodiscard]] Tape whole_tape(const BoundField& field);

/// A block of samples of a level's lattice, x fastest.
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
  /// Values at lattice samples given as flat triples x, y, z from the tile's sample 0, 0, 0.
  void sample_at(const TileKey& key, const std::vector<int>& xyz, std::vector<float>& values);
  /// Values at points of the 1/1024 m grid. [metres, frame]
  void sample_points(const std::vector<Vec3f>& points, std::vector<float>& values);

 private:
  void choose_places();
  void run(std::vector<float>& values);

  std::shared_ptr<const BoundField> field_;
  BatchEvaluator batch_;
  Tape tape_;
  std::vector<float> x_, y_, z_;
};

}  // namespace vf

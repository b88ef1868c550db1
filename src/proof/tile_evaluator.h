// Classify, specialise, evaluate: the work of one tile.
#pragma once

#include <memory>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "proof/certificate.h"

namespace vf {

struct TileOptions {
  SimdLevel simd = SimdLevel::kScalar;
  bool pruned = true;  ///< false: evaluate every sample with the whole program; the same bits
};

/// One a thread: owns scratch space and a cache of the columns of recent tiles. The result of a tile never
/// depends on what was evaluated before.
class TileEvaluator {
 public:
  TileEvaluator(std::shared_ptr<const BoundField> field, const TileOptions& options);
  ~TileEvaluator();
  TileEvaluator(TileEvaluator&&) noexcept;
  TileEvaluator& operator=(TileEvaluator&&) noexcept;

  /// Bricks outside `wanted` are classified only: where they are mixed they have no values.
  void evaluate(const TileKey& key, TileDensity& out, ProofCounts& counts, BrickMask wanted = kAllBricks);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf

// Brute force against the proofs: every brick that was proven is evaluated after all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

class RegionSampler;

/// One contradiction: a sample of [-1, 8] of a proven brick on the other side, or a brick's sample with other
/// bits.
struct WrongSample {
  TileKey key;
  int brick = 0;
  Vec3f at;  ///< [metres, frame]
  Verdict verdict = Verdict::kMixed;
  float value = 0;        ///< by brute force
  float brick_value = 0;  ///< of an evaluated brick
};
/// "level 0 tile 1 2 3 brick 5 at (...): proven air, but phi = -0x1p-3"
[[nodiscard]] std::string to_string(const WrongSample& w);

struct VerifyReport {
  ProofCounts counts;
  std::uint64_t bricks = 0;     ///< looked at
  std::uint64_t samples = 0;    ///< evaluated by brute force
  std::uint64_t wrong = 0;      ///< proven bricks that a sample contradicts; must be 0
  std::uint64_t different = 0;  ///< evaluated bricks with other bits than the whole program gives; must be 0
  std::vector<WrongSample> first;  ///< the first contradictions, in the order of the tiles
};
inline constexpr std::size_t kMaxWrongSamples = 8;

/// Checks one tile and adds to `report` (not to its counts).
void verify_tile(const TileDensity& density, RegionSampler& sampler, VerifyReport& report);

/// Evaluates the tiles and checks every brick. Slow: 34^3 samples a tile on the whole program with all
/// places.
[[nodiscard]] VerifyReport verify_region(const std::shared_ptr<const BoundField>& field,
                                         std::span<const TileKey> tiles, const TileOptions& options,
                                         unsigned workers);

/// The continuum: bounds of random boxes of all sizes against random points in them.
struct BoundReport {
  std::uint64_t boxes = 0, points = 0;
  std::uint64_t unknown = 0;  ///< boxes without a finite bound
  std::uint64_t wrong = 0;    ///< points outside of the bound of their box; must be 0
  std::string first;          ///< the first of them
};
[[nodiscard]] BoundReport verify_bounds(const BoundField& field, const Box3f& region, std::uint64_t boxes,
                                        int points_per_box, std::uint64_t seed, SimdLevel simd);

}  // namespace vf

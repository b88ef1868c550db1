// How many bricks were evaluated for nothing: a slow, plain count.
#pragma once

#include <memory>
#include <span>

#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

/// Evaluates the tiles and fills `wasted` too: evaluated bricks without a sign change among samples [-1, 8].
/// Pure; any number of workers (0: one a core).
[[nodiscard]] ProofCounts measure_waste(const std::shared_ptr<const BoundField>& field,
                                        std::span<const TileKey> tiles, const TileOptions& options,
                                        unsigned workers);

}  // namespace vf

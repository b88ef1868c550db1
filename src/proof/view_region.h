// A place to stand -> the tiles around it -> their densities. No clock here: callers take the times.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

/// Half-size in plan of the square that level n and the finer ones fill: 32 m * 2^n. [metres]
[[nodiscard]] constexpr float ring_m(int level) {
  return static_cast<float>(32 << level);
}

/// Level 0 within 32 m (of x, y rounded to whole tiles of level 1), over the stratum's height.
[[nodiscard]] std::vector<TileKey> near_ring_tiles(float x, float y, float height_m);

/// Level 0 to 32 m, 1 to 64, 2 to 128, 3 to 256, 4 to 512, each level only where no finer one is. Every point
/// in the outer square lies in one tile; neighbours differ by one level at most.
[[nodiscard]] std::vector<TileKey> view_tiles(float x, float y, float height_m);

/// The part of plan that the tiles and their halos cover: where the field's features must be complete.
[[nodiscard]] Box2f window_of_tiles(std::span<const TileKey> tiles);

/// Calls body(index, worker) for every tile, those above each other on one worker after each other: they
/// share their columns. `workers` >= 1.
void for_tiles_by_column(std::span<const TileKey> tiles, unsigned workers,
                         const std::function<void(std::size_t, unsigned)>& body);

/// Sees each tile's density as it is ready, on some worker's thread, in no order. `index` counts in the
/// input.
using TileVisit = std::function<void(std::size_t index, const TileDensity& density, unsigned worker)>;

/// Evaluates the tiles, those of one column on one worker after each other. The densities and counts do not
/// depend on `workers` (0: one a core).
ProofCounts evaluate_region(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                            const TileOptions& options, unsigned workers, const TileVisit& visit = {});

}  // namespace vf

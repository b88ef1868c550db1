// A place to stand -> the tiles around it -> their densities. No clock here: callers take the times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "recipe/recipe.h"

namespace vf {

/// Half-size in plan of the square that level n and the finer ones fill: 32 m * 2^n. [metres]
[[nodiscard]] constexpr float ring_m(int level) {
  return static_cast<float>(32 << level);
}

// Level n fills a square of its own, except where the square of a finer level lies in it. The square of a
// level is made of whole tiles of the next, and keeps a tile of that from its border, so that tiles that
// touch differ by one level at most.

//
// Thin things must not vanish or break: a level is shown only where its voxels are at most min_feature_m
// / 1.5. (A cube of 1.5 voxels holds a sample wherever it stands, and keeps one as it moves on.) The coarsest
// level that may be shown fills the rest of the view in place of coarser ones; where that would be more than
// 4 times its own square, 16 times the tiles, the view ends there.

inline constexpr float kLeastNearM = 16, kMostNearM = 32;
inline constexpr float kLeastViewM = 128, kMostViewM = 512;
inline constexpr float kLeastMinFeatureM = 0.75F, kMostMinFeatureM = 100;
inline constexpr float kMinFeatureVoxels = 1.5F;

struct RingSettings {
  float near_m = 32;        ///< half-size of the square of level 0; rounded up to a multiple of 8. [16..32]
  float view_m = 512;       ///< that of the outermost; rounded up to 128, 256 or 512. [128..512]
  bool near_only = false;   ///< level 0 alone
  float min_feature_m = 6;  ///< thinnest thing that must stay whole. [0.75..100]
};
[[nodiscard]] RingSettings rings_of(const ViewSettings& view);

/// [min, min + width) on each axis, in frame metres: whole, as all tiles are.
struct RingSquare {
  std::int32_t min_x = 0, min_y = 0, width = 0;
  friend bool operator==(const RingSquare&, const RingSquare&) = default;
  [[nodiscard]] bool holds(const RingSquare& other, std::int32_t margin) const;
};

struct ViewSquares {
  int levels = 0;  ///< 0: nothing is shown
  std::array<RingSquare, kMaxLevel + 1> at{};
  friend bool operator==(const ViewSquares&, const ViewSquares&) = default;
};

/// Where squares stand for somebody who comes from nowhere. [metres, frame]
[[nodiscard]] ViewSquares wanted_squares(const RingSettings& rings, float x, float y);

/// How many levels are shown.
[[nodiscard]] int ring_levels(const RingSettings& rings);
/// Half-size of the outermost square: view_m rounded up, or less where thin things end it. [metres]
[[nodiscard]] float shown_m(const RingSettings& rings);
/// The square of one level alone.
[[nodiscard]] RingSquare wanted_square(const RingSettings& rings, int level, float x, float y);

/// Places of squares are multiples of this. [metres]
[[nodiscard]] std::int32_t ring_step_m(int level);

/// The tiles over the height of a stratum, by level, then by column.
[[nodiscard]] std::vector<TileKey> tiles_in(const ViewSquares& squares, float height_m);

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

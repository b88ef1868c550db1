#include "proof/view_region.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "base/tasks.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "proof/tile_geometry.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

/// Edge of a tile. [metres] Whole at every level.
std::int32_t edge_m(int level) {
  return static_cast<std::int32_t>(tile_m(level));
}

/// Levels that view_m alone asks for.
int levels_to(float view_m) {
  int levels = 1;
  while (ring_m(levels - 1) < view_m && levels <= kMaxLevel) ++levels;
  return levels;
}

/// The coarsest whose voxels are fine enough.
int coarsest_level(float min_feature_m) {
  int level = 1;
  while (level < kMaxLevel && kMinFeatureVoxels * voxel_m(level + 1) <= min_feature_m) ++level;
  return level;
}

constexpr float kMostExtension = 4;  ///< of a level's own square

std::int32_t half_m(const RingSettings& rings, int level) {
  if (level > 0) {
    if (level + 1 < ring_levels(rings)) return static_cast<std::int32_t>(ring_m(level));
    return static_cast<std::int32_t>(shown_m(rings));
  }
  return static_cast<std::int32_t>(std::ceil(std::clamp(rings.near_m, kLeastNearM, kMostNearM) / 8)) * 8;
}

std::int32_t rounded(float v, std::int32_t step) {
  return static_cast<std::int32_t>(std::floor(v / static_cast<float>(step) + 0.5F)) * step;
}

}  // namespace

RingSettings rings_of(const ViewSettings& view) {
  return {view.near_m, view.view_m, false, view.min_feature_m};
}

int ring_levels(const RingSettings& rings) {
  if (rings.near_only) return 1;
  return std::min(levels_to(rings.view_m), coarsest_level(rings.min_feature_m) + 1);
}

float shown_m(const RingSettings& rings) {
  if (rings.near_only) return static_cast<float>(half_m(rings, 0));
  return std::min(ring_m(levels_to(rings.view_m) - 1), kMostExtension * ring_m(ring_levels(rings) - 1));
}

std::int32_t ring_step_m(int level) {
  return edge_m(level + 1);
}

bool RingSquare::holds(const RingSquare& other, std::int32_t margin) const {
  return other.min_x - margin >= min_x && other.min_y - margin >= min_y &&
         other.min_x + other.width + margin <= min_x + width &&
         other.min_y + other.width + margin <= min_y + width;
}

RingSquare wanted_square(const RingSettings& rings, int level, float x, float y) {
  const std::int32_t half = half_m(rings, level), step = ring_step_m(level);
  const auto min = [&](float v) { return rounded(v - static_cast<float>(half), step); };
  return {min(x), min(y), 2 * half};
}

ViewSquares wanted_squares(const RingSettings& rings, float x, float y) {
  ViewSquares out;
  out.levels = ring_levels(rings);
  for (int n = 0; n < out.levels; ++n) out.at[static_cast<std::size_t>(n)] = wanted_square(rings, n, x, y);
  return out;
}

std::vector<TileKey> tiles_in(const ViewSquares& squares, float height_m) {
  std::vector<TileKey> out;
  for (int n = 0; n < squares.levels; ++n) {
    const RingSquare& square = squares.at[static_cast<std::size_t>(n)];
    const RingSquare hole = n > 0 ? squares.at[static_cast<std::size_t>(n - 1)] : RingSquare{};
    const std::int32_t edge = edge_m(n);
    const TileSpan zs = stratum_tiles(n, height_m);
    for (std::int32_t y = square.min_y; y < square.min_y + square.width; y += edge)
      for (std::int32_t x = square.min_x; x < square.min_x + square.width; x += edge) {
        if (n > 0 && hole.holds({x, y, edge}, 0)) continue;
        // Exact: squares are made of whole tiles.
        for (std::int32_t tz = zs.first; tz <= zs.last; ++tz) out.push_back({n, x / edge, y / edge, tz});
      }
  }
  return out;
}

std::vector<TileKey> near_ring_tiles(float x, float y, float height_m) {
  return tiles_in(wanted_squares({.near_only = true}, x, y), height_m);
}

std::vector<TileKey> view_tiles(float x, float y, float height_m) {
  return tiles_in(wanted_squares({}, x, y), height_m);
}

Box2f window_of_tiles(std::span<const TileKey> tiles) {
  if (tiles.empty()) return {};
  Box2f window{1e30F, 1e30F, -1e30F, -1e30F};
  for (const TileKey& key : tiles) {
    const Box3f box = proof_box(tile_origin(key), key.level, kTileEdge);
    window = {std::min(window.min_x, box.min.x), std::min(window.min_y, box.min.y),
              std::max(window.max_x, box.max.x), std::max(window.max_y, box.max.y)};
  }
  return window;
}

void for_tiles_by_column(std::span<const TileKey> tiles, unsigned workers,
                         const std::function<void(std::size_t, unsigned)>& body) {
  std::vector<std::size_t> order(tiles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto column = [&](std::size_t i) { return std::tie(tiles[i].level, tiles[i].ty, tiles[i].tx); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple_cat(column(a), std::tie(tiles[a].tz, a)) <
           std::tuple_cat(column(b), std::tie(tiles[b].tz, b));
  });
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || column(order[i]) != column(order[i - 1])) starts.push_back(i);
  starts.push_back(order.size());
  parallel_for(starts.size() - 1, workers, [&](std::size_t job, unsigned worker) {
    for (std::size_t i = starts[job]; i < starts[job + 1]; ++i) body(order[i], worker);
  });
}

ProofCounts evaluate_region(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                            const TileOptions& options, unsigned workers, const TileVisit& visit) {
  if (workers == 0) workers = default_workers();
  struct Worker {
    std::unique_ptr<TileEvaluator> evaluator;
    TileDensity density;
    ProofCounts counts;
  };
  std::vector<Worker> crew(workers);
  for_tiles_by_column(tiles, workers, [&](std::size_t i, unsigned worker) {
    Worker& w = crew[worker];
    if (!w.evaluator) w.evaluator = std::make_unique<TileEvaluator>(field, options);
    w.evaluator->evaluate(tiles[i], w.density, w.counts);
    if (visit) visit(i, w.density, worker);
  });
  ProofCounts counts;
  for (const Worker& w : crew) counts += w.counts;
  return counts;
}

}  // namespace vf

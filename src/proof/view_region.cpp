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

namespace vf {

namespace {

/// Tiles first ... last of a level on one axis, both included.
struct Span {
  std::int32_t first = 0, last = -1;
  [[nodiscard]] bool holds(std::int32_t t) const { return first <= t && t <= last; }
};

/// The square of a level is made of whole tiles of the next one, so that the rest of its ring is too.
Span ring_span(float at, int level) {
  const float step = tile_m(level + 1);
  const auto middle = static_cast<std::int32_t>(std::floor(at / step + 0.5F)) * 2;
  const auto half = static_cast<std::int32_t>(ring_m(level) / tile_m(level));
  return {middle - half, middle + half - 1};
}

void add_columns(int level, Span xs, Span ys, Span hole_x, Span hole_y, float height_m,
                 std::vector<TileKey>& out) {
  const TileSpan zs = stratum_tiles(level, height_m);
  for (std::int32_t ty = ys.first; ty <= ys.last; ++ty)
    for (std::int32_t tx = xs.first; tx <= xs.last; ++tx) {
      if (hole_x.holds(tx) && hole_y.holds(ty)) continue;
      for (std::int32_t tz = zs.first; tz <= zs.last; ++tz) out.push_back({level, tx, ty, tz});
    }
}

/// Tiles of the next level that cover the span.
Span coarser(Span s) {
  return {s.first / 2 - (s.first % 2 < 0 ? 1 : 0), (s.last + 1) / 2 - 1};
}

}  // namespace

std::vector<TileKey> near_ring_tiles(float x, float y, float height_m) {
  std::vector<TileKey> out;
  add_columns(0, ring_span(x, 0), ring_span(y, 0), {}, {}, height_m, out);
  return out;
}

std::vector<TileKey> view_tiles(float x, float y, float height_m) {
  std::vector<TileKey> out;
  Span hole_x, hole_y;
  for (int level = 0; level <= kMaxLevel; ++level) {
    const Span xs = ring_span(x, level), ys = ring_span(y, level);
    add_columns(level, xs, ys, hole_x, hole_y, height_m, out);
    hole_x = coarser(xs);
    hole_y = coarser(ys);
  }
  return out;
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

#include "cli/bench_whole_view.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "plan/resolve.h"
#include "proof/certificate.h"
#include "proof/view_region.h"
#include "recipe/recipe.h"
#include "view/view_features.h"
#include "view/view_piece.h"
#include "view/view_scheduler.h"

namespace vf::cli {

namespace {

constexpr ViewerId kViewer{1};
constexpr std::size_t kUploadBytes = std::size_t{64} << 20;
constexpr double kWalkMps = 6, kFrameHz = 90, kWalkM = 96;
/// No piece of work is begun in a frame after this: what is begun ends before 4 ms.
constexpr double kLastStartS = 0.002;
/// How far away a warm view lies: nothing of the first is of use there.
constexpr double kElsewhereM = 3000;

ViewOptions view_options(const Options& options, unsigned workers, bool materials) {
  return {workers, options.simd, std::size_t{256} << 20, materials};
}

Viewer viewer_at(const InputStratum& where, const ViewPlace& place, double ahead_m) {
  const auto [x, y] = world_place(place);
  const ViewSettings& view = where.built->recipe->view;
  // In the middle of the content: a view is of the whole height.
  const double z = where.stratum.content_floor_z_m + where.built->recipe->height_m / 2;
  return {kViewer, {x + ahead_m, y, z}, {1, 0, 0}, rings_of(view)};
}

/// Polls until all is shown. `playable_s`: when there was ground, on `clock`.
Status wait_for_all(ViewScheduler& view, const Stopwatch& clock, double* playable_s) {
  bool stood = false;
  while (!view.settled(kViewer)) {
    const Result<ViewUpdate> update = view.poll(kViewer, kUploadBytes);
    if (!update) return update.error();
    if (!stood && view.playable(kViewer)) {
      stood = true;
      if (playable_s != nullptr) *playable_s = clock.seconds();
    }
    if (!update->swap && update->uploads.empty()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return Unit{};
}

Digest digest_of(const std::vector<ViewPiece>& pieces) {
  Digester digest;
  for (const ViewPiece& piece : pieces) {
    digest.add(digest_of(piece.product->piece()));
  }
  return digest.finish();
}

/// `materials`: a view to look at; else one to stand on, of the same triangles.
Status cold_and_warm(const Options& options, const std::string& name, unsigned workers, bool materials,
                     WholeViewTimes& times) {
  const Stopwatch clock;
  Notes notes;  // `check` shows them
  Result<InputWorld> world = open_input(name, options, notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  const Result<ViewPlace> place = default_view_place(where);
  if (!place) return place.error();
  ViewScheduler view(std::move(world->world), std::move(world->built),
                     view_options(options, workers, materials));
  const Viewer here = viewer_at(where, *place, 0), there = viewer_at(where, *place, kElsewhereM);
  if (const Status status = view.look({&here, 1}); !status) return status;
  double playable = 0;
  if (const Status status = wait_for_all(view, clock, &playable); !status) return status;
  (materials ? times.dressed : times.whole).push_back(clock.seconds());
  if (!materials) times.playable.push_back(playable);
  if (times.peak_rss_mib == 0) times.peak_rss_mib = peak_rss_mib();
  const std::vector<ViewPiece> shown = view.shown(kViewer);
  const Digest digest = digest_of(shown);
  if (times.pieces != 0 && digest != times.digest)
    return Error{ErrorCode::kResource, {}, "bench view: two runs made different views"};
  const ViewStats stats = view.stats();
  times.digest = digest;
  times.tiles = stats.tiles_made;
  times.seams = stats.seams_made;
  times.bytes = stats.bytes;
  times.pieces = shown.size();
  times.triangles = 0;
  for (const ViewPiece& piece : shown) times.triangles += piece.product->piece().triangles.size();

  if (!materials) return Unit{};
  const Stopwatch again;
  if (const Status status = view.look({&there, 1}); !status) return status;
  if (const Status status = wait_for_all(view, again, nullptr); !status) return status;
  times.warm.push_back(again.seconds());
  return Unit{};
}

/// One thread does all, frame by frame, as a host without threads to spare would.
Status walk(const Options& options, const InputWorld& world, const InputStratum& where,
            const ViewPlace& place, WholeViewTimes& times) {
  ViewScheduler view(world.world, world.built, view_options(options, 0, true));
  const auto frame = [&](double ahead_m, double last_start_s) -> Result<bool> {
    const Viewer viewer = viewer_at(where, place, ahead_m);
    if (const Status status = view.look({&viewer, 1}); !status) return status.error();
    const Stopwatch clock;
    bool more = true;
    while (more && clock.seconds() < last_start_s) more = view.work(0);
    const Result<ViewUpdate> update = view.poll(kViewer, std::size_t{1} << 20);
    if (!update) return update.error();
    return more || update->swap;
  };
  for (bool more = true; more || !view.settled(kViewer);) {
    const Result<bool> worked = frame(0, 1);
    if (!worked) return worked.error();
    more = *worked;
  }
  const auto count = static_cast<int>(kWalkM / kWalkMps * kFrameHz);
  for (int i = 0; i < count; ++i) {
    const Stopwatch clock;
    const Result<bool> worked = frame(i * kWalkMps / kFrameHz, kLastStartS);
    if (!worked) return worked.error();
    times.frames.push_back(clock.seconds());
    times.frames_without_ground += view.playable(kViewer) ? 0U : 1U;
  }
  return Unit{};
}

/// The near ring's tiles in a field that knows the features of a window so many times as large.
Result<double> tile_seconds(const Options& options, const InputStratum& where, const ViewPlace& place,
                            double times_as_large) {
  const std::vector<TileKey> tiles =
      near_ring_tiles(place.x, place.y, static_cast<float>(where.built->recipe->height_m));
  const Box2f least = mesh_window(tiles);
  const auto more = static_cast<float>(std::sqrt(times_as_large) * 0.5 - 0.5) * (least.max_x - least.min_x);
  const Result<BoundField> field = field_in_window(
      where, place.frame, {least.min_x - more, least.min_y - more, least.max_x + more, least.max_y + more});
  if (!field) return field.error();
  const auto bound = std::make_shared<const BoundField>(*field);
  const Stopwatch clock;
  const RegionDensity region = evaluate_for_mesh(bound, tiles, {options.simd, true}, 1);
  const RegionMesh mesh = mesh_region(region, options.simd, 1);
  return clock.seconds() / static_cast<double>(tiles.size());
}

Status brute_force(const Options& options, const InputStratum& where, const ViewPlace& place,
                   unsigned workers, WholeViewTimes& times) {
  const ViewSettings& view = where.built->recipe->view;
  const std::vector<TileKey> tiles = tiles_in(wanted_squares(rings_of(view), place.x, place.y),
                                              static_cast<float>(where.built->recipe->height_m));
  Result<BoundField> field = field_in_window(where, place.frame, window_of_tiles(tiles));
  if (!field) return field.error();
  const Stopwatch clock;
  evaluate_region(std::make_shared<const BoundField>(*std::move(field)), tiles, {options.simd, false},
                  workers);
  times.brute.push_back(clock.seconds());
  return Unit{};
}

}  // namespace

Result<WholeViewTimes> measure_whole_view(const Options& options, const std::string& name, unsigned workers,
                                          const WholeViewOptions& with) {
  WholeViewTimes times;
  Notes notes;
  const Result<InputWorld> world = open_input(name, options, notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  const Result<ViewPlace> place = default_view_place(where);
  if (!place) return place.error();
  for (unsigned run = 0; run < options.runs; ++run) {
    for (const bool materials : {false, true})
      if (const Status status = cold_and_warm(options, name, workers, materials, times); !status)
        return status.error();
    for (const auto& [factor, to] :
         {std::pair{1.0, &times.tile_at_1x}, {3.0, &times.tile_at_3x}, {10.0, &times.tile_at_10x}}) {
      const Result<double> seconds = tile_seconds(options, where, *place, factor);
      if (!seconds) return seconds.error();
      to->push_back(*seconds);
    }
    if (with.compare_brute)
      if (const Status status = brute_force(options, where, *place, workers, times); !status)
        return status.error();
  }
  if (const Status status = walk(options, *world, where, *place, times); !status) return status.error();
  const ViewSettings& view = where.built->recipe->view;
  const ViewSquares squares = wanted_squares(rings_of(view), place->x, place->y);
  const Result<ViewField> field = open_mesh_view(where, *place);
  if (!field) return field.error();
  times.min_feature_m = view.min_feature_m;
  times.features = view_features(field->field, squares, view.min_feature_m, options.simd, workers);
  return times;
}

}  // namespace vf::cli

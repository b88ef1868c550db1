// voxelforge bench field: the ground around a viewer and the whole view of a stratum.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"
#include "proof/waste.h"

namespace vf::cli {

namespace {

/// Times of one region.
struct RegionTimes {
  std::vector<double> resolve, evaluate;
  ProofCounts counts;  ///< with waste
};

using OpenRegion = Result<ViewField> (*)(const InputStratum&, const ViewPlace&);

Result<RegionTimes> measure(OpenRegion open, const InputStratum& where, const ViewPlace& place,
                            const Options& options) {
  RegionTimes times;
  const TileOptions tile_options{options.simd, true};
  for (unsigned run = 0; run < options.runs; ++run) {
    const Stopwatch clock;
    const Result<ViewField> view = open(where, place);
    if (!view) return view.error();
    times.resolve.push_back(clock.seconds());
    const Stopwatch evaluation;
    const ProofCounts counts =
        evaluate_region(view->field, view->tiles, tile_options, bench_workers(options));
    times.evaluate.push_back(evaluation.seconds());
    if (run == 0)
      times.counts = measure_waste(view->field, view->tiles, tile_options, bench_workers(options));
    if (counts.samples != times.counts.samples) {
      return Error{ErrorCode::kResource, {}, "bench field: two runs evaluated different bricks"};
    }
  }
  return times;
}

Json to_json(const RegionTimes& times) {
  const ProofCounts& c = times.counts;
  return {{"median_s", median(times.evaluate)},
          {"resolve_s", median(times.resolve)},
          {"tiles", c.tiles},
          {"bricks",
           {{"solid", c.solid},
            {"air", c.air},
            {"evaluated", c.evaluated},
            {"wasted", c.wasted},
            {"unknown", c.unknown}}},
          {"samples", c.samples}};
}

std::uint64_t bricks_of(const ProofCounts& c) {
  return c.solid + c.air + c.evaluated;
}

void print_region(const char* name, const RegionTimes& times) {
  const ProofCounts& c = times.counts;
  const double wasted =
      c.evaluated == 0 ? 0 : 100 * static_cast<double>(c.wasted) / static_cast<double>(c.evaluated);
  fmt::print(stdout,
             "{:<9}{:>8.2f} ms  (resolve {:.2f} ms)  {} bricks, {} evaluated, {:.1f} % wasted, {} unknown, "
             "{} samples\n",
             name, median(times.evaluate) * 1000, median(times.resolve) * 1000, bricks_of(c), c.evaluated,
             wasted, c.unknown, c.samples);
}

}  // namespace

Result<int> bench_field(const Options& options, const std::string& name) {
  std::vector<double> build;
  Result<InputWorld> world = Error{};
  for (unsigned run = 0; run < options.runs; ++run) {
    Notes notes;  // `check` shows them
    const Stopwatch clock;
    world = open_input(name, options, notes);
    if (!world) return world.error();
    build.push_back(clock.seconds());
  }
  const InputStratum where = input_stratum(*world, options.stratum);
  const Result<ViewPlace> place = default_view_place(where);
  if (!place) return place.error();
  const Result<RegionTimes> near = measure(open_near_ring, where, *place, options);
  if (!near) return near.error();
  const Result<RegionTimes> view = measure(open_view, where, *place, options);
  if (!view) return view.error();
  const Result<ViewField> whole = open_view(where, *place);
  if (!whole) return whole.error();
  const RegionDigest digest =
      density_digest(whole->field, whole->tiles, {options.simd, true}, bench_workers(options));

  const std::string scope = fmt::format(
      "{}, stratum {}: classify, specialise and evaluate all bricks of the near ring (level 0 to 32 m) and "
      "of the whole "
      "view (levels 0 to 4, to 512 m) over the full height, cold caches of columns; text to program "
      "(build_s) and places "
      "of features (resolve_s) are timed apart; no meshing",
      where.built->recipe->id, options.stratum);
  if (options.json) {
    Json json = bench_json(options, scope, to_hex(digest.all));
    json["near_ring_s"] = median(near->evaluate);
    json["view_s"] = median(view->evaluate);
    json["bricks"] = bricks_of(view->counts);
    json["samples"] = view->counts.samples;
    json["build_s"] = median(build);
    json["near_ring"] = to_json(*near);
    json["view"] = to_json(*view);
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, to_hex(digest.all));
  fmt::print(stdout, "build    {:>8.2f} ms  from the text of the whole world to its programs\n",
             median(build) * 1000);
  print_region("near", *near);
  print_region("view", *view);
  return kExitGood;
}

}  // namespace vf::cli

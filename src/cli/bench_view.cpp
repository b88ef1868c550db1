// voxelforge bench view: from the text of a world to the triangles around a viewer, with collision.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/bench_view_share.h"
#include "cli/bench_whole_view.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "mesh/collider.h"
#include "mesh/ground.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "proof/certificate.h"
#include "view/view_features.h"

namespace vf::cli {

namespace {

struct Times {
  std::vector<double> total, build, resolve, evaluate, mesh, collide;
};

struct Ring {
  ProofCounts counts;
  Ground ground;
};

/// Nothing is kept from one run to the next: every run starts from the text.
Result<Ring> cold_run(const Options& options, const std::string& name, unsigned workers, Times& times) {
  Ring ring;
  const Stopwatch whole;
  Stopwatch part;
  const auto lap = [&part](std::vector<double>& to) {
    to.push_back(part.seconds());
    part = Stopwatch();
  };
  Notes notes;  // `check` shows them
  const Result<InputWorld> world = open_input(name, options, notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  lap(times.build);
  const Result<ViewPlace> place = default_view_place(where);
  if (!place) return place.error();
  const Result<ViewField> view = open_mesh_ring(where, *place);
  if (!view) return view.error();
  lap(times.resolve);
  const RegionDensity region = evaluate_for_mesh(view->field, view->tiles, {options.simd, true}, workers);
  ring.counts = region.counts;
  lap(times.evaluate);
  ring.ground.mesh = mesh_region(region, options.simd, workers);
  lap(times.mesh);
  ring.ground.colliders = make_colliders(ring.ground.mesh, workers);
  lap(times.collide);
  times.total.push_back(whole.seconds());
  return ring;
}

double candidates_per_tile(const ProofCounts& counts) {
  return counts.tiles == 0 ? 0 : static_cast<double>(counts.candidates) / static_cast<double>(counts.tiles);
}

/// That many of a hundred are shorter.
double percentile(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::ceil(last * percent / 100))];
}

void add_whole_view(const WholeViewTimes& view, Json& json) {
  json["playable_s"] = median(view.playable);
  json["whole_view_s"] = median(view.whole);
  json["dressed_view_s"] = median(view.dressed);
  json["warm_view_s"] = median(view.warm);
  json["view_digest"] = to_hex(view.digest);
  json["view"] = {{"tiles", view.tiles},
                  {"seams", view.seams},
                  {"pieces", view.pieces},
                  {"triangles", view.triangles},
                  {"bytes", view.bytes}};
  json["view_peak_rss_mib"] = view.peak_rss_mib;
  json["frames"] = view.frames.size();
  json["frame_p99_ms"] = 1000 * percentile(view.frames, 99);
  json["frame_most_ms"] = 1000 * percentile(view.frames, 100);
  json["frames_without_ground"] = view.frames_without_ground;
  json["tile_cost_at_3x_features"] = median(view.tile_at_3x) / median(view.tile_at_1x);
  json["tile_cost_at_10x_features"] = median(view.tile_at_10x) / median(view.tile_at_1x);
  json["lost_features"] = view.features.lost();
  Json sets = Json::object();
  for (const SeenFeatures& set : view.features.sets)
    sets[set.name] = {{"near_places", set.near_places},
                      {"near_broken", set.near_broken},
                      {"places", set.places},
                      {"reduced", set.reduced},
                      {"lost", set.lost}};
  json["view_features"] = std::move(sets);
  if (!view.brute.empty()) {
    json["brute_s"] = median(view.brute);
    json["ratio_to_brute"] = median(view.brute) / median(view.whole);
  }
}

/// "rails 1 of 1, rods 2 of 9": sets where `some` of `all` is not 0.
std::string list_sets(const ViewFeatures& features, std::size_t SeenFeatures::* some,
                      std::size_t SeenFeatures::* all) {
  std::vector<std::string> out;
  for (const SeenFeatures& set : features.sets)
    if (set.*some > 0) out.push_back(fmt::format("{} {} of {}", set.name, set.*some, set.*all));
  return fmt::format("{}", fmt::join(out, ", "));
}

void print_features(const ViewFeatures& features, float min_feature_m) {
  fmt::print(stdout, "features {} lost, of {} beyond level 0\n", features.lost(), features.places());
  if (features.near_broken() > 0)
    fmt::print(stdout, "         too thin for voxels of 0.25 m, near by: {}\n",
               list_sets(features, &SeenFeatures::near_broken, &SeenFeatures::near_places));
  if (features.reduced() > 0)
    fmt::print(stdout, "         thinner than {:g} m, and not whole so far away: {}\n", min_feature_m,
               list_sets(features, &SeenFeatures::reduced, &SeenFeatures::places));
}

void print_whole_view(const WholeViewTimes& view) {
  fmt::print(stdout,
             "view     playable {:.2f} ms, whole {:.2f} ms, with materials {:.2f} ms; warm {:.2f} ms\n"
             "         {} tiles, {} seams, {} triangles in {} pieces, {:.1f} MiB kept; digest {}\n"
             "walk     {} frames: 99 % within {:.2f} ms, all within {:.2f} ms, {} without ground\n"
             "features known 3 times as many: a tile costs {:.2f} times as much; 10 times: {:.2f}\n",
             1000 * median(view.playable), 1000 * median(view.whole), 1000 * median(view.dressed),
             1000 * median(view.warm), view.tiles, view.seams, view.triangles, view.pieces,
             static_cast<double>(view.bytes) / (1 << 20), to_hex(view.digest), view.frames.size(),
             1000 * percentile(view.frames, 99), 1000 * percentile(view.frames, 100),
             view.frames_without_ground, median(view.tile_at_3x) / median(view.tile_at_1x),
             median(view.tile_at_10x) / median(view.tile_at_1x));
  if (!view.brute.empty())
    fmt::print(stdout,
               "brute    evaluating every sample of these tiles {:.0f} ms: {:.1f} times the whole view\n",
               1000 * median(view.brute), median(view.brute) / median(view.whole));
  print_features(view.features, view.min_feature_m);
  fmt::print(stdout, "memory   {:.0f} MiB at most for a whole view, {:.0f} MiB for all of this\n",
             view.peak_rss_mib, peak_rss_mib());
}

void print_share(const ViewShare& share) {
  fmt::print(
      stdout,
      "share    {:.0f} % of a whole view's time is not evaluating or meshing bricks with a surface: of "
      "{:.0f} ms, all steps one after the other, open {:.0f}, prove {:.0f}, {:.0f} % of the bricks for "
      "nothing {:.0f}\n",
      100 * share.outside(), 1000 * (share.open_s + share.mesh_s), 1000 * share.open_s, 1000 * share.prove_s,
      100 * static_cast<double>(share.wasted) /
          static_cast<double>(std::max<std::uint64_t>(1, share.evaluated)),
      1000 * share.wasted_s());
}

Json share_json(const ViewShare& share) {
  return {{"open_s", share.open_s},    {"prove_s", share.prove_s},     {"evaluate_s", share.evaluate_s},
          {"mesh_s", share.mesh_s},    {"evaluated", share.evaluated}, {"wasted", share.wasted},
          {"outside", share.outside()}};
}

}  // namespace

Result<int> bench_view(const Options& options, const std::string& name, const WholeViewOptions& with) {
  const unsigned workers = bench_workers(options);
  // First, so that its peak of memory is its own.
  const Result<WholeViewTimes> view = measure_whole_view(options, name, workers, with);
  if (!view) return view.error();
  const Result<ViewShare> share = measure_view_share(options, name, workers);
  if (!share) return share.error();
  Times times;
  Digest digest;
  std::size_t triangles = 0, bytes = 0;
  ProofCounts counts;
  for (unsigned run = 0; run < options.runs; ++run) {
    const Result<Ring> ring = cold_run(options, name, workers, times);
    if (!ring) return ring.error();
    const Digest now = digest_of(ring->ground.mesh);
    if (run > 0 && now != digest)
      return Error{ErrorCode::kResource, {}, "bench view: two runs made different meshes"};
    digest = now;
    triangles = ring->ground.mesh.triangle_count();
    counts = ring->counts;
    bytes = 0;
    for (const TileCollider& c : ring->ground.colliders) bytes += c.bytes();
  }
  const std::string scope = fmt::format(
      "{}, stratum {}, from the text of the world to triangles that collide, nothing kept between runs. "
      "near: level 0 "
      "to 32 m, the whole height: parse and build, resolve, prove and evaluate, mesh with normals and seams, "
      "colliders, one step after the other. playable: the same, from the scheduler. whole: all "
      "levels "
      "and the seams between them; dressed: and materials. warm: a view 3 km away in the open world. walk: 6 "
      "m/s at 90 frames a "
      "second, one "
      "thread does all",
      name, options.stratum);
  if (options.json) {
    Json json = bench_json(options, scope, to_hex(digest));
    json["near_ring_s"] = median(times.total);
    json["build_s"] = median(times.build);
    json["resolve_s"] = median(times.resolve);
    json["evaluate_s"] = median(times.evaluate);
    json["mesh_s"] = median(times.mesh);
    json["collide_s"] = median(times.collide);
    json["bricks"] = {{"solid", counts.solid},
                      {"air", counts.air},
                      {"evaluated", counts.evaluated},
                      {"unknown", counts.unknown}};
    json["triangles"] = triangles;
    json["candidates_per_tile"] = candidates_per_tile(counts);
    add_whole_view(*view, json);
    json["view_share"] = share_json(*share);
    json["peak_rss_mib"] = peak_rss_mib();
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, to_hex(digest));
  fmt::print(
      stdout,
      "near     {:>8.2f} ms  build {:.2f}, resolve {:.2f}, evaluate {:.2f}, mesh {:.2f}, colliders {:.2f}\n"
      "         {} triangles, {} bricks evaluated, {:.1f} candidates a tile, colliders {:.1f} MiB\n",
      median(times.total) * 1000, median(times.build) * 1000, median(times.resolve) * 1000,
      median(times.evaluate) * 1000, median(times.mesh) * 1000, median(times.collide) * 1000, triangles,
      counts.evaluated, candidates_per_tile(counts), static_cast<double>(bytes) / (1 << 20));
  print_whole_view(*view);
  print_share(*share);
  return kExitGood;
}

}  // namespace vf::cli

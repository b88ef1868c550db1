// voxelforge bench csg: 50 smoothly joined shapes, as text through the recipe parser, to proven bricks.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"

namespace vf::cli {

namespace {

constexpr int kShapes = 50;
// The cube stands clear of the stratum's seals: its middle is 64 m above the floor of 128 m of content.
constexpr double kHeightM = 128;
constexpr std::int32_t kHalfTiles = 4;    // 32 m in tiles of 8 m
constexpr std::int32_t kMiddleTiles = 8;  // 64 m

/// Draws as the pinned scene says: mt19937(42), U(a, b) = a + (b - a) g / 2^32.
class Draws {
 public:
  double operator()(double a, double b) {
    return a + (b - a) * static_cast<double>(generator_()) / 4294967296.0;
  }

 private:
  std::mt19937 generator_{42};
};

std::string at(const char* axis, double centre) {
  return fmt::format("{} - ({:.9g})", axis, centre);
}

std::vector<std::string> draw_shapes() {
  Draws u;
  std::vector<std::string> shapes;
  for (int i = 0; i < kShapes; ++i) {
    const double x = u(-26, 26), y = u(-26, 26), z = u(-26, 26);
    const std::string p = fmt::format("{}, {}, {}", at("x", x), at("y", y), at("h", z));
    if (i % 3 == 0) {
      const double r = u(2, 5);
      shapes.push_back(fmt::format("sphere({}, {:.9g})", p, r));
    } else if (i % 3 == 1) {
      const double ax = u(-10, 10), ay = u(-5, 5), az = u(-10, 10), r = u(1.5, 3);
      // The axis goes through the centre, half of it to each side.
      shapes.push_back(fmt::format("capsule({}, {:.9g}, {:.9g}, {:.9g}, {:.9g}, {:.9g}, {:.9g}, {:.9g})", p,
                                   -ax / 2, -ay / 2, -az / 2, ax / 2, ay / 2, az / 2, r));
    } else {
      const double hx = u(1.5, 4), hy = u(1.5, 4), hz = u(1.5, 4);
      shapes.push_back(fmt::format("box({}, {:.9g}, {:.9g}, {:.9g})", p, hx, hy, hz));
    }
  }
  return shapes;
}

/// The balanced tree: the first half joined to the second.
std::string join(const std::vector<std::string>& shapes, std::size_t first, std::size_t last) {
  if (last - first == 1) return shapes[first];
  const std::size_t middle = first + (last - first) / 2;
  return fmt::format("smin({}, {}, 1.5)", join(shapes, first, middle), join(shapes, middle, last));
}

std::vector<TileKey> cube_tiles() {
  std::vector<TileKey> tiles;
  for (std::int32_t z = kMiddleTiles - kHalfTiles; z < kMiddleTiles + kHalfTiles; ++z) {
    for (std::int32_t y = -kHalfTiles; y < kHalfTiles; ++y) {
      for (std::int32_t x = -kHalfTiles; x < kHalfTiles; ++x) tiles.push_back({0, x, y, z});
    }
  }
  return tiles;
}

}  // namespace

Result<int> bench_csg(const Options& options) {
  const std::vector<std::string> shapes = draw_shapes();
  const std::string text =
      bench_recipe("bench_csg", kHeightM, 1,
                   {"h = \"z - 64\"", fmt::format("phi = \"{}\"", join(shapes, 0, shapes.size()))});
  const Result<std::shared_ptr<const BuiltRecipe>> built = build_bench_recipe(text);
  if (!built) return built.error();
  const std::vector<TileKey> tiles = cube_tiles();
  const auto field = std::make_shared<const BoundField>(
      bind_field((*built)->density, Frame{}, window_of_tiles(tiles), {}, 0));
  const TileOptions tile_options{options.simd, true};
  const unsigned workers = bench_workers(options);
  const RegionDigest digest = density_digest(field, tiles, tile_options, workers);
  ProofCounts counts;
  std::vector<double> seconds;
  for (unsigned run = 0; run < options.runs; ++run) {
    const Stopwatch clock;
    counts = evaluate_region(field, tiles, tile_options, workers);
    seconds.push_back(clock.seconds());
  }
  const double voxels = static_cast<double>(tiles.size()) * kTileEdge * kTileEdge * kTileEdge;
  const double rate = voxels / median(seconds) * 1e-6;
  const std::string scope =
      "50 shapes of mt19937(42) in a balanced smooth union (k 1.5 m), a cube of 64 m at 0.25 m: classify, "
      "specialise and "
      "evaluate every tile; the recipe is parsed, built and bound before";
  if (options.json) {
    Json json = bench_json(options, scope, to_hex(digest.all));
    json["effective_mvox_per_s"] = rate;
    json["median_s"] = median(seconds);
    json["voxels"] = voxels;
    json["samples"] = counts.samples;
    json["bricks"] = {{"solid", counts.solid},
                      {"air", counts.air},
                      {"evaluated", counts.evaluated},
                      {"unknown", counts.unknown}};
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, to_hex(digest.all));
  fmt::print(stdout, "csg      {:.0f} Mvoxels/s effective: {:.3f} ms for {} voxels, {} samples evaluated\n",
             rate, median(seconds) * 1000, static_cast<std::uint64_t>(voxels), counts.samples);
  return kExitGood;
}

}  // namespace vf::cli

// voxelforge bench mesh: a cave of 256^3 samples, evaluated before, to triangles with normals and closed
// seams.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "exports/atomic_file.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf::cli {

namespace {

constexpr double kHeightM = 128;
constexpr std::int32_t kEdgeTiles = 8;   // 64 m, 256 samples
constexpr std::int32_t kFirstTileZ = 4;  // clear of the stratum's seals

std::vector<TileKey> cube_tiles() {
  std::vector<TileKey> tiles;
  for (std::int32_t z = 0; z < kEdgeTiles; ++z)
    for (std::int32_t y = 0; y < kEdgeTiles; ++y)
      for (std::int32_t x = 0; x < kEdgeTiles; ++x) tiles.push_back({0, x, y, kFirstTileZ + z});
  return tiles;
}

/// The lattice of the scene, samples on both of its ends, as raw floats, x fastest: for meshers of others.
Status write_samples(const std::shared_ptr<const BoundField>& field, SimdLevel simd,
                     const std::filesystem::path& target) {
  constexpr int kEdge = kEdgeTiles * kTileEdge + 1;
  constexpr float kVoxelM = 0.25F;
  Result<AtomicFile> file = AtomicFile::create(target);
  if (!file) return file.error();
  FieldSampler sampler(field, simd);
  std::vector<float> x, y;
  for (int j = 0; j < kEdge; ++j)
    for (int i = 0; i < kEdge; ++i) {
      x.push_back(kVoxelM * static_cast<float>(i));
      y.push_back(kVoxelM * static_cast<float>(j));
    }
  std::vector<float> z(x.size()), values(x.size());
  for (int k = 0; k < kEdge; ++k) {
    std::fill(z.begin(), z.end(), kVoxelM * static_cast<float>(kFirstTileZ * kTileEdge + k));
    sampler.values(x.size(), x.data(), y.data(), z.data(), values.data());
    if (Status status = file->write(std::as_bytes(std::span(values))); !status) return status.error();
  }
  return file->commit();
}

}  // namespace

Result<int> bench_mesh(const Options& options, const std::string& samples_file) {
  // Ground with caves below it: about 6 % of the cells hold a surface.
  const std::string text = bench_recipe(
      "bench_mesh", kHeightM, 8,
      {"ground = \"76 + 14*perlin2(48, octaves = 4)\"",
       "caves = \"7*perlin3(10, octaves = 4, seed = 7) - 0.7\"", "phi = \"max(z - ground, caves)\""});
  const Result<std::shared_ptr<const BuiltRecipe>> built = build_bench_recipe(text);
  if (!built) return built.error();
  const std::vector<TileKey> tiles = cube_tiles();
  const auto field =
      std::make_shared<const BoundField>(bind_field((*built)->density, Frame{}, mesh_window(tiles), {}, 0));
  const unsigned workers = bench_workers(options);
  const RegionDensity region = evaluate_for_mesh(field, tiles, {options.simd, true}, workers);
  if (!samples_file.empty())
    if (const Status written = write_samples(field, options.simd, samples_file); !written)
      return written.error();
  std::vector<double> seconds;
  std::size_t triangles = 0, vertices = 0;
  Digest digest;
  for (unsigned run = 0; run < options.runs; ++run) {
    const Stopwatch clock;
    const RegionMesh mesh = mesh_region(region, options.simd, workers);
    seconds.push_back(clock.seconds());
    triangles = mesh.triangle_count();
    vertices = 0;
    for (const TileMesh& tile : mesh.tiles) vertices += tile.inside.vertices.size();
    const Digest now = digest_of(mesh);
    if (run > 0 && now != digest)
      return Error{ErrorCode::kResource, {}, "bench mesh: two runs made different meshes"};
    digest = now;
  }
  const double rate = static_cast<double>(triangles) / median(seconds) * 1e-6;
  const double cells = static_cast<double>(tiles.size()) * kTileEdge * kTileEdge * kTileEdge;
  const std::string scope =
      "terrain of 4 octaves over a cave of 4 octaves, 256^3 samples at 0.25 m, evaluated before: crossings, "
      "gradients of "
      "the field, vertices, normals, triangles and seams of all tiles";
  if (options.json) {
    Json json = bench_json(options, scope, to_hex(digest));
    json["mtri_per_s"] = rate;
    json["median_s"] = median(seconds);
    json["triangles"] = triangles;
    json["vertices"] = vertices;
    json["surface_cells"] = static_cast<double>(vertices) / cells;
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, to_hex(digest));
  fmt::print(stdout,
             "mesh     {:.2f} Mtriangles/s: {} triangles, {} vertices ({:.1f} % of cells) in {:.1f} ms\n",
             rate, triangles, vertices, 100 * static_cast<double>(vertices) / cells, median(seconds) * 1000);
  return kExitGood;
}

}  // namespace vf::cli

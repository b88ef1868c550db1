// voxelforge bench: timings with their scope spelled out, medians of several runs, digests beside times.
#include "cli/bench.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/json.h"
#include "cli/machine_rate.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "cli/world_input.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::string samples_file;
  bool compare_brute = false;
};

Verb add_bench_verb(const Verb& bench, Session& session, const std::string& name, const std::string& help,
                    unsigned shared, Action run) {
  return add_verb(bench, session, name, help, shared | kJson | kWorkers | kSimd | kRuns, std::move(run));
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

double peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

unsigned bench_workers(const Options& options) {
  return options.workers == 0 ? 1 : options.workers;
}

Json bench_json(const Options& options, const std::string& scope, const std::string& digest) {
  Json rates = Json::object();
  for (const SimdLevel level : supported_simd_levels())
    rates[std::string(to_string(level))] = mul_add_gflops(level);
  return {{"scope", scope},
          {"runs", options.runs},
          {"simd", to_string(options.simd)},
          {"workers", bench_workers(options)},
          {"digest", digest},
          {"engine", engine_name()},
          {"machine_mul_add_gflops", rates}};
}

void print_bench(const Options& options, const std::string& scope, const std::string& digest) {
  fmt::print(stdout, "scope    {}\n", scope);
  fmt::print(stdout, "runs     {}, medians; {} lanes, {} worker{}\n", options.runs, to_string(options.simd),
             bench_workers(options), bench_workers(options) == 1 ? "" : "s");
  fmt::print(stdout, "digest   {}\n", digest);
  std::string rates;
  for (const SimdLevel level : supported_simd_levels()) {
    rates += fmt::format("{}{} {:.0f}", rates.empty() ? "" : ", ", to_string(level), mul_add_gflops(level));
  }
  fmt::print(stdout, "machine  multiply + add on one thread, not fused, GFLOP/s: {}\n", rates);
}

std::string bench_recipe(const std::string& id, double height_m, double gradient_bound,
                         const std::vector<std::string>& field_lines) {
  return fmt::format(
      "[type]\nid = \"{}\"\nversion = 1\nname = \"{}\"\nfamily = \"bench\"\nheight_m = {}\n"
      "gradient_bound = {}\n\n[field]\n{}\n",
      id, id, height_m, gradient_bound, fmt::join(field_lines, "\n"));
}

Result<std::shared_ptr<const BuiltRecipe>> build_bench_recipe(const std::string& text) {
  Notes ignored;
  Result<Recipe> recipe = parse_recipe("bench.toml", text, load_text, {}, ignored);
  if (!recipe) return recipe.error();
  Result<BuiltRecipe> built = build_recipe(std::make_shared<const Recipe>(*std::move(recipe)), ignored);
  if (!built) return built.error();
  return std::make_shared<const BuiltRecipe>(*std::move(built));
}

void add_bench(const Verb& app, Session& session) {
  const Verb bench = app.verb("bench", "timings: noise, csg, resolve, field, mesh, view");
  bench.require_verb();
  add_bench_verb(bench, session, "noise", "Perlin noise on bricks, the pinned scene", 0,
                 [&session] { return bench_noise(session.options); });
  add_bench_verb(bench, session, "csg", "50 smoothly joined shapes, the pinned scene", 0,
                 [&session] { return bench_csg(session.options); });
  auto input = std::make_shared<Input>();
  const Verb mesh =
      add_bench_verb(bench, session, "mesh", "triangles of a cave from its samples, the pinned scene", 0,
                     [&session, input] { return bench_mesh(session.options, input->samples_file); });
  mesh.text("--samples", input->samples_file,
            "also write the scene's 257^3 samples to FILE as raw floats, x fastest, for meshers of others",
            "FILE");
  const Verb resolve = add_bench_verb(
      bench, session, "resolve", "sectors, at the top and far down and away", kWorld | kStratum,
      [&session, input] { return bench_resolve(session.options, input->world); });
  resolve.world(input->world);
  const Verb field =
      add_bench_verb(bench, session, "field", "near ring and whole view of a world", kWorld | kStratum,
                     [&session, input] { return bench_field(session.options, input->world); });
  field.world(input->world);
  const Verb view = add_bench_verb(
      bench, session, "view",
      "near ring and whole view of a world, cold, warm and on a walk, from recipe text to triangles that "
      "collide",
      kWorld | kStratum,
      [&session, input] { return bench_view(session.options, input->world, {input->compare_brute}); });
  view.world(input->world);
  view.checked(
      "--compare", "brute: evaluate every sample of the view too",
      [input](const std::string& text) -> Status {
        if (text != "brute") {
          return Error{ErrorCode::kBadInput, {}, fmt::format("--compare {}: expected brute", text)};
        }
        input->compare_brute = true;
        return Unit{};
      },
      "brute");
}

}  // namespace vf::cli

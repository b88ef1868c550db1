// voxelforge bench noise: the product's own path, from a recipe's formula to bricks.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/digest.h"
#include "base/result.h"
#include "base/tasks.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf::cli {

namespace {

constexpr int kBricksXy = 32, kBricksZ = 16;
constexpr float kVoxel = 0.25F;
constexpr float kBrickM = 8 * kVoxel;
constexpr float kFloorM = 16;  // the seals of the stratum (at 0 and H) do not reach here, and are proven away
constexpr double kHeightM = 64;

struct Case {
  std::string name;
  std::string formula;
  bool columns = false;  ///< 64 values a brick, as the product evaluates what depends on x and y only
};

struct Outcome {
  double msamples_per_s = 0, seconds = 0;
  std::uint64_t samples = 0;
  Digest digest;
};

Vec3f origin_of(std::size_t brick) {
  const auto i = static_cast<int>(brick);
  return {kBrickM * static_cast<float>(i % kBricksXy),
          kBrickM * static_cast<float>(i / kBricksXy % kBricksXy),
          kFloorM + kBrickM * static_cast<float>(i / (kBricksXy * kBricksXy))};
}

/// The column op that is the noise.
std::uint32_t noise_op(const Tape& tape) {
  std::uint32_t op = 0;
  while (op < tape.ops.size() && tape.ops[op].op != Opcode::kNoise2) ++op;
  VF_CHECK(op < tape.ops.size());
  return op;
}

class NoiseRun {
 public:
  NoiseRun(std::shared_ptr<const BoundField> field, const Options& options, bool columns)
      : field_(std::move(field)),
        workers_(bench_workers(options)),
        columns_(columns),
        bricks_(kBricksXy * kBricksXy * (columns ? std::size_t{1} : std::size_t{kBricksZ})),
        values_(bricks_ * brick_samples()) {
    FieldSampler sampler(field_, options.simd);
    const float edge = kBrickM * kBricksXy;
    tape_ = sampler.tape_for({{0, 0, kFloorM}, {edge, edge, kFloorM + kBrickM * kBricksZ}});
    if (columns_) op_ = noise_op(tape_);
    for (unsigned i = 0; i < workers_; ++i) {
      evaluators_.emplace_back(*field_, options.simd);
      if (!columns_) evaluators_.back().begin_bricks(tape_, {});
    }
  }

  [[nodiscard]] std::size_t brick_samples() const { return columns_ ? 64 : kBrickSamples; }
  [[nodiscard]] std::uint64_t samples() const { return bricks_ * brick_samples(); }

  void run() {
    // A row of bricks is one job, so that the scheduler's cost does not show.
    parallel_for(bricks_ / kBricksXy, workers_, [&](std::size_t row, unsigned worker) {
      for (std::size_t i = row * kBricksXy; i < (row + 1) * kBricksXy; ++i) brick(i, evaluators_[worker]);
    });
  }

  [[nodiscard]] Digest digest() const {
    Digester digester;
    digester.add(std::span<const float>(values_));
    return digester.finish();
  }

 private:
  void brick(std::size_t i, BatchEvaluator& evaluator) {
    float* out = values_.data() + i * brick_samples();
    if (columns_) {
      evaluator.columns(tape_, std::span(&op_, 1), {origin_of(i), kVoxel}, std::span(&out, 1));
    } else {
      evaluator.brick({origin_of(i), kVoxel}, {}, out);
    }
  }

  std::shared_ptr<const BoundField> field_;
  unsigned workers_;
  bool columns_;
  std::size_t bricks_;
  std::vector<float> values_;
  Tape tape_;
  std::uint32_t op_ = 0;
  std::vector<BatchEvaluator> evaluators_;
};

Result<Outcome> measure(const Case& one, const Options& options) {
  const std::string phi = fmt::format("phi = \"{}\"", one.formula);
  const Result<std::shared_ptr<const BuiltRecipe>> built =
      build_bench_recipe(bench_recipe("bench_noise", kHeightM, 16, {phi}));
  if (!built) return built.error();
  const Box2f window{0, 0, kSectorM, kSectorM};
  NoiseRun noise(std::make_shared<const BoundField>(bind_field((*built)->density, Frame{}, window, {}, 0)),
                 options, one.columns);
  noise.run();  // warm: pages touched, code in the cache
  Outcome out;
  out.digest = noise.digest();
  std::vector<double> seconds;
  for (unsigned run = 0; run < options.runs; ++run) {
    const Stopwatch clock;
    noise.run();
    seconds.push_back(clock.seconds());
    if (!(noise.digest() == out.digest)) {
      return Error{ErrorCode::kResource, {}, "bench noise: two runs gave different values"};
    }
  }
  out.samples = noise.samples();
  out.seconds = median(seconds);
  out.msamples_per_s = static_cast<double>(out.samples) / out.seconds * 1e-6;
  return out;
}

}  // namespace

Result<int> bench_noise(const Options& options) {
  const std::vector<Case> cases{
      {"fbm4_perlin3", "perlin3(5, octaves = 4, persistence = 0.5, lacunarity = 2)", false},
      {"fbm5_perlin2", "perlin2(5, octaves = 5, persistence = 0.5, lacunarity = 2)", true},
      {"perlin3", "perlin3(5)", false},
  };
  std::vector<Outcome> outcomes;
  Digester all;
  for (const Case& one : cases) {
    Result<Outcome> outcome = measure(one, options);
    if (!outcome) return outcome.error();
    all.add(outcome->digest);
    outcomes.push_back(*outcome);
  }
  const std::string scope =
      "noise formulas of a recipe on bricks of 8 x 8 x 8 samples at 0.25 m (two-dimensional: 8 x 8 columns), "
      "first "
      "wavelength 20 voxels, lacunarity 2, gain 1/2; evaluation only, values written to memory";
  if (options.json) {
    Json json = bench_json(options, scope, to_hex(all.finish()));
    json["msamples_per_s"] = outcomes.front().msamples_per_s;
    json["cases"] = Json::array();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      json["cases"].push_back({{"name", cases[i].name},
                               {"formula", cases[i].formula},
                               {"msamples_per_s", outcomes[i].msamples_per_s},
                               {"median_s", outcomes[i].seconds},
                               {"samples", outcomes[i].samples},
                               {"digest", to_hex(outcomes[i].digest)}});
    }
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, to_hex(all.finish()));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    fmt::print(stdout, "{:<14} {:>8.1f} Msamples/s  {:.3f} ms for {} samples\n", cases[i].name,
               outcomes[i].msamples_per_s, outcomes[i].seconds * 1000, outcomes[i].samples);
  }
  return kExitGood;
}

}  // namespace vf::cli

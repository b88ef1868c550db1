// Benchmarks: each checks its result's digest, so that a fast wrong answer does not pass for a fast one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/bench_whole_view.h"
#include "cli/json.h"
#include "cli/options.h"
#include "field/builder.h"

namespace vf::cli {

/// The median; of an even number, the lower of the two in the middle. `values` is not empty.
[[nodiscard]] double median(std::vector<double> values);

/// The largest resident set of the process so far. [MiB]
[[nodiscard]] double peak_rss_mib();

/// One thread unless -j says otherwise: figures are per core.
[[nodiscard]] unsigned bench_workers(const Options& options);

/// Keys that every benchmark prints: scope, runs, simd, workers, digest, and the machine's rate by SIMD
/// level.
[[nodiscard]] Json bench_json(const Options& options, const std::string& scope, const std::string& digest);
/// The same for people.
void print_bench(const Options& options, const std::string& scope, const std::string& digest);

/// The text of a recipe with the given lines of its [field].
[[nodiscard]] std::string bench_recipe(const std::string& id, double height_m, double gradient_bound,
                                       const std::vector<std::string>& field_lines);

/// Parses and builds a text of ours; an error would be a bug of ours, but is passed on as it is.
[[nodiscard]] Result<std::shared_ptr<const BuiltRecipe>> build_bench_recipe(const std::string& text);

[[nodiscard]] Result<int> bench_noise(const Options& options);
[[nodiscard]] Result<int> bench_csg(const Options& options);
[[nodiscard]] Result<int> bench_field(const Options& options, const std::string& world);
[[nodiscard]] Result<int> bench_mesh(const Options& options, const std::string& samples_file);
[[nodiscard]] Result<int> bench_resolve(const Options& options, const std::string& world);
[[nodiscard]] Result<int> bench_view(const Options& options, const std::string& world,
                                     const WholeViewOptions& with);

}  // namespace vf::cli

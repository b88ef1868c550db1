#include "cli/options.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/ids.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/verb.h"

namespace vf::cli {

namespace {

/// Stores what a parser of arguments gave, or passes its error on.
template <class T, class Target>
Status store(const Result<T>& value, Target& target) {
  if (!value) return value.error();
  target = *value;
  return Unit{};
}

}  // namespace

Verb add_verb(const Verb& app, Session& session, const std::string& name, const std::string& help,
              unsigned shared, Action run) {
  const Verb verb = app.verb(name, help);
  Options& options = session.options;
  if ((shared & kWorld) != 0) {
    verb.checked(
        "--seed", "seed of the world; overrides the world file's",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("--seed", text, 0, ~std::uint64_t{0});
          if (!value) return value.error();
          options.seed = Seed{*value};
          return Unit{};
        },
        "N");
    verb.checked_each(
        "--set", "value of a parameter, name=value or type.name=value; repeatable",
        [&options](const std::string& text) -> Status {
          Result<std::pair<std::string, std::string>> setting = parse_setting(text);
          if (!setting) return setting.error();
          options.set.push_back(*std::move(setting));
          return Unit{};
        },
        "NAME=VALUE");
  }
  if ((shared & kStratum) != 0) {
    verb.checked(
        "--stratum", "which stratum, 0 on top",
        [&options](const std::string& text) {
          options.stratum_given = true;
          return store(parse_whole("--stratum", text, 0, kMaxStratum), options.stratum);
        },
        "K");
  }
  if ((shared & kWorkers) != 0) {
    verb.checked(
        "-j,--workers", "threads to work on",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("-j", text, 1, kMaxWorkers);
          if (!value) return value.error();
          options.workers = static_cast<unsigned>(*value);
          return Unit{};
        },
        "N");
  }
  if ((shared & kSimd) != 0) {
    verb.checked(
        "--simd", "scalar, sse4, avx2, avx512 or best; never changes a result",
        [&options](const std::string& text) { return store(parse_simd(text), options.simd); }, "LEVEL");
  }
  if ((shared & kRuns) != 0) {
    verb.checked(
        "--runs", "how often to measure; medians are printed",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("--runs", text, 1, kMaxRuns);
          if (!value) return value.error();
          options.runs = static_cast<unsigned>(*value);
          return Unit{};
        },
        "N");
  }
  if ((shared & kJson) != 0) verb.flag("--json", options.json, "print the result as JSON");
  verb.on_chosen([&session, run = std::move(run)] { session.action = run; });
  return verb;
}

}  // namespace vf::cli

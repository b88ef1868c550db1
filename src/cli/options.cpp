#include "cli/options.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "cli/arguments.h"

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

void add_checked(CLI::App& verb, const std::string& flags, const std::string& help,
                 std::function<Status(const std::string&)> read, const std::string& form) {
  verb.add_option_function<std::string>(
          flags,
          [read = std::move(read)](const std::string& text) {
            // CLI11 knows only exceptions; run_command_line turns this one back into a message.
            if (const Status status = read(text); !status) {
              throw CLI::Error("Argument", status.error().message, static_cast<int>(status.error().code));
            }
          },
          help)
      ->type_name(form);
}

CLI::App& add_verb(CLI::App& app, Session& session, const std::string& name, const std::string& help,
                   unsigned shared, Action run) {
  CLI::App* verb = app.add_subcommand(name, help);
  Options& options = session.options;
  if ((shared & kWorld) != 0) {
    add_checked(
        *verb, "--seed", "seed of the world; overrides the world file's",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("--seed", text, 0, ~std::uint64_t{0});
          if (!value) return value.error();
          options.seed = Seed{*value};
          return Unit{};
        },
        "N");
    verb->add_option_function<std::vector<std::string>>(
            "--set",
            [&options](const std::vector<std::string>& texts) {
              for (const std::string& text : texts) {
                Result<std::pair<std::string, std::string>> setting = parse_setting(text);
                if (!setting) throw CLI::Error("Argument", setting.error().message, 0);
                options.set.push_back(*setting);
              }
            },
            "value of a parameter, name=value or type.name=value; repeatable")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  if ((shared & kStratum) != 0) {
    add_checked(
        *verb, "--stratum", "which stratum, 0 on top",
        [&options](const std::string& text) {
          options.stratum_given = true;
          return store(parse_whole("--stratum", text, 0, kMaxStratum), options.stratum);
        },
        "K");
  }
  if ((shared & kWorkers) != 0) {
    add_checked(
        *verb, "-j,--workers", "threads to work on",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("-j", text, 1, kMaxWorkers);
          if (!value) return value.error();
          options.workers = static_cast<unsigned>(*value);
          return Unit{};
        },
        "N");
  }
  if ((shared & kSimd) != 0) {
    add_checked(
        *verb, "--simd", "scalar, sse4, avx2, avx512 or best; never changes a result",
        [&options](const std::string& text) { return store(parse_simd(text), options.simd); }, "LEVEL");
  }
  if ((shared & kRuns) != 0) {
    add_checked(
        *verb, "--runs", "how often to measure; medians are printed",
        [&options](const std::string& text) -> Status {
          const Result<std::uint64_t> value = parse_count("--runs", text, 1, kMaxRuns);
          if (!value) return value.error();
          options.runs = static_cast<unsigned>(*value);
          return Unit{};
        },
        "N");
  }
  if ((shared & kJson) != 0) verb->add_flag("--json", options.json, "print the result as JSON");
  verb->callback([&session, run = std::move(run)] { session.action = run; });
  return *verb;
}

}  // namespace vf::cli

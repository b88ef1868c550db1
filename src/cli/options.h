// Options that many verbs share, and what a verb hands to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "field/simd_level.h"

namespace vf::cli {

struct Options {
  bool json = false;
  unsigned workers = 0;  ///< 0: the verb's own default
  SimdLevel simd = best_simd_level();
  std::optional<Seed> seed;
  std::int64_t stratum = 0;
  bool stratum_given = false;
  std::vector<std::pair<std::string, std::string>> set;
  unsigned runs = 5;
};

/// Runs a verb; gives its exit code.
using Action = std::function<Result<int>()>;

/// One a process: the verbs write what they are to do into `action`.
struct Session {
  Options options;
  Action action;
};

/// Which of the shared options a verb takes.
enum Shared : unsigned {
  kJson = 1,
  kWorkers = 2,
  kSimd = 4,
  kWorld = 8,  ///< --seed and --set
  kStratum = 16,
  kRuns = 32,
};

/// A verb with its help and shared options; `run` is called when it was chosen.
CLI::App& add_verb(CLI::App& app, Session& session, const std::string& name, const std::string& help,
                   unsigned shared, Action run);

/// An option whose text `read` checks: an error ends the parsing with exit 2 and its message.
void add_checked(CLI::App& verb, const std::string& flags, const std::string& help,
                 std::function<Status(const std::string&)> read, const std::string& form);

// The verbs, one a source file.
void add_audit(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_digest(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_forge(CLI::App& app, Session& session);
void add_new(CLI::App& app, Session& session);
void add_prove(CLI::App& app, Session& session);
void add_resolve(CLI::App& app, Session& session);
void add_sample(CLI::App& app, Session& session);
void add_shot(CLI::App& app, Session& session);
void add_types(CLI::App& app, Session& session);

}  // namespace vf::cli

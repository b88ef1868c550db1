// Options that many verbs share, and what a verb hands to the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "cli/verb.h"
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
Verb add_verb(const Verb& app, Session& session, const std::string& name, const std::string& help,
              unsigned shared, Action run);

// The verbs, one a source file.
void add_audit(const Verb& app, Session& session);
void add_bench(const Verb& app, Session& session);
void add_check(const Verb& app, Session& session);
void add_digest(const Verb& app, Session& session);
void add_export(const Verb& app, Session& session);
void add_forge(const Verb& app, Session& session);
void add_new(const Verb& app, Session& session);
void add_prove(const Verb& app, Session& session);
void add_resolve(const Verb& app, Session& session);
void add_sample(const Verb& app, Session& session);
void add_shot(const Verb& app, Session& session);
void add_types(const Verb& app, Session& session);

}  // namespace vf::cli

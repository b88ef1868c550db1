#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "base/nearest_name.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/version.h"

namespace vf::cli {

namespace {

void say_error(const std::string& text) {
  fmt::print(stderr, "voxelforge: {}\n", text);
}

/// The verb that was reached, as `field` in `bench field`.
struct Reached {
  const CLI::App* verb;
  std::size_t depth;  ///< how many words led there
};

Reached reached_verb(const CLI::App& app) {
  Reached reached{&app, 0};
  while (!reached.verb->get_subcommands().empty()) {
    reached.verb = reached.verb->get_subcommands().front();
    ++reached.depth;
  }
  return reached;
}

bool needs_verb(const CLI::App& verb) {
  return !verb.get_subcommands({}).empty();
}

/// What the reached verb could have meant by a word that it does not know.
std::string nearest_word(const CLI::App& verb, const std::string& word) {
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* next : verb.get_subcommands({})) known.push_back(next->get_name());
  }
  return nearest_name(word, known);
}

/// The first word that no verb and no option took; an unknown option before the words that would be its
/// values.
std::string unknown_word(const Reached& reached, const CLI::Error& error, int argc, const char* const* argv) {
  if (needs_verb(*reached.verb)) {
    std::size_t words = 0;
    for (int i = 1; i < argc; ++i) {
      if (argv[i][0] != '-' && words++ == reached.depth) return argv[i];
    }
    return {};
  }
  // CLI11 forgets the words when it throws; only its message has them: "... were not expected: 4 --sead".
  const std::string text = error.what();
  std::istringstream words(text.substr(std::min(text.size(), text.find(": ") + 1)));
  std::string first;
  for (std::string word; words >> word;) {
    if (word.starts_with("-")) return word;
    first = word;
  }
  return first;
}

int parsing_failed(const CLI::App& app, const CLI::Error& error, int argc, const char* const* argv) {
  // Ours, thrown by add_checked: the code is an ErrorCode.
  if (error.get_name() == "Argument") {
    say_error(error.what());
    return exit_code_of(static_cast<ErrorCode>(error.get_exit_code()));
  }
  const Reached reached = reached_verb(app);
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || needs_verb(*reached.verb);
  const std::string unknown = extra ? unknown_word(reached, error, argc, argv) : std::string();
  if (!unknown.empty()) {
    const std::string nearest = nearest_word(*reached.verb, unknown);
    say_error(fmt::format("'{}' was not expected{}", unknown,
                          nearest.empty() ? "; see --help" : fmt::format("; did you mean {}?", nearest)));
    return kExitBadInput;
  }
  if (needs_verb(*reached.verb)) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : reached.verb->get_subcommands({})) verbs.push_back(verb->get_name());
    say_error(fmt::format("say what to do: {}; see --help", fmt::join(verbs, ", ")));
    return kExitBadInput;
  }
  say_error(std::string(error.what()) + "; see --help");
  return kExitBadInput;
}

void add_verbs(const Verb& app, Session& session) {
  add_forge(app, session);
  add_types(app, session);
  add_new(app, session);
  add_check(app, session);
  add_resolve(app, session);
  add_sample(app, session);
  add_prove(app, session);
  add_shot(app, session);
  add_export(app, session);
  add_audit(app, session);
  add_digest(app, session);
  add_bench(app, session);
}

int run_action(const Session& session) {
  try {
    const Result<int> code = session.action();
    if (code) return *code;
    // A place in a file stands first in its line, so that editors and terminals can jump there.
    if (code.error().place.line > 0) {
      fmt::print(stderr, "{}\n", code.error().text());
    } else {
      say_error(code.error().text());
    }
    return exit_code_of(code.error().code);
  } catch (const std::bad_alloc&) {
    say_error("out of memory");
    return kExitTrouble;
  } catch (const std::system_error& error) {
    // fmt, when a write fails: the disk is full, or the reader went away. Of standard output the caller says
    // so.
    if (std::ferror(stdout) == 0) say_error(error.what());
    return kExitTrouble;
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app(
      "Forges endless underground worlds from short recipes: the same everywhere, and proven.\n"
      "WORLD is a world file, a recipe file, or type:ID for a shipped type (see `voxelforge types`).",
      "voxelforge");
  app.set_version_flag("--version", engine_name());
  app.require_subcommand(1);
  Session session;
  add_verbs(Verb(app), session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return app.exit(success);
  } catch (const CLI::Error& error) {
    return parsing_failed(app, error, argc, argv);
  }
  const int code = run_action(session);
  // A full disk behind a redirected standard output shows only here.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    say_error("cannot write to standard output");
    return kExitTrouble;
  }
  return code;
}

}  // namespace vf::cli

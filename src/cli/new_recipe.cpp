// voxelforge new: a recipe with every section, commented, ready to be changed.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "base/result.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "exports/atomic_file.h"
#include "recipe/scaffold.h"

namespace vf::cli {

namespace {

struct Input {
  std::string name;
  std::string from;
};

Result<int> run_new(const Options& options, const Input& input) {
  if (std::filesystem::path(input.name).filename().empty()) {
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("'{}' names no type; expected one such as blue_hall or caves/blue_hall.toml",
                             input.name)};
  }
  // "caves/blue_hall.toml" and "blue_hall" both make a type called blue_hall.
  std::filesystem::path target(input.name);
  if (target.extension() != ".toml") target += ".toml";
  const std::string id = target.stem().string();
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(target, ignored))) {
    return Error{ErrorCode::kIo,
                 {},
                 fmt::format("{} exists already; choose another name or remove it", target.string())};
  }
  const Result<std::string> text = scaffold_recipe(id, input.from);
  if (!text) return text.error();
  if (const Status written = write_file(target, *text); !written) return written.error();
  if (options.json) {
    print_json({{"file", target.string()}, {"id", id}});
  } else {
    Console console(false);
    console.line(fmt::format("{} is ready; next: voxelforge check {}", target.string(), target.string()));
  }
  return kExitGood;
}

}  // namespace

void add_new(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb = add_verb(app, session, "new", "write a recipe with every section, commented", kJson,
                             [&session, input] { return run_new(session.options, *input); });
  verb.word("NAME", input->name, "name of the type, or of its file");
  verb.text("--from", input->from, "a shipped type to start from", "TYPE");
}

}  // namespace vf::cli

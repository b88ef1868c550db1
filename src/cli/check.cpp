// voxelforge check: validates a recipe or a world and says what was found.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "field/builder.h"
#include "plan/resolve.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

struct Input {
  std::string file;
};

std::size_t count(const Notes& notes, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(notes.begin(), notes.end(), [&](const Note& n) { return n.severity == severity; }));
}

/// Each built recipe once, in the order of the stack.
std::vector<std::shared_ptr<const BuiltRecipe>> distinct(const InputWorld& world) {
  std::vector<std::shared_ptr<const BuiltRecipe>> out;
  for (const auto& built : world.built) {
    if (std::find(out.begin(), out.end(), built) == out.end()) out.push_back(built);
  }
  return out;
}

/// Viewpoints are formulas too, but only a picture would build them.
Status check_viewpoints(const Recipe& recipe) {
  for (const Viewpoint& view : recipe.viewpoints) {
    for (const auto* point : {&view.eye, &view.target}) {
      for (const ExprPtr& expr : *point) {
        if (expr == nullptr) continue;
        if (auto built = build_column_formula(recipe, expr); !built) return built.error();
      }
    }
  }
  return Unit{};
}

/// Each type's first sector: what no bound can tell, such as the number of places that its chances give.
Status check_places(const InputWorld& world) {
  std::vector<std::shared_ptr<const BuiltRecipe>> done;
  for (std::size_t k = 0; k < world.built.size(); ++k) {
    if (std::find(done.begin(), done.end(), world.built[k]) != done.end()) continue;
    done.push_back(world.built[k]);
    const InputStratum where = input_stratum(world, static_cast<std::int64_t>(k));
    if (const auto plan = resolve_sector(where, 0, 0); !plan) return plan.error();
  }
  return Unit{};
}

Json to_json(const Note& note) {
  constexpr const char* kNames[] = {"note", "warning", "error"};
  return {{"severity", kNames[static_cast<std::size_t>(note.severity)]},
          {"file", note.place.file},
          {"line", note.place.line},
          {"column", note.place.column},
          {"message", note.message}};
}

Json to_json(const BuiltRecipe& built) {
  const Recipe& r = *built.recipe;
  return {{"id", r.id},
          {"version", r.version},
          {"height_m", r.height_m},
          {"nodes", built.density->nodes.size()},
          {"feature_sets", r.features.size()},
          {"materials", r.materials.size()},
          {"lights", r.lights.size()},
          {"viewpoints", r.viewpoints.size()},
          {"gradient", {{"proven", built.facts.gradient_bound}, {"declared", built.facts.declared_bound}}},
          {"range", {built.facts.range.lo, built.facts.range.hi}},
          {"uses_absolute", built.facts.uses_absolute}};
}

void print_summary(Console& console, const BuiltRecipe& built) {
  const Recipe& r = *built.recipe;
  const auto many = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  console.line(fmt::format("{} (version {}): good", r.id, r.version));
  console.line(fmt::format("  height    {:g} m of content", r.height_m));
  console.line(fmt::format("  density   {}, proven within {:.4g} .. {:.4g} m",
                           many(built.density->nodes.size(), "node"), built.facts.range.lo,
                           built.facts.range.hi));
  console.line(fmt::format("  gradient  proven <= {:.4g}, declared <= {:g}", built.facts.gradient_bound,
                           built.facts.declared_bound));
  console.line(fmt::format("  holds     {}, {}, {}, {}, {}", many(r.params.size(), "parameter"),
                           many(r.features.size(), "feature set"), many(r.materials.size(), "material"),
                           many(r.lights.size(), "light"), many(r.viewpoints.size(), "viewpoint")));
}

void print_failure_json(const Notes& notes, const Error& error) {
  Json list = Json::array();
  for (const Note& note : notes) list.push_back(to_json(note));
  list.push_back(to_json(Note{Severity::kError, error.place, error.message}));
  print_json({{"good", false}, {"notes", list}, {"recipes", Json::array()}});
}

Result<int> run_check(const Options& options, const Input& input) {
  Console console(options.json);
  Notes notes;
  Result<InputWorld> world = open_input(input.file, options, notes);
  Status status = world ? Status(Unit{}) : Status(world.error());
  std::vector<std::shared_ptr<const BuiltRecipe>> recipes;
  if (world) recipes = distinct(*world);
  for (const auto& built : recipes) {
    if (status) status = check_viewpoints(*built->recipe);
  }
  if (status) status = check_places(*world);
  console.notes(notes);
  if (!status) {
    if (options.json) print_failure_json(notes, status.error());
    return status.error();
  }
  const std::size_t errors = count(notes, Severity::kError);
  if (options.json) {
    Json list = Json::array(), built_list = Json::array();
    for (const Note& note : notes) list.push_back(to_json(note));
    for (const auto& built : recipes) built_list.push_back(to_json(*built));
    print_json({{"good", errors == 0}, {"notes", list}, {"recipes", built_list}});
  } else if (errors == 0) {
    for (const auto& built : recipes) print_summary(console, *built);
    const std::size_t warnings = count(notes, Severity::kWarning);
    if (warnings > 0) console.line(fmt::format("{} warning{}", warnings, warnings == 1 ? "" : "s"));
  }
  return errors == 0 ? kExitGood : kExitBadInput;
}

}  // namespace

void add_check(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "check", "validate a recipe or a world, with precise errors", kJson | kWorld,
               [&session, input] { return run_check(session.options, *input); });
  verb.word("FILE", input->file, "a recipe, a world, or type:ID");
}

}  // namespace vf::cli

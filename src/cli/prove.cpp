// voxelforge prove: how much of a view is proven, level by level, and whether brute force agrees.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "math/vec.h"
#include "proof/certificate.h"
#include "proof/verify.h"
#include "proof/view_region.h"
#include "proof/waste.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::optional<int> level;
  std::optional<Place2> at;
  bool verify = false;
};

struct LevelProof {
  int level = 0;
  ProofCounts counts;
  VerifyReport verified;  ///< empty unless asked for
};

struct Proof {
  InputStratum where;
  ViewPlace place;
  std::vector<LevelProof> levels;
  ProofCounts total;
  BoundReport spot;           ///< random boxes and points, always
  std::uint64_t checked = 0;  ///< samples of brute force
  std::uint64_t wrong = 0;    ///< contradictions of any kind; must be 0
  std::vector<std::string> first;
};

/// Enough to catch a bound that is wrong in more than a few boxes of ten thousand, in a fraction of a second.
constexpr std::uint64_t kSpotBoxes = 2000;
constexpr int kSpotPoints = 16;

void verify_level(const ViewField& view, const std::vector<TileKey>& tiles, const Options& options,
                  LevelProof& level, Proof& proof) {
  level.verified = verify_region(view.field, tiles, {options.simd, true}, options.workers);
  proof.checked += level.verified.samples;
  proof.wrong += level.verified.wrong + level.verified.different;
  for (const WrongSample& w : level.verified.first) proof.first.push_back(to_string(w));
}

Result<Proof> run_proof(const Options& options, const Input& input, const InputWorld& world,
                        Console& console) {
  Proof proof;
  proof.where = input_stratum(world, options.stratum);
  Result<ViewPlace> place = input.at ? view_place(*input.at) : default_view_place(proof.where);
  if (!place) return place.error();
  proof.place = *place;
  const Result<ViewField> view = open_view(proof.where, proof.place);
  if (!view) return view.error();
  const int first = input.level.value_or(0), last = input.level.value_or(kMaxLevel);
  const Progress progress = console.progress();
  const std::string phase = input.verify ? "prove and verify, level by level" : "prove, level by level";
  for (int l = first; l <= last; ++l) {
    progress(phase, static_cast<std::size_t>(l - first), static_cast<std::size_t>(last - first + 1));
    const std::vector<TileKey> tiles = tiles_of_level(view->tiles, l);
    LevelProof level;
    level.level = l;
    level.counts = measure_waste(view->field, tiles, {options.simd, true}, options.workers);
    if (input.verify) verify_level(*view, tiles, options, level, proof);
    proof.total += level.counts;
    proof.levels.push_back(std::move(level));
  }
  progress(phase, proof.levels.size(), proof.levels.size());
  const float reach = ring_m(last);
  const float height = static_cast<float>(proof.where.built->recipe->height_m);
  const Vec3f eye{proof.place.x, proof.place.y, 0};
  proof.spot =
      verify_bounds(*view->field, {{eye.x - reach, eye.y - reach, 0}, {eye.x + reach, eye.y + reach, height}},
                    kSpotBoxes, kSpotPoints, world.world.seed.value, options.simd);
  proof.wrong += proof.spot.wrong;
  if (proof.spot.wrong > 0) proof.first.push_back(proof.spot.first);
  return proof;
}

Json bricks_json(const ProofCounts& c) {
  return {{"solid", c.solid},
          {"air", c.air},
          {"evaluated", c.evaluated},
          {"wasted", c.wasted},
          {"unknown", c.unknown}};
}

Json to_json(const Proof& proof, const Input& input) {
  Json levels = Json::array();
  for (const LevelProof& level : proof.levels) {
    const ProofCounts& c = level.counts;
    Json one{{"level", level.level},
             {"voxel_m", voxel_m(level.level)},
             {"tiles", c.tiles},
             {"tiles_proven", c.tiles_proven},
             {"bricks", bricks_json(c)},
             {"reasons", {{"bound_holds_zero", c.evaluated - c.unknown}, {"bound_unknown", c.unknown}}},
             {"samples", c.samples},
             {"candidates", c.candidates},
             {"feature_evaluations", c.feature_evaluations}};
    if (input.verify) {
      one["verify"] = {{"samples", level.verified.samples},
                       {"wrong", level.verified.wrong},
                       {"different", level.verified.different}};
    }
    levels.push_back(std::move(one));
  }
  const ProofCounts& t = proof.total;
  return {
      {"type", proof.where.built->recipe->id},
      {"stratum", proof.where.stratum.index},
      {"at", world_place(proof.place)},
      {"bricks", bricks_json(t)},
      {"reasons", {{"bound_holds_zero", t.evaluated - t.unknown}, {"bound_unknown", t.unknown}}},
      {"levels", levels},
      {"verified", input.verify},
      {"checked", {{"samples", proof.checked}, {"boxes", proof.spot.boxes}, {"points", proof.spot.points}}},
      {"wrong", proof.wrong},
      {"first_wrong", proof.first}};
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

void print_row(Console& console, const std::string& name, const ProofCounts& c) {
  console.line(fmt::format("{:<14} {:>8} {:>9} {:>9} {:>10} {:>8} {:>8} {:>8} {:>10}", name, c.tiles, c.solid,
                           c.air, c.evaluated, c.wasted, share(c.wasted, c.evaluated), c.unknown,
                           c.evaluated - c.unknown));
}

void print_proof(Console& console, const Proof& proof, const Input& input) {
  const auto at = world_place(proof.place);
  console.line(fmt::format("{}, stratum {}, around {:.10g}, {:.10g}; bricks of 8 x 8 x 8 samples",
                           proof.where.built->recipe->id, proof.where.stratum.index, at[0], at[1]));
  console.line(fmt::format("{:<14} {:>8} {:>9} {:>9} {:>10} {:>8} {:>8} {:>8} {:>10}", "level", "tiles",
                           "rock", "air", "evaluated", "wasted", "", "unknown", "holds zero"));
  for (const LevelProof& level : proof.levels) {
    print_row(console, fmt::format("{} ({:g} m)", level.level, voxel_m(level.level)), level.counts);
  }
  if (proof.levels.size() > 1) print_row(console, "all", proof.total);
  const std::string brute =
      input.verify ? fmt::format("{} samples of every brick and ", proof.checked) : std::string();
  console.line(fmt::format("checked against {}{} points in {} random boxes: {} wrong", brute,
                           proof.spot.points, proof.spot.boxes, proof.wrong));
  for (const std::string& text : proof.first) console.line("  " + text);
}

Result<int> run_prove(const Options& options, const Input& input) {
  Console console(options.json);
  Notes notes;
  const Result<InputWorld> world = open_input(input.world, options, notes);
  console.notes(notes);
  if (!world) return world.error();
  const Result<Proof> proof = run_proof(options, input, *world, console);
  if (!proof) return proof.error();
  if (options.json) {
    print_json(to_json(*proof, input));
  } else {
    print_proof(console, *proof, input);
  }
  return proof->wrong == 0 ? kExitGood : kExitViolation;
}

}  // namespace

void add_prove(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "prove", "bricks proven rock or air, evaluated, wasted, unknown, by level",
               kJson | kWorld | kWorkers | kSimd | kStratum,
               [&session, input] { return run_prove(session.options, *input); });
  verb.world(input->world);
  verb.checked(
      "--level", fmt::format("only this level, 0 to {}", kMaxLevel),
      [input](const std::string& text) -> Status {
        const Result<std::uint64_t> value = parse_count("--level", text, 0, kMaxLevel);
        if (!value) return value.error();
        input->level = static_cast<int>(*value);
        return Unit{};
      },
      "N");
  add_place2(verb, input->at,
             "where the viewer stands, in world metres; without it, at the recipe's first viewpoint");
  verb.flag("--verify", input->verify, "evaluate every proven brick after all; slow");
}

}  // namespace vf::cli

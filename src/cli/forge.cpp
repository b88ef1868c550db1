// voxelforge forge: the main job. From a recipe's text to pictures and a report:
// recipe -> compose -> plan -> program -> proof -> view -> mesh.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "base/tasks.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/forge_pictures.h"
#include "cli/json.h"
#include "cli/model_file.h"
#include "cli/options.h"
#include "cli/route_profile.h"
#include "cli/stratum_digest.h"
#include "cli/stratum_model.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "compose/world.h"
#include "exports/atomic_file.h"
#include "exports/report.h"
#include "exports/route_chart.h"
#include "exports/scene_model.h"
#include "field/simd_level.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"
#include "proof/waste.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

namespace fs = std::filesystem;

struct Input {
  std::string world;
  std::string out = "out";
  PictureSize size;
  ShotQuality quality = ShotQuality::kGood;
};

/// Seconds by kind of work, over all strata.
struct Clocks {
  double open = 0, resolve = 0, prove = 0, digest = 0, model = 0, pictures = 0, charts = 0, total = 0;
};

struct Forge {
  const Options& options;
  const Input& input;
  Console& console;
  Clocks clocks;
  std::vector<std::string> files;
  SceneModel scene;  ///< the near rings of the strata so far
};

/// Edge of the textures in world.glb: a whole stack of strata goes into one file. [pixels]
constexpr int kWorldTexturePx = 256;
constexpr std::size_t kWorldLights = 8;  ///< of each stratum

/// mesh -> model: the near ring of one stratum joins the scene.
Status add_model(Forge& forge, const InputStratum& where, const ViewPlace& place) {
  const Stopwatch clock;
  Result<StratumModel> model = stratum_model(where, place,
                                             {.tiles = {forge.options.simd, true},
                                              .workers = forge.options.workers,
                                              .texture_px = kWorldTexturePx,
                                              .lights = kWorldLights});
  if (!model) return model.error();
  if (forge.scene.strata.empty()) forge.scene.origin_m = model->origin_m;
  forge.scene.strata.push_back(*std::move(model));
  forge.clocks.model += clock.seconds();
  return Unit{};
}

/// proof: every brick of the view, ring by ring.
std::vector<ReportProofRow> prove_view(Forge& forge, const ViewField& view) {
  std::vector<ReportProofRow> rows;
  const TileOptions options{forge.options.simd, true};
  for (int level = 0; level <= kMaxLevel; ++level) {
    const std::vector<TileKey> tiles = tiles_of_level(view.tiles, level);
    const Stopwatch clock;
    (void)evaluate_region(view.field, tiles, options, forge.options.workers);
    const double seconds = clock.seconds();
    forge.clocks.prove += seconds;
    rows.push_back(
        {level, ring_m(level), measure_waste(view.field, tiles, options, forge.options.workers), seconds});
  }
  return rows;
}

/// plan -> program -> proof -> view, for one stratum.
Result<ReportStratum> forge_stratum(Forge& forge, const InputStratum& where, const Notes& notes) {
  const Recipe& recipe = *where.built->recipe;
  ReportStratum out;
  out.index = where.stratum.index;
  out.recipe = where.built->recipe;
  out.top_z_m = where.stratum.top_z_m;
  out.height_m = where.stratum.height_m;
  out.facts = where.built->facts;
  for (const Note& note : notes) {
    if (note.place.file == recipe.file) out.notes.push_back(note);
  }

  const Result<ViewPlace> place = default_view_place(where);
  if (!place) return place.error();
  forge.console.passing_progress(recipe.id)("plan and proof", 0, 1);
  const Stopwatch resolving;
  const Result<ViewField> view = open_view(where, *place);  // plan and program: records, bound to their frame
  if (!view) return view.error();
  forge.clocks.resolve += resolving.seconds();

  out.proof = prove_view(forge, *view);
  const Stopwatch digesting;
  const Result<ViewPlace> digest_place = view_place(kDigestPlace);  // as `voxelforge digest` takes it
  if (!digest_place) return digest_place.error();
  const Result<StratumDigest> digest =
      digest_stratum(where, *digest_place, {forge.options.simd, true}, forge.options.workers, false);
  if (!digest) return digest.error();
  out.density_digest = to_hex(digest->region.all);
  forge.clocks.digest += digesting.seconds();

  if (const Status added = add_model(forge, where, *place); !added) return added.error();

  PictureJob job;
  job.where = where;
  job.folder = fs::path(forge.input.out) / fmt::format("{}-{}", where.stratum.index, recipe.id);
  job.shot.width = forge.input.size.width;
  job.shot.height = forge.input.size.height;
  job.shot.quality = forge.input.quality;
  job.shot.simd = forge.options.simd;
  job.shot.workers = forge.options.workers;
  const Stopwatch drawing;
  Result<StratumPictures> pictures = draw_viewpoints(job, forge.console);
  if (!pictures) return pictures.error();
  forge.clocks.pictures += drawing.seconds();
  const Stopwatch charting;
  Result<MeasuredRoute> route = measure_route(where, place->frame.sx, place->frame.sy, forge.options.simd);
  if (!route) return route.error();
  Result<StratumCharts> charts = draw_charts(job, *place, *route, forge.console);
  if (!charts) return charts.error();
  forge.clocks.charts += charting.seconds();

  out.pictures = std::move(pictures->pictures);
  out.notes.insert(out.notes.end(), pictures->notes.begin(), pictures->notes.end());
  out.plan = std::move(charts->plan);
  out.section = std::move(charts->section);
  out.strip = std::move(charts->strip);
  out.route = std::move(route->report);
  forge.files.insert(forge.files.end(), pictures->files.begin(), pictures->files.end());
  forge.files.insert(forge.files.end(), charts->files.begin(), charts->files.end());
  return out;
}

std::string command_of(const Forge& forge, const World& world) {
  std::string text = fmt::format("voxelforge forge {} --seed {}", forge.input.world, world.seed.value);
  for (const auto& [name, value] : forge.options.set) text += fmt::format(" --set {}={}", name, value);
  if (forge.options.stratum_given) text += fmt::format(" --stratum {}", forge.options.stratum);
  return text + fmt::format(" --out {}", forge.input.out);
}

std::vector<ReportTiming> timings_of(const Forge& forge) {
  const Clocks& c = forge.clocks;
  return {
      {"Recipe to program", "read, parse and compose the world; build every recipe's program and analyse it",
       c.open},
      {"Plan", "resolve all feature places of each stratum's whole view and bind the programs to their frame",
       c.resolve},
      {"Proof",
       "classify, specialise and evaluate every brick of each whole view, one stratum after the other",
       c.prove},
      {"Digest", "the canonical digest of each stratum, border samples by the plain way", c.digest},
      {"Model", "mesh each stratum's near ring, evaluate its materials, draw textures, write world.glb",
       c.model},
      {"Pictures", "trace and encode every viewpoint, write the files", c.pictures},
      {"Plan and section", "measure all ways in the density; draw, encode and write the charts", c.charts},
      {"All of it", "from the command to this page", c.total}};
}

Report report_of(const Forge& forge, const InputWorld& world, std::vector<ReportStratum> strata) {
  Report report;
  report.title = world.world.name;
  report.world = forge.input.world;
  report.seed = world.world.seed;
  report.engine = engine_name();
  report.command = command_of(forge, world.world);
  report.simd = to_string(forge.options.simd);
  report.workers = forge.options.workers == 0 ? default_workers() : forge.options.workers;
  report.timings = timings_of(forge);
  report.strata = std::move(strata);
  for (const ReportStratum& s : report.strata) {
    if (!report.hero.png.empty() || s.pictures.empty()) continue;
    report.hero = s.pictures.front();
  }
  return report;
}

Json to_json(const Forge& forge, const Report& report, const std::string& page) {
  Json strata = Json::array();
  for (const ReportStratum& s : report.strata) {
    ProofCounts sum;
    for (const ReportProofRow& row : s.proof) sum += row.counts;
    Json ways = Json::array();
    for (const ReportWay& w : s.route.ways)
      ways.push_back({{"name", w.name},
                      {"length_m", w.length_m},
                      {"steepest_deg", w.steepest_deg},
                      {"sections", w.sections},
                      {"clear", w.clear}});
    strata.push_back({{"stratum", s.index},
                      {"type", s.recipe->id},
                      {"pictures", s.pictures.size()},
                      {"density", s.density_digest},
                      {"ways", ways},
                      {"bricks",
                       {{"solid", sum.solid},
                        {"air", sum.air},
                        {"evaluated", sum.evaluated},
                        {"wasted", sum.wasted},
                        {"unknown", sum.unknown}}}});
  }
  const Clocks& c = forge.clocks;
  return {{"world", report.title},
          {"seed", report.seed.value},
          {"report", page},
          {"files", forge.files},
          {"strata", strata},
          {"seconds",
           {{"open", c.open},
            {"resolve", c.resolve},
            {"prove", c.prove},
            {"digest", c.digest},
            {"model", c.model},
            {"pictures", c.pictures},
            {"charts", c.charts},
            {"total", c.total}}}};
}

Result<int> run_forge(const Options& options, const Input& input) {
  const Stopwatch total;
  Console console(options.json);
  Forge forge{options, input, console, {}, {}, {}};

  // recipe -> compose: the text of the world, its types in order, each type's program
  Notes notes;
  const Stopwatch opening;
  const Result<InputWorld> world = open_input(input.world, options, notes);
  console.notes(notes);
  if (!world) return world.error();
  forge.clocks.open = opening.seconds();
  if (const Status folder = make_folder(input.out); !folder) return folder.error();
  Result<SceneModel> scene = begin_scene(*world);
  if (!scene) return scene.error();
  forge.scene = *std::move(scene);

  // plan -> program -> proof -> view: each stratum of the block, from the top
  const std::int64_t first = options.stratum_given ? options.stratum : 0;
  const std::int64_t count = options.stratum_given ? 1 : static_cast<std::int64_t>(world->world.block.size());
  std::vector<ReportStratum> strata;
  for (std::int64_t k = first; k < first + count; ++k) {
    const Stopwatch clock;
    Result<ReportStratum> stratum = forge_stratum(forge, input_stratum(*world, k), notes);
    if (!stratum) return stratum.error();
    console.step(fmt::format("{:>3} of {}  {:<18} {} picture{}, plan, section in {:.1f} s", k - first + 1,
                             count, stratum->recipe->id, stratum->pictures.size(),
                             stratum->pictures.size() == 1 ? "" : "s", clock.seconds()));
    strata.push_back(*std::move(stratum));
  }

  // mesh -> world.glb
  const Stopwatch writing;
  const Result<WrittenModel> model =
      write_model(forge.scene, ModelFormat::kGlb, (fs::path(input.out) / "world.glb").string());
  if (!model) return model.error();
  forge.files.insert(forge.files.end(), model->files.begin(), model->files.end());
  forge.clocks.model += writing.seconds();

  // and the page that shows it all
  forge.clocks.total = total.seconds();
  const Report report = report_of(forge, *world, std::move(strata));
  const std::string page = (fs::path(input.out) / "report.html").string();
  if (const Status written = write_file(page, report_html(report)); !written) return written.error();
  if (options.json) {
    print_json(to_json(forge, report, page));
  } else {
    console.line(fmt::format("{} files in {}; open {}", forge.files.size() + 1, input.out, page));
  }
  return kExitGood;
}

}  // namespace

void add_forge(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "forge", "the main job: pictures, plans, sections, world.glb and a report",
               kJson | kWorld | kWorkers | kSimd | kStratum,
               [&session, input] { return run_forge(session.options, *input); });
  verb.world(input->world);
  verb.text("--out", input->out, "the folder to write to; made when it is not there", "DIR");
  add_picture_options(verb, input->size, input->quality);
}

}  // namespace vf::cli

// voxelforge export: the near ring of a stratum, or a whole view, as a file for other tools.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/model_file.h"
#include "cli/options.h"
#include "cli/stratum_model.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "exports/part_looks.h"
#include "exports/scene_model.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::string out;
  std::optional<ModelFormat> format;  ///< without one, the ending of `out` tells
  std::optional<Place2> at;
  int texture_px = 512;
  bool whole_view = false;
  std::size_t lights = kModelLights;
};

Json to_json(const Input& input, ModelFormat format, const SceneModel& scene, const WrittenModel& written,
             double seconds) {
  const ModelCounts counts = counts_of(scene);
  return {{"file", input.out},
          {"files", written.files},
          {"format", name_of(format)},
          {"stratum", scene.strata.front().index},
          {"mesh", to_hex(scene.strata.front().mesh)},
          {"triangles", counts.triangles},
          {"vertices", counts.vertices},
          {"bytes", written.bytes},
          {"seconds", seconds}};
}

/// What --format and the ending of the name agree on.
Result<ModelFormat> format_of(const Input& input) {
  Result<ModelFormat> ending = model_format_of(input.out);
  if (!ending || !input.format) return ending;
  if (*ending != *input.format && std::filesystem::path(input.out).has_extension()) {
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("--format {}: --out {} ends otherwise; expected one of the two to change",
                             name_of(*input.format), input.out)};
  }
  return *input.format;
}

Result<int> run_export(const Options& options, const Input& input) {
  const Stopwatch clock;
  const Result<ModelFormat> format = format_of(input);
  if (!format) return format.error();
  if (const Status target = can_write(input.out); !target) return target.error();
  Console console(options.json);
  Notes notes;
  const Result<InputWorld> world = open_input(input.world, options, notes);
  console.notes(notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  const Result<ViewPlace> place = input.at ? view_place(*input.at) : default_view_place(where);
  if (!place) return place.error();

  Result<SceneModel> scene = begin_scene(*world);
  if (!scene) return scene.error();
  const bool tinted = *format == ModelFormat::kGlb;
  Result<StratumModel> model = stratum_model(where, *place,
                                             {.tiles = {options.simd, true},
                                              .workers = options.workers,
                                              .texture_px = input.texture_px,
                                              .whole_view = input.whole_view,
                                              .lights = tinted ? input.lights : 0,  // OBJ has none
                                              .tinted = tinted});
  if (!model) return model.error();
  scene->origin_m = model->origin_m;
  scene->strata.push_back(*std::move(model));
  const Result<WrittenModel> written = write_model(*scene, *format, input.out);
  if (!written) return written.error();

  const double seconds = clock.seconds();
  if (options.json) {
    print_json(to_json(input, *format, *scene, *written, seconds));
  } else {
    console.line(fmt::format("{}: {} triangles, {:.1f} MB in {:.2f} s", input.out,
                             counts_of(*scene).triangles, static_cast<double>(written->bytes) / 1e6,
                             seconds));
  }
  return kExitGood;
}

}  // namespace

void add_export(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb = add_verb(app, session, "export",
                             "the near ring around a place, or the whole view, as a file for other tools",
                             kJson | kWorld | kWorkers | kSimd | kStratum,
                             [&session, input] { return run_export(session.options, *input); });
  verb.world(input->world);
  verb.text("--out", input->out, "the file to write", "FILE");
  verb.require("--out");
  verb.checked(
      "--format", "glb or obj, which gets its materials and pictures beside it; without it, as --out ends",
      [input](const std::string& text) -> Status {
        const Result<ModelFormat> format = parse_model_format(text);
        if (!format) return format.error();
        input->format = *format;
        return Unit{};
      },
      "glb|obj");
  verb.flag("--view", input->whole_view,
            "the whole view, all levels and the seams between them; without it, level 0");
  verb.checked(
      "--lights", "lights of the recipe in a GLB, the nearest first; 0 to 1024, 32 without it",
      [input](const std::string& text) -> Status {
        const Result<std::uint64_t> value = parse_count("--lights", text, 0, kMaxModelLights);
        if (!value) return value.error();
        input->lights = static_cast<std::size_t>(*value);
        return Unit{};
      },
      "N");
  add_place2(verb, input->at, "the place, in world metres; without it, the recipe's first viewpoint");
  verb.checked(
      "--textures", "edge of the textures, 16 to 4096 pixels, or 0 for none",
      [input](const std::string& text) -> Status {
        const Result<std::uint64_t> value = parse_count("--textures", text, 0, kMaxTexturePx);
        if (!value) return value.error();
        if (*value > 0 && *value < kMinTexturePx) {
          return Error{
              ErrorCode::kBadInput,
              {},
              fmt::format("--textures {}: expected 0 or {} to {}", *value, kMinTexturePx, kMaxTexturePx)};
        }
        input->texture_px = static_cast<int>(*value);
        return Unit{};
      },
      "PIXELS");
}

}  // namespace vf::cli

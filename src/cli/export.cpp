// voxelforge export: the near ring of a stratum as a file for other tools.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/stratum_model.h"
#include "cli/version.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "exports/glb.h"
#include "exports/part_looks.h"
#include "exports/scene_model.h"
#include "exports/textures.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::string out;
  std::optional<Place2> at;
  int texture_px = 512;
};

Json to_json(const Input& input, const SceneModel& scene, std::size_t bytes, double seconds) {
  const ModelCounts counts = counts_of(scene);
  return {{"file", input.out},
          {"format", "glb"},
          {"stratum", scene.strata.front().index},
          {"mesh", to_hex(scene.strata.front().mesh)},
          {"triangles", counts.triangles},
          {"vertices", counts.vertices},
          {"bytes", bytes},
          {"seconds", seconds}};
}

Result<int> run_export(const Options& options, const Input& input) {
  const Stopwatch clock;
  Console console(options.json);
  Notes notes;
  const Result<InputWorld> world = open_input(input.world, options, notes);
  console.notes(notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  const Result<ViewPlace> place = input.at ? view_place(*input.at) : default_view_place(where);
  if (!place) return place.error();

  SceneModel scene;
  scene.engine = engine_name();
  scene.world = world->world.name;
  scene.seed = world->world.seed;
  scene.origin_m = model_origin(where, *place);
  Result<StratumModel> model =
      near_ring_model(where, *place, {{options.simd, true}, options.workers, input.texture_px});
  if (!model) return model.error();
  scene.strata.push_back(*std::move(model));
  Result<std::vector<std::byte>> ramp = glow_ramp_png();
  if (!ramp) return ramp.error();
  scene.glow_png = *std::move(ramp);
  const Result<std::vector<std::byte>> file = encode_glb(scene);
  if (!file) return file.error();
  if (const Status written = write_file(input.out, std::span<const std::byte>(*file)); !written)
    return written.error();

  const double seconds = clock.seconds();
  if (options.json) {
    print_json(to_json(input, scene, file->size(), seconds));
  } else {
    console.line(fmt::format("{}: {} triangles, {:.1f} MB in {:.2f} s", input.out, counts_of(scene).triangles,
                             static_cast<double>(file->size()) / 1e6, seconds));
  }
  return kExitGood;
}

}  // namespace

void add_export(CLI::App& app, Session& session) {
  auto input = std::make_shared<Input>();
  CLI::App& verb = add_verb(app, session, "export", "the near ring around a place, as a file for other tools",
                            kJson | kWorld | kWorkers | kSimd | kStratum,
                            [&session, input] { return run_export(session.options, *input); });
  verb.add_option("WORLD", input->world, "world file, recipe file, or type:ID")->required();
  verb.add_option("--out", input->out, "the file to write")->type_name("FILE")->required();
  add_place2(verb, input->at, "the place, in world metres; without it, the recipe's first viewpoint");
  add_checked(
      verb, "--textures", "edge of the textures, 16 to 4096 pixels, or 0 for none",
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

// voxelforge shot: one picture, drawn on the CPU from the field itself.
#include <fmt/format.h>
#include <utility>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/camera_input.h"
#include "cli/console.h"
#include "cli/forge_pictures.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/path_views.h"
#include "cli/scene_input.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "exports/png.h"
#include "math/vec.h"
#include "mesh/ground.h"
#include "mesh/region_mesh.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::string camera;
  std::string viewpoint;
  std::string out;
  PictureSize size;
  unsigned samples = 4;
  bool mesh = false;
  ShotQuality quality = ShotQuality::kGood;
};

Result<PlacedCamera> find_camera(const Input& input, const InputStratum& stratum) {
  if (!input.camera.empty()) return parse_camera(input.camera, stratum.stratum);
  // The author's names come first: a recipe may have an arrival of its own.
  const std::vector<Viewpoint>& own = stratum.built->recipe->viewpoints;
  if (std::none_of(own.begin(), own.end(), [&](const Viewpoint& v) { return v.name == input.viewpoint; })) {
    const Result<std::optional<PlacedCamera>> on_path = path_view(stratum, input.viewpoint);
    if (!on_path) return on_path.error();
    if (*on_path) return **on_path;
  }
  return viewpoint_camera(*stratum.built, stratum.stratum, input.viewpoint);
}

/// The triangles of the near ring around the camera, in the camera's frame.
Result<std::shared_ptr<const Ground>> near_mesh(const PlacedCamera& placed, const InputStratum& stratum,
                                                const Options& options) {
  const Vec3f eye = placed.camera.eye;
  const Result<ViewField> ring = open_mesh_ring(stratum, {placed.frame, eye.x, eye.y});
  if (!ring) return ring.error();
  const RegionDensity region =
      evaluate_for_mesh(ring->field, ring->tiles, {options.simd, true}, options.workers);
  return std::make_shared<const Ground>(make_ground(region, options.simd, options.workers));
}

/// Before the drawing, which takes its time. A name without ending, such as /dev/stdout, is left to the
/// author.
Status check_target(const std::string& file) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  if (!extension.empty() && extension != ".png" && extension != ".PNG") {
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("--out: '{}' is no name of a PNG file; expected one in .png", file)};
  }
  return can_write(file);
}

Result<int> run_shot(const Options& options, const Input& input) {
  if (input.camera.empty() && input.viewpoint.empty()) {
    return Error{
        ErrorCode::kBadInput, {}, "a place to look from is missing; expected --camera or --viewpoint"};
  }
  if (const Status target = check_target(input.out); !target) return target.error();
  Console console(options.json);
  Notes notes;
  const Result<InputWorld> world = open_input(input.world, options, notes);
  console.notes(notes);
  if (!world) return world.error();
  const InputStratum stratum = input_stratum(*world, options.stratum);
  const Result<PlacedCamera> placed = find_camera(input, stratum);
  if (!placed) return placed.error();
  Result<Scene> scene =
      open_scene(stratum, placed->frame, window_around(*placed, shot_reach_m(*stratum.built)));
  if (!scene) return scene.error();
  if (input.mesh) {
    Result<std::shared_ptr<const Ground>> mesh = near_mesh(*placed, stratum, options);
    if (!mesh) return mesh.error();
    scene->mesh = *std::move(mesh);
  }

  ShotOptions shot_options;
  shot_options.width = input.size.width;
  shot_options.height = input.size.height;
  shot_options.samples_per_pixel = static_cast<int>(input.samples);
  shot_options.workers = options.workers;
  shot_options.simd = options.simd;
  shot_options.quality = input.quality;
  const Stopwatch clock;
  const Shot shot = render_shot(*scene, placed->camera, shot_options, console.progress());
  const double seconds = clock.seconds();
  if (shot.eye_in_rock) {
    return Error{
        ErrorCode::kBadInput, {}, "the camera stands in rock; expected a place in the air (see `sample`)"};
  }
  if (const Status written = write_png(input.out, shot.image); !written) return written.error();
  if (options.json) {
    print_json({{"file", input.out},
                {"width", shot.image.width},
                {"height", shot.image.height},
                {"seconds", seconds}});
  } else {
    console.line(
        fmt::format("{}: {} x {} in {:.2f} s", input.out, shot.image.width, shot.image.height, seconds));
  }
  return kExitGood;
}

}  // namespace

void add_shot(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "shot", "draw one picture", kJson | kWorld | kWorkers | kSimd | kStratum,
               [&session, input] { return run_shot(session.options, *input); });
  verb.world(input->world);
  verb.text("--camera", input->camera, "x,y,z in world metres, yaw and pitch in degrees, field of view",
            "X,Y,Z,YAW,PITCH[,FOV]");
  verb.text("--viewpoint", input->viewpoint,
            "a viewpoint of the recipe by name, or arrival, departure, well, route:METRES, "
            "passage:METRES, overview",
            "NAME");
  verb.exclude("--viewpoint", "--camera");
  verb.text("--out", input->out, "the PNG file to write", "FILE");
  verb.require("--out");
  verb.flag("--mesh", input->mesh, "draw the triangles of the near ring (32 m) instead of the field there");
  add_picture_options(verb, input->size, input->quality);
  verb.checked(
      "--samples", "rays a pixel where edges are, 1 to 16",
      [input](const std::string& text) -> Status {
        const Result<std::uint64_t> value = parse_count("--samples", text, 1, 16);
        if (!value) return value.error();
        input->samples = static_cast<unsigned>(*value);
        return Unit{};
      },
      "N");
}

}  // namespace vf::cli

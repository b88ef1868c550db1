#include "cli/forge_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "cli/camera_input.h"
#include "cli/options.h"
#include "cli/scene_input.h"
#include "exports/atomic_file.h"
#include "exports/png.h"
#include "render/chart.h"

namespace vf::cli {

namespace {

constexpr float kPlanM = 320;     // edge of the plan
constexpr float kSectionM = 320;  // length of the section
constexpr float kStripM = 120;    // length of the section in the stack
constexpr int kPlanPixels = 1024, kSectionPixels = 1600, kStripPixels = 560;
constexpr int kReportPictureWidth =
    1280;  // wider pictures are shrunk for the page; the files keep their size

/// A name of the author as the name of a file.
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    out += plain ? c : '_';
  }
  return out.empty() ? "view" : out;
}

/// Writes the picture and keeps what the page shows of it.
Result<ReportPicture> keep(const Image& image, const std::filesystem::path& file, std::string name,
                           std::string caption) {
  Result<std::vector<std::byte>> png = encode_png(image);
  if (!png) return png.error();
  if (const Status written = write_file(file, std::span<const std::byte>(*png)); !written)
    return written.error();
  ReportPicture picture{std::move(name), std::move(caption), image.width, image.height, {}};
  if (image.width <= kReportPictureWidth) {
    picture.png = *std::move(png);
    return picture;
  }
  const Image small = shrink_to_width(image, kReportPictureWidth);
  Result<std::vector<std::byte>> small_png = encode_png(small);
  if (!small_png) return small_png.error();
  picture.width = small.width;
  picture.height = small.height;
  picture.png = *std::move(small_png);
  return picture;
}

/// plan.png and section.png are taken, and two viewpoints may have the same file name.
std::string free_name(const std::string& viewpoint, const std::vector<std::string>& taken) {
  const std::string stem = file_name(viewpoint);
  std::string name = stem + ".png";
  for (int i = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++i) {
    name = fmt::format("{}_{}.png", stem, i);
  }
  return name;
}

/// Direction of the first viewpoint in plan; along x where there is none.
Vec3f chart_direction(const InputStratum& where) {
  const std::vector<Viewpoint>& views = where.built->recipe->viewpoints;
  if (views.empty()) return {1, 0, 0};
  const Result<PlacedCamera> camera = viewpoint_camera(*where.built, where.stratum, views.front());
  if (!camera) return {1, 0, 0};
  const float dx = camera->camera.target.x - camera->camera.eye.x,
              dy = camera->camera.target.y - camera->camera.eye.y;
  const float length = std::sqrt(dx * dx + dy * dy);
  return length > 1e-3F ? Vec3f{dx / length, dy / length, 0} : Vec3f{1, 0, 0};
}

/// Just above the highest eye: what a viewer can see from above, without the roof.
float cut_height(const InputStratum& where) {
  const float height = static_cast<float>(where.built->recipe->height_m);
  float cut = 0;
  for (const Viewpoint& view : where.built->recipe->viewpoints) {
    const Result<PlacedCamera> camera = viewpoint_camera(*where.built, where.stratum, view);
    if (camera) cut = std::max(cut, camera->camera.eye.z + 1.5F);
  }
  return cut > 0 ? std::min(cut, height) : height / 2;
}

}  // namespace

Result<StratumPictures> draw_viewpoints(const PictureJob& job, Console& console) {
  const Recipe& recipe = *job.where.built->recipe;
  StratumPictures out;
  if (recipe.viewpoints.empty()) return out;
  if (const Status made = make_folder(job.folder); !made) return made.error();
  std::vector<std::string> taken{"plan.png", "section.png"};
  for (std::size_t i = 0; i < recipe.viewpoints.size(); ++i) {
    const Viewpoint& view = recipe.viewpoints[i];
    const Result<PlacedCamera> placed = viewpoint_camera(*job.where.built, job.where.stratum, view);
    if (!placed) return placed.error();
    const Result<Scene> scene =
        open_scene(job.where, placed->frame, window_around(*placed, shot_reach_m(*job.where.built)));
    if (!scene) return scene.error();
    const std::string title =
        fmt::format("{}, {} ({} of {})", recipe.id, view.name, i + 1, recipe.viewpoints.size());
    const Shot shot = render_shot(*scene, placed->camera, job.shot, console.passing_progress(title));
    if (shot.eye_in_rock) {
      out.notes.push_back(
          {Severity::kWarning, view.place, fmt::format("viewpoint {} stands in rock", view.name)});
      console.notes({out.notes.back()});
      continue;
    }
    taken.push_back(free_name(view.name, taken));
    const std::filesystem::path file = job.folder / taken.back();
    Result<ReportPicture> picture = keep(shot.image, file, view.name, view.caption);
    if (!picture) return picture.error();
    out.pictures.push_back(*std::move(picture));
    out.files.push_back(file.string());
  }
  return out;
}

Result<StratumCharts> draw_charts(const PictureJob& job, const ViewPlace& place, Console& console) {
  const Recipe& recipe = *job.where.built->recipe;
  const float reach = std::max(kPlanM, kSectionM) / 2 + 8;
  const Result<Scene> scene = open_scene(
      job.where, place.frame, {place.x - reach, place.y - reach, place.x + reach, place.y + reach});
  if (!scene) return scene.error();
  if (const Status made = make_folder(job.folder); !made) return made.error();
  const Progress progress = console.passing_progress(recipe.id);
  ChartOptions options;
  options.workers = job.shot.workers;
  options.simd = job.shot.simd;

  StratumCharts out;
  progress("plan", 0, 3);
  options.width = kPlanPixels;
  const float half = kPlanM / 2, cut = cut_height(job.where);
  const Image plan =
      render_plan(*scene, {place.x - half, place.y - half, place.x + half, place.y + half}, cut, {}, options);
  Result<ReportPicture> kept =
      keep(plan, job.folder / "plan.png", "plan",
           fmt::format("{:g} by {:g} m, cut {:.0f} m above the floor.", kPlanM, kPlanM, cut));
  if (!kept) return kept.error();
  out.plan = *std::move(kept);

  progress("section", 1, 3);
  const Vec3f d = chart_direction(job.where);
  const auto section = [&](float length, int pixels) {
    options.width = pixels;
    const Vec3f from{place.x - d.x * length / 2, place.y - d.y * length / 2, 0};
    const Vec3f to{place.x + d.x * length / 2, place.y + d.y * length / 2, 0};
    return render_section(*scene, from, to, {}, options);
  };
  kept = keep(section(kSectionM, kSectionPixels), job.folder / "section.png", "section",
              fmt::format("{:g} m through the first viewpoint, along its view.", kSectionM));
  if (!kept) return kept.error();
  out.section = *std::move(kept);

  progress("section of the stack", 2, 3);
  const Image strip = section(kStripM, kStripPixels);
  Result<std::vector<std::byte>> strip_png = encode_png(strip);
  if (!strip_png) return strip_png.error();
  out.strip = {"strip", recipe.name, strip.width, strip.height, *std::move(strip_png)};
  out.files = {(job.folder / "plan.png").string(), (job.folder / "section.png").string()};
  return out;
}

void add_picture_options(CLI::App& verb, PictureSize& size, ShotQuality& quality) {
  add_checked(
      verb, "--size", fmt::format("pixels of a picture; at most {} a side", kMaxPictureEdge),
      [&size](const std::string& text) -> Status {
        const Result<PictureSize> value = parse_size(text);
        if (!value) return value.error();
        size = *value;
        return Unit{};
      },
      "WxH");
  add_checked(
      verb, "--quality", "draft, good or fine",
      [&quality](const std::string& text) -> Status {
        const Result<ShotQuality> value = parse_quality(text);
        if (!value) return value.error();
        quality = *value;
        return Unit{};
      },
      "LEVEL");
}

}  // namespace vf::cli

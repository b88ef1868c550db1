#include "cli/forge_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/camera_input.h"
#include "cli/console.h"
#include "cli/route_profile.h"
#include "cli/scene_input.h"
#include "cli/stack_strip.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "exports/png.h"
#include "exports/report.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/chart.h"
#include "render/image.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

constexpr float kPlanM = 320;     // least edge of the plan
constexpr float kSectionM = 320;  // length of the section
                                  // length of the section in the stack
constexpr int kPlanPixels = 1024, kSectionPixels = 1600;
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

struct PlanFrame {
  float x = 0, y = 0;  ///< its middle. [metres, sector]
  float half_m = kPlanM / 2;
};

/// All of the way from arrival to departure, with the land beside it; about the place where there is none.
PlanFrame plan_frame(const ViewPlace& place, const MeasuredRoute& route) {
  if (route.lines.empty()) return {place.x, place.y};
  constexpr double kBesideM = 60;
  const double half = std::clamp(0.5 * route.extent_m + kBesideM, static_cast<double>(kPlanM) / 2,
                                 static_cast<double>(kPlanM));
  return {static_cast<float>(route.middle.x), static_cast<float>(route.middle.y), static_cast<float>(half)};
}

/// The highest cut that still opens most of what can be opened: under the roof, above the floors.
float cut_height(const Scene& scene, const PlanFrame& place, SimdLevel simd) {
  constexpr int kSide = 24;
  constexpr float kStepM = 0.5F, kMost = 0.85F;
  const auto steps =
      static_cast<std::size_t>(scene.built->recipe->height_m / static_cast<double>(kStepM)) + 1;
  FieldSampler sampler(scene.density, simd);
  std::vector<float> x, y, z(kSide * kSide), phi(kSide * kSide), open(steps);
  for (int i = 0; i < kSide * kSide; ++i) {
    x.push_back(place.x + 2 * place.half_m * (static_cast<float>(i % kSide) / kSide - 0.5F));
    y.push_back(place.y + 2 * place.half_m * (static_cast<float>(i / kSide) / kSide - 0.5F));
  }
  for (std::size_t s = 0; s < steps; ++s) {
    std::fill(z.begin(), z.end(), kStepM * static_cast<float>(s));
    sampler.values(x.size(), x.data(), y.data(), z.data(), phi.data());
    open[s] = static_cast<float>(std::count_if(phi.begin(), phi.end(), [](float v) { return v > 0; }));
  }
  const float enough = kMost * *std::max_element(open.begin(), open.end());
  std::size_t best = steps - 1;
  while (best > 0 && open[best] < enough) --best;
  return kStepM * static_cast<float>(best);
}

/// Long enough to show the land, short enough to show heights.
float section_length(const InputStratum& where) {
  return std::clamp(5 * static_cast<float>(where.stratum.height_m), 120.0F, kSectionM);
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

Result<StratumCharts> draw_charts(const PictureJob& job, const ViewPlace& place, const MeasuredRoute& route,
                                  Console& console) {
  const Recipe& recipe = *job.where.built->recipe;
  // One scene for both charts: they lie in one sector, and mostly over each other.
  const PlanFrame about = plan_frame(place, route);
  const float reach =
      std::max(about.half_m + std::max(std::fabs(about.x - place.x), std::fabs(about.y - place.y)),
               kSectionM / 2) +
      8;
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
  const float half = about.half_m, cut = cut_height(*scene, about, job.shot.simd);
  options.marks = route.marks;
  const Image plan = render_plan(*scene, {about.x - half, about.y - half, about.x + half, about.y + half},
                                 cut, route.lines, options);
  Result<ReportPicture> kept = keep(plan, job.folder / "plan.png", "plan",
                                    fmt::format("{0:.0f} by {0:.0f} m, cut {1:.0f} m above the floor{2}.",
                                                2 * half, cut, route.lines.empty() ? "" : "; red: ways"));
  if (!kept) return kept.error();
  out.plan = *std::move(kept);

  progress("section", 1, 3);
  const Vec3f d = chart_direction(job.where);
  const float length = section_length(job.where), reach_m = length / 2;
  options.width = kSectionPixels;
  const Image section =
      render_section(*scene, {place.x - d.x * reach_m, place.y - d.y * reach_m, 0},
                     {place.x + d.x * reach_m, place.y + d.y * reach_m, 0}, route.lines, options);
  kept = keep(section, job.folder / "section.png", "section",
              fmt::format("{:g} m through the first viewpoint, along its view.", length));
  if (!kept) return kept.error();
  out.section = *std::move(kept);

  progress("section of the stack", 2, 3);
  StripOptions strip_options;
  strip_options.middle = {place.x, place.y, 0};
  strip_options.along = d;
  strip_options.height_m = static_cast<float>(job.where.stratum.height_m);
  strip_options.bottom_m = static_cast<float>(job.where.stratum.top_z_m - job.where.stratum.height_m -
                                              job.where.stratum.content_floor_z_m);
  strip_options.workers = job.shot.workers;
  strip_options.simd = job.shot.simd;
  const Image strip = draw_stack_strip(*scene, strip_options);
  Result<std::vector<std::byte>> strip_png = encode_png(strip);
  if (!strip_png) return strip_png.error();
  out.strip = {"strip", recipe.name, strip.width, strip.height, *std::move(strip_png)};
  out.files = {(job.folder / "plan.png").string(), (job.folder / "section.png").string()};
  return out;
}

void add_picture_options(const Verb& verb, PictureSize& size, ShotQuality& quality) {
  verb.checked(
      "--size", fmt::format("pixels of a picture; at most {} a side", kMaxPictureEdge),
      [&size](const std::string& text) -> Status {
        const Result<PictureSize> value = parse_size(text);
        if (!value) return value.error();
        size = *value;
        return Unit{};
      },
      "WxH");
  verb.checked(
      "--quality", "draft, good or fine",
      [&quality](const std::string& text) -> Status {
        const Result<ShotQuality> value = parse_quality(text);
        if (!value) return value.error();
        quality = *value;
        return Unit{};
      },
      "LEVEL");
}

}  // namespace vf::cli

#include "render/shot.h"
#include "proof/tile_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/progress.h"
#include "base/tasks.h"
#include "compose/world.h"
#include "field/builder.h"
#include "math/box.h"
#include "math/vec.h"
#include "render/beam_tracer.h"
#include "render/eye.h"
#include "render/field_shot.h"
#include "render/field_tracer.h"
#include "render/fog.h"
#include "render/lights.h"
#include "render/radiance_cache.h"
#include "render/sampling.h"
#include "render/scene_field.h"
#include "render/shade.h"
#include "render/surface.h"
#include "render/tone.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"
#include "render/water.h"

namespace vf {
namespace render {
namespace {

constexpr int kTile = 64;           // pixels; one job
constexpr int kBeam = 8;            // pixels; rays of such a square share their way through the air
constexpr int kIndirectStep = 2;    // pixels from one place of bounced light to the next
constexpr float kEdgeTurn = 0.92F;  // cosine between normals of neighbours that asks for more samples
// Between neighbours of one surface; the first does not count for grown patterns, which fade by themselves
// before they would alias.
constexpr std::array<float, 2> kContrast{0.09F, 0.22F};
constexpr float kLeastReachM = 48;

struct View {
  Vec3f eye, forward, right, up;  // right and up scaled to half the picture at distance 1
  float spread = 0.001F;          // width of a pixel at distance 1
  int width = 0, height = 0;

  [[nodiscard]] Ray ray(float x, float y) const {
    const float u = 2 * x / static_cast<float>(width) - 1, v = 1 - 2 * y / static_cast<float>(height);
    Ray r;
    r.origin = eye;
    r.dir = normalized(forward + right * u + up * v);
    r.spread = spread;
    return r;
  }
  // All rays through the square of pixels from x, y on.
  [[nodiscard]] Beam beam(int x, int y) const {
    const auto from_x = static_cast<float>(x), from_y = static_cast<float>(y);
    const float edge = kBeam;
    Beam b;
    b.origin = eye;
    b.dir = ray(from_x + 0.5F * edge, from_y + 0.5F * edge).dir;
    for (const float dx : {0.0F, edge})
      for (const float dy : {0.0F, edge})
        b.spread = std::max(b.spread, 1.01F * length(ray(from_x + dx, from_y + dy).dir - b.dir));
    return b;
  }
};

View view_of(const Camera& camera, int width, int height) {
  View view;
  view.eye = camera.eye;
  view.width = width, view.height = height;
  view.forward = normalized(camera.target - camera.eye);
  if (std::fabs(view.forward.z) > 0.9995F) view.forward = normalized(view.forward + Vec3f{0.03F, 0, 0});
  const float half = std::tan(std::clamp(camera.fov_deg, 1.0F, 150.0F) * std::numbers::pi_v<float> / 360.0F);
  view.right = normalized(cross(view.forward, {0, 0, 1})) * half;
  view.up = normalized(cross(view.right, view.forward)) *
            (half * static_cast<float>(height) / static_cast<float>(width));
  view.spread = 2 * half / static_cast<float>(width);
  return view;
}

struct Effort {
  float finest_voxel_m, detail;
  std::uint32_t gather_rays;
  int cache_rays;
  std::size_t shadow_rays;
};
Effort effort_of(ShotQuality quality) {
  switch (quality) {
    case ShotQuality::kDraft:
      return {0.25F, 14, 4, 8, 1};
    case ShotQuality::kFine:
      return {0.125F, 30, 32, 32, 6};
    default:
      return {0.125F, 22, 8, 8, 2};
  }
}

// The picture in the making; passes run one after the other, each over tiles.
class Studio {
 public:
  Studio(const FieldScene& scene, const Camera& camera, const ShotOptions& options, const Progress& progress)
      : scene_(scene),
        options_(options),
        progress_(progress),
        view_(view_of(camera, options.width, options.height)),
        effort_(effort_of(options.quality)),
        workers_(options.workers == 0 ? default_workers() : options.workers),
        grid_(TraceGrid::build(*scene.field, grid_settings(), progress)),
        lamps_(scene.lights, scene.look->lights, grid_),
        samples_(count()),
        light_(count()),
        clear_ways_(static_cast<std::size_t>(beam_columns()) *
                    static_cast<std::size_t>((options.height + kBeam - 1) / kBeam)) {
    eyes_.resize(workers_);
    beams_.resize(workers_);
  }

  Shot run(float exposure) {
    Shot shot;
    shot.eye_in_rock = eye_in_rock();
    if (!shot.eye_in_rock) {
      set_up_lighting();
      see();
      gather_light();
      paint();
      refine_edges();
    }
    shot.image = finish(exposure);
    if (options_.want_depth) {
      shot.depth.resize(count());
      for (std::size_t i = 0; i < count(); ++i) shot.depth[i] = samples_[i].hit ? samples_[i].whole_way() : 0;
    }
    return shot;
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(options_.width) * static_cast<std::size_t>(options_.height);
  }
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(options_.width) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] int beam_columns() const { return (options_.width + kBeam - 1) / kBeam; }
  // A ray through a place in the picture, from where its beam is no longer surely in the air.
  [[nodiscard]] Ray ray(float x, float y) const {
    Ray r = view_.ray(x, y);
    const int column = std::clamp(static_cast<int>(x) / kBeam, 0, beam_columns() - 1),
              row = std::max(0, static_cast<int>(y) / kBeam);
    const auto i = static_cast<std::size_t>(row) * static_cast<std::size_t>(beam_columns()) +
                   static_cast<std::size_t>(column);
    r.t_min = clear_ways_[std::min(i, clear_ways_.size() - 1)];
    return r;
  }
  [[nodiscard]] GridSettings grid_settings() const {
    GridSettings s;
    s.eye = view_.eye;
    s.forward = view_.forward;
    s.half_angle_rad = std::atan(length(view_.right + view_.up)) + 0.1F;
    s.bounds = scene_.bounds;
    s.finest_voxel_m = effort_.finest_voxel_m;
    s.levels = effort_.finest_voxel_m < 0.2F ? 6 : 5;
    s.detail = effort_.detail;
    s.workers = workers_;
    return s;
  }
  [[nodiscard]] bool eye_in_rock() const {
    const Cell cell = grid_.cell_at(view_.eye);
    if (cell.state == CellState::kOutside || cell.state == CellState::kSolid) return true;
    if (cell.state != CellState::kMixed) return false;
    float value = 0;
    scene_.field->probe()->values(grid_.part(cell.region), 1, &view_.eye.x, &view_.eye.y, &view_.eye.z,
                                  &value);
    return value <= 0;
  }

  void set_up_lighting();
  void send_beams(int x0, int y0, int x1, int y1, unsigned worker);
  void see();
  void gather_light();
  void find_shadow(const EyeSample& s, int x, int y, bool sparse);
  void find_indirect(const EyeSample& s, int x, int y, bool sparse);
  void paint();
  void refine_edges();
  [[nodiscard]] bool is_edge(int x, int y) const;
  Image finish(float exposure);
  Eye& eye(unsigned worker) {
    if (!eyes_[worker])
      eyes_[worker] = std::make_unique<Eye>(grid_, *scene_.field, *scene_.look, scene_.materials, lamps_,
                                            lighting_.water, scene_.mesh);
    return *eyes_[worker];
  }

  // Runs body(x0, y0, x1, y1, worker) for every tile.
  template <class Body>
  void for_tiles(std::string_view phase, const Body& body) {
    const auto columns = static_cast<std::size_t>((options_.width + kTile - 1) / kTile);
    const auto rows = static_cast<std::size_t>((options_.height + kTile - 1) / kTile);
    if (progress_) progress_(phase, 0, columns * rows);
    parallel_for(columns * rows, workers_, [&](std::size_t i, unsigned worker) {
      const int x0 = static_cast<int>(i % columns) * kTile, y0 = static_cast<int>(i / columns) * kTile;
      body(x0, y0, std::min(x0 + kTile, options_.width), std::min(y0 + kTile, options_.height), worker);
    });
    if (progress_) progress_(phase, columns * rows, columns * rows);
  }

  // Colours of samples, mirrors included.
  void shade_all(Eye& eye, std::span<const EyeSample> samples, std::span<const PixelAt> at,
                 std::span<Vec3f> out) const;

  const FieldScene& scene_;
  const ShotOptions& options_;
  const Progress& progress_;
  View view_;
  Effort effort_;
  unsigned workers_;
  TraceGrid grid_;
  LampSet lamps_;
  RadianceCache cache_;
  HazeGlow haze_glow_;
  Lighting lighting_;
  std::vector<std::unique_ptr<Eye>> eyes_;
  std::vector<std::unique_ptr<BeamTracer>> beams_;
  std::vector<EyeSample> samples_;
  std::vector<Vec3f> light_;
  std::vector<float> clear_ways_;  // by beam: its rays are in the air as far as this
};

void Studio::set_up_lighting() {
  const Recipe& look = *scene_.look;
  Lighting& l = lighting_;
  l.grid = &grid_;
  l.lamps = &lamps_;
  l.direct = make_direct_light(grid_, lamps_, look.ambient);
  l.ambient = make_ambient_light(look.ambient);
  l.haze = make_haze(look.fog, l.ambient, l.direct.key);
  const Box3f& known = scene_.bounds;
  l.haze.eye = view_.eye;
  l.haze.reach_m = std::min(std::min(view_.eye.x - known.min.x, known.max.x - view_.eye.x),
                            std::min(view_.eye.y - known.min.y, known.max.y - view_.eye.y));
  l.shadow_rays = effort_.shadow_rays;
  l.key_softness = look.ambient.key_softness;
  l.water = make_water(look.water, scene_.water_level_m,
                       (l.ambient.up + l.ambient.down) * 0.5F + l.direct.key * 0.4F);
  l.water.paths = scene_.paths;
  CacheSettings settings;
  settings.workers = workers_;
  settings.rays = effort_.cache_rays;
  settings.ambient_m = std::clamp(0.5F * static_cast<float>(look.height_m), 8.0F, 20.0F);
  if (progress_) progress_("bounces", 0, 1);
  cache_ = RadianceCache::build(grid_, look, scene_.materials, l.direct, l.ambient, settings);
  l.cache = &cache_;
  if (progress_) progress_("haze", 0, 1);
  HazeGlow::View v{view_.eye,      view_.forward,   view_.right, view_.up,
                   options_.width, options_.height, 120,         workers_};
  haze_glow_ = HazeGlow(v, l.haze, look.fog.glow, lamps_, grid_);
  l.haze_glow = &haze_glow_;
}

void Studio::send_beams(int x0, int y0, int x1, int y1, unsigned worker) {
  if (!beams_[worker]) beams_[worker] = std::make_unique<BeamTracer>(grid_, *scene_.field);
  std::vector<Beam> beams;
  for (int y = y0; y < y1; y += kBeam)
    for (int x = x0; x < x1; x += kBeam) beams.push_back(view_.beam(x, y));
  std::vector<float> free(beams.size());
  beams_[worker]->trace(beams, free);
  std::size_t i = 0;
  for (int y = y0; y < y1; y += kBeam)
    for (int x = x0; x < x1; x += kBeam)
      clear_ways_[static_cast<std::size_t>(y / kBeam) * static_cast<std::size_t>(beam_columns()) +
                  static_cast<std::size_t>(x / kBeam)] = free[i++];
}

void Studio::see() {
  for_tiles("rays", [&](int x0, int y0, int x1, int y1, unsigned worker) {
    send_beams(x0, y0, x1, y1, worker);
    std::vector<Ray> rays;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x)
        rays.push_back(ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
    std::vector<EyeSample> seen(rays.size());
    eye(worker).look(rays, seen);
    std::size_t i = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) samples_[index(x, y)] = seen[i++];
  });
}

// Light is found at every second place of the sheets first; between these only where they disagree, which is
// along edges and borders of shadows.
void Studio::gather_light() {
  lighting_.indirect = LightSheet(options_.width, options_.height, kIndirectStep);
  lighting_.shadow = LightSheet(options_.width, options_.height, 1);
  for (const bool sparse : {true, false}) {
    for_tiles("light", [&](int x0, int y0, int x1, int y1, unsigned) {
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
          const EyeSample& s = samples_[index(x, y)];
          if (!s.hit) continue;
          find_shadow(s, x, y, sparse);
          if (x % kIndirectStep == 0 && y % kIndirectStep == 0)
            find_indirect(s, x / kIndirectStep, y / kIndirectStep, sparse);
        }
      }
    });
  }
  lighting_.indirect.smooth(2, workers_);
  lighting_.indirect.smooth(1, workers_);
  lighting_.shadow.smooth(1, workers_);
}

void Studio::find_shadow(const EyeSample& s, int x, int y, bool sparse) {
  constexpr float kTolerance = 0.1F;
  const bool first = x % 2 == 0 && y % 2 == 0;
  if (first != sparse) return;
  const LightSheet::Place place = place_of(s);
  Vec3f share;
  if (sparse || !lighting_.shadow.between(x, y, 2, place, kTolerance, share))
    share = shadow_share(lighting_, s.p, s.n, interleave_4x4(x, y));
  lighting_.shadow.set(x, y, place, share);
}

void Studio::find_indirect(const EyeSample& s, int x, int y, bool sparse) {
  constexpr float kTolerance = 0.6F;
  const bool first = x % 2 == 0 && y % 2 == 0;
  if (first != sparse) return;
  const LightSheet::Place place = place_of(s);
  Vec3f light;
  if (sparse)
    light = gather(lighting_, s.p, s.n, interleave_4x4(x / 2, y / 2), 2 * effort_.gather_rays);
  else if (!lighting_.indirect.between(x, y, 2, place, kTolerance, light))
    light = gather(lighting_, s.p, s.n, interleave_4x4(x, y), effort_.gather_rays);
  lighting_.indirect.set(x, y, place, light);
}

void Studio::shade_all(Eye& eye, std::span<const EyeSample> samples, std::span<const PixelAt> at,
                       std::span<Vec3f> out) const {
  std::vector<Mirror> mirrors(samples.size());
  std::vector<Ray> rays;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    out[i] = shade(lighting_, samples[i], at[i]);
    mirrors[i] = mirror_of(lighting_, samples[i], view_.spread);
    if (mirrors[i].wanted) rays.push_back(mirrors[i].ray), which.push_back(i);
  }
  std::vector<EyeSample> seen(rays.size());
  eye.look(rays, seen);
  for (std::size_t m = 0; m < which.size(); ++m) {
    const std::size_t i = which[m];
    out[i] = out[i] + add_mirror(lighting_, samples[i], mirrors[i], shade_mirrored(lighting_, seen[m]));
  }
}

void Studio::paint() {
  for_tiles("colours", [&](int x0, int y0, int x1, int y1, unsigned worker) {
    const auto pixels = static_cast<std::size_t>((x1 - x0) * (y1 - y0));
    std::vector<EyeSample> samples;
    std::vector<PixelAt> at;
    std::vector<Vec3f> out(pixels);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x)
        samples.push_back(samples_[index(x, y)]),
            at.push_back({static_cast<float>(x), static_cast<float>(y), true});
    shade_all(eye(worker), samples, at, out);
    std::size_t i = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) light_[index(x, y)] = out[i++];
  });
}

bool Studio::is_edge(int x, int y) const {
  const EyeSample& a = samples_[index(x, y)];
  const Vec3f la = light_[index(x, y)];
  constexpr std::array<std::array<int, 2>, 4> kNeighbours{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  for (const auto& d : kNeighbours) {
    const int nx = x + d[0], ny = y + d[1];
    if (nx < 0 || ny < 0 || nx >= options_.width || ny >= options_.height) continue;
    const EyeSample& b = samples_[index(nx, ny)];
    if (a.hit != b.hit || a.lamp != b.lamp || a.crosses != b.crosses) return true;
    const auto shown = [](Vec3f c) { return c.y / (0.3F + c.y); };
    const float contrast = std::fabs(shown(la) - shown(light_[index(nx, ny)]));
    if (contrast > kContrast[1]) return true;
    if (!a.hit) continue;
    if (dot(a.n, b.n) < kEdgeTurn || a.look.material != b.look.material) return true;
    const float off = std::fabs(dot(b.p - a.p, a.n));
    if (off > 3 * a.footprint_m + 0.01F) return true;
    if (contrast > kContrast[0] && !(a.look.grown && b.look.grown)) return true;
  }
  return false;
}

void Studio::refine_edges() {
  const int extra = std::min(options_.samples_per_pixel, 16);
  if (extra <= 1) return;
  std::vector<Vec3f> refined = light_;

  for_tiles("edges", [&](int x0, int y0, int x1, int y1, unsigned worker) {
    std::vector<Ray> rays;
    std::vector<PixelAt> at;
    std::vector<std::size_t> which;
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        if (!is_edge(x, y)) continue;
        which.push_back(index(x, y));
        for (int i = 0; i < extra; ++i) {
          if (i == 1) continue;  // near the middle: the sample that is there already stands for it
          const Point2 q = net_point(static_cast<std::uint32_t>(i));
          const float shift = 0.5F / static_cast<float>(extra);  // centres of the net's strata
          const float px = static_cast<float>(x) + q.u + shift, py = static_cast<float>(y) + q.v + shift;
          rays.push_back(ray(px, py));
          at.push_back({px - 0.5F, py - 0.5F, false});
        }
      }
    }
    std::vector<EyeSample> seen(rays.size());
    std::vector<Vec3f> out(rays.size());
    eye(worker).look(rays, seen);
    shade_all(eye(worker), seen, at, out);
    for (std::size_t p = 0; p < which.size(); ++p) {
      // Averaged as the film will show it, so that a bright speck does not eat an edge.
      const auto weight = [](Vec3f c) { return 1 / (1 + luminance(c)); };
      const auto added = static_cast<std::size_t>(extra - 1);
      const Vec3f middle = light_[which[p]];
      Vec3f sum = middle * weight(middle);
      float total = weight(middle);
      for (std::size_t i = 0; i < added; ++i) {
        const Vec3f c = out[p * added + i];
        sum = sum + c * weight(c), total += weight(c);
      }
      refined[which[p]] = sum * (1 / total);
    }
  });
  light_ = std::move(refined);
}

Image Studio::finish(float exposure) {
  add_glare(light_, options_.width, options_.height, 0.035F, workers_);
  return to_image(light_, options_.width, options_.height, exposure * metered_exposure(light_), workers_);
}

}  // namespace

Shot render_field(const FieldScene& scene, const Camera& camera, const ShotOptions& options,
                  const Progress& progress) {
  VF_CHECK(options.width > 0 && options.height > 0 && scene.field != nullptr && scene.look != nullptr);
  return Studio(scene, camera, options, progress).run(camera.exposure);
}

}  // namespace render

float shot_reach_m(const BuiltRecipe& built) {
  const Recipe& recipe = *built.recipe;
  float reach = recipe.view.view_m;
  if (recipe.fog.height_m <= 0 && recipe.fog.extinction > 0)
    reach = std::min(reach, 5.5F / recipe.fog.extinction);
  return std::max(reach, render::kLeastReachM);
}

Shot render_shot(const Scene& scene, const Camera& camera, const ShotOptions& options,
                 const Progress& progress) {
  VF_CHECK(scene.built != nullptr && scene.density != nullptr);
  const auto field = render::make_scene_field(scene.density, scene.built->facts.gradient_bound, options.simd);
  const auto materials =
      scene.materials ? render::make_scene_materials(scene.materials, options.simd) : nullptr;
  const float reach = shot_reach_m(*scene.built);
  const Box2f& window = scene.density->window;
  render::FieldScene f;
  f.field = field.get();
  f.materials = materials.get();
  f.look = scene.built->recipe.get();
  f.water_level_m = scene.built->water_level_m;
  f.paths = scene.density.get();
  f.lights = scene.lights;
  f.mesh = scene.mesh.get();
  f.bounds.min = {std::max(window.min_x, camera.eye.x - reach), std::max(window.min_y, camera.eye.y - reach),
                  -kBedrockM};
  f.bounds.max = {std::min(window.max_x, camera.eye.x + reach), std::min(window.max_y, camera.eye.y + reach),
                  static_cast<float>(f.look->height_m + kBandM)};
  return render::render_field(f, camera, options, progress);
}

}  // namespace vf

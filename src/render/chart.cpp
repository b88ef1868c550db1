#include "render/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/tasks.h"
#include "compose/world.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "render/canvas.h"
#include "render/field_chart.h"
#include "render/image.h"
#include "render/scene_field.h"
#include "render/shot.h"
#include "render/vec_ops.h"

namespace vf {
namespace render {
namespace {

constexpr Ink kPaper{250, 248, 243}, kText{40, 38, 36}, kFrame{120, 115, 108};
constexpr Ink kRock{96, 86, 76}, kRockLine{74, 65, 57}, kEdge{36, 30, 26};
constexpr Ink kWater{86, 150, 182}, kPath{214, 64, 38}, kAir{238, 240, 242};
constexpr int kMargin = 12, kTextScale = 2, kTitle = 34, kFoot = 46;
constexpr int kTile = 64;  // pixels; one job
constexpr float kNearPlaneM = 3;
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

Ink blend(Ink a, Ink b, float t) {
  Ink out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = static_cast<std::uint8_t>(
        static_cast<float>(a[i]) + (static_cast<float>(b[i]) - static_cast<float>(a[i])) * clamp01(t) + 0.5F);
  return out;
}
Ink scaled(Ink a, float by) {
  Ink out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = static_cast<std::uint8_t>(std::clamp(static_cast<float>(a[i]) * by, 0.0F, 255.0F));
  return out;
}

// From low to high ground.
Ink height_tint(float share) {
  constexpr std::array<Ink, 6> kTints{
      {{112, 150, 132}, {156, 182, 140}, {206, 206, 158}, {220, 190, 140}, {196, 152, 116}, {232, 226, 220}}};
  const float at = clamp01(share) * 5;
  const auto i = static_cast<std::size_t>(std::min(4.0F, at));
  return blend(kTints[i], kTints[i + 1], at - static_cast<float>(i));
}

std::string metres(float v) {
  std::array<char, 32> text{};
  const bool whole = std::fabs(v - std::round(v)) < 1e-3F;
  std::snprintf(text.data(), text.size(), whole ? "%.0f m" : "%.1f m", static_cast<double>(v));
  return text.data();
}

void scale_bar(Canvas& canvas, int x, int y, float pixels_per_m, int most_pixels) {
  const float length_m = round_length(static_cast<float>(most_pixels) / pixels_per_m);
  const int end = x + static_cast<int>(std::lround(length_m * pixels_per_m)), middle = (x + end) / 2;
  canvas.fill(x - 1, y - 1, end + 1, y + 7, kText);
  canvas.fill(middle, y, end, y + 6, kPaper);
  canvas.text(end + 8, y - 4, metres(length_m), kTextScale, kText);
}

struct Ground {
  bool cut = false;    // rock at the cut
  float z = kNothing;  // of the floor
  Vec3f normal{0, 0, 1};
};

// The floors below the cut for a tile of the plan.
class GroundFinder {
 public:
  GroundFinder(FieldProbe& probe, float bound, float cut_z, float floor_z)
      : probe_(probe), bound_(bound), cut_z_(cut_z), floor_z_(floor_z) {}

  void find(const FieldPart& part, std::size_t count, const float* x, const float* y, Ground* out) {
    std::vector<float> z(count, cut_z_);
    low_.assign(count, floor_z_);
    inside_.assign(count, 0);
    std::vector<std::size_t> active(count);
    for (std::size_t i = 0; i < count; ++i) active[i] = i;
    for (int step = 0; step < 400 && !active.empty(); ++step) {
      evaluate(part, active, x, y, z);
      std::erase_if(active, [&](std::size_t i) {
        const float v = v_[slot_[i]];
        if (step == 0 && v <= 0) return out[i].cut = true;
        if (v <= 0) {
          low_[i] = z[i];
          inside_[i] = 1;
          return true;
        }
        out[i].z = z[i];
        z[i] -= std::max(v / bound_, 0.05F);
        return z[i] < floor_z_;
      });
    }
    refine(part, count, x, y, out);
  }

 private:
  void evaluate(const FieldPart& part, const std::vector<std::size_t>& which, const float* x, const float* y,
                const std::vector<float>& z) {
    const std::size_t n = which.size();
    px_.resize(n), py_.resize(n), pz_.resize(n), v_.resize(n);
    slot_.resize(z.size());
    for (std::size_t i = 0; i < n; ++i) {
      px_[i] = x[which[i]], py_[i] = y[which[i]], pz_[i] = z[which[i]];
      slot_[which[i]] = i;
    }
    probe_.values(part, n, px_.data(), py_.data(), pz_.data(), v_.data());
  }

  // Halves the last step, then takes the slope.
  void refine(const FieldPart& part, std::size_t count, const float* x, const float* y, Ground* out) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < count; ++i) {
      if (inside_[i] != 0) found.push_back(i);
      if (inside_[i] == 0) out[i].z = kNothing;
    }
    std::vector<float> z(count);
    for (int step = 0; step < 5; ++step) {
      for (const std::size_t i : found) z[i] = 0.5F * (low_[i] + out[i].z);
      evaluate(part, found, x, y, z);
      for (const std::size_t i : found) {
        if (v_[slot_[i]] > 0) {
          out[i].z = z[i];
        } else {
          low_[i] = z[i];
        }
      }
    }
    for (const std::size_t i : found) z[i] = out[i].z;
    evaluate(part, found, x, y, z);
    const std::size_t n = found.size();
    std::vector<float> gx(n), gy(n), gz(n);
    probe_.gradients(part, n, px_.data(), py_.data(), pz_.data(), v_.data(), gx.data(), gy.data(), gz.data());
    for (std::size_t i = 0; i < n; ++i) out[found[i]].normal = normalized({gx[i], gy[i], gz[i]});
  }

  FieldProbe& probe_;
  float bound_, cut_z_, floor_z_;
  std::vector<float> px_, py_, pz_, v_;
  std::vector<float> low_;            // highest place known to be rock
  std::vector<std::uint8_t> inside_;  // rock was found
  std::vector<std::size_t> slot_;
};

struct PlanView {
  float pixels_per_m = 1;
  int left = 0, top = 0, width = 0, height = 0;
  const Box2f* window = nullptr;
  [[nodiscard]] float world_x(int px) const {
    return window->min_x + (static_cast<float>(px) + 0.5F) / pixels_per_m;
  }
  [[nodiscard]] float world_y(int py) const {
    return window->max_y - (static_cast<float>(py) + 0.5F) / pixels_per_m;
  }
};

std::vector<Ground> ground_of(const ChartField& chart, const PlanView& view, float cut_z, unsigned workers) {
  std::vector<Ground> ground(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  const auto columns = static_cast<std::size_t>((view.width + kTile - 1) / kTile),
             rows = static_cast<std::size_t>((view.height + kTile - 1) / kTile);
  parallel_for(columns * rows, workers, [&](std::size_t job, unsigned) {
    const int x0 = static_cast<int>(job % columns) * kTile, y0 = static_cast<int>(job / columns) * kTile;
    const int x1 = std::min(x0 + kTile, view.width), y1 = std::min(y0 + kTile, view.height);
    const auto probe = chart.field->probe();
    const Box3f box{{view.world_x(x0) - 0.5F, view.world_y(y1 - 1) - 0.5F, chart.min_z},
                    {view.world_x(x1 - 1) + 0.5F, view.world_y(y0) + 0.5F, chart.max_z}};
    const auto part = probe->part(box, nullptr);
    GroundFinder finder(*probe, chart.field->gradient_bound(), cut_z, chart.min_z);
    std::vector<float> x, y;
    for (int py = y0; py < y1; ++py)
      for (int px = x0; px < x1; ++px) x.push_back(view.world_x(px)), y.push_back(view.world_y(py));
    std::vector<Ground> tile(x.size());
    finder.find(*part, x.size(), x.data(), y.data(), tile.data());
    std::size_t i = 0;
    for (int py = y0; py < y1; ++py)
      for (int px = x0; px < x1; ++px)
        ground[static_cast<std::size_t>(py) * static_cast<std::size_t>(view.width) +
               static_cast<std::size_t>(px)] = tile[i++];
  });
  return ground;
}

void paint_plan(Canvas& canvas, const ChartField& chart, const PlanView& view,
                const std::vector<Ground>& ground) {
  float low = 1e9F, high = -1e9F;
  for (const Ground& g : ground)
    if (!g.cut && std::isfinite(g.z)) low = std::min(low, g.z), high = std::max(high, g.z);
  const float range = std::max(1.0F, high - low);
  const float interval = round_length(std::max(0.5F, range / 10));
  const auto at = [&](int x, int y) -> const Ground& {
    return ground[static_cast<std::size_t>(std::clamp(y, 0, view.height - 1)) *
                      static_cast<std::size_t>(view.width) +
                  static_cast<std::size_t>(std::clamp(x, 0, view.width - 1))];
  };
  const Vec3f sun = normalized({-0.5F, 0.5F, 0.75F});
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      const Ground& g = at(x, y);
      Ink ink = kPaper;
      const Ground &right = at(x + 1, y), &below = at(x, y + 1);
      if (g.cut) {
        ink = (x + y) % 7 == 0 ? kRockLine : kRock;
      } else if (std::isfinite(g.z)) {
        const float shade = 0.55F + 0.6F * std::max(0.0F, dot(g.normal, sun));
        ink = scaled(height_tint((g.z - low) / range), shade);
        if (g.normal.z < 0.7F) ink = blend(ink, {110, 96, 84}, 0.35F);  // too steep to walk
        const auto band = [&](const Ground& o) {
          return o.cut || !std::isfinite(o.z) ? 1e9F : std::floor(o.z / interval);
        };
        const float mine = band(g);
        const bool line =
            (band(right) < 1e8F && band(right) != mine) || (band(below) < 1e8F && band(below) != mine);
        if (line) ink = blend(ink, kEdge, 0.32F);
        if (g.z < chart.water_level) ink = blend(kWater, scaled(kWater, 0.6F), (chart.water_level - g.z) / 4);
      }
      if (g.cut != right.cut || g.cut != below.cut) ink = kEdge;
      canvas.dot(view.left + x, view.top + y, ink);
    }
  }
  canvas.text(view.left + view.width - Canvas::text_width("contours every 000 m", kTextScale),
              view.top + view.height + 14, "contours every " + metres(interval), kTextScale, kText);
}

/// Stretches whose ends lie in [x0, x1] x [y0, y1]; NaN ends are nowhere.
void draw_path(Canvas& canvas, const std::vector<std::array<float, 2>>& points, float x0, float y0, float x1,
               float y1) {
  const auto inside = [&](const std::array<float, 2>& p) {
    return p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1;
  };
  for (const float width : {6.0F, 3.0F})
    for (std::size_t i = 1; i < points.size(); ++i)
      if (inside(points[i - 1]) && inside(points[i]))
        canvas.line(points[i - 1][0], points[i - 1][1], points[i][0], points[i][1], width,
                    width > 4 ? kPaper : kPath);
}

/// A dot, and its name on paper beside it.
void draw_mark(Canvas& canvas, const PlanView& view, const ChartMark& mark) {
  const float x = static_cast<float>(view.left) + (mark.at.x - view.window->min_x) * view.pixels_per_m,
              y = static_cast<float>(view.top) + (view.window->max_y - mark.at.y) * view.pixels_per_m;
  if (x < static_cast<float>(view.left) || x > static_cast<float>(view.left + view.width) ||
      y < static_cast<float>(view.top) || y > static_cast<float>(view.top + view.height))
    return;
  canvas.line(x, y, x, y, 15, kPaper);
  canvas.line(x, y, x, y, 10, kPath);
  const int width = Canvas::text_width(mark.name, kTextScale), ix = static_cast<int>(x),
            iy = static_cast<int>(y);
  const int left = ix + 14 + width < view.left + view.width ? ix + 14 : ix - 14 - width;
  canvas.fill(left - 4, iy - 11, left + width + 2, iy + 10, kPaper);
  canvas.text(left, iy - 7, mark.name, kTextScale, kText);
}

}  // namespace

Image plan_of(const ChartField& chart, const Box2f& window, float cut_z, const std::vector<ChartPath>& paths,
              const ChartOptions& options) {
  VF_CHECK(options.width > 2 * kMargin && window.max_x > window.min_x && window.max_y > window.min_y);
  PlanView view;
  view.window = &window;
  view.left = kMargin, view.top = kTitle;
  view.width = options.width - 2 * kMargin;
  view.pixels_per_m = static_cast<float>(view.width) / (window.max_x - window.min_x);
  view.height = std::max(1, static_cast<int>(std::lround((window.max_y - window.min_y) * view.pixels_per_m)));
  Canvas canvas(options.width, view.top + view.height + kFoot, kPaper);
  canvas.text(kMargin, 10, options.title, kTextScale, kText);
  paint_plan(canvas, chart, view, ground_of(chart, view, cut_z, options.workers));
  for (const ChartPath& path : paths) {
    std::vector<std::array<float, 2>> points;
    for (const Vec3f& p : path.points)
      points.push_back({static_cast<float>(view.left) + (p.x - window.min_x) * view.pixels_per_m,
                        static_cast<float>(view.top) + (window.max_y - p.y) * view.pixels_per_m});
    draw_path(canvas, points, static_cast<float>(view.left), static_cast<float>(view.top),
              static_cast<float>(view.left + view.width), static_cast<float>(view.top + view.height));
  }
  for (const ChartMark& mark : options.marks) draw_mark(canvas, view, mark);
  scale_bar(canvas, kMargin, view.top + view.height + 18, view.pixels_per_m, view.width / 4);
  return std::move(canvas).take();
}

namespace {

struct SectionView {
  Vec3f from, along;  // along: unit, in plan
  float length_m = 1, pixels_per_m = 1;
  float min_z = 0, max_z = 1;
  int left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] float row_z(float y) const { return max_z - y / pixels_per_m; }
};

// phi at two by two places a pixel, row by row.
std::vector<float> section_values(const ChartField& chart, const SectionView& view, unsigned workers) {
  const auto columns = static_cast<std::size_t>(view.width) * 2,
             rows = static_cast<std::size_t>(view.height) * 2;
  std::vector<float> values(columns * rows);
  constexpr std::size_t kSpan = 128;
  parallel_for((columns + kSpan - 1) / kSpan, workers, [&](std::size_t job, unsigned) {
    const std::size_t c0 = job * kSpan, c1 = std::min(columns, c0 + kSpan), count = c1 - c0;
    const auto probe = chart.field->probe();
    std::vector<float> x(count), y(count), z(count), out(count);
    Box3f box{{1e9F, 1e9F, view.min_z}, {-1e9F, -1e9F, view.max_z}};
    for (std::size_t c = c0; c < c1; ++c) {
      const Vec3f p = view.from + view.along * ((static_cast<float>(c) + 0.5F) * 0.5F / view.pixels_per_m);
      x[c - c0] = p.x, y[c - c0] = p.y;
      box.min.x = std::min(box.min.x, p.x), box.min.y = std::min(box.min.y, p.y);
      box.max.x = std::max(box.max.x, p.x), box.max.y = std::max(box.max.y, p.y);
    }
    const auto part = probe->part(box.grown(0.1F), nullptr);
    for (std::size_t r = 0; r < rows; ++r) {
      std::fill(z.begin(), z.end(), view.row_z((static_cast<float>(r) + 0.5F) * 0.5F));
      probe->values(*part, count, x.data(), y.data(), z.data(), out.data());
      std::copy(out.begin(), out.end(), values.begin() + static_cast<std::ptrdiff_t>(r * columns + c0));
    }
  });
  return values;
}

void paint_section(Canvas& canvas, const ChartField& chart, const SectionView& view,
                   const std::vector<float>& values) {
  const auto columns = static_cast<std::size_t>(view.width) * 2;
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) {
      int rock = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t r = static_cast<std::size_t>(y) * 2 + k / 2,
                          c = static_cast<std::size_t>(x) * 2 + k % 2;
        rock += values[r * columns + c] <= 0 ? 1 : 0;
      }
      const float z = view.row_z(static_cast<float>(y) + 0.5F);
      const Ink open = z < chart.water_level
                           ? kWater
                           : blend(kAir, {222, 228, 236}, (z - view.min_z) / (view.max_z - view.min_z));
      const bool hatch = (x + y) % 8 < 2;
      const Ink solid = hatch ? kRockLine : kRock;
      canvas.dot(view.left + x, view.top + y,
                 rock > 0 && rock < 4 ? blend(open, kEdge, 0.35F + 0.16F * static_cast<float>(rock))
                                      : (rock == 4 ? solid : open));
    }
  }
}

void height_ticks(Canvas& canvas, const SectionView& view) {
  const float step =
      std::max(round_length((view.max_z - view.min_z) / 3), round_length(26 / view.pixels_per_m));
  for (float z = std::ceil(view.min_z / step) * step; z <= view.max_z; z += step) {
    const int y = view.top + static_cast<int>(std::lround((view.max_z - z) * view.pixels_per_m));
    canvas.fill(view.left - 6, y, view.left, y + 1, kText);
    const std::string label = metres(z);
    canvas.text(view.left - 9 - Canvas::text_width(label, kTextScale), y - 7, label, kTextScale, kText);
  }
}

}  // namespace

Image section_of(const ChartField& chart, Vec3f from, Vec3f to, const std::vector<ChartPath>& paths,
                 const ChartOptions& options) {
  constexpr int kLabels = 84;
  SectionView view;
  view.from = {from.x, from.y, 0};
  view.length_m = std::hypot(to.x - from.x, to.y - from.y);
  VF_CHECK(options.width > kLabels + 2 * kMargin && view.length_m > 0);
  view.along = Vec3f{to.x - from.x, to.y - from.y, 0} * (1 / view.length_m);
  view.min_z = chart.min_z, view.max_z = chart.max_z;
  view.left = kLabels, view.top = kTitle;
  view.width = options.width - kLabels - kMargin;
  view.pixels_per_m = static_cast<float>(view.width) / view.length_m;
  view.height = std::max(1, static_cast<int>(std::lround((view.max_z - view.min_z) * view.pixels_per_m)));
  Canvas canvas(options.width, view.top + view.height + kFoot, kPaper);
  canvas.text(kMargin, 10, options.title, kTextScale, kText);
  paint_section(canvas, chart, view, section_values(chart, view, options.workers));
  for (const ChartPath& path : paths) {
    std::vector<std::array<float, 2>> points;
    for (const Vec3f& p : path.points) {
      const Vec3f off = p - view.from;
      const bool near = std::fabs(off.x * view.along.y - off.y * view.along.x) <= kNearPlaneM;
      points.push_back(
          {near ? static_cast<float>(view.left) + dot(off, view.along) * view.pixels_per_m : kNothing,
           static_cast<float>(view.top) + (view.max_z - p.z) * view.pixels_per_m});
    }
    draw_path(canvas, points, static_cast<float>(view.left), static_cast<float>(view.top),
              static_cast<float>(view.left + view.width), static_cast<float>(view.top + view.height));
  }
  for (const float z : {0.0F, chart.content_height}) {
    const auto y = static_cast<float>(view.top) + (view.max_z - z) * view.pixels_per_m;
    for (int x = view.left; x < view.left + view.width; x += 14)
      canvas.line(static_cast<float>(x), y, static_cast<float>(x + 6), y, 1, kFrame);
  }
  height_ticks(canvas, view);
  scale_bar(canvas, view.left, view.top + view.height + 18, view.pixels_per_m, view.width / 4);
  return std::move(canvas).take();
}

}  // namespace render

namespace {

// The bands of the composition, as far as the field is drawn.
struct SceneChart {
  std::unique_ptr<render::SceneField> field;
  render::ChartField chart;
  SceneChart(const Scene& scene, SimdLevel simd)
      : field(render::make_scene_field(scene.density, scene.built->facts.gradient_bound, simd)) {
    chart.field = field.get();
    chart.content_height = static_cast<float>(scene.built->recipe->height_m);
    chart.min_z = -0.5F * static_cast<float>(kBandM);
    chart.max_z = chart.content_height + 0.5F * static_cast<float>(kBandM);
    const float level = scene.built->water_level_m;
    if (scene.built->recipe->water.present && std::isfinite(level)) chart.water_level = level;
  }
};

}  // namespace

Image render_plan(const Scene& scene, const Box2f& window, float cut_z_m, const std::vector<ChartPath>& paths,
                  const ChartOptions& options) {
  return render::plan_of(SceneChart(scene, options.simd).chart, window, cut_z_m, paths, options);
}

Image render_section(const Scene& scene, Vec3f from, Vec3f to, const std::vector<ChartPath>& paths,
                     const ChartOptions& options) {
  return render::section_of(SceneChart(scene, options.simd).chart, from, to, paths, options);
}

}  // namespace vf

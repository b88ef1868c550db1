#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/world_impl.h"
#include "base/fp_scope.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

namespace {

constexpr double kGridPerM = static_cast<double>(vf::kGridPerM);
constexpr double kMaxBoxPlanM = 512;
constexpr double kMaxBoxHeightM = 4096;
constexpr float kWindowM = 64;  // edge of the windows that points are sampled in
constexpr std::size_t kKeptWindows = 64;
constexpr std::size_t kBatch = 512;

double snap(double v) {
  return std::floor(v * kGridPerM + 0.5) / kGridPerM;
}

/// A square of a sector of a stratum.
struct WindowKey {
  std::int64_t stratum = 0, sx = 0, sy = 0;
  std::int32_t wx = 0, wy = 0;
  friend bool operator==(const WindowKey&, const WindowKey&) = default;
};

struct Window {
  WindowKey key;
  vf::FieldSampler sampler;
};

struct Located {
  WindowKey key;
  vf::Vec3f local;
};

}  // namespace

struct Sampler::Impl {
  World world;
  vf::SimdLevel simd = vf::SimdLevel::kScalar;
  std::list<Window> windows;             // the last used first
  std::optional<vf::SectorPaths> paths;  // of the stratum asked last: windows of a sector share its plan
  std::vector<float> x, y, z;

  [[nodiscard]] vf::Result<vf::FieldSampler> sampler_in(std::int64_t stratum, vf::Frame frame,
                                                        const vf::Box2f& window) {
    if (!paths || paths->scope().stratum.index != stratum) paths.emplace(world.impl_->scope_at(stratum));
    vf::Result<vf::BoundField> field = vf::field_in_window(*paths, frame, window);
    if (!field) return field.error();
    return vf::FieldSampler(std::make_shared<const vf::BoundField>(*std::move(field)), simd);
  }

  [[nodiscard]] Result<vf::FieldSampler*> sampler_for(const WindowKey& key) {
    const auto known =
        std::find_if(windows.begin(), windows.end(), [&](const Window& w) { return w.key == key; });
    if (known != windows.end()) {
      windows.splice(windows.begin(), windows, known);
      return &windows.front().sampler;
    }
    const float min_x = static_cast<float>(key.wx) * kWindowM, min_y = static_cast<float>(key.wy) * kWindowM;
    vf::Result<vf::FieldSampler> made =
        sampler_in(key.stratum, {key.sx, key.sy}, {min_x, min_y, min_x + kWindowM, min_y + kWindowM});
    if (!made) return public_error(made.error());
    windows.push_front({key, *std::move(made)});
    if (windows.size() > kKeptWindows) windows.pop_back();
    return &windows.front().sampler;
  }

  /// Precondition: in_range(p).
  [[nodiscard]] Result<Located> locate(const Point& p) const {
    const Result<std::int64_t> stratum = world.stratum_index_at(p.z);
    if (!stratum) return stratum.error();
    const double floor_z_m = vf::stratum_at(world.impl_->world, *stratum).content_floor_z_m;
    const double px = snap(p.x), py = snap(p.y);
    const double sx = std::floor(px / kSectorM), sy = std::floor(py / kSectorM);
    Located located;
    located.local = {static_cast<float>(px - sx * kSectorM), static_cast<float>(py - sy * kSectorM),
                     static_cast<float>(snap(p.z - floor_z_m))};
    located.key = {*stratum, static_cast<std::int64_t>(sx), static_cast<std::int64_t>(sy),
                   static_cast<std::int32_t>(located.local.x / kWindowM),
                   static_cast<std::int32_t>(located.local.y / kWindowM)};
    return located;
  }

  /// Bounds over the part of `box` that lies in one stratum.
  [[nodiscard]] Result<vf::Interval> bounds_in(std::int64_t stratum, const Box& box) {
    const vf::Stratum found = vf::stratum_at(world.impl_->world, stratum);
    const double sx = std::floor(box.min.x / kSectorM), sy = std::floor(box.min.y / kSectorM);
    const double top_m = std::min(box.max.z, found.top_z_m);
    const double bottom_m = std::max(box.min.z, found.top_z_m - found.height_m);
    // Outward to the grid, so that the snapped point of every point of the box lies inside.
    const auto down = [](double v) { return static_cast<float>(std::floor(v * kGridPerM) / kGridPerM); };
    const auto up = [](double v) { return static_cast<float>(std::ceil(v * kGridPerM) / kGridPerM); };
    const vf::Box3f local{
        {down(box.min.x - sx * kSectorM), down(box.min.y - sy * kSectorM),
         down(bottom_m - found.content_floor_z_m)},
        {up(box.max.x - sx * kSectorM), up(box.max.y - sy * kSectorM), up(top_m - found.content_floor_z_m)}};
    vf::Result<vf::FieldSampler> sampler =
        sampler_in(stratum, {static_cast<std::int64_t>(sx), static_cast<std::int64_t>(sy)},
                   {local.min.x, local.min.y, local.max.x, local.max.y});
    if (!sampler) return public_error(sampler.error());
    return sampler->bound(local);
  }
};

Sampler::Sampler(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const vf::SimdLevel level : vf::supported_simd_levels()) names.emplace_back(vf::to_string(level));
  return names;
}

Result<vf::SimdLevel> instruction_set_level(std::string_view name) {
  const std::vector<std::string> known = instruction_sets();
  const std::optional<vf::SimdLevel> level = vf::simd_level_from(name);
  if (!level || std::find(known.begin(), known.end(), vf::to_string(*level)) == known.end()) {
    std::string message = "instruction set '" + std::string(name) + "' is not one of best";
    for (const std::string& one : known) message += ", " + one;
    return bad_input(message);
  }
  return *level;
}

Result<Sampler> Sampler::create(const World& world, std::string_view instruction_set) {
  const Result<vf::SimdLevel> level = instruction_set_level(instruction_set);
  if (!level) return level.error();
  return Sampler(std::make_unique<Impl>(Impl{world, *level, {}, {}, {}, {}, {}}));
}

Status Sampler::density(std::span<const Point> points, std::span<float> out) {
  if (points.size() != out.size()) return bad_input("density: one place in `out` is needed for each point");
  const vf::FpScope scope;
  Impl& impl = *impl_;
  std::size_t done = 0;
  while (done < points.size()) {
    // A run: the points that lie in one window.
    impl.x.clear(), impl.y.clear(), impl.z.clear();
    WindowKey key;
    while (done + impl.x.size() < points.size() && impl.x.size() < kBatch) {
      const Point& point = points[done + impl.x.size()];
      if (!in_range(point))
        return bad_input("density: a point is out of range: expected |x|, |y| <= 10^12 m and z <= 0");
      const Result<Located> located = impl.locate(point);
      if (!located) return located.error();
      if (!impl.x.empty() && !(located->key == key)) break;
      key = located->key;
      impl.x.push_back(located->local.x), impl.y.push_back(located->local.y),
          impl.z.push_back(located->local.z);
    }
    const Result<vf::FieldSampler*> sampler = impl.sampler_for(key);
    if (!sampler) return sampler.error();
    (*sampler)->values(impl.x.size(), impl.x.data(), impl.y.data(), impl.z.data(), out.data() + done);
    done += impl.x.size();
  }
  return std::monostate{};
}

Result<float> Sampler::density(const Point& point) {
  float value = 0;
  const Status status = density(std::span(&point, 1), std::span(&value, 1));
  if (!status) return status.error();
  return value;
}

Result<Bounds> Sampler::bounds(const Box& box) {
  if (!in_range(box.min) || !in_range(box.max) || !(box.min.x <= box.max.x) || !(box.min.y <= box.max.y) ||
      !(box.min.z <= box.max.z))
    return bad_input("bounds: expected min <= max, |x|, |y| <= 10^12 m and z <= 0");
  if (box.max.x - box.min.x > kMaxBoxPlanM || box.max.y - box.min.y > kMaxBoxPlanM ||
      box.max.z - box.min.z > kMaxBoxHeightM)
    return bad_input("bounds: expected a box of at most 512 m in plan and 4096 m in height");
  const vf::FpScope scope;
  const Result<std::int64_t> top = impl_->world.stratum_index_at(box.max.z);
  if (!top) return top.error();
  const Result<std::int64_t> bottom = impl_->world.stratum_index_at(box.min.z);
  if (!bottom) return bottom.error();
  Bounds bounds;
  bounds.min = std::numeric_limits<float>::infinity();
  bounds.max = -std::numeric_limits<float>::infinity();
  for (std::int64_t k = *top; k <= *bottom; ++k) {
    const Result<vf::Interval> part = impl_->bounds_in(k, box);
    if (!part) return part.error();
    const vf::Interval interval =
        std::isnan(part->lo) || std::isnan(part->hi) ? vf::Interval::everything() : *part;
    bounds.min = std::min(bounds.min, interval.lo);
    bounds.max = std::max(bounds.max, interval.hi);
  }
  if (bounds.max < 0) bounds.verdict = Verdict::kSolid;
  if (bounds.min > 0) bounds.verdict = Verdict::kAir;
  return bounds;
}

}  // namespace voxelforge

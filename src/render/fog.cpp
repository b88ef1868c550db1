#include "render/fog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/tasks.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/lights.h"
#include "render/sampling.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr float kPhase = 0.5F;  // share of a lamp's light that a piece of haze sends to the eye
constexpr int kSlices = 40;

// Integral of 2^(-max(0, z - floor) / height) over z.
float layer_integral(float z, float floor, float height) {
  const float rate = 0.693147F / height;
  return z <= floor ? z - floor : (1 - std::exp(-rate * (z - floor))) / rate;
}

// Light of all lamps at a place in the haze that is `size_m` wide; shadow rays go to a fair choice of them.
Vec3f lamp_light(const LampSet& lamps, const TraceGrid& grid, Vec3f p, float size_m, std::uint32_t pattern) {
  constexpr std::size_t kMost = 64, kRays = 2;
  std::array<const Lamp*, kMost> lamp{};
  std::array<float, kMost> amount{}, weight{};
  std::size_t count = 0;
  float total = 0;
  for (const std::uint32_t i : lamps.near(p)) {
    const Lamp& l = lamps.lamps()[i];
    const float d = length(l.at - p);
    if (d >= l.range_m || count == kMost) continue;
    amount[count] = l.falloff(std::max(d, size_m));  // a piece of haze does not see closer than its size
    weight[count] = amount[count] * max_of(l.power);
    if (weight[count] < 2e-3F) continue;
    lamp[count] = &l;
    total += weight[count++];
  }
  Vec3f light;
  const float step = total / static_cast<float>(kRays);
  float next = step * (static_cast<float>(pattern) + 0.5F) / 16, sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float share = 1;
    if (count > kRays) {
      sum += weight[i];
      float picks = 0;
      for (; next < sum; next += step) picks += 1;
      share = picks * step / weight[i];
    }
    if (share > 0 && lamp_visible(grid, {p, 0}, *lamp[i], lamp[i]->at))
      light = light + lamp[i]->power * (amount[i] * share);
  }
  return light;
}

}  // namespace

float Haze::density(float z) const {
  if (height_m <= 0) return extinction;
  return extinction * std::exp2(-std::max(0.0F, z - floor_m) / height_m);
}

float Haze::depth(Vec3f origin, Vec3f dir, float t) const {
  if (height_m <= 0) return extinction * t;
  const float z0 = origin.z, z1 = origin.z + dir.z * t;
  if (std::fabs(z1 - z0) < 0.01F) return density(0.5F * (z0 + z1)) * t;
  return extinction * t * (layer_integral(z1, floor_m, height_m) - layer_integral(z0, floor_m, height_m)) /
         (z1 - z0);
}

float Haze::unveiled(Vec3f p) const {
  if (reach_m <= 0) return 1;
  const float dx = p.x - eye.x, dy = p.y - eye.y;
  return 1 - smooth_step(0.5F * reach_m, reach_m, std::sqrt(dx * dx + dy * dy));
}

Vec3f Haze::through(Vec3f light, Vec3f origin, Vec3f dir, float t) const {
  const float left = std::exp(-depth(origin, dir, t)) * unveiled(origin + dir * t);
  return light * left + radiance * (1 - left);
}

Haze make_haze(const Fog& fog, const AmbientLight& ambient, Vec3f key) {
  Haze haze;
  haze.extinction = fog.extinction;
  haze.height_m = fog.height_m;
  haze.floor_m = fog.floor_m;
  // Haze is as bright as the light in it; the author gives its tint.
  haze.radiance =
      to_vec(fog.color) * (0.5F * luminance(ambient.up + ambient.down) + 0.3F * luminance(key) + 0.01F);
  return haze;
}

float HazeGlow::slice_of(float t) const {
  return t <= near_m_ ? t / near_m_ : 1 + std::log(t / near_m_) * log_ratio_;
}

HazeGlow::HazeGlow(const View& view, const Haze& haze, float glow, const LampSet& lamps,
                   const TraceGrid& grid) {
  if (glow <= 0 || haze.extinction <= 0 || lamps.lamps().empty()) return;
  nx_ = static_cast<int>(std::ceil(static_cast<float>(view.width) / pixels_per_cell_)) + 1;
  ny_ = static_cast<int>(std::ceil(static_cast<float>(view.height) / pixels_per_cell_)) + 1;
  nz_ = kSlices;
  const float far = std::max(4.0F, std::min(view.reach_m, 120.0F));
  log_ratio_ = static_cast<float>(kSlices - 1) / std::log(far / near_m_);
  sum_.resize(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_) * static_cast<std::size_t>(nz_));
  const auto distance_of = [&](float slice) {
    return slice <= 1 ? near_m_ * slice : near_m_ * std::exp((slice - 1) / log_ratio_);
  };
  parallel_for(static_cast<std::size_t>(ny_), view.workers, [&](std::size_t row, unsigned) {
    for (int x = 0; x < nx_; ++x) {
      const float u = 2 * static_cast<float>(x) * pixels_per_cell_ / static_cast<float>(view.width) - 1;
      const float v = 1 - 2 * static_cast<float>(row) * pixels_per_cell_ / static_cast<float>(view.height);
      const Vec3f dir = normalized(view.forward + view.right * u + view.up * v);
      Vec3f sum;
      bool blocked = false;
      for (int k = 0; k < nz_; ++k) {
        const float from = distance_of(static_cast<float>(k)), to = distance_of(static_cast<float>(k + 1));
        const float t = 0.5F * (from + to);
        const Vec3f p = view.eye + dir * t;
        const Cell cell = blocked ? Cell{} : grid.cell_at(p);
        blocked = cell.state == CellState::kOutside || cell.state == CellState::kSolid ||
                  (cell.state == CellState::kMixed && grid.value(cell, p) < 0);
        if (!blocked) {
          Vec3f light;
          light = lamp_light(lamps, grid, p, 0.5F * (to - from),
                             interleave_4x4(x + k, static_cast<int>(row) + 2 * k));
          const float left = std::exp(-haze.depth(view.eye, dir, t));
          sum = sum + light * (left * haze.density(p.z) * (to - from) * glow * kPhase);
        }
        sum_[(static_cast<std::size_t>(k) * static_cast<std::size_t>(ny_) + row) *
                 static_cast<std::size_t>(nx_) +
             static_cast<std::size_t>(x)] = sum;
      }
    }
  });
}

Vec3f HazeGlow::at(float x, float y, float t) const {
  if (sum_.empty()) return {};
  const float gx = std::clamp(x / pixels_per_cell_, 0.0F, static_cast<float>(nx_) - 1.001F);
  const float gy = std::clamp(y / pixels_per_cell_, 0.0F, static_cast<float>(ny_) - 1.001F);
  const float gz = std::clamp(slice_of(t), 0.0F, static_cast<float>(nz_));
  const auto ix = static_cast<std::size_t>(gx), iy = static_cast<std::size_t>(gy);
  const float fx = gx - static_cast<float>(ix), fy = gy - static_cast<float>(iy);
  const auto nx = static_cast<std::size_t>(nx_), ny = static_cast<std::size_t>(ny_);
  const auto layer = [&](int slice) {  // sum up to the end of `slice` slices
    if (slice <= 0) return Vec3f{};
    const std::size_t k = static_cast<std::size_t>(std::min(slice, nz_) - 1) * ny;
    const auto get = [&](std::size_t a, std::size_t b) { return sum_[(k + b) * nx + a]; };
    return lerp(lerp(get(ix, iy), get(ix + 1, iy), fx), lerp(get(ix, iy + 1), get(ix + 1, iy + 1), fx), fy);
  };
  const int k = static_cast<int>(gz);
  return lerp(layer(k), layer(k + 1), gz - static_cast<float>(k));
}

}  // namespace vf::render

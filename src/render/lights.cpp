#include "render/lights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/box.h"
#include "plan/resolve.h"
#include "recipe/recipe.h"
#include "render/sampling.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr float kShadowSpread = 0.02F;  // the edge of a shadow need not be sharper than this
constexpr float kMostGlow = 40;         // radiance of a body: brighter only blinds

Lamp lamp_of(const PlacedLight& placed, const Light& light, const TraceGrid& grid) {
  Lamp lamp;
  lamp.at = placed.at;
  lamp.power = to_vec(light.color) * light.intensity;
  lamp.range_m = std::max(0.1F, light.range_m);
  lamp.radius_m = light.size_m;
  lamp.visible = light.visible_body && light.size_m > 0;
  const float r = std::max(0.05F, light.size_m);
  const Vec3f glow = lamp.power * (1.0F / (r * r));
  const float top = max_of(glow);
  lamp.glow = top > kMostGlow ? glow * (kMostGlow / top) : glow;
  lamp.clear_m = light.size_m + 0.05F;
  // A lamp inside rock (the core of a crystal) shines through what is around it.
  for (float reach = 0; reach < 3; reach += 0.25F) {
    bool open = false;
    for (const Vec3f d : {Vec3f{1, 0, 0}, Vec3f{-1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, -1, 0}, Vec3f{0, 0, 1},
                          Vec3f{0, 0, -1}}) {
      const Vec3f p = lamp.at + d * reach;
      const Cell cell = grid.cell_at(p);
      open = open || cell.state == CellState::kAir || cell.state == CellState::kOutside ||
             (cell.state == CellState::kMixed && grid.value(cell, p) > 0);
    }
    if (!open) lamp.clear_m = std::max(lamp.clear_m, reach + 0.75F);
    if (open) break;
  }
  return lamp;
}

// Whether a shadow ray to a spot of the light's disc gets there.
bool seen(const TraceGrid& grid, const ShadowStart& start, const Arrival& a, Point2 spot, float softness) {
  const Basis frame = basis_about(a.to);
  if (a.lamp != nullptr) {
    const float r = std::max(0.05F, 0.9F * a.lamp->radius_m);
    return lamp_visible(grid, start, *a.lamp, a.lamp->at + frame.u * (spot.u * r) + frame.v * (spot.v * r));
  }
  const float spread = 0.01F + 0.45F * softness;
  return key_visible(grid, start,
                     normalized(a.to + frame.u * (spot.u * spread) + frame.v * (spot.v * spread)));
}

}  // namespace

LampSet::LampSet(std::span<const PlacedLight> placed, const std::vector<Light>& lights,
                 const TraceGrid& grid) {
  const Box3f& b = grid.bounds();
  origin_ = b.min;
  nx_ = std::max(1, static_cast<int>(std::ceil((b.max.x - b.min.x) / cell_m_)));
  ny_ = std::max(1, static_cast<int>(std::ceil((b.max.y - b.min.y) / cell_m_)));
  for (const PlacedLight& p : placed) {
    if (p.light >= lights.size() || lights[p.light].intensity <= 0) continue;
    const float range = lights[p.light].range_m;
    if (p.at.x + range < b.min.x || p.at.x - range > b.max.x || p.at.y + range < b.min.y ||
        p.at.y - range > b.max.y)
      continue;
    lamps_.push_back(lamp_of(p, lights[p.light], grid));
    if (lamps_.back().visible) visible_.push_back(static_cast<std::uint32_t>(lamps_.size() - 1));
  }
  std::vector<std::vector<std::uint32_t>> cells(static_cast<std::size_t>(nx_) *
                                                static_cast<std::size_t>(ny_));
  for (std::size_t i = 0; i < lamps_.size(); ++i) {
    const Lamp& lamp = lamps_[i];
    const auto cell = [&](float v, float from, int n) {
      return std::clamp(static_cast<int>((v - from) / cell_m_), 0, n - 1);
    };
    const int x1 = cell(lamp.at.x + lamp.range_m, origin_.x, nx_),
              y1 = cell(lamp.at.y + lamp.range_m, origin_.y, ny_);
    for (int y = cell(lamp.at.y - lamp.range_m, origin_.y, ny_); y <= y1; ++y)
      for (int x = cell(lamp.at.x - lamp.range_m, origin_.x, nx_); x <= x1; ++x)
        cells[static_cast<std::size_t>(y * nx_ + x)].push_back(static_cast<std::uint32_t>(i));
  }
  start_.push_back(0);
  for (const auto& c : cells) {
    index_.insert(index_.end(), c.begin(), c.end());
    start_.push_back(static_cast<std::uint32_t>(index_.size()));
  }
}

std::span<const std::uint32_t> LampSet::near(Vec3f p) const {
  const int x = static_cast<int>(std::floor((p.x - origin_.x) / cell_m_));
  const int y = static_cast<int>(std::floor((p.y - origin_.y) / cell_m_));
  if (x < 0 || y < 0 || x >= nx_ || y >= ny_) return {};
  const auto c = static_cast<std::size_t>(y * nx_ + x);
  return std::span(index_).subspan(start_[c], start_[c + 1] - start_[c]);
}

void LampSet::visible_in(const Box3f& box, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (const std::uint32_t i : visible_)
    if (box.grown(lamps_[i].radius_m).contains(lamps_[i].at)) out.push_back(i);
}

LampHit LampSet::body_on(std::span<const std::uint32_t> candidates, Vec3f origin, Vec3f dir,
                         float t_max) const {
  LampHit hit;
  for (const std::uint32_t i : candidates) {
    const Lamp& lamp = lamps_[i];
    const Vec3f to = lamp.at - origin;
    const float along = dot(to, dir);
    if (along < 0 || along - lamp.radius_m > t_max) continue;
    const float off = dot(to, to) - along * along;
    const float r2 = lamp.radius_m * lamp.radius_m;
    if (off > r2) continue;
    const float t = along - std::sqrt(r2 - off);
    if (t > 0 && t < t_max) t_max = t, hit = {t, i};
  }
  return hit;
}

ShadowStart shadow_start(const TraceGrid& grid, Vec3f p, Vec3f n) {
  const float voxel = grid.voxel_at(p);
  return {p + n * (0.4F * voxel + 0.004F), 1.6F * voxel};
}

bool lamp_visible(const TraceGrid& grid, const ShadowStart& start, const Lamp& lamp, Vec3f toward) {
  const Vec3f d = toward - start.p;
  const float l = length(d);
  GridRay ray;
  ray.origin = start.p;
  ray.dir = d * (1.0F / std::max(l, 1e-6F));
  ray.t_max = l - lamp.clear_m;
  ray.forgive_m = start.forgive_m;
  ray.spread = kShadowSpread;
  return ray.t_max <= 0 || !grid.trace(ray).hit;
}

bool key_visible(const TraceGrid& grid, const ShadowStart& start, Vec3f dir) {
  GridRay ray;
  ray.origin = start.p;
  ray.dir = dir;
  ray.t_max = 400;
  ray.forgive_m = start.forgive_m;
  ray.spread = kShadowSpread;
  const GridHit hit = grid.trace(ray);
  if (!hit.hit) return true;
  // Beyond a roof there is only rock; beyond anything else there is air again.
  const Box3f& b = grid.bounds();
  const float to_end =
      dir.z > 0 ? (b.max.z - start.p.z) / dir.z : (dir.z < 0 ? (b.min.z - start.p.z) / dir.z : 400);
  GridRay beyond = ray;
  beyond.t_min = hit.t + 0.3F;
  beyond.t_max = std::min(to_end, hit.t + 200) - 0.01F;
  if (beyond.t_max <= beyond.t_min) return true;
  return grid.rock_along(beyond) > 0.98F * (beyond.t_max - beyond.t_min) - 0.3F;
}

DirectLight::Share DirectLight::on(Vec3f p, Vec3f n, std::uint32_t pattern, float softness,
                                   std::size_t rays) const {
  constexpr std::size_t kMost = 64;
  std::array<Arrival, kMost> arrivals;
  std::array<float, kMost> facing{}, weight{};
  std::size_t count = 0;
  float total = 0;
  Share share;
  for_each(p, [&](const Arrival& a) {
    const float cos = dot(n, a.to);
    const float f = smooth_step(-0.08F, 0.12F, cos) * std::max(0.12F, cos);
    if (f <= 0 || count == kMost) return;
    arrivals[count] = a, facing[count] = f;
    share.all = share.all + a.white * f;
    // The key decides over whole regions: it always gets its ray.
    weight[count] = a.lamp != nullptr ? luminance(a.white) * f + 1e-6F : 0;
    total += weight[count++];
  });
  if (count == 0) return share;
  const ShadowStart start = shadow_start(*grid, p, n);
  const Point2 spot = disc_point(net_point(pattern));
  const bool choose = count > rays + 1;
  // One ray for every step of the summed weights; the pattern shifts the steps.
  const float step = total / static_cast<float>(rays);
  float next = step * (static_cast<float>(pattern) + 0.5F) / 16, sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Arrival& a = arrivals[i];
    float amount = 1;
    if (choose && a.lamp != nullptr) {
      sum += weight[i];
      float picks = 0;
      for (; next < sum; next += step) picks += 1;
      amount = picks * step / weight[i];
    }
    if (amount > 0 && seen(*grid, start, a, spot, softness))
      share.through = share.through + a.white * (facing[i] * amount);
  }
  return share;
}

DirectLight make_direct_light(const TraceGrid& grid, const LampSet& lamps, const Ambient& ambient) {
  DirectLight light;
  light.grid = &grid;
  light.lamps = &lamps;
  light.key = to_vec(ambient.key) * ambient.strength;
  light.key_dir = normalized(to_vec(ambient.key_direction));
  return light;
}

AmbientLight make_ambient_light(const Ambient& ambient) {
  return {to_vec(ambient.up) * ambient.strength, to_vec(ambient.down) * ambient.strength};
}

}  // namespace vf::render

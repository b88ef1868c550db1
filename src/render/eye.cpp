#include "render/eye.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "render/field_tracer.h"

#include <cstddef>

#include "render/vec_ops.h"
#include "render/water.h"

#include <cstdint>

#include "math/box.h"
#include "render/lights.h"

namespace vf::render {

void Eye::look(std::span<const Ray> rays, std::span<EyeSample> out) {
  rays_.assign(rays.begin(), rays.end());
  hits_.resize(rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EyeSample& s = out[i];
    s = EyeSample{};
    s.origin = rays[i].origin;
    s.dir = rays[i].dir;
    if (!water_->present) continue;
    s.starts_below = water_->covers(s.origin);
    const float to_water = (water_->level - s.origin.z) / (std::fabs(s.dir.z) > 1e-7F ? s.dir.z : 1e-7F);
    if (to_water > 0 && to_water < rays[i].t_max && !water_->dry(s.origin + s.dir * to_water))
      rays_[i].t_max = to_water, s.crosses = true;
  }
  tracer_->trace(rays_, hits_);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EyeSample& s = out[i];
    const bool reached = !hits_[i].hit && s.crosses && hits_[i].t >= rays_[i].t_max - 1e-3F;
    s.crosses = reached;
    s.hit = hits_[i].hit;
    s.t = hits_[i].t;
    s.p = hits_[i].p, s.n = hits_[i].normal;
  }
  cross_water(rays, out);
  find_lamps(out);

  queries_.clear();
  which_.clear();
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EyeSample& s = out[i];
    if (!s.hit) continue;
    if (dot(s.n, s.last_dir()) > 0.05F)
      s.n = reflect(s.n, s.last_dir());  // an edge's other side: turn to the eye
    const float facing = std::max(0.2F, -dot(s.n, s.last_dir()));
    s.footprint_m = (rays[i].start_width + rays[i].spread * s.whole_way()) / std::sqrt(facing);
    queries_.push_back({s.p, s.n, s.footprint_m});
    which_.push_back(static_cast<std::uint32_t>(i));
  }
  looks_.resize(queries_.size());
  shader_.look(queries_, looks_);
  for (std::size_t q = 0; q < which_.size(); ++q) out[which_[q]].look = looks_[q];
}

// The second part of ways through the water's surface.
void Eye::cross_water(std::span<const Ray> rays, std::span<EyeSample> out) {
  which_.clear();
  rays_.clear();
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EyeSample& s = out[i];
    if (!s.crosses) continue;
    const Vec3f at = s.crossing();
    const float width = rays[i].start_width + rays[i].spread * s.t;
    Vec3f n = water_->normal_at(at.x, at.y, width / std::max(0.15F, std::fabs(s.dir.z)));
    if (dot(n, s.dir) > 0) n = n * -1.0F;
    if (dot(n, s.dir) > -0.02F) n = normalized(n - s.dir * (dot(n, s.dir) + 0.02F));
    s.water_normal = n;
    if (!refract(s.dir, n, s.starts_below ? 1 / kWaterIndex : kWaterIndex, s.dir_beyond)) {
      s.mirrored = true;
      s.dir_beyond = reflect(s.dir, n);
    }
    Ray beyond;
    beyond.origin = at + Vec3f{0, 0, s.dir_beyond.z > 0 ? 0.002F : -0.002F};
    beyond.dir = s.dir_beyond;
    beyond.spread = rays[i].spread;
    beyond.start_width = width;
    beyond.t_max = rays[i].t_max;
    rays_.push_back(beyond);
    which_.push_back(static_cast<std::uint32_t>(i));
  }
  hits_.resize(rays_.size());
  tracer_->trace(rays_, hits_);
  for (std::size_t q = 0; q < which_.size(); ++q) {
    EyeSample& s = out[which_[q]];
    s.hit = hits_[q].hit;
    s.t_beyond = hits_[q].t;
    s.p = hits_[q].p, s.n = hits_[q].normal;
  }
}

void Eye::find_lamps(std::span<EyeSample> out) {
  if (out.empty()) return;
  Box3f box{out[0].origin, out[0].origin};
  const auto hold = [&](Vec3f p) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  };
  for (const EyeSample& s : out) {
    hold(s.origin);
    hold(s.crossing());
    if (s.crosses) hold(s.crossing() + s.dir_beyond * s.t_beyond);
  }
  lamps_->visible_in(box, lamps_here_);
  if (lamps_here_.empty()) return;
  for (EyeSample& s : out) {
    const LampHit first = lamps_->body_on(lamps_here_, s.origin, s.dir, s.t);
    if (first.t >= 0) {
      s.lamp = static_cast<std::int32_t>(first.lamp);
      s.hit = s.crosses = false;
      s.t = first.t;
      s.t_beyond = 0;
      continue;
    }
    if (!s.crosses) continue;
    const LampHit second = lamps_->body_on(lamps_here_, s.crossing(), s.dir_beyond, s.t_beyond);
    if (second.t < 0) continue;
    s.lamp = static_cast<std::int32_t>(second.lamp);
    s.hit = false;
    s.t_beyond = second.t;
  }
}

}  // namespace vf::render

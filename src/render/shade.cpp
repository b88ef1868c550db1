#include "render/shade.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/vec.h"
#include "render/eye.h"
#include "render/light_sheet.h"
#include "render/lights.h"
#include "render/radiance_cache.h"
#include "render/sampling.h"
#include "render/surface.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"
#include "render/water.h"

namespace vf::render {
namespace {

constexpr float kMirrorRoughness = 0.36F;  // rougher surfaces get no mirrored ray
constexpr float kDielectric = 0.04F;

float mirror_weight(float roughness) {
  return 1 - smooth_step(0.16F, kMirrorRoughness, roughness);
}

Vec3f base_reflectance(const SurfaceLook& look) {
  return lerp(Vec3f{kDielectric, kDielectric, kDielectric}, look.albedo, look.metallic);
}

Vec3f fresnel_rough(Vec3f f0, float cos, float roughness) {
  const float m = 1 - cos;
  const float p = m * m * m * m * m;
  const float top = 1 - roughness;
  const auto one = [&](float f) { return f + std::max(0.0F, top - f) * p; };
  return {one(f0.x), one(f0.y), one(f0.z)};
}

// GGX with Smith's height-correlated shadowing; times cos, in units of white radiance.
Vec3f specular(const SurfaceLook& look, Vec3f n, Vec3f view, Vec3f to_light) {
  const float nl = dot(n, to_light), nv = std::max(1e-3F, dot(n, view));
  if (nl <= 0) return {};
  const Vec3f h = normalized(view + to_light);
  const float r = std::max(0.06F, look.roughness);
  const float a2 = r * r * r * r;
  const float nh = clamp01(dot(n, h)), vh = clamp01(dot(view, h));
  const float d = nh * nh * (a2 - 1) + 1;
  const float lobe = a2 / (d * d);  // the pi of the lobe cancels the pi of the white surface
  const float shadow =
      0.5F / (nl * std::sqrt(nv * nv * (1 - a2) + a2) + nv * std::sqrt(nl * nl * (1 - a2) + a2));
  const float m = 1 - vh;
  const float p = m * m * m * m * m;
  const Vec3f f0 = base_reflectance(look);
  return (f0 + (Vec3f{1, 1, 1} - f0) * p) * (lobe * shadow * nl);
}

// Direct light of one direction, diffuse and glossy. `white`: on a facing white surface.
Vec3f lit(const SurfaceLook& look, Vec3f geometric, Vec3f view, Vec3f to_light, Vec3f white) {
  const float nl = dot(look.normal, to_light);
  const float rim = smooth_step(-0.08F, 0.12F, dot(geometric, to_light));
  const float through = look.translucency * 0.5F * std::max(0.0F, -nl) + look.translucency * 0.15F;
  const Vec3f diffuse = look.albedo * ((1 - look.metallic) *
                                       (std::max(0.0F, nl) * (1 - 0.5F * look.translucency) * rim + through));
  return mul(diffuse + specular(look, look.normal, view, to_light) * rim, white);
}

Vec3f direct_light(const Lighting& l, const EyeSample& s) {
  const Vec3f view = s.last_dir() * -1.0F;
  Vec3f sum;
  l.direct.for_each(s.p, [&](const Arrival& a) { sum = sum + lit(s.look, s.n, view, a.to, a.white); });
  return sum;
}

// Diffuse and rough gloss of light from everywhere; the mirrored ray brings what is sharp.
Vec3f indirect_light(const Lighting& l, const EyeSample& s, Vec3f arriving) {
  const Vec3f tilt = l.ambient.on(s.look.normal), flat = l.ambient.on(s.n);
  const float bend = std::clamp(luminance(tilt) / std::max(1e-4F, luminance(flat)), 0.6F, 1.5F);
  const float cavity = 0.75F + 0.25F * dot(s.look.normal, s.n);
  const Vec3f light = arriving * (bend * cavity);
  const float nv = clamp01(-dot(s.look.normal, s.last_dir()));
  const Vec3f gloss =
      fresnel_rough(base_reflectance(s.look), nv, s.look.roughness) * (1 - mirror_weight(s.look.roughness));
  return mul(s.look.albedo * (1 - s.look.metallic), light) + mul(gloss, light);
}

Vec3f surface_light(const Lighting& l, const EyeSample& s, Vec3f arriving, Vec3f shadow) {
  const Vec3f light = mul(direct_light(l, s), shadow) + indirect_light(l, s, arriving);
  return mul(light, l.water.light_at(s.p, s.look.normal, s.footprint_m)) + s.look.emission;
}

// Light on its way from the surface to the eye: water, the water's surface, haze.
Vec3f to_eye(const Lighting& l, const EyeSample& s, Vec3f light) {
  const auto in_water = [&](Vec3f c, float d) {
    const Vec3f left = l.water.left_after(d);
    return mul(c, left) + mul(l.water.scatter, Vec3f{1, 1, 1} - left);
  };
  if (!s.crosses) return s.starts_below ? in_water(light, s.t) : l.haze.through(light, s.origin, s.dir, s.t);
  const bool beyond_is_water = s.mirrored || !s.starts_below;
  light = beyond_is_water ? in_water(light, s.t_beyond)
                          : l.haze.through(light, s.crossing(), s.dir_beyond, s.t_beyond);
  if (!s.mirrored) {
    const float cos = std::max(0.02F, -dot(s.dir, s.water_normal));
    light = light * (1 - fresnel(cos, s.starts_below ? 1 / kWaterIndex : kWaterIndex));
  }
  return s.starts_below ? in_water(light, s.t) : l.haze.through(light, s.origin, s.dir, s.t);
}

Outgoing cached(const Lighting& l, Vec3f p, Vec3f n) {
  const Cell cell = l.grid->cell_at(p);
  Outgoing out;
  if (cell.state == CellState::kMixed) out = l.cache->at(cell.brick, p, n);
  if (out.weight <= 0) out.arriving = l.ambient.on(n) * 0.5F, out.shadow = {0.7F, 0.7F, 0.7F};
  return out;
}

}  // namespace

LightSheet::Place place_of(const EyeSample& s) {
  return {s.p, s.n, s.footprint_m, s.hit};
}

Vec3f gather(const Lighting& l, Vec3f p, Vec3f n, std::uint32_t pattern, std::uint32_t rays) {
  const ShadowStart start = shadow_start(*l.grid, p, n);
  const Basis frame = basis_about(n);
  Vec3f sum;
  for (std::uint32_t r = 0; r < rays; ++r) {
    GridRay ray;
    ray.origin = start.p;
    ray.dir = frame.to_world(cosine_direction(net_point(pattern * rays + r)));
    ray.forgive_m = start.forgive_m;
    ray.spread = kGatherSpread;
    sum = sum + l.cache->arriving(ray, nullptr);
  }
  return sum * (1 / static_cast<float>(rays));
}

Vec3f shadow_share(const Lighting& l, Vec3f p, Vec3f n, std::uint32_t pattern) {
  const DirectLight::Share light = l.direct.on(p, n, pattern, l.key_softness, l.shadow_rays);
  const auto share = [](float part, float whole) { return whole > 1e-6F ? part / whole : 1.0F; };
  return {share(light.through.x, light.all.x), share(light.through.y, light.all.y),
          share(light.through.z, light.all.z)};
}

Mirror mirror_of(const Lighting& l, const EyeSample& s, float spread) {
  Mirror mirror;
  if (s.crosses) {
    if (s.mirrored) return mirror;
    const float cos = std::max(0.02F, -dot(s.dir, s.water_normal));
    const float f = fresnel(cos, s.starts_below ? 1 / kWaterIndex : kWaterIndex);
    if (f < 0.004F) return mirror;
    mirror.share = {f, f, f};
    mirror.ray.dir = reflect(s.dir, s.water_normal);
    const float side = s.starts_below ? -1.0F : 1.0F;
    if (mirror.ray.dir.z * side < 0.01F) mirror.ray.dir.z = side * 0.01F;
    mirror.ray.dir = normalized(mirror.ray.dir);
    mirror.ray.origin = s.crossing() + Vec3f{0, 0, side * 0.004F};
    mirror.ray.start_width = spread * s.t;
  } else {
    if (!s.hit || s.look.roughness >= kMirrorRoughness) return mirror;
    const float nv = clamp01(-dot(s.look.normal, s.dir));
    mirror.share =
        fresnel_rough(base_reflectance(s.look), nv, s.look.roughness) * mirror_weight(s.look.roughness);
    if (max_of(mirror.share) < 0.01F) return mirror;
    mirror.ray.dir = reflect(s.dir, s.look.normal);
    if (dot(mirror.ray.dir, s.n) < 0.02F)
      mirror.ray.dir = normalized(mirror.ray.dir + s.n * (0.02F - dot(mirror.ray.dir, s.n)));
    mirror.ray.origin = s.p + s.n * (0.003F + 0.5F * s.footprint_m);
    mirror.ray.start_width = s.footprint_m;
  }
  mirror.ray.spread = spread * (1 + 20 * (s.crosses ? l.water.roughness : s.look.roughness));
  mirror.wanted = true;
  return mirror;
}

Vec3f shade(const Lighting& l, const EyeSample& s, PixelAt at) {
  Vec3f light;
  if (s.lamp >= 0) {
    const Lamp& lamp = l.lamps->lamps()[static_cast<std::size_t>(s.lamp)];
    const Vec3f n = normalized(s.origin + s.dir * s.t - lamp.at);
    light = lamp.glow * (0.55F + 0.45F * clamp01(-dot(n, s.dir)));
  } else if (s.hit) {
    const LightSheet::Place place = place_of(s);
    Vec3f arriving, shadow{1, 1, 1};
    if (!l.indirect.at(at.x, at.y, place, arriving)) arriving = cached(l, s.p, s.n).arriving;
    if (at.middle)
      shadow = l.shadow.own(static_cast<int>(at.x), static_cast<int>(at.y));
    else if (!l.shadow.at(at.x, at.y, place, shadow))
      shadow = cached(l, s.p, s.n).shadow;
    light = surface_light(l, s, arriving, shadow);
  } else {
    light = l.haze.radiance;
  }
  light = to_eye(l, s, light);
  return s.starts_below ? light : light + l.haze_glow->at(at.x, at.y, s.t);
}

Vec3f shade_mirrored(const Lighting& l, const EyeSample& s) {
  Vec3f light = l.haze.radiance;
  if (s.lamp >= 0) {
    light = l.lamps->lamps()[static_cast<std::size_t>(s.lamp)].glow;
  } else if (s.hit) {
    const Outgoing rough = cached(l, s.p, s.n);
    Vec3f direct;
    l.direct.for_each(
        s.p, [&](const Arrival& a) { direct = direct + a.white * std::max(0.0F, dot(a.to, s.look.normal)); });
    const Vec3f diffuse =
        mul(s.look.albedo * (1 - 0.5F * s.look.metallic), mul(direct, rough.shadow) + rough.arriving);
    light = mul(diffuse, l.water.light_at(s.p, s.look.normal, s.footprint_m)) + s.look.emission;
  }
  return to_eye(l, s, light);
}

Vec3f add_mirror(const Lighting& l, const EyeSample& s, const Mirror& mirror, Vec3f seen) {
  const Vec3f part = mul(seen, mirror.share);
  if (s.starts_below) return mul(part, l.water.left_after(s.t));
  return part * std::exp(-l.haze.depth(s.origin, s.dir, s.t));
}

}  // namespace vf::render

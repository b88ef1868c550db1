// In: what eye rays show, and the light that was gathered. Out: colours.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/eye.h"
#include "render/fog.h"
#include "render/light_sheet.h"
#include "render/radiance_cache.h"

namespace vf::render {

/// Everything that lights a scene; shared by all threads.
struct Lighting {
  const TraceGrid* grid = nullptr;
  const LampSet* lamps = nullptr;
  DirectLight direct;
  AmbientLight ambient;
  const RadianceCache* cache = nullptr;
  Water water;
  Haze haze;
  const HazeGlow* haze_glow = nullptr;
  LightSheet indirect;  ///< light that arrives by bounces and as ambient glow, on a white surface
  LightSheet shadow;    ///< share of the direct light that gets through, by colour
  float key_softness = 0.5F;
  std::size_t shadow_rays = 2;
};

/// A place on a sheet for what a sample shows.
[[nodiscard]] LightSheet::Place place_of(const EyeSample& sample);

/// Bounced and ambient light at a surface; `pattern` in [0, 16) picks the directions.
[[nodiscard]] Vec3f gather(const Lighting& lighting, Vec3f p, Vec3f n, std::uint32_t pattern,
                           std::uint32_t rays);
/// Share of the direct light that reaches a surface, with soft edges.
[[nodiscard]] Vec3f shadow_share(const Lighting& lighting, Vec3f p, Vec3f n, std::uint32_t pattern);

/// Where a sample needs a mirrored ray, and how much of it shows.
struct Mirror {
  bool wanted = false;
  Ray ray;
  Vec3f share;
};
[[nodiscard]] Mirror mirror_of(const Lighting& lighting, const EyeSample& sample, float spread);

struct PixelAt {
  float x = 0, y = 0;
  bool middle = false;  ///< x, y are whole: the sample is the one that the sheets were made for
};
/// The colour of a sample, with all but its mirrored part; seen at a pixel of the picture.
[[nodiscard]] Vec3f shade(const Lighting& lighting, const EyeSample& sample, PixelAt at);
/// What a mirrored ray shows, with haze on its way. Coarser than `shade`: light that bounces comes from the
/// cache.
[[nodiscard]] Vec3f shade_mirrored(const Lighting& lighting, const EyeSample& sample);
/// Adds the mirrored part: `seen` as of shade_mirrored, dimmed by the haze before it.
[[nodiscard]] Vec3f add_mirror(const Lighting& lighting, const EyeSample& sample, const Mirror& mirror,
                               Vec3f seen);

}  // namespace vf::render

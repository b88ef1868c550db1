// The authored emitters around the camera, found by place; and the broad key glow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/resolve.h"
#include "recipe/recipe.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {

struct Lamp {
  Vec3f at;
  Vec3f power;  ///< radiance of a white surface that faces it at 1 m
  float range_m = 0;
  float radius_m = 0;  ///< of the glowing body
  float clear_m = 0;   ///< rock this near to the lamp casts no shadow
  bool visible = false;
  Vec3f glow;  ///< radiance of the body

  /// Light on a white surface at distance d that faces the lamp.
  [[nodiscard]] float falloff(float d) const {
    const float share = d / range_m;
    const float window = clamp01(1 - share * share * share * share);
    const float least = 0.15F + radius_m;
    return window * window / (d * d > least * least ? d * d : least * least);
  }
};

struct LampHit {
  float t = -1;  ///< < 0: none
  std::uint32_t lamp = 0;
};

class LampSet {
 public:
  LampSet(std::span<const PlacedLight> placed, const std::vector<Light>& lights, const TraceGrid& grid);
  [[nodiscard]] const std::vector<Lamp>& lamps() const { return lamps_; }
  /// Lamps whose range holds p; their indices rise.
  [[nodiscard]] std::span<const std::uint32_t> near(Vec3f p) const;
  /// Lamps whose bodies may be seen on ways within a box.
  void visible_in(const Box3f& box, std::vector<std::uint32_t>& out) const;
  /// The first glowing body among `candidates` on a ray before t_max.
  [[nodiscard]] LampHit body_on(std::span<const std::uint32_t> candidates, Vec3f origin, Vec3f dir,
                                float t_max) const;

 private:
  std::vector<Lamp> lamps_;
  std::vector<std::uint32_t> visible_;
  float cell_m_ = 8;
  Vec3f origin_;
  int nx_ = 0, ny_ = 0;
  std::vector<std::uint32_t> start_, index_;
};

/// Where shadow rays start: off the surface as far as the sampled field may be wrong there.
struct ShadowStart {
  Vec3f p;
  float forgive_m = 0;
};
[[nodiscard]] ShadowStart shadow_start(const TraceGrid& grid, Vec3f p, Vec3f n);

/// 1 when the way to a point of the lamp is free. `toward`: point on the lamp's body.
[[nodiscard]] bool lamp_visible(const TraceGrid& grid, const ShadowStart& start, const Lamp& lamp,
                                Vec3f toward);

/// The key glow comes from the roof: whatever stands below the roof shades it, the roof does not.
[[nodiscard]] bool key_visible(const TraceGrid& grid, const ShadowStart& start, Vec3f dir);

/// Light of one lamp, or of the key (lamp null), as it would arrive without rock in the way.
struct Arrival {
  Vec3f to;     ///< unit
  Vec3f white;  ///< radiance of a white surface that faces it
  const Lamp* lamp = nullptr;
};

/// Diffuse light of lamps and key on a white surface. Where many lamps reach, shadow rays go to a fair
/// choice.
struct DirectLight {
  const TraceGrid* grid = nullptr;
  const LampSet* lamps = nullptr;
  Vec3f key;      ///< radiance of a white surface that faces it
  Vec3f key_dir;  ///< towards it; unit
  struct Share {
    Vec3f all, through;  ///< without and with shadows
  };
  /// `pattern` in [0, 16) picks the lamps and the points of their bodies; `softness`: of the key's shadow;
  /// `rays`: shadow rays to lamps. [> 0]
  [[nodiscard]] Share on(Vec3f p, Vec3f n, std::uint32_t pattern, float softness, std::size_t rays) const;
  /// Calls use(arrival) for the key and each lamp in reach.
  template <class Use>
  void for_each(Vec3f p, const Use& use) const {
    if (max_of(key) > 0) use(Arrival{key_dir, key, nullptr});
    for (const std::uint32_t i : lamps->near(p)) {
      const Lamp& lamp = lamps->lamps()[i];
      const Vec3f to = lamp.at - p;
      const float d = length(to);
      if (d >= lamp.range_m) continue;
      const Vec3f white = lamp.power * lamp.falloff(d);
      if (max_of(white) > 2e-4F) use(Arrival{to * (1 / std::max(d, 1e-4F)), white, &lamp});
    }
  }
};
[[nodiscard]] DirectLight make_direct_light(const TraceGrid& grid, const LampSet& lamps,
                                            const Ambient& ambient);

/// Light without a place that arrives from a direction.
struct AmbientLight {
  Vec3f up, down;
  [[nodiscard]] Vec3f from(Vec3f dir) const { return lerp(down, up, 0.5F + 0.5F * dir.z); }
  /// On an open surface with this normal.
  [[nodiscard]] Vec3f on(Vec3f n) const { return lerp(down, up, 0.5F + 0.333F * n.z); }
};
[[nodiscard]] AmbientLight make_ambient_light(const Ambient& ambient);

}  // namespace vf::render

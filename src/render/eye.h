// In: rays from the eye. Out: what each shows: a surface, perhaps through water, or a lamp, or only haze.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/field_tracer.h"
#include "render/lights.h"
#include "render/mesh_tracer.h"
#include "render/surface.h"
#include "render/water.h"

namespace vf::render {

struct EyeSample {
  Vec3f origin, dir;
  bool hit = false;           ///< a surface; otherwise a lamp or haze
  std::int32_t lamp = -1;     ///< index of the lamp whose body is seen
  float t = 0;                ///< way to the surface, or to the water if it is crossed
  bool crosses = false;       ///< the way passes through the water's surface
  bool starts_below = false;  ///< the eye is in the water
  bool mirrored = false;      ///< from below, at a flat angle: the water's surface shows only what is below
  float t_beyond = 0;         ///< way after the crossing
  Vec3f dir_beyond;
  Vec3f water_normal;  ///< towards the eye
  Vec3f p, n;          ///< of the surface
  float footprint_m = 0;
  SurfaceLook look;

  [[nodiscard]] Vec3f crossing() const { return origin + dir * t; }
  /// Direction in which the light of the surface travels, reversed.
  [[nodiscard]] Vec3f last_dir() const { return crosses ? dir_beyond : dir; }
  [[nodiscard]] float whole_way() const { return t + t_beyond; }
};

/// One a thread.
class Eye {
 public:
  Eye(const TraceGrid& grid, const SceneField& field, const Recipe& recipe, const SceneMaterials* materials,
      const LampSet& lamps, const Water& water, const Ground* mesh = nullptr)
      : tracer_(make_tracer(grid, field, mesh)), shader_(recipe, materials), lamps_(&lamps), water_(&water) {}

  /// `out`: one for each ray. Rays must start in air or water.
  void look(std::span<const Ray> rays, std::span<EyeSample> out);
  [[nodiscard]] std::uint64_t evaluations() const { return tracer_->evaluations(); }

 private:
  void cross_water(std::span<const Ray> rays, std::span<EyeSample> out);
  void find_lamps(std::span<EyeSample> out);

  std::unique_ptr<RayTracer> tracer_;
  SurfaceShader shader_;
  const LampSet* lamps_;
  const Water* water_;
  std::vector<Ray> rays_;
  std::vector<RayHit> hits_;
  std::vector<std::uint32_t> which_, lamps_here_;
  std::vector<SurfaceQuery> queries_;
  std::vector<SurfaceLook> looks_;
};

}  // namespace vf::render

// In: a built recipe, its fields and lights around a camera. Out: a picture of the field itself, traced on
// the CPU.
//
// Product header of render/. No files, no clock. The same picture for any number of workers; pictures use the
// platform's math library, so they may differ in single bits between platforms (the world never does).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/ground.h"
#include "plan/resolve.h"
#include "render/image.h"

namespace vf {

/// One stratum around a place, in the frame of its sector: metres, z from the content floor.
struct Scene {
  std::shared_ptr<const BuiltRecipe> built;  ///< the look: materials, lights, ambient, fog, water
  std::shared_ptr<const BoundField> density;
  std::shared_ptr<const BoundField>
      materials;                       ///< outputs: weight, emission mask of each material; may be null
  std::vector<PlacedLight> lights;     ///< all that reach into the window
  std::shared_ptr<const Ground> mesh;  ///< seen instead of the field where its tiles are; may be null
};

struct Camera {
  Vec3f eye, target;   ///< [metres, frame]; points outside [0, 1024) are fine
  float fov_deg = 70;  ///< horizontal. [degrees] [10..120]
  float exposure = 1;  ///< factor on all light. [> 0]
};

enum class ShotQuality : std::uint8_t { kDraft, kGood, kFine };

struct ShotOptions {
  int width = 1280, height = 720;
  int samples_per_pixel = 4;  ///< where edges are; flat parts get one. [1..16]
  unsigned workers = 0;       ///< 0: one a core
  SimdLevel simd = SimdLevel::kScalar;
  ShotQuality quality = ShotQuality::kGood;
  bool want_depth = false;
};

struct Shot {
  Image image;
  std::vector<float>
      depth;  ///< distance to the surface; 0 where there is none; empty unless wanted. [metres]
  bool eye_in_rock = false;  ///< the camera stands in solid: the picture shows nothing
};

/// How far from the eye a shot looks: what the window of the fields should hold. [metres]
[[nodiscard]] float shot_reach_m(const BuiltRecipe& built);

[[nodiscard]] Shot render_shot(const Scene& scene, const Camera& camera, const ShotOptions& options,
                               const Progress& progress);

}  // namespace vf

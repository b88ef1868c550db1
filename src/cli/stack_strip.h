// The picture of a stratum in the report's stack: an upright cut in the type's own colours.
#pragma once

#include "field/simd_level.h"
#include "math/vec.h"
#include "render/image.h"
#include "render/shot.h"

namespace vf::cli {

struct StripOptions {
  int width = 600;       ///< [pixels]
  float length_m = 180;  ///< [metres]
  Vec3f middle;          ///< x, y of the cut's middle. [metres, frame]
  Vec3f along{1, 0, 0};  ///< unit vector in plan
  float bottom_m = -6;   ///< relative to the content floor
  float height_m = 60;   ///< of the stratum
  unsigned workers = 0;
  SimdLevel simd = SimdLevel::kScalar;
};

/// One scale in both directions. Rock darkens away from its surface, air glows near lights, water has its
/// colour.
[[nodiscard]] Image draw_stack_strip(const Scene& scene, const StripOptions& options);

}  // namespace vf::cli

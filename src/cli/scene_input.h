// A stratum around a place, bound and ready to be sampled or drawn.
#pragma once

#include "base/result.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "render/shot.h"

namespace vf::cli {

/// The density, the material formulas and the lights of `window` (metres in `frame`).
[[nodiscard]] Result<Scene> open_scene(const InputStratum& input, const Frame& frame, const Box2f& window);

}  // namespace vf::cli

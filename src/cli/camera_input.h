// Where a picture is taken from: numbers on the command line, or a recipe's viewpoint.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/arguments.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "math/box.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

struct PlacedCamera {
  Frame frame;
  Camera camera;
};

/// "x,y,z,yaw,pitch[,fov]": world metres with z as in `sample`; yaw in degrees, 0 looks along +x, 90 along
/// +y; pitch in degrees, positive looks up.
[[nodiscard]] Result<PlacedCamera> parse_camera(std::string_view text, const Stratum& stratum);

/// The viewpoint called `name`, in sector 0,0. Errors give the nearest known name.
[[nodiscard]] Result<PlacedCamera> viewpoint_camera(const BuiltRecipe& built, const Stratum& stratum,
                                                    std::string_view name);
[[nodiscard]] Result<PlacedCamera> viewpoint_camera(const BuiltRecipe& built, const Stratum& stratum,
                                                    const Viewpoint& view);

/// What a field must hold for a picture that looks `reach_m` far. [metres, frame]
[[nodiscard]] Box2f window_around(const PlacedCamera& placed, float reach_m);

[[nodiscard]] Result<ShotQuality> parse_quality(std::string_view text);

}  // namespace vf::cli

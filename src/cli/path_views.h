// Viewpoints that every stratum has because it has paths: arrival, departure, well, route:METRES,
// passage:METRES, overview.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/camera_input.h"
#include "cli/world_input.h"
#include "plan/path_plan.h"

namespace vf::cli {

/// What --viewpoint knows besides the recipe's names.
[[nodiscard]] const std::vector<std::string>& path_view_names();

/// The camera, or nothing when `name` is none of those names. Eyes are 1.7 m over the floor, in sector 0, 0.
[[nodiscard]] Result<std::optional<PlacedCamera>> path_view(const InputStratum& where, std::string_view name);

}  // namespace vf::cli

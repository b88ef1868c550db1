#include "cli/path_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/camera_input.h"
#include "cli/world_input.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_walk.h"
#include "plan/paths.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

constexpr double kEyeM = 1.7;
constexpr double kStepM = 0.5;
constexpr double kAheadM = 14;  // eyes follow the way so far ahead

Vec3f vec(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// From point `i` of a walk along it.
PlacedCamera look_along(const std::vector<WalkPoint>& walk, std::size_t i, bool backwards) {
  const WalkPoint& at = walk[i];
  const double target_along = at.along + (backwards ? -kAheadM : kAheadM);
  const WalkPoint* ahead = &walk[backwards ? 0 : walk.size() - 1];
  for (const WalkPoint& p : walk)
    if (std::fabs(p.along - target_along) < std::fabs(ahead->along - target_along)) ahead = &p;
  PlanPoint to = ahead->at;
  if (length(to - at.at) < 1) to = at.at + (backwards ? -kAheadM : kAheadM) * at.heading;
  PlacedCamera out;
  out.camera.eye = vec(at.at.x, at.at.y, at.floor + kEyeM);
  out.camera.target = vec(to.x, to.y, ahead->floor + 1.5);
  out.camera.fov_deg = 80;
  return out;
}

Result<PlacedCamera> view_at(const std::vector<WalkPoint>& walk, std::string_view what, double metres) {
  if (walk.empty())
    return Error{ErrorCode::kBadInput, {}, fmt::format("--viewpoint: this stratum has no {}", what)};
  if (metres > walk.back().along)
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("--viewpoint: the {} is {:.0f} m long", what, walk.back().along)};
  std::size_t i = 0;
  while (i + 1 < walk.size() && walk[i].along < metres) ++i;
  return look_along(walk, i, false);
}

PlacedCamera overview(const std::vector<WalkPoint>& walk, double height_m) {
  const PlanPoint middle = 0.5 * (walk.front().at + walk.back().at);
  const PlanPoint along = unit(walk.back().at - walk.front().at);
  const PlanPoint eye = walk.front().at - 24.0 * along + 30.0 * left_of(along);
  PlacedCamera out;
  const double top = walk.front().floor + std::min(0.35 * height_m, 24.0);
  out.camera.eye = vec(eye.x, eye.y, std::max(top, walk.front().floor + 3));
  out.camera.target = vec(middle.x, middle.y, 0.5 * (walk.front().floor + walk.back().floor));
  out.camera.fov_deg = 80;
  return out;
}

}  // namespace

const std::vector<std::string>& path_view_names() {
  static const std::vector<std::string> names{"arrival",      "departure",      "well",
                                              "route:METRES", "passage:METRES", "overview"};
  return names;
}

Result<std::optional<PlacedCamera>> path_view(const InputStratum& where, std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  const bool by_length = kind == "route" || kind == "passage";
  if (!by_length && name != "arrival" && name != "departure" && name != "well" && name != "overview")
    return std::optional<PlacedCamera>();
  double metres = 0;
  if (by_length && colon != std::string_view::npos) {
    const Result<double> parsed = parse_number("--viewpoint: metres", name.substr(colon + 1), 0, 100000);
    if (!parsed) return parsed.error();
    metres = *parsed;
  }
  const Result<PathPlan> plan = plan_paths(where, 0, 0);
  if (!plan) return plan.error();
  Result<PlacedCamera> found = Error{ErrorCode::kBadInput, {}, "--viewpoint: this stratum has no paths"};
  if (kind == "passage") {
    const PathLeg* leg = passage_down(*plan);
    if (leg != nullptr) found = view_at(walk_leg(*plan, *leg, kStepM), "passage", metres);
  } else {
    const std::vector<WalkPoint> walk = walk_spine(*plan, kStepM);
    if (walk.empty()) return found.error();
    if (name == "arrival") found = look_along(walk, 0, false);
    if (name == "departure") {  // from some way off, so that the mouth is seen
      std::size_t i = walk.size() - 1;
      while (i > 0 && walk.back().along - walk[i].along < 18) --i;
      found = look_along(walk, i, false);
      const WalkPoint& end = walk.back();
      found->camera.target = vec(end.at.x, end.at.y, end.floor + 1);
    }
    if (name == "well") {  // back and up, at what one came down
      std::size_t i = 0;
      while (i + 1 < walk.size() && walk[i].along < 48) ++i;
      found = look_along(walk, i, true);
      found->camera.target = vec(walk[0].at.x, walk[0].at.y, walk[0].floor + 9);
    }
    if (name == "overview") found = overview(walk, where.built->recipe->height_m);
    if (kind == "route") found = view_at(walk, "route", metres);
  }
  if (!found) return found.error();
  return std::optional<PlacedCamera>(*found);
}

}  // namespace vf::cli

#include "cli/camera_input.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest_name.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/path_views.h"
#include "cli/world_input.h"
#include "compose/world.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/place_formulas.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

constexpr double kMinFovDeg = 10, kMaxFovDeg = 120;

/// One coordinate of a viewpoint: a column formula at (x, y) of sector 0,0. A missing one is 0.
Result<float> coordinate(const Recipe& recipe, const Stratum& stratum, const ExprPtr& expr, float x,
                         float y) {
  if (expr == nullptr) return 0.0F;
  Result<std::shared_ptr<const Program>> program = build_column_formula(recipe, expr);
  if (!program) return program.error();
  const BoundField field =
      bind_field(*program, Frame{}, Box2f{0, 0, kSectorM, kSectorM}, {}, stratum_seed_mix(stratum));
  BatchEvaluator evaluator(field, SimdLevel::kScalar);
  const Vec3f at = snap_to_grid({x, y, 0});
  const PointBatch points{1, &at.x, &at.y, &at.z, {}};
  float value = 0;
  float* const out = &value;
  evaluator.points(full_tape(**program), points, std::span(&out, 1));
  return value;
}

/// x and y first, as z may be a formula of them.
Result<Vec3f> point(const Recipe& recipe, const Stratum& stratum, const std::array<ExprPtr, 3>& formulas) {
  Vec3f p;
  const Result<float> x = coordinate(recipe, stratum, formulas[0], 0, 0);
  if (!x) return x.error();
  const Result<float> y = coordinate(recipe, stratum, formulas[1], 0, 0);
  if (!y) return y.error();
  p.x = *x, p.y = *y;
  const Result<float> z = coordinate(recipe, stratum, formulas[2], p.x, p.y);
  if (!z) return z.error();
  p.z = *z;
  return p;
}

}  // namespace

Result<PlacedCamera> parse_camera(std::string_view text, const Stratum& stratum) {
  const Result<std::vector<std::string>> parts = split_list("--camera", text, 5, 6, "x,y,z,yaw,pitch[,fov]");
  if (!parts) return parts.error();
  Place1024 at{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Result<std::int64_t> value = parse_metres_1024("--camera", (*parts)[i]);
    if (!value) return value.error();
    at[i] = *value;
  }
  const Result<double> yaw = parse_number("--camera: yaw", (*parts)[3], -3600, 3600);
  if (!yaw) return yaw.error();
  const Result<double> pitch = parse_number("--camera: pitch", (*parts)[4], -90, 90);
  if (!pitch) return pitch.error();
  Result<double> fov = 70.0;
  if (parts->size() == 6) fov = parse_number("--camera: field of view", (*parts)[5], kMinFovDeg, kMaxFovDeg);
  if (!fov) return fov.error();

  const double z = static_cast<double>(at[2]) / 1024.0;
  if (z > stratum.top_z_m || z < stratum.top_z_m - stratum.height_m) {
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("--camera: z = {:g} is not in stratum {}; expected {:g} to {:g}", z,
                             stratum.index, stratum.top_z_m - stratum.height_m, stratum.top_z_m)};
  }
  const FramePlace place = frame_place(at[0], at[1]);
  constexpr double kRadians = std::numbers::pi / 180;
  const double flat = std::cos(*pitch * kRadians);
  PlacedCamera out;
  out.frame = place.frame;
  out.camera.eye = {place.x, place.y, static_cast<float>(z - stratum.content_floor_z_m)};
  out.camera.target = {out.camera.eye.x + static_cast<float>(flat * std::cos(*yaw * kRadians)),
                       out.camera.eye.y + static_cast<float>(flat * std::sin(*yaw * kRadians)),
                       out.camera.eye.z + static_cast<float>(std::sin(*pitch * kRadians))};
  out.camera.fov_deg = static_cast<float>(*fov);
  return out;
}

Result<PlacedCamera> viewpoint_camera(const BuiltRecipe& built, const Stratum& stratum,
                                      std::string_view name) {
  std::vector<std::string> known;
  for (const Viewpoint& view : built.recipe->viewpoints) {
    if (view.name == name) return viewpoint_camera(built, stratum, view);
    known.push_back(view.name);
  }
  known.insert(known.end(), path_view_names().begin(), path_view_names().end());
  const std::string nearest = nearest_name(name, known);
  return Error{ErrorCode::kBadInput,
               {},
               fmt::format("--viewpoint: {} has no viewpoint '{}'; {}", built.recipe->id, name,
                           !nearest.empty() ? fmt::format("did you mean {}?", nearest)
                                            : fmt::format("it has {}", fmt::join(known, ", ")))};
}

Result<PlacedCamera> viewpoint_camera(const BuiltRecipe& built, const Stratum& stratum,
                                      const Viewpoint& view) {
  const Result<Vec3f> eye = point(*built.recipe, stratum, view.eye);
  if (!eye) return eye.error();
  const Result<Vec3f> target = point(*built.recipe, stratum, view.target);
  if (!target) return target.error();
  PlacedCamera out;
  out.camera = {*eye, *target, view.fov_deg, view.exposure};
  return out;
}

Box2f window_around(const PlacedCamera& placed, float reach_m) {
  const Vec3f eye = placed.camera.eye;
  return {eye.x - reach_m, eye.y - reach_m, eye.x + reach_m, eye.y + reach_m};
}

Result<ShotQuality> parse_quality(std::string_view text) {
  if (text == "draft") return ShotQuality::kDraft;
  if (text == "good") return ShotQuality::kGood;
  if (text == "fine") return ShotQuality::kFine;
  return Error{ErrorCode::kBadInput,
               {},
               fmt::format("--quality: '{}' is not known; expected draft, good or fine", text)};
}

}  // namespace vf::cli

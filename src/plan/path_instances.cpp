#include "plan/path_instances.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "math/box.h"
#include "plan/feature_boxes.h"
#include "plan/path_geometry.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

namespace {

float snapped(double metres) {
  return static_cast<float>(std::floor(metres * 64 + 0.5) / 64);
}

struct Heights {
  double low, high;  ///< of the geometry over the floor
};

Heights heights_of(PathSet set, const PathPiece& piece) {
  switch (set) {
    case PathSet::kFill:
      return {-static_cast<double>(kBankReachM), 0.0};
    case PathSet::kCut:
      return {-0.5, static_cast<double>(kBankReachM)};
    case PathSet::kPad:
      return {-static_cast<double>(kPadThickM), piece.kerb_mm / 1000.0};
    case PathSet::kVoid:
      return {0.0, piece.clear_mm / 1000.0};
    case PathSet::kCore:
      break;
  }
  return {0, 0};
}

FeatureInstance instance_of(const PathPiece& piece, const PieceGeometry& g, PathSet set, double shift_x,
                            double shift_y) {
  FeatureInstance f;
  f.id = {piece.id.value};
  f.at = {snapped(g.middle.x + shift_x), snapped(g.middle.y + shift_y), snapped(g.floor)};
  f.yaw_cos = static_cast<float>(g.along.x);
  f.yaw_sin = static_cast<float>(g.along.y);
  const auto value = [&](PathValue v) -> float& { return f.values[static_cast<std::size_t>(v)]; };
  const double wide = piece.half_width_mm / 1000.0;
  value(PathValue::kCurvature) = static_cast<float>(g.curvature);
  value(PathValue::kCosine) = static_cast<float>(g.cosine);
  value(PathValue::kSine) = static_cast<float>(g.sine);
  value(PathValue::kEnd) = static_cast<float>(g.end);
  value(PathValue::kReach) = static_cast<float>(g.reach);
  value(PathValue::kGrade) = static_cast<float>(g.grade);
  value(PathValue::kRise) = static_cast<float>(g.floor - static_cast<double>(f.at.z));
  value(PathValue::kHalfWidth) = static_cast<float>(wide);
  value(PathValue::kClear) = static_cast<float>(piece.clear_mm / 1000.0);
  value(PathValue::kKerb) = static_cast<float>(piece.kerb_mm / 1000.0);
  value(PathValue::kOverrun) = piece.shape == PathShape::kWay ? kPathOverrunM : 0.0F;
  value(PathValue::kAlong) = static_cast<float>(metres(piece.along_um) + g.end);

  const bool bank = set == PathSet::kFill || set == PathSet::kCut;
  const double beside = wide + (bank ? static_cast<double>(kBankReachM) : static_cast<double>(kPadBesideM));
  const double lean = std::fabs(g.sine);
  const double past =
      static_cast<double>(bank && piece.shape == PathShape::kPlace ? kBankReachM : kPathOverrunM);
  const double half_x = g.end + past + beside * lean + 0.05,
               half_y = beside + std::fabs(g.sagitta) + lean + 0.05;
  const double climb = std::fabs(g.grade) * g.reach;
  const Heights h = heights_of(set, piece);
  f.extent_min = {static_cast<float>(-half_x), static_cast<float>(-half_y),
                  static_cast<float>(h.low - climb - 0.1)};
  f.extent_max = {static_cast<float>(half_x), static_cast<float>(half_y),
                  static_cast<float>(h.high + climb + 0.1)};
  set_boxes(f, 0, path_set_far(set));
  return f;
}

FeatureInstance support_instance(const PathPiece& piece, double shift_x, double shift_y) {
  const PieceGeometry g = geometry_of(piece);
  FeatureInstance f;
  f.id = {piece.id.value};
  f.at = {snapped(g.middle.x + shift_x), snapped(g.middle.y + shift_y), snapped(g.floor)};
  f.yaw_cos = static_cast<float>(g.along.x);
  f.yaw_sin = static_cast<float>(g.along.y);
  const auto value = [&](PathValue v) -> float& { return f.values[static_cast<std::size_t>(v)]; };
  const double radius = piece.half_width_mm / 1000.0, high = piece.clear_mm / 1000.0;
  value(PathValue::kEnd) = static_cast<float>(g.end);
  value(PathValue::kHalfWidth) = static_cast<float>(radius);
  value(PathValue::kClear) = static_cast<float>(high);
  value(PathValue::kKerb) = static_cast<float>(piece.kerb_mm / 1000.0);
  const auto half_x = static_cast<float>(g.end + radius + 0.05), half_y = static_cast<float>(radius + 0.05);
  f.extent_min = {-half_x, -half_y, -0.1F};
  f.extent_max = {half_x, half_y, static_cast<float>(high + 0.1)};
  set_boxes(f, 0, path_set_far(PathSet::kCore));
  return f;
}

}  // namespace

void add_path_instances(const PathPlan& plan, std::int64_t sx, std::int64_t sy, const Frame& frame,
                        const Box2f& window, std::vector<std::vector<FeatureInstance>>& sets) {
  VF_CHECK(sets.size() == kPathSets);
  const double shift_x = 1024.0 * static_cast<double>(sx - frame.sx),
               shift_y = 1024.0 * static_cast<double>(sy - frame.sy);
  const auto add = [&](const FeatureInstance& f, PathSet set) {
    if (f.value_box.max.x < window.min_x || f.value_box.min.x > window.max_x ||
        f.value_box.max.y < window.min_y || f.value_box.min.y > window.max_y)
      return;
    sets[static_cast<std::size_t>(set)].push_back(f);
  };
  for (const PathPiece& piece : plan.pieces) {
    if (piece.shape == PathShape::kSupport) {
      add(support_instance(piece, shift_x, shift_y), PathSet::kCore);
      continue;
    }
    const PieceGeometry g = geometry_of(piece);
    for (const PathSet set : {PathSet::kFill, PathSet::kCut, PathSet::kPad, PathSet::kVoid})
      if (piece.banked || set == PathSet::kPad || set == PathSet::kVoid)
        add(instance_of(piece, g, set, shift_x, shift_y), set);
  }
}

}  // namespace vf

#include "plan/path_instances.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "math/box.h"
#include "plan/cells.h"
#include "plan/feature_boxes.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

namespace {

/// What the shapes need to know of a piece, in metres of its sector.
struct PieceGeometry {
  PlanPoint middle, along;  ///< of the middle line; unit heading there
  double floor = 0;         ///< at the middle
  double curvature = 0, cosine = 1, sine = 0, end = 0, reach = 0, grade = 0, sagitta = 0;
};

PieceGeometry geometry_of(const PathPiece& piece) {
  PieceGeometry g;
  const PlanPoint from = plan_point(piece.from), to = plan_point(piece.to);
  const double chord = length(to - from);
  g.along = unit(to - from);
  g.curvature = static_cast<double>(piece.curvature_nano) / 1e9;
  g.sine = std::clamp(0.5 * g.curvature * chord, -0.5, 0.5);
  g.cosine = std::sqrt(1 - g.sine * g.sine);
  g.sagitta = g.curvature == 0 ? 0 : (1 - g.cosine) / g.curvature;
  g.middle = 0.5 * (from + to) - g.sagitta * left_of(g.along);
  g.end = 0.5 * chord;
  g.reach = g.end / g.cosine;
  const double rise = metres(piece.to.z - piece.from.z);
  g.floor = metres(piece.from.z) + 0.5 * rise;
  g.grade = g.reach > 0 ? 0.5 * rise / g.reach : 0;
  return g;
}

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
  value(PathValue::kOverrun) = piece.shape == PathShape::kWay ? 1.0F : 0.0F;
  value(PathValue::kAlong) = static_cast<float>(metres(piece.along_um) + g.end);

  const bool bank = set == PathSet::kFill || set == PathSet::kCut;
  const double beside = wide + (bank ? static_cast<double>(kBankReachM) : static_cast<double>(kPadBesideM));
  const double lean = std::fabs(g.sine);
  const double half_x = g.end + 1 + beside * lean + 0.05,
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

}  // namespace

void add_path_instances(const PathPlan& plan, std::int64_t sx, std::int64_t sy, const Frame& frame,
                        const Box2f& window, std::vector<std::vector<FeatureInstance>>& sets) {
  VF_CHECK(sets.size() == kPathSets);
  const double shift_x = 1024.0 * static_cast<double>(sx - frame.sx),
               shift_y = 1024.0 * static_cast<double>(sy - frame.sy);
  for (const PathPiece& piece : plan.pieces) {
    const PieceGeometry g = geometry_of(piece);
    for (std::size_t s = 0; s < kPathSets; ++s) {
      const auto set = static_cast<PathSet>(s);
      if (!piece.banked && (set == PathSet::kFill || set == PathSet::kCut)) continue;
      const FeatureInstance f = instance_of(piece, g, set, shift_x, shift_y);
      if (f.value_box.max.x < window.min_x || f.value_box.min.x > window.max_x ||
          f.value_box.max.y < window.min_y || f.value_box.min.y > window.max_y)
        continue;
      sets[s].push_back(f);
    }
  }
}

}  // namespace vf

// The shapes that a way between strata can take, as strokes of its middle line.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/path_points.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

/// Grade of everything built, along the middle line: 11.3 degrees, so that inner edges of bends stay
/// below 15.
inline constexpr double kBuiltGrade = 0.2;
/// A passage is level so far from a mouth's place to its first bend or step. [metres]
inline constexpr double kApproachM = 14;

/// Part of a middle line.
struct Stroke {
  double length = 0;     ///< [metres]
  double curvature = 0;  ///< [1/m] > 0 turns left
  bool level = false;    ///< else it descends by kBuiltGrade
};

struct PassageForm {
  std::vector<Stroke>
      strokes;               ///< approaches at both ends included; none longer than one piece of path may be
  PlanPoint start;           ///< from the anchor's axis; x along its `in`, y to the left of it. [metres]
  double heading_turns = 0;  ///< of the first stroke, from `in`, to the left
};

/// A passage that descends by `drop_m` [>= 0]. `leftward`: which way it winds.
[[nodiscard]] PassageForm passage_form(PassageStyle style, double drop_m, bool leftward);

/// The style that the recipe of `lower` names; else by what its native field, without features, holds about
/// `axis`.
[[nodiscard]] PassageStyle passage_style(const BuiltStratum& lower, std::int64_t sx, std::int64_t sy,
                                         const PlanPoint& axis, double drop_m);

}  // namespace vf

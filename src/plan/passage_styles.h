// The shapes that a way between strata can take, as strokes of its middle line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/mouths.h"
#include "plan/path_points.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

/// Grade of everything built, along the middle line: 11.3 degrees, so that inner edges of bends stay
/// below 15.
inline constexpr double kBuiltGrade = 0.2;
/// That of the turns of passages: their inner edges climb by 0.224 at most, 12.6 degrees. At 0.2 they would
/// stay within the contract, but with one and a half degrees to spare, less than what small triangles of a
/// mesh may be off: of 270 corridors Recast, which looks at each triangle, found 2 too steep.
inline constexpr double kTurnGrade = 0.19;
/// A passage is level so far from a mouth's place to its first bend or step. [metres]
inline constexpr double kApproachM = 14;

/// Part of a middle line.
struct Stroke {
  double length = 0;     ///< [metres]
  double curvature = 0;  ///< [1/m] > 0 turns left
  double grade = 0;      ///< descends by this
};

/// What a passage leans on: upright, round at the ends of its axis, and slimmer half-way up, so that it is no
/// drum.
struct PassageSupport {
  PlanPoint from, to;  ///< of its axis, as PassageForm::start
  double radius = 0;   ///< at head and foot. [metres]
  double waist = 0;    ///< what the radius has lost half-way up. [metres]
};

struct PassageForm {
  std::vector<Stroke>
      strokes;               ///< approaches at both ends included; none longer than one piece of path may be
  PlanPoint start;           ///< from the anchor's axis; x along its `in`, y to the left of it. [metres]
  double heading_turns = 0;  ///< of the first stroke, from `in`, to the left
  std::optional<PassageSupport> support;
};

/// A passage that descends by `drop_m` [>= 0]. `leftward`: which way it winds.
[[nodiscard]] PassageForm passage_form(PassageStyle style, double drop_m, bool leftward);

/// The style that the recipe of `lower` names; else by what its native field, without features, holds about
/// the anchor's axis.
[[nodiscard]] PassageStyle passage_style(const BuiltStratum& lower, std::int64_t sx, std::int64_t sy,
                                         const PassageAnchor& anchor, double drop_m);

}  // namespace vf

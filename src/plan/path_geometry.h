// The numbers of a piece of path that formulas need, from the integers that its record holds.
#pragma once

#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

/// In metres of the piece's sector; its frame stands on the middle of the middle line.
struct PieceGeometry {
  PlanPoint middle, along;  ///< of the middle line; unit heading there
  double floor = 0;         ///< at the middle
  double curvature = 0, cosine = 1, sine = 0, end = 0, reach = 0, grade = 0;  ///< as in field/path_shapes.h
  double sagitta = 0;  ///< of the middle line over its chord
};

[[nodiscard]] PieceGeometry geometry_of(const PathPiece& piece);

}  // namespace vf

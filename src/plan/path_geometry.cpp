#include "plan/path_geometry.h"

#include <algorithm>
#include <cmath>

#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

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

}  // namespace vf

// A polyline in plan -> straights and arcs that touch without a corner.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/path_points.h"

namespace vf {

/// A straight, or an arc of one curvature.
struct LineSegment {
  PlanPoint from, to;
  double curvature = 0;  ///< [1/m] > 0 turns left
  double length = 0;     ///< along it. [metres]
  /// The point at `share` of the length, 0 .. 1.
  [[nodiscard]] PlanPoint at(double share) const;
};

/// Least radius of a bend on a way. [metres]
inline constexpr double kLeastRadiusM = 6;

struct RoundedLine {
  std::vector<LineSegment> segments;
  /// For each corner that was kept: length along the line where it stands. The first is 0, the last the
  /// whole.
  std::vector<double> corners_at;
  double length = 0;
  double least_radius = 1e9;  ///< of its arcs. [metres]
};

/// Rounds every corner but the first, the last and those in `kept` (rising indices) with the widest arc up to
/// `radius` that fits.
[[nodiscard]] RoundedLine round_corners(const std::vector<PlanPoint>& corners,
                                        const std::vector<std::size_t>& kept, double radius);

/// The part from `from` to `to` of a segment (shares of its length), as a segment of its own.
[[nodiscard]] LineSegment part_of(const LineSegment& segment, double from, double to);

/// Angle whose tangent is t, for |t| <= 1. [radians] Error below 1e-9.
[[nodiscard]] double small_arc_tangent(double t);

}  // namespace vf

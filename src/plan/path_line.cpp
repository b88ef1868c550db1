#include "plan/path_line.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "math/trig.h"
#include "plan/path_points.h"

namespace vf {

namespace {

struct Corner {
  double cut = 0;  ///< how much of both sides the arc takes. [metres]
  double radius = 0;
  double angle = 0;  ///< > 0 turns left. [radians]
};

/// The arc at b of a-b-c that takes at most `room` of either side.
Corner corner_of(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c, double room, double radius) {
  const PlanPoint in = unit(b - a), out = unit(c - b);
  const double cosine = std::clamp(dot(in, out), -1.0, 1.0), side = cross(in, out);
  if (cosine > 1 - 1e-9) return {};
  // tan(angle / 2)
  const double half = std::sqrt((1 - cosine) / std::max(1 + cosine, 1e-9));
  Corner corner;
  corner.cut = std::min(radius * half, room);
  corner.radius = corner.cut / half;
  const double quarter = half / (1 + std::sqrt(1 + half * half));  // tan(angle / 4)
  corner.angle = (side >= 0 ? 4 : -4) * small_arc_tangent(std::min(quarter, 1.0));
  return corner;
}

}  // namespace

double small_arc_tangent(double t) {
  // Halved twice: |t| <= 0.199, then the series.
  const auto half = [](double v) { return v / (1 + std::sqrt(1 + v * v)); };
  const double q = half(half(t)), s = q * q;
  return 4 * q * (1 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s / 11)))));
}

PlanPoint LineSegment::at(double share) const {
  if (curvature == 0) return from + share * (to - from);
  // The chord to the point turns by half its angle from the tangent at the start.
  const double angle = curvature * length;
  const PlanPoint tangent = turned(unit(to - from), sincos_turns(-0.5 * angle / kTau));
  const double part = 0.5 * share * angle;
  const SinCos turn = sincos_turns(part / kTau);
  return from + (2 * turn.sin / curvature) * turned(tangent, turn);
}

LineSegment part_of(const LineSegment& segment, double from, double to) {
  LineSegment out;
  out.curvature = segment.curvature;
  out.length = (to - from) * segment.length;
  out.from = from == 0 ? segment.from : segment.at(from);
  out.to = to == 1 ? segment.to : segment.at(to);
  return out;
}

RoundedLine round_corners(const std::vector<PlanPoint>& corners, const std::vector<std::size_t>& kept,
                          double radius) {
  RoundedLine line;
  line.corners_at.push_back(0);
  if (corners.size() < 2) return line;
  PlanPoint at = corners.front();
  const auto straight_to = [&](const PlanPoint& to) {
    const double l = length(to - at);
    if (l < 1e-3) return;
    line.segments.push_back({at, to, 0, l});
    line.length += l;
    at = to;
  };
  const auto is_kept = [&](std::size_t i) { return std::binary_search(kept.begin(), kept.end(), i); };
  const auto half_side = [&](std::size_t i) {  // of side i .. i + 1 that one corner may take
    const bool shared = i > 0 && i + 2 < corners.size() && !is_kept(i) && !is_kept(i + 1);
    return length(corners[i + 1] - corners[i]) * (shared ? 0.48 : 0.8);
  };
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    if (is_kept(i)) {
      straight_to(corners[i]);
      line.corners_at.push_back(line.length);
      continue;
    }
    const Corner c = corner_of(corners[i - 1], corners[i], corners[i + 1],
                               std::min(half_side(i - 1), half_side(i)), radius);
    if (c.cut == 0) continue;
    const PlanPoint in = unit(corners[i] - corners[i - 1]), out = unit(corners[i + 1] - corners[i]);
    straight_to(corners[i] - c.cut * in);
    LineSegment arc{at, corners[i] + c.cut * out, (c.angle > 0 ? 1 : -1) / c.radius, 0};
    arc.length = std::fabs(c.angle) * c.radius;
    line.least_radius = std::min(line.least_radius, c.radius);
    line.length += arc.length;
    at = arc.to;
    line.segments.push_back(arc);
  }
  straight_to(corners.back());
  line.corners_at.push_back(line.length);
  return line;
}

}  // namespace vf

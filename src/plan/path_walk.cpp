#include "plan/path_walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "math/box.h"
#include "math/trig.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

namespace {

/// A piece with the angles that its points need.
class PieceLine {
 public:
  explicit PieceLine(const PathPiece& piece)
      : from_(plan_point(piece.from)), curvature_(static_cast<double>(piece.curvature_nano) / 1e9) {
    const PlanPoint chord = plan_point(piece.to) - from_;
    along_ = unit(chord);
    chord_ = vf::length(chord);
    const double sine = std::clamp(0.5 * curvature_ * chord_, -0.6, 0.6);
    // The series of the arc sine: below 1e-7 of a turn off within 35 degrees.
    const double q = sine * sine;
    half_turn_ =
        sine *
        (1 + q * (1.0 / 6 + q * (3.0 / 40 + q * (15.0 / 336 + q * (105.0 / 3456 + q * 945.0 / 42240)))));
    length_ = curvature_ == 0 ? chord_ : 2 * half_turn_ / curvature_;
    low_ = metres(piece.from.z);
    rise_ = metres(piece.to.z - piece.from.z);
  }

  [[nodiscard]] double length() const { return length_; }

  [[nodiscard]] WalkPoint at(double share) const {
    WalkPoint p;
    if (curvature_ == 0) {
      p.at = from_ + (share * chord_) * along_;
      p.heading = along_;
      p.floor = low_ + share * rise_;
      return p;
    }
    const double part = share * half_turn_;
    const PlanPoint tangent = turned(along_, sincos_turns(-half_turn_ / kTau));
    const SinCos turn = sincos_turns(part / kTau);
    p.at = from_ + (2 * turn.sin / curvature_) * turned(tangent, turn);
    p.heading = turned(tangent, sincos_turns(2 * part / kTau));
    // Floors are linear in the tangent of the angle from the middle.
    const auto tangent_of = [](double angle) {
      const SinCos t = sincos_turns(angle / kTau);
      return t.sin / t.cos;
    };
    const double whole = tangent_of(half_turn_);
    p.floor = low_ + rise_ * (0.5 + 0.5 * tangent_of(2 * part - half_turn_) / whole);
    return p;
  }

 private:
  PlanPoint from_, along_;
  double curvature_, chord_ = 0, half_turn_ = 0, length_ = 0, low_ = 0, rise_ = 0;
};

}  // namespace

std::vector<WalkPoint> walk_leg(const PathPlan& plan, const PathLeg& leg, double step) {
  std::vector<WalkPoint> out;
  double along = 0;
  for (std::uint32_t i = leg.first; i < leg.first + leg.count; ++i) {
    const PathPiece& piece = plan.pieces[i];
    if (piece.shape != PathShape::kWay) continue;
    const PieceLine line(piece);
    const int count = std::max(1, static_cast<int>(std::ceil(line.length() / step)));
    for (int k = out.empty() ? 0 : 1; k <= count; ++k) {
      const double share = static_cast<double>(k) / count;
      WalkPoint p = line.at(share);
      p.along = along + share * line.length();
      p.half_width = piece.half_width_mm / 1000.0;
      p.clear = piece.clear_mm / 1000.0;
      p.piece = i;
      out.push_back(p);
    }
    along += line.length();
  }
  return out;
}

std::vector<WalkPoint> walk_spine(const PathPlan& plan, double step) {
  std::vector<WalkPoint> out;
  const PathNode* node = find_node(plan, PathNodeKind::kArrival);
  if (node == nullptr) return out;
  Id<PathNodeTag> at = node->id;
  for (std::size_t steps = 0; steps < plan.legs.size(); ++steps) {
    const auto leg = std::find_if(plan.legs.begin(), plan.legs.end(), [&](const PathLeg& l) {
      return l.kind == PathLegKind::kSpine && l.from == at;
    });
    if (leg == plan.legs.end()) break;
    const double before = out.empty() ? 0 : out.back().along;
    for (WalkPoint p : walk_leg(plan, *leg, step)) {
      p.along += before;
      if (!out.empty() && p.along == before) continue;
      out.push_back(p);
    }
    at = leg->to;
  }
  return out;
}

Box2f extent_of(const std::vector<WalkPoint>& walk, float beside) {
  VF_CHECK(!walk.empty());
  Box2f box{1e9F, 1e9F, -1e9F, -1e9F};
  for (const WalkPoint& p : walk) {
    const auto x = static_cast<float>(p.at.x), y = static_cast<float>(p.at.y);
    box = {std::min(box.min_x, x - beside), std::min(box.min_y, y - beside), std::max(box.max_x, x + beside),
           std::max(box.max_y, y + beside)};
  }
  return box;
}

const PathLeg* passage_down(const PathPlan& plan) {
  for (const PathLeg& l : plan.legs)
    if (l.kind == PathLegKind::kPassage && l.from.value != 0) return &l;
  return nullptr;
}

const PathLeg* passage_from_above(const PathPlan& plan) {
  for (const PathLeg& l : plan.legs)
    if (l.kind == PathLegKind::kPassage && l.to.value != 0) return &l;
  return nullptr;
}

const PathNode* find_node(const PathPlan& plan, PathNodeKind kind) {
  for (const PathNode& n : plan.nodes)
    if (n.kind == kind) return &n;
  return nullptr;
}

}  // namespace vf

#include "test_support/walkers/path_line.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "math/vec.h"
#include "plan/path_plan.h"

namespace vf::test {

namespace {

constexpr double kStepM = 0.5;

double metres(std::int64_t um) {
  return static_cast<double>(um) * 1e-6;
}

/// The piece's points after its first, relative to the sector.
void add_piece(const PathPiece& piece, std::vector<Vec3d>& out) {
  const double x = metres(piece.from.x), y = metres(piece.from.y), z = metres(piece.from.z);
  const double dx = metres(piece.to.x) - x, dy = metres(piece.to.y) - y, dz = metres(piece.to.z) - z;
  const double chord = std::hypot(dx, dy), k = static_cast<double>(piece.curvature_nano) * 1e-9;
  // An arc runs off its chord by half of what it turns, and on the other side back to it.
  const double half = std::asin(std::clamp(k * chord / 2, -1.0, 1.0));
  const double length = half == 0 ? chord : 2 * half / k;
  const double heading = std::atan2(dy, dx) - half;
  const auto parts = static_cast<int>(std::max(1.0, std::ceil(std::hypot(length, dz) / kStepM)));
  for (int i = 1; i < parts; ++i) {
    const double t = static_cast<double>(i) / parts, turn = 2 * half * t;
    const double reach = half == 0 ? length * t : 2 * std::sin(turn / 2) / k;  // from the start, straight
    out.push_back(
        {x + reach * std::cos(heading + turn / 2), y + reach * std::sin(heading + turn / 2), z + t * dz});
  }
  out.push_back({x + dx, y + dy, z + dz});
}

}  // namespace

std::vector<Vec3d> leg_line(const PathPlan& plan, const PathLeg& leg, const Vec3d& frame_origin_m) {
  VF_CHECK(leg.count > 0 && leg.first + leg.count <= plan.pieces.size());
  const PathPiece& first = plan.pieces[leg.first];
  std::vector<Vec3d> out{{metres(first.from.x), metres(first.from.y), metres(first.from.z)}};
  for (std::uint32_t i = leg.first; i < leg.first + leg.count; ++i)
    if (plan.pieces[i].shape == PathShape::kWay) add_piece(plan.pieces[i], out);
  for (Vec3d& p : out) p = {p.x + frame_origin_m.x, p.y + frame_origin_m.y, p.z + frame_origin_m.z};
  return out;
}

std::vector<Vec3d> path_line(const PathPlan& plan, Id<PathNodeTag> from, Id<PathNodeTag> to,
                             const Vec3d& frame_origin_m) {
  struct Step {
    const PathLeg* leg = nullptr;
    bool backward = false;
  };
  std::map<std::uint64_t, Step> reached{{from.value, {}}};  // node -> how one comes to it
  std::deque<Id<PathNodeTag>> open{from};
  while (!open.empty() && !reached.contains(to.value)) {
    const Id<PathNodeTag> here = open.front();
    open.pop_front();
    for (const PathLeg& leg : plan.legs) {
      if (leg.kind == PathLegKind::kPassage || (leg.from != here && leg.to != here)) continue;
      const bool backward = leg.from != here;
      const Id<PathNodeTag> next = backward ? leg.from : leg.to;
      if (reached.emplace(next.value, Step{&leg, backward}).second) open.push_back(next);
    }
  }
  if (!reached.contains(to.value)) return {};
  std::vector<Vec3d> out;  // from the end
  for (Id<PathNodeTag> here = to; here != from;) {
    const Step step = reached.at(here.value);
    std::vector<Vec3d> line = leg_line(plan, *step.leg, frame_origin_m);
    if (!step.backward) std::reverse(line.begin(), line.end());
    out.insert(out.end(), line.begin() + (out.empty() ? 0 : 1), line.end());
    here = step.backward ? step.leg->to : step.leg->from;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace vf::test

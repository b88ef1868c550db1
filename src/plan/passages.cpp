#include "plan/passages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "math/trig.h"
#include "plan/mouths.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/stratum_scope.h"

namespace vf {

namespace {

constexpr double kWellRadiusM = 10.5;  ///< of the middle line: the inner edge climbs 0.24, 13.5 degrees
constexpr double kApproachM = 14;      ///< level, from a mouth's place to the first bend
constexpr int kPiecesPerTurn = 8;
constexpr std::int32_t kParapetMm = 900;

Result<double> floor_at(const BuiltStratum& s, std::int64_t sx, std::int64_t sy, const PlanPoint& p) {
  const Result<std::vector<float>> floor = wished_floor(s, sx, sy, {p});
  if (!floor) return floor.error();
  return std::floor(static_cast<double>((*floor)[0]) * 64 + 0.5) / 64;
}

PathPiece piece_of(const PositionUm& from, const PositionUm& to, double curvature) {
  PathPiece piece;
  piece.from = from;
  piece.to = to;
  piece.curvature_nano = static_cast<std::int64_t>(std::floor(curvature * 1e9 + 0.5));
  piece.kerb_mm = kParapetMm;
  return piece;
}

}  // namespace

Result<Passage> passage_between(const BuiltStratum& upper, const BuiltStratum& lower, std::int64_t sx,
                                std::int64_t sy, bool seen_from_lower) {
  const PassageAnchor anchor = passage_anchor(upper.stratum, sx, sy);
  const Result<double> high = floor_at(upper, sx, sy, anchor.axis),
                       low = floor_at(lower, sx, sy, anchor.axis);
  if (!high) return high.error();
  if (!low) return low.error();
  const double between = upper.stratum.content_floor_z_m - lower.stratum.content_floor_z_m;
  const double top = *high + (seen_from_lower ? between : 0), bottom = *low - (seen_from_lower ? 0 : between);
  const double turn = anchor.leftward ? 1 : -1;
  const double turns = (top - bottom) / (kBuiltGrade * kWellRadiusM * kTau);
  // From the axis to the middle line where it begins: the heading is `in` there.
  const PlanPoint radius = (-turn * kWellRadiusM) * left_of(anchor.in);
  const auto on_coil = [&](double share) {
    return anchor.axis + turned(radius, sincos_turns(turn * turns * share));
  };
  const PlanPoint out = turned(anchor.in, sincos_turns(turn * turns));

  Passage passage;
  passage.top = position_um(on_coil(0) - kApproachM * anchor.in, top);
  passage.bottom = position_um(on_coil(1) + kApproachM * out, bottom);
  PositionUm at = passage.top;
  const auto go = [&](const PositionUm& to, double curvature, double length) {
    PathPiece piece = piece_of(at, to, curvature);
    piece.along_um = passage.length_um;
    passage.pieces.push_back(piece);
    passage.length_um += micrometres(length);
    at = to;
  };
  go(position_um(on_coil(0), top), 0, kApproachM);
  const int count = std::max(1, static_cast<int>(std::ceil(turns * kPiecesPerTurn)));
  for (int i = 1; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    go(position_um(on_coil(share), top + share * (bottom - top)), turn / kWellRadiusM,
       kTau * kWellRadiusM * turns / count);
  }
  go(passage.bottom, 0, kApproachM);
  return passage;
}

}  // namespace vf

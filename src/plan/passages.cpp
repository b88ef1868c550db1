#include "plan/passages.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "math/trig.h"
#include "plan/mouths.h"
#include "plan/passage_styles.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

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

/// From a metre under the lower floor to the upper one.
PathPiece support_of(const PassageSupport& support, const PassageAnchor& anchor, double low, double drop) {
  constexpr double kUnderM = 1;
  const auto at = [&](const PlanPoint& p) {
    return position_um(anchor.axis + p.x * anchor.in + p.y * left_of(anchor.in), low - kUnderM);
  };
  const auto mm = [](double metres) { return static_cast<std::int32_t>(std::floor(metres * 1000 + 0.5)); };
  PathPiece piece;
  piece.shape = PathShape::kSupport;
  piece.from = at(support.from);
  piece.to = at(support.to);
  piece.half_width_mm = mm(support.radius);
  piece.clear_mm = mm(drop + kUnderM);
  piece.kerb_mm = mm(support.waist);
  return piece;
}

struct Line {
  std::vector<PlanPoint> at;  ///< ends of strokes
  double descent = 0;         ///< of all strokes together. [metres]
};

/// The middle line of a form in plan.
Line line_of(const PassageForm& form, const PassageAnchor& anchor) {
  Line line;
  PlanPoint at = anchor.axis + form.start.x * anchor.in + form.start.y * left_of(anchor.in);
  PlanPoint heading = turned(anchor.in, sincos_turns(form.heading_turns));
  line.at.push_back(at);
  for (const Stroke& stroke : form.strokes) {
    if (stroke.curvature == 0) {
      at = at + stroke.length * heading;
    } else {
      const double turns = stroke.length * stroke.curvature / kTau;
      const SinCos half = sincos_turns(0.5 * turns);
      at = at + (2 * half.sin / stroke.curvature) * turned(heading, half);
      heading = turned(heading, sincos_turns(turns));
    }
    line.at.push_back(at);
    line.descent += stroke.grade * stroke.length;
  }
  return line;
}

}  // namespace

Result<Passage> passage_between(const BuiltStratum& upper, const BuiltStratum& lower, std::int64_t sx,
                                std::int64_t sy, bool seen_from_lower) {
  const PassageAnchor anchor = passage_anchor(upper.stratum, sx, sy);
  const double between = upper.stratum.content_floor_z_m - lower.stratum.content_floor_z_m;
  // The floors are those of the land at the mouths, whose places follow from the drop: once from the floors
  // at the axis, then from those at the mouths.
  PlanPoint first = anchor.axis, last = anchor.axis;
  std::optional<PassageStyle> style;
  PassageForm form;
  Line line;
  double high = 0, low = 0;
  for (int round = 0; round < 2; ++round) {
    const Result<double> top = floor_at(upper, sx, sy, first), bottom = floor_at(lower, sx, sy, last);
    if (!top) return top.error();
    if (!bottom) return bottom.error();
    high = *top + between, low = *bottom;
    if (!style) style = passage_style(lower, sx, sy, anchor, high - low);
    form = passage_form(*style, high - low, anchor.leftward);
    line = line_of(form, anchor);
    first = line.at.front(), last = line.at.back();
  }
  const double raise = seen_from_lower ? 0 : -between;
  Passage passage;
  double descent = 0;
  PositionUm from = position_um(line.at.front(), high + raise);
  passage.top = from;
  for (std::size_t i = 0; i < form.strokes.size(); ++i) {
    const Stroke& stroke = form.strokes[i];
    descent += stroke.grade * stroke.length;
    const double share = line.descent > 0 ? descent / line.descent : 1;
    const PositionUm to = position_um(line.at[i + 1], high + share * (low - high) + raise);
    PathPiece piece = piece_of(from, to, stroke.curvature);
    piece.along_um = passage.length_um;
    passage.pieces.push_back(piece);
    passage.length_um += micrometres(stroke.length);
    from = to;
  }
  passage.bottom = from;
  if (form.support) passage.supports.push_back(support_of(*form.support, anchor, low + raise, high - low));
  return passage;
}

}  // namespace vf

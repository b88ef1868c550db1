#include "plan/passage_styles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "field/program.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/trig.h"
#include "plan/mouths.h"
#include "plan/path_points.h"
#include "plan/place_formulas.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr double kWellRadiusM = 10.5;  ///< of the middle line
constexpr double kTurnRadiusM = 10;    ///< of the half turns of a switchback
constexpr double kOutM = 16;           ///< its first and last flights reach so far out, clear of the turns
constexpr double kFlightM = 44;        ///< longest of its flights
constexpr double kGalleryFlightM = 40;
constexpr double kLandingM = 6;
constexpr double kGalleryBendM =
    90;  ///< radius: a flight turns by 25 degrees, so that its end is out of sight
/// From here on a switchback is as short as a gallery, and takes less room.
constexpr double kGalleryDropM = 40;
constexpr double kStrokeM = 14;      ///< longest piece of one grade
constexpr double kStrokeTurn = 0.8;  ///< most turn of one piece. [radians]

void add(std::vector<Stroke>& out, double length, double curvature, double grade) {
  const double most = curvature == 0 ? kStrokeM : std::min(kStrokeM, kStrokeTurn / std::fabs(curvature));
  const int count = std::max(1, static_cast<int>(std::ceil(length / most)));
  for (int i = 0; i < count; ++i) out.push_back({length / count, curvature, grade});
}

/// Its inner edges stand on the support by this much.
constexpr double kIntoInnerEdgeM = 0.35;
constexpr double kLeastSupportM = 1;  ///< of drop

/// For ways that wind about an axis at this distance.
PassageSupport support_within(double radius_m, double drop_m, double waist_share) {
  PassageSupport out;
  out.radius = radius_m - static_cast<double>(kWayHalfM) - static_cast<double>(kPadBesideM) + kIntoInnerEdgeM;
  out.waist = std::min(waist_share * out.radius, drop_m / 16);  // its sides stay steep
  return out;
}

PassageForm well(double drop, double turn) {
  PassageForm form;
  add(form.strokes, kApproachM, 0, 0);
  add(form.strokes, drop / kTurnGrade, turn / kWellRadiusM, kTurnGrade);
  add(form.strokes, kApproachM, 0, 0);
  form.start = {-kApproachM, -turn * kWellRadiusM};
  if (drop >= kLeastSupportM) form.support = support_within(kWellRadiusM, drop, 0.2);
  return form;
}

/// Across the line of sight to the boundary above, so that both its ends keep their distance from that one. A
/// landing follows each half turn. Flights of one lane lie two flights and two turns above each other: far
/// more than the height of the way.
PassageForm switchback(double drop, double turn, bool on_wall) {
  const double run = drop / kBuiltGrade;
  constexpr double kTurnM = kTurnRadiusM * kTau / 2;
  constexpr double kTurnRunM = kTurnM * kTurnGrade / kBuiltGrade;  // of a flight that descends as much
  PassageForm form;
  const int flights =
      std::max(1, static_cast<int>(std::ceil((run + kTurnRunM - 2 * kOutM) / (kFlightM + kTurnRunM))));
  const double out = flights > 1 ? kOutM : 0, flight = (run - (flights - 1) * kTurnRunM - 2 * out) / flights;
  add(form.strokes, kApproachM, 0, 0);
  for (int i = 0; i < flights; ++i) {
    if (i > 0) {
      add(form.strokes, kTurnM, turn / kTurnRadiusM, kTurnGrade);
      add(form.strokes, kLandingM, 0, 0);
    }
    add(form.strokes, flight + (i == 0 ? out : 0) + (i + 1 == flights ? out : 0), 0, kBuiltGrade);
  }
  add(form.strokes, kApproachM, 0, 0);
  form.start = {kTurnRadiusM, -turn * (kApproachM + out + flight / 2)};
  form.heading_turns = turn * 0.25;
  if (on_wall && drop >= kLeastSupportM) {
    form.support = support_within(kTurnRadiusM, drop, 0.06);
    form.support->from = {0, turn * flight / 2};
    form.support->to = {0, -turn * (flight / 2 + (flights > 1 ? kLandingM : 0))};
  }
  return form;
}

/// Lies as a switchback does.
PassageForm gallery(double drop, double turn) {
  const double run = drop / kBuiltGrade;
  PassageForm form;
  const int flights = std::max(1, static_cast<int>(std::ceil(run / kGalleryFlightM)));
  add(form.strokes, kApproachM, 0, 0);
  for (int i = 0; i < flights; ++i) {
    if (i > 0) add(form.strokes, kLandingM, 0, 0);
    add(form.strokes, run / flights, ((i & 1) != 0 ? -turn : turn) / kGalleryBendM, kBuiltGrade);
  }
  add(form.strokes, kApproachM, 0, 0);
  const double whole = run + kLandingM * (flights - 1) + 2 * kApproachM;
  form.start = {0, -turn * whole / 2};
  form.heading_turns = turn * (0.25 - 0.5 * run / flights / kGalleryBendM / kTau);
  return form;
}

/// How much of the space about the axis is rock, before it and behind it: 0 .. 1. Features come later than
/// paths, and are left out.
struct RockShares {
  double before = 0, behind = 0;
};
RockShares rock_shares(const BuiltStratum& here, std::int64_t sx, std::int64_t sy,
                       const PassageAnchor& anchor) {
  const PlanPoint& axis = anchor.axis;
  const Program& program = *here.built->density;
  const double reach = 24;
  const Box2f window{static_cast<float>(axis.x - reach), static_cast<float>(axis.y - reach),
                     static_cast<float>(axis.x + reach), static_cast<float>(axis.y + reach)};
  FieldSampler field(std::make_shared<const BoundField>(
                         bind_field(here.built->density, Frame{sx, sy}, window,
                                    std::vector<std::vector<FeatureInstance>>(program.feature_sets.size()),
                                    stratum_seed_mix(here.stratum))),
                     best_simd_level());
  constexpr int kAcross = 4, kUp = 4;
  std::array<float, std::size_t{kAcross} * kAcross * kUp> x{}, y{}, z{}, phi{};
  const double height = here.built->recipe->height_m;
  std::size_t n = 0;
  for (int i = 0; i < kAcross; ++i)
    for (int j = 0; j < kAcross; ++j)
      for (int k = 0; k < kUp; ++k, ++n) {
        x[n] = static_cast<float>(axis.x + reach * (2 * (i + 0.5) / kAcross - 1));
        y[n] = static_cast<float>(axis.y + reach * (2 * (j + 0.5) / kAcross - 1));
        z[n] = static_cast<float>(height * (k + 0.5) / kUp);
      }
  field.values(n, x.data(), y.data(), z.data(), phi.data());
  RockShares rock;
  double before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const PlanPoint off = PlanPoint{static_cast<double>(x[i]), static_cast<double>(y[i])} - axis;
    const bool is_before = dot(off, anchor.in) < 0;
    before += is_before ? 1 : 0;
    if (phi[i] < 0) (is_before ? rock.before : rock.behind) += 1;
  }
  return {rock.before / before, rock.behind / (static_cast<double>(n) - before)};
}

}  // namespace

PassageForm passage_form(PassageStyle style, double drop_m, bool leftward) {
  VF_CHECK(drop_m >= 0);
  const double turn = leftward ? 1 : -1;
  switch (style) {
    case PassageStyle::kWell:
      return well(drop_m, turn);
    case PassageStyle::kSwitchback:
    case PassageStyle::kWall:
      return switchback(drop_m, turn, style == PassageStyle::kWall);
    case PassageStyle::kGallery:
      break;
  }
  return gallery(drop_m, turn);
}

PassageStyle passage_style(const BuiltStratum& lower, std::int64_t sx, std::int64_t sy,
                           const PassageAnchor& anchor, double drop_m) {
  if (const std::optional<PassageStyle> named = lower.built->recipe->route.passage) return *named;
  constexpr double kInRock = 0.6, kOpen = 0.35;
  const RockShares rock = rock_shares(lower, sx, sy, anchor);
  const auto [less, more] = std::minmax(rock.before, rock.behind);
  if (less <= kOpen && more >= kInRock) return PassageStyle::kWall;
  if (0.5 * (less + more) < kInRock) return PassageStyle::kWell;
  return drop_m <= kGalleryDropM ? PassageStyle::kGallery : PassageStyle::kSwitchback;
}

}  // namespace vf

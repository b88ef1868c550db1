#include "field/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "field/exp_bound.h"
#include "field/linear_rates.h"
#include "field/noise_constants.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/slopes.h"
#include "math/interval.h"
#include "math/trig.h"

// Ranges of + - * / sqrt min max floor are computed in f32 in the order of the evaluators: rounding to
// nearest is monotone, so they hold for computed values. Whatever has another inner form is widened by kWide
// of its terms.

namespace vf {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Far more than the rounding of any fat op, which is below 64 * 2^-24 of its terms.
constexpr double kWide = 1e-5;
/// Widest |x| of any sector: 2^31 sectors of 1024 m.
constexpr float kWorldReach = 4.4e12F;
/// Widest |x| within a frame; only seen through periodic ops.
constexpr float kFrameReach = 16384.0F;
constexpr float kRouteReach = 16384.0F;

double magnitude(const Interval& i) {
  return std::max(std::fabs(static_cast<double>(i.lo)), std::fabs(static_cast<double>(i.hi)));
}

Interval widened(double lo, double hi) {
  const double by = kWide * std::max(std::fabs(lo), std::fabs(hi));
  return {static_cast<float>(lo - by), static_cast<float>(hi + by)};
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// Distance between a value of a and one of b.
double spread_of(const Interval& a, const Interval& b) {
  return std::max(std::fabs(static_cast<double>(b.hi) - static_cast<double>(a.lo)),
                  std::fabs(static_cast<double>(a.hi) - static_cast<double>(b.lo)));
}

Interval multiply(const Interval& a, const Interval& b) {
  const float p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}

Interval magnitudes(const Interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return {-a.hi, -a.lo};
  return {0, std::max(-a.lo, a.hi)};
}

Interval square(const Interval& a) {
  const Interval m = magnitudes(a);
  return {m.lo * m.lo, m.hi * m.hi};
}

Interval length_range(std::span<const Interval> terms) {
  double lo = 0, hi = 0;
  for (const Interval& t : terms) {
    const Interval m = magnitudes(t);
    lo += static_cast<double>(m.lo) * static_cast<double>(m.lo);
    hi += static_cast<double>(m.hi) * static_cast<double>(m.hi);
  }
  lo = std::sqrt(lo);
  hi = std::sqrt(hi);
  return {static_cast<float>(lo * (1 - kWide)), static_cast<float>(hi * (1 + kWide))};
}

/// One node under analysis.
class Analysis {
 public:
  Analysis(const Program& program, const Node& node, std::span<const NodeFacts> facts,
           const AnalysisScope& scope)
      : p_(program), n_(node), facts_(facts), scope_(scope) {}

  Result<NodeFacts> run() {
    dispatch();
    if (refused_) return Error{ErrorCode::kBadInput, {}, *refused_};
    if (!range_.finite()) return Error{ErrorCode::kBadInput, {}, "this may grow beyond all numbers (3e38)"};
    NodeFacts f;
    f.range = range_;
    for (std::size_t i = 0; i < kSlopeAxes; ++i) f.slope[i] = std::isnan(s_.axis[i]) ? kInfinite : s_.axis[i];
    // A value of a column does not change with z, whatever its slope; one of a slice only with z.
    if (n_.kind == Kind::kColumn || n_.kind == Kind::kConstant) f.slope[2] = 0;
    if (n_.kind == Kind::kSlice || n_.kind == Kind::kConstant)
      f.slope[0] = f.slope[1] = f.slope[3] = f.slope[4] = 0;
    f.rates = linear_rates(p_, n_, facts_, scope_.turned);
    if (f.rates)
      for (std::size_t i = 0; i < kSlopeAxes; ++i)
        f.slope[i] = std::min(f.slope[i], std::fabs((*f.rates)[i]));
    const double by_axis = length_of(f.slope);
    f.gradient = std::isnan(s_.gradient) ? by_axis : std::min(s_.gradient, by_axis);
    for (double& s : f.slope) s = std::min(s, f.gradient);
    f.flips = flips_;
    return f;
  }

 private:
  const NodeFacts& fact(int i) const { return facts_[n_.in[static_cast<std::size_t>(i)]]; }
  const Interval& range(int i) const { return fact(i).range; }
  /// Slopes of an input whose sign does not matter.
  Slopes even(int i) const { return {fact(i).slope, fact(i).gradient}; }
  Slopes slopes(int i) const { return fact(i).flips ? jumps() : even(i); }
  float constant(std::uint32_t i) const { return p_.constants[i]; }
  void refuse(std::string why) { refused_ = std::move(why); }
  void set(Interval range, Slopes s) {
    range_ = range;
    s_ = s;
  }

  void dispatch() {
    switch (n_.op) {
      case Opcode::kConstant:
        return set({constant(n_.param), constant(n_.param)}, {});
      case Opcode::kX:
        return position(0, kFrameReach);
      case Opcode::kY:
        return position(1, kFrameReach);
      case Opcode::kAbsoluteX:
        return position(0, kWorldReach);
      case Opcode::kAbsoluteY:
        return position(1, kWorldReach);
      case Opcode::kZ:
        return set(scope_.z, {{0, 0, 1}, 1});
      case Opcode::kLocalX:
        return set(scope_.local_xy, {{1, 0, 0}, 1});
      case Opcode::kLocalY:
        return set(scope_.local_xy, {{0, 1, 0}, 1});
      case Opcode::kLocalZ:
        return set(scope_.local_z, {{0, 0, 1}, 1});
      case Opcode::kValue:
        return set(scope_.values[n_.param], {});
      case Opcode::kRandom:
        return set(n_.param == 8 ? scope_.ground : Interval{0, 1}, {});
      case Opcode::kSurface:
        return surface();
      case Opcode::kFeatures:
        return features();
      default:
        break;
    }
    if (input_count(n_.op) == 1) return unary();
    if (n_.op >= Opcode::kSphere) return shape();
    if (n_.op >= Opcode::kNoise2) return noise();
    if (input_count(n_.op) == 2) return binary();
    return ternary();
  }

  void position(std::size_t axis, float reach) {
    Slopes s{{}, 1};
    s.axis[world_axis(axis, scope_.turned)] = 1;
    set({-reach, reach}, s);
  }

  /// Largest stretch of the map to the first inputs; infinite when they are not linear.
  double stretch(int inputs) const {
    std::array<SlopeVector, 3> rows;
    for (int i = 0; i < inputs; ++i) {
      if (!fact(i).rates) return kInfinite;
      rows[static_cast<std::size_t>(i)] = *fact(i).rates;
    }
    return stretch_of({rows.data(), static_cast<std::size_t>(inputs)});
  }
  Slopes bounded(Slopes s, double gradient) const {
    s.gradient = std::min(s.gradient, gradient);
    return s;
  }

  void surface() {
    switch (static_cast<SurfaceInput>(n_.param)) {
      case SurfaceInput::kSlopeDeg:
        return set({0, 180}, jumps());
      case SurfaceInput::kRouteDistance:
        return set({0, kRouteReach}, jumps());
      case SurfaceInput::kRouteAlong:
      case SurfaceInput::kRouteHeight:
        return set({-kRouteReach, kRouteReach}, jumps());
      default:
        return set({-1, 1}, jumps());
    }
  }

  void features() {
    const NodeFacts& f = scope_.sets[n_.param];
    set(f.range, {f.slope, f.gradient});
  }

  void unary() {
    const Interval a = range(0);
    switch (n_.op) {
      case Opcode::kNegate:
        flips_ = fact(0).flips;
        return set({-a.hi, -a.lo}, even(0));
      case Opcode::kAbs:
        return set(magnitudes(a), even(0));
      case Opcode::kFloor: {
        const Interval f{std::floor(a.lo), std::floor(a.hi)};
        return set(f, f.lo == f.hi ? Slopes{} : jumps());
      }
      case Opcode::kSqrt: {
        if (a.lo < 0) return refuse("the square root of a negative number: this ranges over " + to_string(a));
        const double steepest = 0.5 / std::sqrt(static_cast<double>(a.lo));
        return set({std::sqrt(a.lo), std::sqrt(a.hi)}, scaled(slopes(0), a.lo > 0 ? steepest : kInfinite));
      }
      case Opcode::kSquare:
        return set(square(a), scaled(even(0), 2 * magnitude(a)));
      case Opcode::kCube:
        return set({a.lo * a.lo * a.lo, a.hi * a.hi * a.hi},
                   scaled(slopes(0), 3 * magnitude(a) * magnitude(a)));
      case Opcode::kExp: {
        if (a.lo < -80 || a.hi > 80)
          return refuse("exp needs an argument within -80 .. 80: this ranges over " + to_string(a));
        const double lo = exp_bound(static_cast<double>(a.lo)), hi = exp_bound(static_cast<double>(a.hi));
        return set(widened(lo, hi), scaled(slopes(0), hi * (1 + kWide)));
      }
      case Opcode::kSin:
        return set(widened(-1, 1), slopes(0));
      case Opcode::kCos:
        return set(widened(-1, 1), even(0));
      case Opcode::kSnap:
        return set({a.lo - 0.001F, a.hi + 0.001F}, slopes(0));
      case Opcode::kSmoothstep: {
        const double inv = static_cast<double>(constant(n_.param + 1));
        return set(step_range(a), scaled(slopes(0), 1.5 * std::fabs(inv) * (1 + kWide)));
      }
      case Opcode::kSpline:
        return spline();
      case Opcode::kWave: {
        const double period = static_cast<double>(p_.periodics[n_.param].period);
        return set(widened(-1, 1), scaled(even(0), kTau / period * (1 + kWide)));
      }
      case Opcode::kRepeat: {
        const PeriodicParams& q = p_.periodics[n_.param];
        const double half = 0.5 * static_cast<double>(q.period) * static_cast<double>(q.scale);
        flips_ = !fact(0).flips;
        return set(widened(-half, half), scaled(slopes(0), static_cast<double>(q.scale)));
      }
      default:
        return refuse("unknown operation");
    }
  }

  Interval step_range(const Interval& a) const {
    const double low = static_cast<double>(constant(n_.param)),
                 inv = static_cast<double>(constant(n_.param + 1));
    const auto step = [&](float v) {
      const double t = std::clamp((static_cast<double>(v) - low) * inv, 0.0, 1.0);
      return t * t * (3 - 2 * t);
    };
    const double p = step(a.lo), q = step(a.hi);
    return {static_cast<float>(std::max(0.0, std::min(p, q) - kWide)),
            static_cast<float>(std::min(1.0 + kWide, std::max(p, q) + kWide))};
  }

  void spline() {
    const SplineParams& q = p_.splines[n_.param];
    const Interval a = range(0);
    double lo = kInfinite, hi = -kInfinite, steepest = 0, terms = 0;
    const auto value = [&](double v) { lo = std::min(lo, v), hi = std::max(hi, v), terms += std::fabs(v); };
    const auto slope = [&](double v) { steepest = std::max(steepest, std::fabs(v)); };
    const auto at = [&](std::size_t i) { return static_cast<double>(q.at[i]); };
    const auto to = [&](std::size_t i) { return static_cast<double>(q.to[i]); };
    const auto rise = [&](std::size_t i) { return static_cast<double>(q.slope[i]); };
    const std::size_t last = q.at.size() - 1;
    const auto straight = [&](std::size_t i, double v) {
      value(to(i));
      value(to(i) + rise(i) * (v - at(i)));
      slope(rise(i));
    };
    if (static_cast<double>(a.lo) < at(0)) straight(0, static_cast<double>(a.lo));
    if (static_cast<double>(a.hi) > at(last)) straight(last, static_cast<double>(a.hi));
    if (static_cast<double>(a.hi) < at(0)) straight(0, static_cast<double>(a.hi));
    if (static_cast<double>(a.lo) > at(last)) straight(last, static_cast<double>(a.lo));
    // A cubic piece lies in the hull of its Bezier points, its slope in the hull of theirs.
    for (std::size_t i = 0; i < last; ++i) {
      if (static_cast<double>(a.hi) < at(i) || static_cast<double>(a.lo) > at(i + 1)) continue;
      const double d = at(i + 1) - at(i);
      value(to(i));
      value(to(i) + rise(i) * d / 3);
      value(to(i + 1) - rise(i + 1) * d / 3);
      value(to(i + 1));
      slope(rise(i));
      slope(3 * (to(i + 1) - to(i)) / d - rise(i) - rise(i + 1));
      slope(rise(i + 1));
    }
    const double by = kWide * terms;
    set({static_cast<float>(lo - by), static_cast<float>(hi + by)},
        scaled(slopes(0), steepest * (1 + kWide)));
  }

  void binary() {
    const Interval a = range(0), b = range(1);
    switch (n_.op) {
      case Opcode::kAdd:
        return set({a.lo + b.lo, a.hi + b.hi}, sum(slopes(0), slopes(1)));
      case Opcode::kSubtract:
        // The same node on both sides was folded before.
        return set({a.lo - b.hi, a.hi - b.lo}, sum(slopes(0), slopes(1)));
      case Opcode::kMultiply:
        return product(a, b);
      case Opcode::kDivide:
        return quotient(a, b);
      case Opcode::kMin:
        return set({std::min(a.lo, b.lo), std::min(a.hi, b.hi)}, either(a.hi < b.lo, b.hi < a.lo));
      case Opcode::kMax:
        return set({std::max(a.lo, b.lo), std::max(a.hi, b.hi)}, either(a.lo > b.hi, b.lo > a.hi));
      case Opcode::kMod: {
        const bool one_cell = std::floor(a.lo / b.lo) == std::floor(a.hi / b.lo) && b.lo == b.hi;
        const double top = static_cast<double>(b.hi), slack = kWide * (magnitude(a) + top);
        return set({static_cast<float>(-slack), static_cast<float>(top + slack)},
                   one_cell ? slopes(0) : jumps());
      }
      case Opcode::kSmin:
      case Opcode::kSmax:
        return smooth(a, b);
      case Opcode::kLength2: {
        const std::array<Interval, 2> terms{a, b};
        return set(length_range(terms), bounded(length_of(even(0), even(1)), stretch(2)));
      }
      case Opcode::kAngle: {
        const std::array<Interval, 2> terms{a, b};
        const double least = static_cast<double>(length_range(terms).lo);
        const bool wraps = a.lo < 0 && b.lo <= 0 && b.hi >= 0;
        const Slopes s = length_of(slopes(0), slopes(1));
        return set(widened(-kTau / 2, kTau / 2), wraps || least <= 0 ? jumps() : scaled(s, 1 / least));
      }
      case Opcode::kAffine: {
        const AffineParams& q = p_.affines[n_.param];
        const auto fx = static_cast<float>(q.ax), fy = static_cast<float>(q.ay);
        const Interval p = multiply(a, {fx, fx}), r = multiply(b, {fy, fy});
        return set({p.lo + r.lo, p.hi + r.hi},
                   sum(scaled(slopes(0), std::abs(q.ax)), scaled(slopes(1), std::abs(q.ay))));
      }
      default:
        return refuse("unknown operation");
    }
  }

  /// Slopes of a min or max, of which one operand may be out of reach of the other.
  Slopes either(bool first_alone, bool second_alone) const {
    if (first_alone) return slopes(0);
    return second_alone ? slopes(1) : largest(slopes(0), slopes(1));
  }

  void product(const Interval& a, const Interval& b) {
    const bool constant_a = a.lo == a.hi, constant_b = b.lo == b.hi;
    flips_ = (fact(0).flips && constant_b) || (fact(1).flips && constant_a);
    const Slopes da = flips_ ? even(0) : slopes(0), db = flips_ ? even(1) : slopes(1);
    set(multiply(a, b), sum(scaled(da, magnitude(b)), scaled(db, magnitude(a))));
  }

  void quotient(const Interval& a, const Interval& b) {
    if (b.lo <= 0 && b.hi >= 0) return refuse("division by zero: the divisor ranges over " + to_string(b));
    const double least = std::min(std::fabs(static_cast<double>(b.lo)), std::fabs(static_cast<double>(b.hi)));
    flips_ = fact(0).flips && b.lo == b.hi;
    const float p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
    set({std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))},
        sum(scaled(flips_ ? even(0) : slopes(0), 1 / least),
            scaled(slopes(1), magnitude(a) / (least * least))));
  }

  void smooth(const Interval& a, const Interval& b) {
    const double k = static_cast<double>(constant(n_.param));
    const bool small = n_.op == Opcode::kSmin;
    const double by = k / 4 + kWide * (magnitude(a) + magnitude(b) + k);
    if (small) {
      const Interval m{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
      set({static_cast<float>(static_cast<double>(m.lo) - by), m.hi}, largest(slopes(0), slopes(1)));
    } else {
      const Interval m{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
      set({m.lo, static_cast<float>(static_cast<double>(m.hi) + by)}, largest(slopes(0), slopes(1)));
    }
  }

  void ternary() {
    const Interval a = range(0), b = range(1), c = range(2);
    switch (n_.op) {
      case Opcode::kLength3: {
        const std::array<Interval, 3> terms{a, b, c};
        return set(length_range(terms), bounded(length_of(length_of(even(0), even(1)), even(2)), stretch(3)));
      }
      case Opcode::kMix: {
        const Interval h = hull(a, b);
        const double by = kWide * (magnitude(a) + magnitude(b));
        const Slopes s = sum(largest(slopes(0), slopes(1)), scaled(slopes(2), spread_of(a, b)));
        return set({static_cast<float>(static_cast<double>(h.lo) - by),
                    static_cast<float>(static_cast<double>(h.hi) + by)},
                   s);
      }
      case Opcode::kSelectRange: {
        const float low = constant(n_.param), high = constant(n_.param + 1);
        if (a.lo >= low && a.hi <= high) return set(b, slopes(1));
        if (a.hi < low || a.lo > high) return set(c, slopes(2));
        return set(hull(b, c), jumps());
      }
      default:
        return refuse("unknown operation");
    }
  }

  void noise() {
    const NoiseParams& q = p_.noises[n_.param];
    const bool solid = input_count(n_.op) == 3;
    const bool cellular = q.basis == NoiseBasis::kCellular;
    double slope = 0, gradient = 0;
    if (cellular) {
      slope = static_cast<double>(kCellularSlope);
      gradient = static_cast<double>(kCellularGradient);
    } else if (q.basis == NoiseBasis::kValue) {
      slope = static_cast<double>(kValueSlope);
      gradient = static_cast<double>(solid ? kValue3Gradient : kValue2Gradient);
    } else {
      slope = static_cast<double>(solid ? kPerlin3Slope : kPerlin2Slope);
      gradient = static_cast<double>(solid ? kPerlin3Gradient : kPerlin2Gradient);
    }
    const double fold = q.shape == NoiseShape::kPlain ? 1 : 2;
    double plan_rate = 0, rise_rate = 0;  // sum of amplitude / period
    for (const NoiseOctave& o : q.octaves) {
      plan_rate += fold * static_cast<double>(o.amplitude) / static_cast<double>(o.period);
      rise_rate += fold * static_cast<double>(o.amplitude) / static_cast<double>(o.period_z);
    }
    const Slopes plan = plan_slopes();
    Slopes s = scaled(sum(slopes(0), slopes(1)), slope * plan_rate);
    s.gradient = times(plan.gradient, gradient * plan_rate);
    if (solid) {
      const Slopes rise = scaled(slopes(2), rise_rate);
      s = sum(s, scaled(rise, slope));
      const Slopes level{plan.axis, times(plan.gradient, plan_rate)};
      s.gradient = gradient * (apart(level, rise) ? std::max(level.gradient, rise.gradient)
                                                  : level.gradient + rise.gradient);
    }
    if (cellular)
      return set(widened(static_cast<double>(kCellularMin),
                         static_cast<double>(solid ? kCellular3Max : kCellular2Max)),
                 s);
    set(widened(-1, 1), s);
  }

  /// Of the first two inputs; `gradient` is the largest stretch of the map.
  Slopes plan_slopes() const { return bounded(length_of(slopes(0), slopes(1)), stretch(2)); }

  void shape() {
    const auto m = [&](int i) { return magnitude(range(i)); };
    const Slopes plan = bounded(length_of(even(0), even(1)), stretch(2));
    const Slopes all = n_.op == Opcode::kRect ? plan : bounded(length_of(plan, even(2)), stretch(3));
    double reach = m(0) + m(1) + (n_.op == Opcode::kRect ? 0 : m(2));  // the far side of every distance
    double inside = 0;                                                 // the deepest it can be
    switch (n_.op) {
      case Opcode::kSphere:
        inside = m(3);
        break;
      case Opcode::kEllipsoid: {
        if (range(3).lo <= 0 || range(4).lo <= 0 || range(5).lo <= 0)
          return refuse("an ellipsoid needs radii above zero");
        inside = std::min({m(3), m(4), m(5)});
        const double least = std::min({range(3).lo, range(4).lo, range(5).lo}) > 0
                                 ? static_cast<double>(std::min({range(3).lo, range(4).lo, range(5).lo}))
                                 : 0;
        reach *= inside / least;
        break;
      }
      case Opcode::kBox:
        inside = m(3) + m(4) + m(5);
        break;
      case Opcode::kRoundBox:
        inside = m(3) + m(4) + m(5) + 2 * m(6);
        break;
      case Opcode::kCylinder:
      case Opcode::kHexprism:
        inside = m(3) + m(4);
        break;
      case Opcode::kTorus:
        inside = m(4), reach += m(3);
        break;
      case Opcode::kHelix:
        inside = m(5), reach += m(3) + m(4);
        return set(shape_range(inside, reach), helix_slopes());
      case Opcode::kRect:
        inside = m(2) + m(3) + 2 * m(4);
        break;
      case Opcode::kCapsule: {
        inside = m(9);
        for (int i = 3; i < 9; ++i) reach += m(i);
        return set(shape_range(inside, reach), uneven());
      }
      default:
        return refuse("unknown operation");
    }
    set(shape_range(inside, reach), all);
  }

  /// Of a distance that notices when a coordinate changes its sign.
  Slopes uneven() const { return bounded(length_of(length_of(slopes(0), slopes(1)), slopes(2)), stretch(3)); }

  /// With r the distance from the axis, the coil's two directions are r itself, of slope 1, and along the
  /// turns: sqrt(1 + (pitch / 2 pi r)^2) / sqrt(1 + (pitch / 2 pi radius)^2), at right angles to it. At the
  /// axis all angles meet in one point, so that the formula itself jumps there: a coil has a slope only where
  /// it keeps off its axis. (Where the turns wrap, half a pitch becomes minus half a pitch, and only its
  /// magnitude counts.)
  Slopes helix_slopes() const {
    const std::array<Interval, 2> plan{range(0), range(1)};
    const double nearest = static_cast<double>(length_range(plan).lo);
    if (nearest <= 0) return jumps();
    const auto rise = [](float pitch, double r) { return static_cast<double>(pitch) / (kTau * r); };
    const double along = root_of_squares(1.0, rise(range(4).hi, nearest)) /
                         root_of_squares(1.0, rise(range(4).lo, static_cast<double>(range(3).hi)));
    return scaled(uneven(), std::max(1.0, along) * (1 + kWide));
  }

  static Interval shape_range(double inside, double reach) {
    const double by = kWide * (inside + reach);
    return {static_cast<float>(-inside - by), static_cast<float>(reach + inside + by)};
  }

  const Program& p_;
  const Node& n_;
  std::span<const NodeFacts> facts_;
  const AnalysisScope& scope_;
  std::optional<std::string> refused_;
  Interval range_;
  Slopes s_;
  bool flips_ = false;
};

}  // namespace

Result<NodeFacts> analyse(const Program& program, const Node& node, std::span<const NodeFacts> facts,
                          const AnalysisScope& scope) {
  return Analysis(program, node, facts, scope).run();
}

std::string to_string(const Interval& interval) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.4g .. %.4g", static_cast<double>(interval.lo),
                static_cast<double>(interval.hi));
  return text.data();
}

}  // namespace vf

#include "plan/record_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.h"
#include "field/path_shapes.h"
#include "math/trig.h"
#include "plan/cells.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr double kUmPerM = 1e6;
constexpr double kUmPerMm = 1e3;
constexpr double kSlackUm = 2;  ///< more than the roundings of a few operations in f64 on some kilometres

/// What the shapes of paths add about the clear way of a piece. Their floors end level, so that nothing of a
/// piece is higher or lower than over and under its ends. [micrometres]
constexpr double kPadThickUm = static_cast<double>(kPadThickM) * kUmPerM;
constexpr double kPadBesideUm = static_cast<double>(kPadBesideM) * kUmPerM;
constexpr double kBankReachUm = static_cast<double>(kBankReachM) * kUmPerM;
constexpr double kOverrunUm = static_cast<double>(kPathOverrunM) * kUmPerM;
/// An arc of at most 60 degrees leaves its chord by tan(15 degrees) / 2 of the chord. [> 0.13397]
constexpr double kArcBulge = 0.1340;
constexpr double kNodePlaceUm = 6e6 * 1.41422;  ///< half the diagonal of a place of 12 x 12 m
constexpr double kNodeClearUm = 3.25e6;

constexpr double kEdgeUm = 9.2e18;  ///< what is beyond may not fit 64 bits

/// At or below, at or above; beyond the edge the last that fits on that side.
std::int64_t floor_um(double um) {
  if (um < -kEdgeUm) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::floor(std::min(um, kEdgeUm)));
}
std::int64_t ceil_um(double um) {
  if (um > kEdgeUm) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::ceil(std::max(um, -kEdgeUm)));
}

struct SpanUm {
  double lo = 0, hi = 0;
};

/// Positions are exact in f64 up to 9 million km; beyond, the slack grows with the rounding.
BoxUm box_about(const SpanUm& x, const SpanUm& y, const SpanUm& z) {
  const auto low = [](double v) { return floor_um(v - kSlackUm - std::fabs(v) * 1e-15); };
  const auto high = [](double v) { return ceil_um(v + kSlackUm + std::fabs(v) * 1e-15); };
  return {{low(x.lo), low(y.lo), low(z.lo)}, {high(x.hi), high(y.hi), high(z.hi)}};
}

double um(std::int64_t v) {
  return static_cast<double>(v);
}
double um_of_metres(float metres) {
  return static_cast<double>(metres) * kUmPerM;
}
double um_of_mm(std::int32_t mm) {
  return static_cast<double>(mm) * kUmPerMm;
}

}  // namespace

BoxUm box_of(const FeatureRecord& feature) {
  const SinCos turn = sincos_turns(static_cast<double>(feature.yaw_turns));
  const double x0 = um_of_metres(feature.extent_min.x), x1 = um_of_metres(feature.extent_max.x);
  const double y0 = um_of_metres(feature.extent_min.y), y1 = um_of_metres(feature.extent_max.y);
  // Each axis of the turned rectangle moves a corner on its own: no need to look at all four.
  const auto turned = [](double along_x, double along_y, double ax, double bx, double ay, double by) {
    return SpanUm{std::min(along_x * ax, along_x * bx) + std::min(along_y * ay, along_y * by),
                  std::max(along_x * ax, along_x * bx) + std::max(along_y * ay, along_y * by)};
  };
  SpanUm x = turned(turn.cos, -turn.sin, x0, x1, y0, y1), y = turned(turn.sin, turn.cos, x0, x1, y0, y1);
  const double rounding = 1e-12 * (std::max(-x0, x1) + std::max(-y0, y1));
  x = {um(feature.at.x) + x.lo - rounding, um(feature.at.x) + x.hi + rounding};
  y = {um(feature.at.y) + y.lo - rounding, um(feature.at.y) + y.hi + rounding};
  return box_about(x, y,
                   {um(feature.at.z) + um_of_metres(feature.extent_min.z),
                    um(feature.at.z) + um_of_metres(feature.extent_max.z)});
}

BoxUm box_of(const LightRecord& light, const Recipe& recipe) {
  VF_CHECK(light.light < recipe.lights.size());
  const double range = um_of_metres(recipe.lights[light.light].range_m);
  const auto about = [range](std::int64_t v) { return SpanUm{um(v) - range, um(v) + range}; };
  return box_about(about(light.at.x), about(light.at.y), about(light.at.z));
}

BoxUm box_of(const PathNode& node) {
  constexpr double kReach = kNodePlaceUm + kBankReachUm;
  const auto about = [](std::int64_t v) { return SpanUm{um(v) - kReach, um(v) + kReach}; };
  return box_about(about(node.at.x), about(node.at.y),
                   {um(node.at.z) - kBankReachUm, um(node.at.z) + std::max(kBankReachUm, kNodeClearUm)});
}

BoxUm box_of(const PathPiece& piece) {
  const double beside =
      um_of_mm(piece.half_width_mm) + (piece.banked ? kBankReachUm : kPadBesideUm) + kOverrunUm;
  const double dx = um(piece.to.x) - um(piece.from.x), dy = um(piece.to.y) - um(piece.from.y);
  const double bulge = piece.curvature_nano == 0 ? 0 : kArcBulge * (std::fabs(dx) + std::fabs(dy));
  const auto across = [&](std::int64_t a, std::int64_t b) {
    return SpanUm{um(std::min(a, b)) - beside - bulge, um(std::max(a, b)) + beside + bulge};
  };
  const double below = piece.banked ? kBankReachUm : kPadThickUm;
  const double above =
      std::max({um_of_mm(piece.clear_mm), um_of_mm(piece.kerb_mm), piece.banked ? kBankReachUm : 0.0});
  return box_about(
      across(piece.from.x, piece.to.x), across(piece.from.y, piece.to.y),
      {um(std::min(piece.from.z, piece.to.z)) - below, um(std::max(piece.from.z, piece.to.z)) + above});
}

CellRange sectors_of(const BoxUm& box, std::int64_t sx, std::int64_t sy) {
  return {sx + floor_div(box.min.x, kSectorUm), sy + floor_div(box.min.y, kSectorUm),
          sx + floor_div(box.max.x, kSectorUm), sy + floor_div(box.max.y, kSectorUm)};
}

}  // namespace vf

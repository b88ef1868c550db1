#include "audit/route_prover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "audit/audited_sector.h"
#include "audit/route_certificate.h"
#include "field/interval_evaluator.h"
#include "field/path_shapes.h"
#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"
#include "plan/path_geometry.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

namespace {

constexpr double kUnitM = 1.0 / kCertificateUnits;
constexpr SweptCorridor kCorridor;
constexpr double kHalfWidthM = kCorridor.half_width * kUnitM, kSkinM = kCorridor.skin * kUnitM;
/// Cells that no bound can prove are not tried: this much of the skin, and of what is clear beside the
/// corridor, goes to rounding.
constexpr double kSpareM = 3 * kUnitM;
constexpr double kClearHalfM = static_cast<double>(kWayHalfM) - kSpareM;
constexpr double kSpreadM = kSkinM - kSpareM;  ///< most of a floor's height in a cell
constexpr double kFarM = 0.7;           ///< half a cell's diagonal: from here on an arc bends too much in it
constexpr std::int32_t kLeastCell = 8;  ///< [units] smaller cells are given up ...
constexpr int kMostGivenUp = 256;       ///< ... and after so many the whole strip
/// Claims are wider than what was found: bounds on other tapes and machines differ in their last digits.
constexpr float kClaimM = 1.0F / 1024;

/// A rectangle in plan. [units]
struct Cell {
  std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

std::int32_t unit_below(double metres) {
  return static_cast<std::int32_t>(std::floor(metres / kUnitM - 0.01));
}
std::int32_t unit_above(double metres) {
  return static_cast<std::int32_t>(std::ceil(metres / kUnitM + 0.01));
}

struct Range {
  double low = 0, high = 0;
};

/// By how much something changes over a metre, in x and y of the sector.
struct Rates {
  double x = 0, y = 0;
  [[nodiscard]] double over_half(double width, double height) const { return 0.5 * (x * width + y * height); }
};

/// A piece, seen from a cell.
struct CellView {
  double nearest = 0;     ///< to the middle line; at most
  double before_end = 0;  ///< how far its nearest part lies between the ends; negative: beyond
  Range floor;            ///< of the planned floor in it
  // As bounds will see it: they know nothing of what coordinates have in common.
  double side = 0;          ///< farthest from the middle line
  double floor_spread = 0;  ///< of the floor
  bool ends = false;        ///< it may reach beyond an end
  Rates side_rates, floor_rates, end_rates;
};

class StripFloor {
 public:
  explicit StripFloor(const PieceGeometry& g) : g_(g) {}

  [[nodiscard]] CellView view(const Cell& cell) const {
    const double w = (cell.x1 - cell.x0) * kUnitM, h = (cell.y1 - cell.y0) * kUnitM;
    const PlanPoint p = local({0.5 * (cell.x0 + cell.x1) * kUnitM, 0.5 * (cell.y0 + cell.y1) * kUnitM});
    const double k = g_.curvature, towards = std::max(1 - k * p.y, 0.5);
    const auto [side, beyond] = beside_path(p.x, p.y, k, g_.cosine, g_.sine, g_.end);
    CellView v;
    v.side_rates = rates(std::fabs(k * p.x), 1 + std::fabs(k) * (std::fabs(p.y) + 0.5 * side));
    v.end_rates = rates(g_.cosine, std::fabs(g_.sine));
    v.floor_rates = rates(std::fabs(g_.grade) / towards, std::fabs(g_.grade * k * p.x) / (towards * towards));
    v.floor = floor_in(cell);
    v.side = side + v.side_rates.over_half(w, h);
    v.floor_spread = std::max(v.floor.high - v.floor.low, 2 * v.floor_rates.over_half(w, h));
    v.ends = beyond + v.end_rates.over_half(w, h) > 0;
    // Exact for ends; to first order from the middle line, with room for the bend, or from far away by the
    // longest distance in the cell.
    const auto along = [&](double x, double y) {
      const PlanPoint n = x * g_.along + y * left_of(g_.along);
      return Rates{std::fabs(n.x), std::fabs(n.y)}.over_half(w, h);
    };
    const double reach = 0.5 * std::hypot(w, h);
    const PlanPoint across = unit({-k * p.x, 1 - k * p.y});
    v.nearest =
        side - (k != 0 && reach > kFarM ? reach : along(across.x, across.y) + std::fabs(k) * reach * reach);
    v.before_end = along(std::copysign(g_.cosine, p.x), g_.sine) - beyond;
    return v;
  }

  [[nodiscard]] Cell around() const {
    const double beside = kHalfWidthM + std::fabs(g_.sagitta) + kUnitM;
    const PlanPoint reach = g_.end * g_.along;
    const auto low = [&](double m, double r) { return unit_below(m - std::fabs(r) - beside); };
    const auto high = [&](double m, double r) { return unit_above(m + std::fabs(r) + beside); };
    return {low(g_.middle.x, reach.x), low(g_.middle.y, reach.y), high(g_.middle.x, reach.x),
            high(g_.middle.y, reach.y)};
  }
  [[nodiscard]] Range floor() const {
    const double climb = std::fabs(g_.grade) * g_.reach;
    return {g_.floor - climb, g_.floor + climb};
  }

 private:
  [[nodiscard]] PlanPoint local(const PlanPoint& p) const {
    const PlanPoint d = p - g_.middle;
    return {dot(d, g_.along), cross(g_.along, d)};
  }

  /// Of something with these rates along the axes of the piece.
  [[nodiscard]] Rates rates(double along, double across) const {
    const double c = std::fabs(g_.along.x), s = std::fabs(g_.along.y);
    return {along * c + across * s, along * s + across * c};
  }

  /// A ratio of linear functions is extreme in corners where its denominator keeps its sign.
  [[nodiscard]] Range floor_in(const Cell& cell) const {
    Range out{1e9, -1e9};
    for (const std::int32_t x : {cell.x0, cell.x1})
      for (const std::int32_t y : {cell.y0, cell.y1}) {
        const PlanPoint p = local({x * kUnitM, y * kUnitM});
        const double towards = 1 - g_.curvature * p.y;
        if (towards < 0.5) return floor();
        const double z = g_.floor + g_.grade * std::clamp(p.x / towards, -g_.reach, g_.reach);
        out = {std::min(out.low, z), std::max(out.high, z)};
      }
    return out;
  }

  PieceGeometry g_;
};

enum class Side : std::uint8_t { kAir, kRock };

/// One strip of floor: cells of its plan are halved until the bounds over and under each are what they have
/// to be.
class StripProver {
 public:
  StripProver(const StripFloor& floor, Range stratum, FieldSampler& field)
      : floor_(floor), stratum_(stratum), field_(field) {
    const Cell c = floor.around();
    const Range z = floor.floor();
    const std::int32_t low = unit_below(z.low) - kCorridor.slab, high = unit_above(z.high) + kCorridor.height;
    tape_ = field.tape_for(box_of({c.x0, c.y0, low, c.x1, c.y1, high, 0, 0}));
  }

  std::vector<CertifiedBox> prove(Side side) {
    proven_.clear();
    given_up_ = 0;
    open_.assign(1, floor_.around());
    while (!open_.empty() && given_up_ < kMostGivenUp) {
      gather(side);
      judge(side);
    }
    return proven_;
  }

 private:
  struct Tried {
    Cell cell;
    CellView view;
    CertifiedBox box;
  };

  static Box3f box_of(const CertifiedBox& b) {
    constexpr auto kUnit = static_cast<float>(kUnitM);
    const auto f = [](std::int32_t v) { return kUnit * static_cast<float>(v); };
    return {{f(b.x0), f(b.y0), f(b.z0)}, {f(b.x1), f(b.y1), f(b.z1)}};
  }

  /// What has to be air over this cell, or rock under it; none where the stratum ends.
  [[nodiscard]] bool box_over(const Cell& c, const Range& floor, Side side, CertifiedBox& out) const {
    const double low = floor.low + (side == Side::kAir ? kCorridor.skin : -kCorridor.slab) * kUnitM,
                 high = floor.high + (side == Side::kAir ? kCorridor.height : -kCorridor.skin) * kUnitM;
    out = {c.x0, c.y0, unit_below(std::max(low, stratum_.low)),
           c.x1, c.y1, unit_above(std::min(high, stratum_.high)),
           0,    0};
    return std::max(low, stratum_.low) < std::min(high, stratum_.high);
  }

  /// Up to 64 cells that are worth trying.
  void gather(Side side) {
    tried_.clear();
    while (!open_.empty() && tried_.size() < std::size_t{kMaxBoxes}) {
      const Cell cell = open_.back();
      open_.pop_back();
      const CellView view = floor_.view(cell);
      if (view.nearest > kHalfWidthM || view.before_end < 0) continue;
      Tried t{cell, view, {}};
      if (!box_over(cell, view.floor, side, t.box)) continue;
      if (view.side <= kClearHalfM && view.floor_spread <= kSpreadM)
        tried_.push_back(t);
      else
        halve(cell, view);
    }
  }

  void judge(Side side) {
    if (tried_.empty()) return;
    std::array<Box3f, kMaxBoxes> boxes;
    for (std::size_t i = 0; i < tried_.size(); ++i) boxes.at(i) = box_of(tried_[i].box);
    field_.cut(tape_, std::span(boxes.data(), tried_.size()), cuts_);
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      CertifiedBox box = tried_[i].box;
      box.least = cuts_.lo.at(i) - kClaimM;
      box.most = cuts_.hi.at(i) + kClaimM;
      const bool good = side == Side::kAir ? box.least > 0 : box.most < 0,
                 hopeless = side == Side::kAir ? box.most < 0 : box.least > 0;
      if (good && std::isfinite(box.least) && std::isfinite(box.most))
        proven_.push_back(box);
      else if (hopeless)
        ++given_up_;
      else
        halve(tried_[i].cell, tried_[i].view);
    }
  }

  /// Across the axis on which the cell is too long for its proof.
  void halve(const Cell& c, const CellView& view) {
    constexpr double kEdgeM = static_cast<double>(kWayHalfM) - kHalfWidthM, kEndSlope = 0.5, kAny = 0.01;
    const double edge = view.side > kHalfWidthM ? 1 / kEdgeM : 0, end = view.ends ? kEndSlope / kSkinM : 0;
    const auto excess = [&](std::int32_t width, double side, double floor, double past) {
      return width <= kLeastCell ? 0 : width * (side * edge + floor / kSkinM + past * end + kAny);
    };
    const double in_x = excess(c.x1 - c.x0, view.side_rates.x, view.floor_rates.x, view.end_rates.x),
                 in_y = excess(c.y1 - c.y0, view.side_rates.y, view.floor_rates.y, view.end_rates.y);
    if (in_x == 0 && in_y == 0) {
      ++given_up_;
      return;
    }
    const std::int32_t x = (c.x0 + c.x1) / 2, y = (c.y0 + c.y1) / 2;
    if (in_x >= in_y) {
      open_.push_back({c.x0, c.y0, x, c.y1});
      open_.push_back({x, c.y0, c.x1, c.y1});
    } else {
      open_.push_back({c.x0, c.y0, c.x1, y});
      open_.push_back({c.x0, y, c.x1, c.y1});
    }
  }

  const StripFloor& floor_;
  Range stratum_;
  FieldSampler& field_;
  Tape tape_;
  BoxCuts cuts_;
  std::vector<Cell> open_;
  std::vector<Tried> tried_;
  std::vector<CertifiedBox> proven_;
  int given_up_ = 0;
};

/// Where ways meet one turns from one to another: in a square about the node.
PieceGeometry turn_on(const PathNode& node) {
  PieceGeometry g;
  g.middle = plan_point(node.at);
  g.along = {1, 0};
  g.floor = metres(node.at.z);
  g.end = g.reach = kHalfWidthM;
  return g;
}

std::size_t joined_ways(const PathPlan& plan, const PathNode& node) {
  std::size_t ways = 0;
  for (const PathLeg& leg : plan.legs) ways += leg.from == node.id || leg.to == node.id ? 1U : 0U;
  return ways;
}

}  // namespace

RouteCertificate prove_routes(const AuditedSector& sector) {
  RouteCertificate out;
  out.names = route_names(sector);
  FieldSampler field(sector.field, sector.simd);
  const Range stratum{sector.bottom_m(), sector.top_m()};
  const auto prove = [&](std::uint64_t id, const PieceGeometry& g) {
    const StripFloor floor(g);
    CertifiedStrip strip;
    strip.id = id;
    const Range z = floor.floor();
    if (z.high + kCorridor.height * kUnitM > stratum.low && z.low - kCorridor.slab * kUnitM < stratum.high) {
      StripProver prover(floor, stratum, field);
      strip.air = prover.prove(Side::kAir);
      strip.rock = prover.prove(Side::kRock);
    }
    out.strips.push_back(std::move(strip));
  };
  for (const PathLeg& leg : sector.plan.legs)
    for (std::uint32_t i = leg.first; i < leg.first + leg.count; ++i)
      if (const PathPiece& piece = sector.plan.pieces[i]; piece.shape == PathShape::kWay)
        prove(piece.id.value, geometry_of(piece));
  for (const PathNode& node : sector.plan.nodes)
    if (joined_ways(sector.plan, node) > 1) prove(node.id.value, turn_on(node));
  return out;
}

}  // namespace vf

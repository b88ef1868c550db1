// Coordinates: what noise and periodic words see of x and y. They stay exact, whatever the sector.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/result.h"
#include "field/builder_formula.h"
#include "field/opcode.h"
#include "field/program.h"
#include "math/interval.h"
#include "math/trig.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

/// Floats on the 1/1024 m grid are exact below this. [metres]
constexpr double kExactReach = 16384;
/// A frame is used up to half a sector beyond its own. [metres]
constexpr double kFrameReach = 1536;

}  // namespace

/// Numbers, parameters, H, tau and + - * / of these, in double; nothing for anything else.
std::optional<double> FormulaBuilder::literal(const Expr& e, const Scope* scope) {
  if (!step(e.place)) return std::nullopt;
  switch (e.kind) {
    case ExprKind::kNumber:
      return e.number;
    case ExprKind::kName: {
      if (const Argument* a = find_argument(scope, e.name)) return literal(*a->expr, a->scope);
      for (const Parameter& p : recipe_.params)
        if (p.name == e.name) return p.value;
      if (e.name == "H") return recipe_.height_m;
      if (e.name == "tau") return kTau;
      return std::nullopt;
    }
    case ExprKind::kNegate: {
      const std::optional<double> a = literal(*e.args[0], scope);
      return a ? std::optional(-*a) : std::nullopt;
    }
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
    case ExprKind::kMultiply:
    case ExprKind::kDivide: {
      const std::optional<double> a = literal(*e.args[0], scope);
      if (!a) return std::nullopt;
      const std::optional<double> b = literal(*e.args[1], scope);
      if (!b) return std::nullopt;
      if (e.kind == ExprKind::kAdd) return *a + *b;
      if (e.kind == ExprKind::kSubtract) return *a - *b;
      if (e.kind == ExprKind::kMultiply) return *a * *b;
      return *b == 0 ? std::nullopt : std::optional(*a / *b);
    }
    default:
      return std::nullopt;
  }
}

/// Adds factor * e to `out`, taken apart as far as sums, names and constant factors go.
void FormulaBuilder::coordinate(const Expr& e, const Scope* scope, double factor, bool in_field,
                                Coordinate& out) {
  if (!step(e.place)) return;
  if (const std::optional<double> c = literal(e, scope)) {
    out.shift += factor * *c;
    return;
  }
  if (e.kind == ExprKind::kName) {
    if (const Argument* a = find_argument(scope, e.name))
      return coordinate(*a->expr, a->scope, factor, in_field, out);
    if (e.name == "x") {
      out.ax += factor;
      return;
    }
    if (e.name == "y") {
      out.ay += factor;
      return;
    }
    if (inside_field_ || in_field || !locals_.contains(e.name)) {
      for (std::size_t i = 0; i < visible_fields_; ++i) {
        if (recipe_.field[i].name != e.name) continue;
        // A name for a coordinate, such as u = "x + 12"; other fields are terms.
        Coordinate inner;
        coordinate(*recipe_.field[i].expr, nullptr, factor, true, inner);
        if (inner.ax == 0 && inner.ay == 0) break;
        out.ax += inner.ax;
        out.ay += inner.ay;
        out.shift += inner.shift;
        out.terms.insert(out.terms.end(), inner.terms.begin(), inner.terms.end());
        return;
      }
    }
  }
  switch (e.kind) {
    case ExprKind::kNegate:
      return coordinate(*e.args[0], scope, -factor, in_field, out);
    case ExprKind::kAdd:
    case ExprKind::kSubtract:
      coordinate(*e.args[0], scope, factor, in_field, out);
      return coordinate(*e.args[1], scope, e.kind == ExprKind::kAdd ? factor : -factor, in_field, out);
    case ExprKind::kMultiply:
      if (const std::optional<double> c = literal(*e.args[0], scope))
        return coordinate(*e.args[1], scope, factor * *c, in_field, out);
      if (const std::optional<double> c = literal(*e.args[1], scope))
        return coordinate(*e.args[0], scope, factor * *c, in_field, out);
      break;
    default:
      break;
  }
  out.terms.push_back({&e, scope, factor, in_field});
}

bool FormulaBuilder::stays_exact(const Place& place, double coefficients, double warp, double period) {
  const double reach = coefficients * kFrameReach + warp + period;
  if (reach <= kExactReach) return true;
  if (coefficients > 8) {
    graph_.fail(place,
                "x and y are turned or multiplied too far to stay exact: use pairs such as (3, 4) once");
  } else {
    graph_.fail(place, fmt::format("this warp and period reach {:.0f} m; at most {:.0f} m stay exact here",
                                   warp + period, kExactReach - coefficients * kFrameReach));
  }
  return false;
}

/// The node that noise and periodic words read for `c`, in units of 1 / hypotenuse, and its axis.
NodeId FormulaBuilder::coordinate_node(const Call& call, const Coordinate& c, double period,
                                       FrameAxis& axis) {
  const Domain d = domains_[static_cast<std::size_t>(call.domain)];
  const auto ax = static_cast<std::int32_t>(c.ax), ay = static_cast<std::int32_t>(c.ay);
  axis.ax = ax * d.ax - ay * d.ay;
  axis.ay = ax * d.ay + ay * d.ax;
  if (std::fabs(c.shift) > 1e6) return graph_.fail(call.place, "this shift is more than 1000000 m");
  axis.shift_1024 = static_cast<std::int64_t>(std::floor(c.shift * 1024 + 0.5)) * d.hypotenuse;
  NodeId node = ax == 1 && ay == 0 ? d.x
                : ax == 0 && ay == 1
                    ? d.y
                    : graph_.binary(Opcode::kAffine, d.x, d.y, call.place, graph_.affine({ax, ay}));
  double warp = d.warp_reach * (std::abs(ax) + std::abs(ay));
  if (!c.terms.empty()) {
    NodeId sum = kNoNode;
    for (const Coordinate::Term& t : c.terms) {
      const bool inside = std::exchange(inside_field_, inside_field_ || t.in_field);
      NodeId term = compile(*t.expr, t.scope, call.domain);
      inside_field_ = inside;
      term = graph_.binary(Opcode::kMultiply, graph_.constant(static_cast<float>(t.factor), call.place), term,
                           call.place);
      sum = sum == kNoNode ? term : graph_.binary(Opcode::kAdd, sum, term, call.place);
    }
    sum = graph_.unary(Opcode::kSnap, sum, call.place);
    sum = graph_.binary(Opcode::kMultiply, graph_.constant(static_cast<float>(d.hypotenuse), call.place), sum,
                        call.place);
    const Interval& r = graph_.facts(sum).range;
    warp += static_cast<double>(std::max(std::fabs(r.lo), std::fabs(r.hi)));
    node = graph_.binary(Opcode::kAdd, node, sum, call.place);
  }
  if (!stays_exact(call.place, std::abs(axis.ax) + std::abs(axis.ay), warp, period * d.hypotenuse)) return 0;
  return node;
}

/// x or y as a number of its own: coarse far from the origin, which the author is told.
NodeId FormulaBuilder::plain(bool is_y, int domain, const Place& place) {
  if (domain == 0) return graph_.leaf(is_y ? Opcode::kAbsoluteY : Opcode::kAbsoluteX, place);
  const Domain d = domains_[static_cast<std::size_t>(domain)];
  const NodeId known = is_y ? d.plain_y : d.plain_x;
  if (known != kNoNode) return known;
  NodeId node = 0;
  if (d.turned) {
    const NodeId px = plain(false, d.parent, place), py = plain(true, d.parent, place);
    const float scale = 1.0F / static_cast<float>(d.hypotenuse) *
                        static_cast<float>(domains_[static_cast<std::size_t>(d.parent)].hypotenuse);
    const auto part = [&](std::int32_t by, NodeId of) {
      return graph_.binary(Opcode::kMultiply, graph_.constant(static_cast<float>(by), place), of, place);
    };
    const NodeId a = part(is_y ? -d.pair_b : d.pair_a, px), b = part(is_y ? d.pair_a : d.pair_b, py);
    node = graph_.binary(Opcode::kMultiply, graph_.constant(scale, place),
                         graph_.binary(Opcode::kAdd, a, b, place), place);
  } else {
    node = graph_.binary(Opcode::kAdd, plain(is_y, d.parent, place), is_y ? d.dy : d.dx, place);
  }
  Domain& kept = domains_[static_cast<std::size_t>(domain)];
  (is_y ? kept.plain_y : kept.plain_x) = node;
  return node;
}

int FormulaBuilder::add_domain(const Domain& domain) {
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const Domain& d = domains_[i];
    if (d.x == domain.x && d.y == domain.y && d.ax == domain.ax && d.ay == domain.ay &&
        d.hypotenuse == domain.hypotenuse)
      return static_cast<int>(i);
  }
  domains_.push_back(domain);
  return static_cast<int>(domains_.size()) - 1;
}

NodeId FormulaBuilder::warped(const Call& call, NodeId dx, NodeId dy) {
  const Domain outer = domains_[static_cast<std::size_t>(call.domain)];
  Domain d = outer;
  d.parent = call.domain;
  d.turned = false;
  d.plain_x = d.plain_y = kNoNode;
  d.dx = graph_.unary(Opcode::kSnap, dx, call.place);
  d.dy = graph_.unary(Opcode::kSnap, dy, call.place);
  double reach = 0;
  const auto shifted = [&](NodeId base, NodeId by) {
    const NodeId scaled = graph_.binary(
        Opcode::kMultiply, graph_.constant(static_cast<float>(outer.hypotenuse), call.place), by, call.place);
    const Interval& r = graph_.facts(scaled).range;
    reach = std::max(reach, static_cast<double>(std::max(std::fabs(r.lo), std::fabs(r.hi))));
    return graph_.binary(Opcode::kAdd, base, scaled, call.place);
  };
  d.x = shifted(outer.x, d.dx);
  d.y = shifted(outer.y, d.dy);
  d.warp_reach = outer.warp_reach + reach;
  if (!stays_exact(call.place, std::abs(d.ax) + std::abs(d.ay), d.warp_reach, 0)) return 0;
  return compile(*call.expr.args[0], call.scope, add_domain(d));
}

NodeId FormulaBuilder::turned(const Call& call, std::int32_t a, std::int32_t b, std::int32_t hypotenuse) {
  const Domain outer = domains_[static_cast<std::size_t>(call.domain)];
  Domain d = outer;
  d.parent = call.domain;
  d.turned = true;
  d.pair_a = a;
  d.pair_b = b;
  d.plain_x = d.plain_y = kNoNode;
  d.ax = a * outer.ax - b * outer.ay;
  d.ay = a * outer.ay + b * outer.ax;
  d.hypotenuse = outer.hypotenuse * hypotenuse;
  d.warp_reach = outer.warp_reach * (std::abs(a) + std::abs(b));
  if (!stays_exact(call.place, std::abs(d.ax) + std::abs(d.ay), d.warp_reach, 0)) return 0;
  d.x = graph_.binary(Opcode::kAffine, outer.x, outer.y, call.place, graph_.affine({a, b}));
  d.y = graph_.binary(Opcode::kAffine, outer.x, outer.y, call.place, graph_.affine({-b, a}));
  return compile(*call.expr.args[0], call.scope, add_domain(d));
}

}  // namespace vf

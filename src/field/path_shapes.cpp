#include "field/path_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "base/check.h"
#include "field/analysis.h"
#include "field/bound_field.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/program.h"
#include "math/interval.h"
#include "math/vec.h"

namespace vf {

namespace {

/// Ends of pieces rise (voids) or sink (pads) by this slope, so that a piece never digs into the floor of the
/// next, whose grade may differ by 0.43 (15 degrees down, then 15 up would be 0.54: built are 12).
constexpr float kEndSlope = 0.5F;
constexpr float kBankSlope = 0.75F;
/// Makes every shape 1-Lipschitz (PathShapes tests): floors climb by up to 0.38 m / m far inside a bend, the
/// ends add 0.5, with 1 for the height 1.33; banks also climb by 0.75 sideways.
constexpr float kScale = 0.75F, kBankScale = 0.65F;
/// 1 - curvature * side is never less on a way: its radius is at least 6 m, its half width 1.75 + 0.5.
constexpr float kLeastBend = 0.55F;

constexpr std::array<Interval, static_cast<std::size_t>(PathValue::kCount)> kRanges{{
    {-0.17F, 0.17F},      // curvature
    {0.85F, 1},           // cosine
    {-0.51F, 0.51F},      // sine
    {0, 64},              // end
    {0, 80},              // reach
    {-0.27F, 0.27F},      // grade
    {-0.0625F, 0.0625F},  // rise
    {0.5F, 32},           // half width
    {1, 512},             // clear
    {0, 4},               // kerb
    {0, 1},               // overrun
    {0, 16384},           // along
}};

/// A node under arithmetic.
struct Term {
  Graph* graph = nullptr;
  NodeId node = 0;
};

Term term(Graph& graph, float v) {
  return {&graph, graph.constant(v, {})};
}
Term with(Opcode op, Term a, Term b) {
  return {a.graph, a.graph->binary(op, a.node, b.node, {})};
}
Term with(Opcode op, Term a) {
  return {a.graph, a.graph->unary(op, a.node, {})};
}
Term operator+(Term a, Term b) {
  return with(Opcode::kAdd, a, b);
}
Term operator-(Term a, Term b) {
  return with(Opcode::kSubtract, a, b);
}
Term operator*(Term a, Term b) {
  return with(Opcode::kMultiply, a, b);
}
Term operator/(Term a, Term b) {
  return with(Opcode::kDivide, a, b);
}
Term operator+(Term a, float b) {
  return a + term(*a.graph, b);
}
Term operator-(Term a, float b) {
  return a - term(*a.graph, b);
}
Term operator-(float a, Term b) {
  return term(*b.graph, a) - b;
}
Term operator*(float a, Term b) {
  return term(*b.graph, a) * b;
}
Term least(Term a, Term b) {
  return with(Opcode::kMin, a, b);
}
Term most(std::initializer_list<Term> terms) {
  Term out = *terms.begin();
  for (const Term* t = terms.begin() + 1; t != terms.end(); ++t) out = with(Opcode::kMax, out, *t);
  return out;
}
Term magnitude(Term a) {
  return with(Opcode::kAbs, a);
}
Term square(Term a) {
  return with(Opcode::kSquare, a);
}
Term length(Term a, Term b) {
  return with(Opcode::kLength2, a, b);
}

/// Where a point is, seen from a piece.
struct PathPoint {
  Term side;    ///< distance in plan from the middle line of the endless straight or circle
  Term above;   ///< height over the floor
  Term past;    ///< distance in plan beyond the ends; 0 between them
  Term beyond;  ///< the same, negative between them
  Term wide, clear, kerb, overrun;
};

PathPoint see(Graph& g) {
  const auto value = [&](PathValue v) {
    return Term{&g, g.leaf(Opcode::kValue, {}, static_cast<std::uint32_t>(v))};
  };
  const Term x{&g, g.leaf(Opcode::kLocalX, {})}, y{&g, g.leaf(Opcode::kLocalY, {})},
      z{&g, g.leaf(Opcode::kLocalZ, {})}, zero = term(g, 0);
  const Term curvature = value(PathValue::kCurvature), cosine = value(PathValue::kCosine),
             sine = value(PathValue::kSine), end = value(PathValue::kEnd), reach = value(PathValue::kReach);
  PathPoint p;
  // 1 / curvature - |point - centre|, written so that a straight has no infinity in it.
  const Term towards = 1 - curvature * y;
  p.side = magnitude((curvature * (square(x) + square(y)) - 2 * y) / (length(curvature * x, towards) + 1));
  // The tangent of the angle from the middle, times the radius: constant on the line across each end, so that
  // floors of neighbours meet there exactly.
  const Term turn = x / most({towards, term(g, kLeastBend)});
  const Term held = most({least(turn, reach), zero - reach});
  p.above = z - value(PathValue::kRise) - value(PathValue::kGrade) * held;
  p.beyond = magnitude(x) * cosine + y * sine - end;
  p.past = most({p.beyond, zero});
  p.wide = value(PathValue::kHalfWidth);
  p.clear = value(PathValue::kClear);
  p.kerb = value(PathValue::kKerb);
  p.overrun = value(PathValue::kOverrun);
  return p;
}

Term void_shape(const PathPoint& p) {
  const Term narrower = kEndSlope * p.past;
  return most({p.side - p.wide, narrower - p.above, p.above + narrower - p.clear, p.beyond - p.overrun});
}

Term pad_shape(const PathPoint& p) {
  const Term sunk = p.above + kEndSlope * p.past * p.overrun, under = -kPadThickM - p.above;
  // Ways overlap by a hand's breadth, so that no gap is left; the rim of a place stands beyond its ends.
  const Term past = p.past - (kPadBesideM - 0.4F * p.overrun);
  const Term slab = most({p.side - p.wide - kPadBesideM, sunk, under, past});
  // Along both sides; a place has them at its ends too, and ways cut their doors through them.
  const float half = kPadBesideM / 2;
  const Term rim = most({p.side - p.wide, p.beyond - 64 * p.overrun});
  const Term kerb = most({magnitude(rim - half) - half, sunk - p.kerb, under, past});
  return least(slab, kerb);
}

/// Beyond the ends of a way its neighbours have banks of their own; about a place they reach out on all
/// sides.
Term bank_past(const PathPoint& p) {
  return p.past - (kBankReachM - (kBankReachM - kPathOverrunM) * p.overrun);
}

/// How far the bank has moved from the floor's height, at this distance from the clear way.
Term bank_rise(const PathPoint& p, float level_m) {
  const Term beside = p.side - p.wide - level_m;
  return kBankSlope * most({beside, term(*beside.graph, 0)}) + kEndSlope * p.past;
}

Term fill_shape(const PathPoint& p) {
  return most({p.above + bank_rise(p, kPadBesideM) + 0.05F, p.side - p.wide - kBankReachM,
               -kBankReachM - p.above, bank_past(p)});
}

Term cut_shape(const PathPoint& p) {
  return most({bank_rise(p, kPadBesideM) - p.above, p.side - p.wide - kBankReachM, p.above - kBankReachM,
               bank_past(p)});
}

/// Round at the ends of its axis, which has no length where it is a pillar.
Term core_shape(Graph& g) {
  const auto value = [&](PathValue v) {
    return Term{&g, g.leaf(Opcode::kValue, {}, static_cast<std::uint32_t>(v))};
  };
  const Term x{&g, g.leaf(Opcode::kLocalX, {})}, y{&g, g.leaf(Opcode::kLocalY, {})},
      z{&g, g.leaf(Opcode::kLocalZ, {})};
  const Term high = value(PathValue::kClear), zero = term(g, 0);
  const Term t = least(most({z / high, zero}), term(g, 1));
  const Term radius = value(PathValue::kHalfWidth) - value(PathValue::kKerb) * (1 - square(2 * t - 1));
  const Term past = most({magnitude(x) - value(PathValue::kEnd), zero});
  return most({length(past, y) - radius, zero - z, z - high});
}

AnalysisScope scope_of_shapes(float height_m) {
  AnalysisScope scope;
  scope.z = {-64, height_m + 64};
  scope.local_xy = {-256, 256};
  scope.local_z = {-256, 256};
  scope.turned = true;
  scope.values.assign(kRanges.begin(), kRanges.end());
  return scope;
}

constexpr std::array<const char*, kPathSets> kNames{"path.fill", "path.cut", "path.pad", "path.core",
                                                    "path.void"};

}  // namespace

const BoundFeatureSet* path_set(const BoundField& field, PathSet set) {
  if (!field.program->path_sets) return nullptr;
  return &field.sets.at(*field.program->path_sets + static_cast<std::size_t>(set));
}

bool in_clear_way(const BoundField& field, Vec3f p) {
  const BoundFeatureSet* voids = path_set(field, PathSet::kVoid);
  if (voids == nullptr) return false;
  std::vector<std::uint32_t> near;
  voids->index.query({p, p}, near);
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t n) {
    const FeatureInstance& piece = voids->instances[n];
    const PathView v = view_from(piece, p);
    return v.side < path_value(piece.values, PathValue::kHalfWidth) &&
           v.beyond < path_value(piece.values, PathValue::kOverrun) && v.above > 0 &&
           v.above < path_value(piece.values, PathValue::kClear);
  });
}

PathView view_from(const FeatureInstance& piece, Vec3f p) {
  const auto value = [&](PathValue v) { return path_value(piece.values, v); };
  const float dx = p.x - piece.at.x, dy = p.y - piece.at.y;
  const float x = piece.yaw_cos * dx + piece.yaw_sin * dy, y = piece.yaw_cos * dy - piece.yaw_sin * dx;
  const float curvature = value(PathValue::kCurvature), reach = value(PathValue::kReach);
  const auto [side, beyond] = beside_path(x, y, curvature, value(PathValue::kCosine), value(PathValue::kSine),
                                          value(PathValue::kEnd));
  PathView v;
  v.side = side;
  v.beyond = beyond;
  const float held = std::clamp(x / std::max(1 - curvature * y, kLeastBend), -reach, reach);
  v.above = p.z - piece.at.z - value(PathValue::kRise) - value(PathValue::kGrade) * held;
  v.along = value(PathValue::kAlong) + held;
  return v;
}

FeatureSetProgram path_set_program(PathSet set, float height_m) {
  Graph graph(scope_of_shapes(height_m), height_m);
  const PathPoint p = see(graph);
  Term shape;
  switch (set) {
    case PathSet::kFill:
      shape = fill_shape(p);
      break;
    case PathSet::kCut:
      shape = cut_shape(p);
      break;
    case PathSet::kPad:
      shape = pad_shape(p);
      break;
    case PathSet::kCore:
      shape = core_shape(graph);
      break;
    case PathSet::kVoid:
      shape = void_shape(p);
      break;
  }
  shape = (set == PathSet::kFill || set == PathSet::kCut ? kBankScale : kScale) * shape;
  VF_CHECK(!graph.failed());
  FeatureSetProgram program;
  program.name = kNames.at(static_cast<std::size_t>(set));
  program.shape = graph.finish({&shape.node, 1});
  program.far = path_set_far(set);
  program.value_count = static_cast<int>(PathValue::kCount);
  return program;
}

NodeFacts path_set_facts(PathSet set) {
  NodeFacts facts;
  facts.range = {-64, path_set_far(set)};
  facts.gradient = 1;
  facts.slope = {1, 1, 1};
  return facts;
}

}  // namespace vf

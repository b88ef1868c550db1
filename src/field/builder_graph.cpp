#include "field/builder_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/result.h"
#include "field/analysis.h"
#include "field/fold.h"
#include "field/kinds.h"
#include "field/opcode.h"
#include "field/program.h"
#include "recipe/language.h"

namespace vf {

namespace {

template <class T>
std::uint32_t intern(std::vector<T>& table, const T& value) {
  const auto found = std::find(table.begin(), table.end(), value);
  if (found != table.end()) return static_cast<std::uint32_t>(found - table.begin());
  table.push_back(value);
  return static_cast<std::uint32_t>(table.size() - 1);
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::uint32_t intern_run(std::vector<float>& table, std::span<const float> run) {
  const auto found = std::search(table.begin(), table.end(), run.begin(), run.end(), same_bits);
  if (found != table.end()) return static_cast<std::uint32_t>(found - table.begin());
  table.insert(table.end(), run.begin(), run.end());
  return static_cast<std::uint32_t>(table.size() - run.size());
}

/// 1 / v when multiplying by it gives the same bits as dividing by v.
std::optional<float> exact_inverse(float v) {
  int exponent = 0;
  if (std::fabs(std::frexp(v, &exponent)) != 0.5F || std::abs(exponent) > 100) return std::nullopt;
  return 1.0F / v;
}

std::size_t constants_of(Opcode op) {
  switch (op) {
    case Opcode::kConstant:
    case Opcode::kSmin:
    case Opcode::kSmax:
      return 1;
    case Opcode::kSelectRange:
    case Opcode::kSmoothstep:
      return 2;
    default:
      return 0;
  }
}

/// Copies what nodes refer to from one program's tables to another's.
class TableCopy {
 public:
  TableCopy(const Program& from, Program& to) : from_(from), to_(to) {}

  std::uint32_t param(const Node& n) {
    if (const std::size_t count = constants_of(n.op); count > 0)
      return intern_run(to_.constants, std::span<const float>(from_.constants).subspan(n.param, count));
    switch (n.op) {
      case Opcode::kAffine:
        return intern(to_.affines, from_.affines[n.param]);
      case Opcode::kSpline:
        return intern(to_.splines, from_.splines[n.param]);
      case Opcode::kWave:
      case Opcode::kRepeat: {
        PeriodicParams p = from_.periodics[n.param];
        p.axis = axis(p.axis);
        return intern(to_.periodics, p);
      }
      case Opcode::kNoise2:
      case Opcode::kNoise3:
      case Opcode::kCellular2:
      case Opcode::kCellular3: {
        NoiseParams p = from_.noises[n.param];
        for (NoiseOctave& o : p.octaves)
          for (std::uint32_t& a : o.axis) a = axis(a);
        return intern(to_.noises, p);
      }
      default:
        return n.param;
    }
  }

 private:
  std::uint32_t axis(std::uint32_t i) { return intern(to_.frame_axes, from_.frame_axes[i]); }
  const Program& from_;
  Program& to_;
};

}  // namespace

std::size_t Graph::NodeHash::operator()(const Node& n) const {
  std::uint64_t h = mix64(static_cast<std::uint64_t>(n.op) << 32 | n.param);
  for (int i = 0; i < input_count(n.op); ++i) h = mix64(h ^ n.in[static_cast<std::size_t>(i)]);
  return static_cast<std::size_t>(h);
}

Graph::Graph(AnalysisScope scope, float height_m) : scope_(std::move(scope)) {
  program_.height_m = height_m;
  constant(0.0F, {});
}

NodeId Graph::fail(const Place& place, std::string message) {
  if (!error_) error_ = Error{ErrorCode::kBadInput, place, std::move(message)};
  return 0;
}

NodeId Graph::constant(float value, const Place& place) {
  if (!std::isfinite(value)) return fail(place, "this is not a finite number");
  const float v = value == 0 ? 0.0F : value;  // -0 is 0
  Node n;
  n.op = Opcode::kConstant;
  n.param = intern_run(program_.constants, {&v, 1});
  return insert(n, place);
}

NodeId Graph::unary(Opcode op, NodeId a, const Place& place, std::uint32_t param) {
  return add(op, param, {&a, 1}, place);
}

NodeId Graph::binary(Opcode op, NodeId a, NodeId b, const Place& place, std::uint32_t param) {
  const std::array<NodeId, 2> in{a, b};
  return add(op, param, in, place);
}

NodeId Graph::ternary(Opcode op, NodeId a, NodeId b, NodeId c, const Place& place, std::uint32_t param) {
  const std::array<NodeId, 3> in{a, b, c};
  return add(op, param, in, place);
}

NodeId Graph::balanced(Opcode op, std::span<const NodeId> in, const Place& place) {
  VF_CHECK(!in.empty());
  if (in.size() == 1) return in[0];
  const std::size_t half = (in.size() + 1) / 2;
  return binary(op, balanced(op, in.first(half), place), balanced(op, in.subspan(half), place), place);
}

std::uint32_t Graph::constants(std::span<const float> run) {
  return intern_run(program_.constants, run);
}
std::uint32_t Graph::affine(const AffineParams& params) {
  return intern(program_.affines, params);
}
std::uint32_t Graph::axis(const FrameAxis& axis) {
  return intern(program_.frame_axes, axis);
}
std::uint32_t Graph::periodic(const PeriodicParams& params) {
  return intern(program_.periodics, params);
}
std::uint32_t Graph::noise(const NoiseParams& params) {
  return intern(program_.noises, params);
}
std::uint32_t Graph::spline(const SplineParams& params) {
  return intern(program_.splines, params);
}

std::optional<float> Graph::constant_value(NodeId node) const {
  const Node& n = program_.nodes[node];
  if (n.op != Opcode::kConstant) return std::nullopt;
  return program_.constants[n.param];
}

/// Rules that keep every bit but the sign of a zero.
NodeId Graph::simplify(Opcode op, std::span<const NodeId> in, const Place& place, bool& done) {
  done = true;
  const NodeId a = !in.empty() ? in[0] : 0, b = in.size() > 1 ? in[1] : 0;
  const std::optional<float> ca = constant_value(a), cb = constant_value(b);
  const Opcode inner = program_.nodes[a].op;
  switch (op) {
    case Opcode::kNegate:
      if (inner == Opcode::kNegate) return program_.nodes[a].in[0];
      break;
    case Opcode::kAbs:
      if (inner == Opcode::kAbs) return a;
      if (inner == Opcode::kNegate) return unary(op, program_.nodes[a].in[0], place);
      break;
    case Opcode::kSquare:
      if (inner == Opcode::kAbs || inner == Opcode::kNegate) return unary(op, program_.nodes[a].in[0], place);
      break;
    case Opcode::kAdd:
      if (ca == 0.0F) return b;
      if (cb == 0.0F) return a;
      break;
    case Opcode::kSubtract:
      if (cb == 0.0F) return a;
      if (ca == 0.0F) return unary(Opcode::kNegate, b, place);
      if (a == b) return constant(0, place);
      break;
    case Opcode::kMultiply:
      if (ca == 1.0F) return b;
      if (cb == 1.0F) return a;
      if (ca == 0.0F || cb == 0.0F) return constant(0, place);
      if (ca == -1.0F) return unary(Opcode::kNegate, b, place);
      if (cb == -1.0F) return unary(Opcode::kNegate, a, place);
      if (a == b) return unary(Opcode::kSquare, a, place);
      break;
    case Opcode::kDivide:
      if (cb == 1.0F) return a;
      if (cb && exact_inverse(*cb))
        return binary(Opcode::kMultiply, a, constant(*exact_inverse(*cb), place), place);
      break;
    case Opcode::kMin:
    case Opcode::kMax:
      if (a == b) return a;
      break;
    case Opcode::kMix:
      if (a == b) return a;
      break;
    default:
      break;
  }
  done = false;
  return 0;
}

NodeId Graph::add(Opcode op, std::uint32_t param, std::span<const NodeId> in, const Place& place) {
  if (failed()) return 0;
  VF_CHECK(in.size() == static_cast<std::size_t>(input_count(op)));
  std::array<float, kMaxInputs> values{};
  bool all_constant = !in.empty();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::optional<float> v = constant_value(in[i]);
    if (v) values[i] = *v;
    all_constant = all_constant && v;
  }
  if (all_constant) {
    const bool refused = (op == Opcode::kSqrt && values[0] < 0) ||
                         ((op == Opcode::kDivide || op == Opcode::kMod) && values[1] == 0);
    const std::optional<float> v =
        refused ? std::nullopt : fold_basic(op, std::span<const float>(values).first(in.size()));
    if (v) return constant(*v, place);
  }
  bool done = false;
  const NodeId simple = simplify(op, in, place, done);
  if (done || failed()) return simple;
  Node n;
  n.op = op;
  n.param = param;
  n.kind = in.empty() ? leaf_kind(op) : Kind::kConstant;
  std::copy(in.begin(), in.end(), n.in.begin());
  // a + b and b + a are the same bits. (min and max keep their order: it tells which one a tie picks.)
  if ((op == Opcode::kAdd || op == Opcode::kMultiply) && n.in[0] > n.in[1]) std::swap(n.in[0], n.in[1]);
  for (const NodeId i : in) n.kind = join(n.kind, program_.nodes[i].kind);
  const std::size_t before = program_.nodes.size();
  const NodeId added = insert(n, place);
  if (!all_constant || failed() || program_.nodes.size() == before) return added;
  // The analysis found it harmless: ask the evaluator, and stand the constant in its place.
  Program tables;
  n.param = TableCopy(program_, tables).param(n);
  const float v = fold_by_evaluator(n, tables, std::span<const float>(values).first(in.size()));
  const NodeId folded = constant(v, place);
  known_[program_.nodes[added]] = folded;
  return folded;
}

NodeId Graph::insert(const Node& node, const Place& place) {
  if (failed()) return 0;
  const auto found = known_.find(node);
  if (found != known_.end()) return found->second;
  if (program_.nodes.size() >= static_cast<std::size_t>(kRecipeLimits.nodes))
    return fail(place, fmt::format("the formula grows beyond {} operations", kRecipeLimits.nodes));
  NodeFacts facts;
  if (!trusting_ || node.kind == Kind::kConstant) {
    Result<NodeFacts> analysed = analyse(program_, node, facts_, scope_);
    if (!analysed) return fail(place, analysed.error().message);
    facts = *analysed;
  }
  const auto id = static_cast<NodeId>(program_.nodes.size());
  program_.nodes.push_back(node);
  program_.places.push_back(place);
  facts_.push_back(facts);
  known_.emplace(node, id);
  return id;
}

Program Graph::finish(std::span<const NodeId> outputs) const {
  VF_CHECK(!failed());
  Program out;
  out.height_m = program_.height_m;
  TableCopy tables(program_, out);
  std::vector<NodeId> moved(program_.nodes.size(), kNoNode);
  struct Visit {
    NodeId node;
    int next;
  };
  std::vector<Visit> stack;
  for (const NodeId output : outputs) {
    if (moved[output] == kNoNode) stack.push_back({output, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      const Node& n = program_.nodes[top.node];
      if (top.next < input_count(n.op)) {
        const NodeId input = n.in[static_cast<std::size_t>(top.next++)];
        if (moved[input] == kNoNode) stack.push_back({input, 0});
        continue;
      }
      Node copy = n;
      copy.param = tables.param(n);
      for (int i = 0; i < input_count(n.op); ++i) {
        NodeId& input = copy.in[static_cast<std::size_t>(i)];
        input = moved[input];
      }
      moved[top.node] = static_cast<NodeId>(out.nodes.size());
      out.nodes.push_back(copy);
      out.places.push_back(program_.places[top.node]);
      stack.pop_back();
    }
    out.outputs.push_back(moved[output]);
  }
  return out;
}

}  // namespace vf

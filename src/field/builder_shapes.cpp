// Shapes: one fat op where the parameters are constants or values of a place, else the same mathematics in
// thin ops.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "field/builder_formula.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/program.h"
#include "recipe/language.h"

namespace vf {

namespace {

std::optional<Opcode> shape_op(Word w) {
  switch (w) {
    case Word::kSphere:
      return Opcode::kSphere;
    case Word::kEllipsoid:
      return Opcode::kEllipsoid;
    case Word::kBox:
      return Opcode::kBox;
    case Word::kRoundBox:
      return Opcode::kRoundBox;
    case Word::kRect:
      return Opcode::kRect;
    case Word::kCapsule:
      return Opcode::kCapsule;
    case Word::kCylinder:
      return Opcode::kCylinder;
    case Word::kHexprism:
      return Opcode::kHexprism;
    case Word::kTorus:
      return Opcode::kTorus;
    case Word::kHelix:
      return Opcode::kHelix;
    default:
      return std::nullopt;
  }
}

/// The shapes of field/simd/ops-inl.h, step by step in the same order.
class ThinShapes {
 public:
  ThinShapes(Graph& graph, const Place& place) : g_(graph), place_(place) {}

  NodeId build(Opcode op, std::span<const NodeId> p) {
    switch (op) {
      case Opcode::kSphere:
        return sub(length(p[0], p[1], p[2]), p[3]);
      case Opcode::kEllipsoid: {
        const NodeId norm = length(div(p[0], p[3]), div(p[1], p[4]), div(p[2], p[5]));
        return mul(sub(norm, number(1)), least(least(p[3], p[4]), p[5]));
      }
      case Opcode::kBox:
        return box(p[0], p[1], p[2], p[3], p[4], p[5]);
      case Opcode::kRoundBox:
        return sub(box(p[0], p[1], p[2], sub(p[3], p[6]), sub(p[4], p[6]), sub(p[5], p[6])), p[6]);
      case Opcode::kRect: {
        const NodeId qx = add(sub(abs(p[0]), p[2]), p[4]), qy = add(sub(abs(p[1]), p[3]), p[4]);
        return sub(corner(qx, qy), p[4]);
      }
      case Opcode::kCylinder:
        return corner(sub(length(p[0], p[1]), p[3]), sub(abs(p[2]), p[4]));
      case Opcode::kHexprism: {
        const NodeId ax = abs(p[0]), ay = abs(p[1]);
        const NodeId side = add(mul(ax, number(0.866025403784439F)), mul(ay, number(0.5F)));
        return most(sub(most(ay, side), p[3]), sub(abs(p[2]), p[4]));
      }
      case Opcode::kTorus:
        return sub(length(sub(length(p[0], p[1]), p[3]), p[2]), p[4]);
      default:
        return g_.fail(place_, "unknown shape");
    }
  }

 private:
  NodeId number(float v) { return g_.constant(v, place_); }
  NodeId abs(NodeId a) { return g_.unary(Opcode::kAbs, a, place_); }
  NodeId add(NodeId a, NodeId b) { return g_.binary(Opcode::kAdd, a, b, place_); }
  NodeId sub(NodeId a, NodeId b) { return g_.binary(Opcode::kSubtract, a, b, place_); }
  NodeId mul(NodeId a, NodeId b) { return g_.binary(Opcode::kMultiply, a, b, place_); }
  NodeId div(NodeId a, NodeId b) { return g_.binary(Opcode::kDivide, a, b, place_); }
  NodeId least(NodeId a, NodeId b) { return g_.binary(Opcode::kMin, a, b, place_); }
  NodeId most(NodeId a, NodeId b) { return g_.binary(Opcode::kMax, a, b, place_); }
  NodeId length(NodeId a, NodeId b) { return g_.binary(Opcode::kLength2, a, b, place_); }
  NodeId length(NodeId a, NodeId b, NodeId c) { return g_.ternary(Opcode::kLength3, a, b, c, place_); }

  NodeId corner(NodeId qx, NodeId qy) {
    const NodeId zero = number(0);
    return add(length(most(qx, zero), most(qy, zero)), least(most(qx, qy), zero));
  }
  NodeId box(NodeId x, NodeId y, NodeId z, NodeId hx, NodeId hy, NodeId hz) {
    const NodeId qx = sub(abs(x), hx), qy = sub(abs(y), hy), qz = sub(abs(z), hz), zero = number(0);
    return add(length(most(qx, zero), most(qy, zero), most(qz, zero)), least(most(qx, most(qy, qz)), zero));
  }

  Graph& g_;
  const Place& place_;
};

}  // namespace

NodeId FormulaBuilder::shape_word(const WordInfo& word, const Call& call) {
  if (word.word == Word::kPlane) return plane_word(call);
  const Opcode op = *shape_op(word.word);
  const std::size_t coordinates = op == Opcode::kRect ? 2 : 3;
  std::vector<NodeId> in;
  for (std::size_t i = 0; i < call.expr.args.size(); ++i) in.push_back(argument_of(call, i));
  if (graph_.failed()) return 0;
  bool fat = true;
  for (std::size_t i = coordinates; i < in.size(); ++i) {
    const bool varies = graph_.node(in[i]).kind != Kind::kConstant;
    if (varies && (op == Opcode::kCapsule || op == Opcode::kHelix))
      return graph_.fail(
          call.expr.args[i]->place,
          fmt::format("the parameters of {} must be constants or values of the place", word.name));
    const bool positive = op == Opcode::kHelix && i < 5;
    const float least = graph_.facts(in[i]).range.lo;
    if (positive && !(least > 0))
      return graph_.fail(call.expr.args[i]->place,
                         fmt::format("{} needs a radius and a pitch above zero", word.name));
    fat = fat && !varies;
  }
  if (fat) return graph_.add(op, 0, in, call.place);
  return ThinShapes(graph_, call.place).build(op, in);
}

/// dot(n, p) - offset, n made unit length.
NodeId FormulaBuilder::plane_word(const Call& call) {
  std::array<double, 3> n{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<float> v = constant_argument(call, i + 3, "the normal of a plane");
    if (!v) return 0;
    n[i] = static_cast<double>(*v);
  }
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 1e-6))
    return graph_.fail(call.expr.args[3]->place, "the normal of a plane must not be zero");
  NodeId sum = kNoNode;
  for (std::size_t i = 0; i < 3; ++i) {
    const NodeId part =
        graph_.binary(Opcode::kMultiply, graph_.constant(static_cast<float>(n[i] / length), call.place),
                      argument_of(call, i), call.place);
    sum = sum == kNoNode ? part : graph_.binary(Opcode::kAdd, sum, part, call.place);
  }
  return graph_.binary(Opcode::kSubtract, sum, argument_of(call, 6), call.place);
}

}  // namespace vf

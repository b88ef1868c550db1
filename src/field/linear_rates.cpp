#include "field/linear_rates.h"

#include <cstddef>
#include <optional>
#include <span>

#include "field/analysis.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/slopes.h"

namespace vf {

namespace {

SlopeVector along(std::size_t axis) {
  SlopeVector v{};
  v[axis] = 1;
  return v;
}

}  // namespace

std::optional<SlopeVector> linear_rates(const Program& program, const Node& node,
                                        std::span<const NodeFacts> facts, bool turned) {
  const auto fact = [&](std::size_t i) -> const NodeFacts& { return facts[node.in[i]]; };
  const auto is_number = [&](std::size_t i) { return fact(i).range.lo == fact(i).range.hi; };
  const auto number = [&](std::size_t i) { return static_cast<double>(fact(i).range.lo); };
  double a = 0, b = 0;  // the value changes as a times the first input and b times the second
  switch (node.op) {
    case Opcode::kConstant:
    case Opcode::kValue:
      return SlopeVector{};
    case Opcode::kX:
    case Opcode::kAbsoluteX:
      return along(world_axis(0, turned));
    case Opcode::kY:
    case Opcode::kAbsoluteY:
      return along(world_axis(1, turned));
    case Opcode::kLocalX:
      return along(0);
    case Opcode::kLocalY:
      return along(1);
    case Opcode::kZ:
    case Opcode::kLocalZ:
      return along(2);
    case Opcode::kNegate:
      a = -1;
      break;
    case Opcode::kAdd:
      a = b = 1;
      break;
    case Opcode::kSubtract:
      a = 1, b = -1;
      break;
    case Opcode::kMultiply:
      if (is_number(1)) {
        a = number(1);
      } else if (is_number(0)) {
        b = number(0);
      } else {
        return std::nullopt;
      }
      break;
    case Opcode::kDivide:
      if (!is_number(1)) return std::nullopt;
      a = 1 / number(1);
      break;
    case Opcode::kAffine:
      a = program.affines[node.param].ax, b = program.affines[node.param].ay;
      break;
    default:
      return std::nullopt;
  }
  SlopeVector out{};
  const auto add = [&](std::size_t input, double by) {
    if (by == 0) return true;
    if (!fact(input).rates) return false;
    for (std::size_t i = 0; i < kSlopeAxes; ++i) out[i] += by * (*fact(input).rates)[i];
    return true;
  };
  if (!add(0, a) || !add(1, b)) return std::nullopt;
  return out;
}

}  // namespace vf

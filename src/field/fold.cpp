#include "field/fold.h"

#include <cmath>

namespace vf {

std::optional<float> fold(Opcode op, std::span<const float> in) {
  const float a = !in.empty() ? in[0] : 0.0F;
  const float b = in.size() > 1 ? in[1] : 0.0F;
  switch (op) {
    case Opcode::kNegate:
      return -a;
    case Opcode::kAbs:
      return std::fabs(a);
    case Opcode::kFloor:
      return std::floor(a) + 0.0F;
    case Opcode::kSqrt:
      return std::sqrt(a);
    case Opcode::kSquare:
      return a * a;
    case Opcode::kCube:
      return a * a * a;
    case Opcode::kSnap:
      return std::floor(1024.0F * a + 0.5F) * (1.0F / 1024.0F);
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSubtract:
      return a - b;
    case Opcode::kMultiply:
      return a * b;
    case Opcode::kDivide:
      return a / b;
    case Opcode::kMin:
      return b < a ? b : a;
    case Opcode::kMax:
      return a < b ? b : a;
    case Opcode::kMod:
      return a - b * std::floor(a / b);
    default:
      return std::nullopt;  // stays an op of kind constant: evaluated once
  }
}

}  // namespace vf

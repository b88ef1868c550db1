// Which kind a value is of: how many values a brick needs of it.
#pragma once

#include "field/program.h"

namespace vf {

/// What depends on either of two kinds.
[[nodiscard]] constexpr Kind join(Kind a, Kind b) {
  if (a == b || b == Kind::kConstant) return a;
  return a == Kind::kConstant ? b : Kind::kFull;
}

/// The kind of an op without inputs.
[[nodiscard]] constexpr Kind leaf_kind(Opcode op) {
  switch (op) {
    case Opcode::kX:
    case Opcode::kY:
    case Opcode::kAbsoluteX:
    case Opcode::kAbsoluteY:
    case Opcode::kLocalX:
    case Opcode::kLocalY:
      return Kind::kColumn;
    case Opcode::kZ:
    case Opcode::kLocalZ:
      return Kind::kSlice;
    case Opcode::kConstant:
    case Opcode::kValue:
      return Kind::kConstant;
    default:
      return Kind::kFull;
  }
}

}  // namespace vf

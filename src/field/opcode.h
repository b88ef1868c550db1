// The operations of field programs and what is known of each.
#pragma once

#include <cstdint>
#include <string_view>

namespace vf {

enum class Opcode : std::uint8_t {
#define VF_OP(id, number, name, inputs) id = number,
#include "field/opcodes.def"
#undef VF_OP
};

inline constexpr int kMaxInputs = 10;

[[nodiscard]] constexpr std::string_view to_string(Opcode op) {
  switch (op) {
#define VF_OP(id, number, name, inputs) \
  case Opcode::id:                      \
    return name;
#include "field/opcodes.def"
#undef VF_OP
  }
  return "?";
}

[[nodiscard]] constexpr int input_count(Opcode op) {
  switch (op) {
#define VF_OP(id, number, name, inputs) \
  case Opcode::id:                      \
    return inputs;
#include "field/opcodes.def"
#undef VF_OP
  }
  return 0;
}

/// Ops whose interval may show that only one operand matters.
[[nodiscard]] constexpr bool is_choice(Opcode op) {
  return op == Opcode::kMin || op == Opcode::kMax || op == Opcode::kSmin || op == Opcode::kSmax ||
         op == Opcode::kMix || op == Opcode::kSelectRange;
}

}  // namespace vf

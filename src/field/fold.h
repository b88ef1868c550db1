// Constants folded when a program is built, with the run-time semantics of each op.
#pragma once

#include <optional>
#include <span>

#include "field/opcode.h"

namespace vf {

/// The value of `op` over constants, the same bits as every evaluator's; nothing for ops that are not folded.
[[nodiscard]] std::optional<float> fold(Opcode op, std::span<const float> in);

}  // namespace vf

// Constants folded when a program is built, with the run-time semantics of each op.
#pragma once

#include <optional>
#include <span>

#include "field/program.h"

namespace vf {

/// The value of a basic operation over constants; nothing for others.
[[nodiscard]] std::optional<float> fold_basic(Opcode op, std::span<const float> in);

/// The value of any op over constants, from the evaluator itself. `tables` holds what the param of `node`
/// refers to; its nodes are not read.
[[nodiscard]] float fold_by_evaluator(const Node& node, const Program& tables, std::span<const float> in);

}  // namespace vf

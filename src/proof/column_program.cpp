#include "proof/column_program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/tape.h"

namespace vf {

namespace {

/// About how many additions the op is worth.
std::uint32_t cost_of(const Program& program, const TapeOp& op) {
  switch (op.op) {
    case Opcode::kConstant:
    case Opcode::kX:
    case Opcode::kY:
    case Opcode::kAbsoluteX:
    case Opcode::kAbsoluteY:
      return 0;
    case Opcode::kNoise2:
      return 30 * static_cast<std::uint32_t>(program.noises[op.param].octaves.size());
    case Opcode::kCellular2:
      return 100;
    case Opcode::kSpline:
      return 4 * static_cast<std::uint32_t>(program.splines[op.param].at.size());
    case Opcode::kWave:
    case Opcode::kRepeat:
    case Opcode::kExp:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kAngle:
      return 12;
    case Opcode::kSqrt:
    case Opcode::kDivide:
    case Opcode::kMod:
    case Opcode::kLength2:
    case Opcode::kRect:
      return 4;
    default:
      return 1;
  }
}

/// Cheaper columns, such as x less a number, are computed where they are needed: their bounds are good, and a
/// scene of many shapes has many of them.
constexpr std::uint32_t kWorthSampling = 10;

}  // namespace

Tape cut_tape(const Tape& tape, const std::vector<std::uint32_t>& outputs,
              const std::vector<std::uint8_t>& leaves) {
  std::vector<std::uint8_t> needed(tape.ops.size(), 0);
  for (const std::uint32_t o : outputs) needed[o] = 1;
  for (std::size_t i = tape.ops.size(); i-- > 0;) {
    if (needed[i] == 0 || leaves[i] != 0) continue;
    for (std::size_t k = 0; k < tape.ops[i].inputs; ++k) needed[tape.ops[i].in[k]] = 1;
  }
  Tape out;
  out.candidates = tape.candidates;
  out.decided = tape.decided;
  std::vector<std::uint32_t> moved(tape.ops.size(), 0);
  for (std::size_t i = 0; i < tape.ops.size(); ++i) {
    if (needed[i] == 0) continue;
    TapeOp op = tape.ops[i];
    if (leaves[i] != 0) {
      op.inputs = 0;
      op.choice = kNoChoice;
    }
    for (std::size_t k = 0; k < op.inputs; ++k) op.in[k] = moved[op.in[k]];
    if (op.choice != kNoChoice) op.choice = out.choices++;
    moved[i] = static_cast<std::uint32_t>(out.ops.size());
    out.ops.push_back(op);
  }
  for (const std::uint32_t o : outputs) out.outputs.push_back(moved[o]);
  assign_slots(out);
  return out;
}

ColumnProgram split_columns(const Program& program) {
  const Tape full = density_tape(program);
  std::vector<std::uint8_t> leaves(full.ops.size(), 0);
  std::vector<std::uint32_t> cost(full.ops.size(), 0);
  for (std::size_t i = 0; i < full.ops.size(); ++i) {
    const TapeOp& op = full.ops[i];
    cost[i] = cost_of(program, op);
    for (std::size_t k = 0; k < op.inputs; ++k) cost[i] = std::min(cost[i] + cost[op.in[k]], kWorthSampling);
  }
  const auto offer = [&](std::uint32_t i) {
    if (full.ops[i].kind == Kind::kColumn && cost[i] >= kWorthSampling) leaves[i] = 1;
  };
  for (const TapeOp& op : full.ops) {
    if (op.kind == Kind::kColumn) continue;
    for (std::size_t k = 0; k < op.inputs; ++k) offer(op.in[k]);
  }
  for (const std::uint32_t o : full.outputs) offer(o);

  ColumnProgram split;
  split.op_of.assign(program.nodes.size(), -1);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < full.ops.size(); ++i) {
    if (leaves[i] == 0) continue;
    VF_CHECK(split.op_of[full.ops[i].node] < 0);
    split.op_of[full.ops[i].node] = static_cast<std::int32_t>(split.nodes.size());
    split.nodes.push_back(full.ops[i].node);
    chosen.push_back(i);
  }
  split.rest = cut_tape(full, full.outputs, leaves);
  if (!chosen.empty()) {
    split.columns = cut_tape(full, chosen, std::vector<std::uint8_t>(full.ops.size(), 0));
    split.ops = split.columns.outputs;
  }
  return split;
}

}  // namespace vf

// The parts of a density that depend on x and y only: sampled once for all tiles above each other.
//
// In: a program. Out: the tape that computes its columns, and the rest, in which they are leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "field/program.h"
#include "field/tape.h"

namespace vf {

struct ColumnProgram {
  Tape columns;                     ///< computes the column ops; no outputs
  std::vector<std::uint32_t> ops;   ///< column op -> index in `columns`
  std::vector<NodeId> nodes;        ///< column op -> node of the program
  std::vector<std::int32_t> op_of;  ///< node -> column op, or -1
  Tape rest;                        ///< output 0 with the column ops as leaves without inputs
};

/// Column ops are those of kind column that feed an op of another kind: whatever depends on z reads only
/// these.
[[nodiscard]] ColumnProgram split_columns(const Program& program);

/// `tape` with only what its `outputs` need, the `leaves` (flag per op) losing their inputs.
[[nodiscard]] Tape cut_tape(const Tape& tape, const std::vector<std::uint32_t>& outputs,
                            const std::vector<std::uint8_t>& leaves);

}  // namespace vf

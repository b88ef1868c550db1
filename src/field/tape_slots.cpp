#include <cstddef>

#include "field/tape.h"

namespace vf {

void assign_slots(Tape& tape) {
  constexpr std::uint32_t kNever = 0xFFFFFFFFU;
  const std::size_t count = tape.ops.size();
  std::vector<std::uint32_t> last_use(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    last_use[i] = static_cast<std::uint32_t>(i);
    for (std::size_t k = 0; k < tape.ops[i].inputs; ++k)
      last_use[tape.ops[i].in[k]] = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t output : tape.outputs) last_use[output] = kNever;

  tape.slots = {};
  std::array<std::vector<std::uint32_t>, 4> free;
  for (std::size_t i = 0; i < count; ++i) {
    TapeOp& op = tape.ops[i];
    const auto pool = static_cast<std::size_t>(op.kind);
    if (free[pool].empty()) {
      op.slot = tape.slots[pool]++;
    } else {
      op.slot = free[pool].back();
      free[pool].pop_back();
    }
    for (std::size_t k = 0; k < op.inputs; ++k) {
      TapeOp& input = tape.ops[op.in[k]];
      std::uint32_t& last = last_use[op.in[k]];
      if (last != i) continue;
      free[static_cast<std::size_t>(input.kind)].push_back(input.slot);
      last = kNever;  // an op may read the same input twice
    }
    if (last_use[i] == i) free[pool].push_back(op.slot);  // nobody reads it
  }
}

}  // namespace vf

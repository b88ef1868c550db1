#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/tape.h"

namespace vf {

void assign_slots(Tape& tape) {
  constexpr std::uint32_t kNever = 0xFFFFFFFFU;
  const std::size_t count = tape.ops.size();
  // One allocation, for this runs with every tape that is cut: the last reader of each op, then for each kind
  // a stack of registers that are free again.
  std::vector<std::uint32_t> scratch(5 * count);
  std::uint32_t* last_use = scratch.data();
  std::array<std::uint32_t*, 4> free{};
  for (std::size_t pool = 0; pool < 4; ++pool) free[pool] = last_use + (pool + 1) * count;
  const std::array<std::uint32_t*, 4> bottom = free;
  for (std::size_t i = 0; i < count; ++i) {
    last_use[i] = static_cast<std::uint32_t>(i);
    for (std::size_t k = 0; k < tape.ops[i].inputs; ++k)
      last_use[tape.ops[i].in[k]] = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t output : tape.outputs) last_use[output] = kNever;

  tape.slots = {};
  for (std::size_t i = 0; i < count; ++i) {
    TapeOp& op = tape.ops[i];
    const auto pool = static_cast<std::size_t>(op.kind);
    op.slot = free[pool] == bottom[pool] ? tape.slots[pool]++ : *--free[pool];
    for (std::size_t k = 0; k < op.inputs; ++k) {
      const TapeOp& input = tape.ops[op.in[k]];
      std::uint32_t& last = last_use[op.in[k]];
      if (last != i) continue;
      *free[static_cast<std::size_t>(input.kind)]++ = input.slot;
      last = kNever;  // an op may read the same input twice
    }
    if (last_use[i] == i) *free[pool]++ = op.slot;  // nobody reads it
  }
}

}  // namespace vf

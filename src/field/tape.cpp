// Tapes are cut once a tile or brick: passes over flat arrays, two allocations for the result.
#include "field/tape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/kinds.h"
#include "field/opcode.h"
#include "field/program.h"
#include "math/box.h"

namespace vf {

namespace {

constexpr std::uint32_t kDead = 0xFFFFFFFFU;

/// Room for one number an op: on the stack for tapes of usual length.
class Scratch {
 public:
  explicit Scratch(std::size_t n) {
    if (n > small_.size()) large_.resize(n);
    data_ = n > small_.size() ? large_.data() : small_.data();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::uint32_t& operator[](std::size_t i) { return data_[i]; }

 private:
  std::array<std::uint32_t, 1024> small_;  // not set: each user writes before it reads
  std::vector<std::uint32_t> large_;
  std::uint32_t* data_ = nullptr;
};

/// Makes the op as it stands in a cut tape: a set without candidates is the constant far.
void settle(const Program& program, TapeOp& op, const std::vector<std::vector<std::uint32_t>>& candidates) {
  if (op.op != Opcode::kFeatures || candidates.empty() || !candidates[op.param].empty()) return;
  op.param = program.feature_sets[op.param].far_constant;
  op.op = Opcode::kConstant;
  op.kind = Kind::kConstant;
}

/// What the tape, and the trace in all of `lanes`, know of candidate `c` of a set.
Decisions decided_in(const Tape& tape, const Trace& trace, std::size_t set, std::size_t c,
                     std::uint64_t lanes) {
  Decisions out = decisions_of(tape, set, c);
  if (set >= trace.shape_choices.size()) return out;
  const std::vector<std::uint64_t>& words = trace.shape_choices[set];
  const std::size_t choices = words.size() / 2 / tape.candidates[set].size();
  const auto in_all = [&](std::uint64_t word) { return (word & lanes) == lanes ? std::uint64_t{1} : 0; };
  for (std::size_t k = 0; k < choices; ++k) {
    out.only_a |= in_all(words[2 * (c * choices + k)]) << k;
    out.only_b |= in_all(words[2 * (c * choices + k) + 1]) << k;
  }
  return out;
}

void keep_used(const Tape& tape, const Trace& trace, std::size_t set, int lane, Tape& out) {
  const std::vector<std::uint32_t>& all = tape.candidates[set];
  for (std::size_t c = 0; c < all.size(); ++c) {
    if ((trace.used[set][c] >> lane & 1U) == 0) continue;
    out.candidates[set].push_back(all[c]);
    if (set < tape.decided.size() && c < tape.decided[set].size())
      out.decided[set].push_back(tape.decided[set][c]);
  }
}

/// Registers as assign_slots gives them, for one op after the other.
class SlotPool {
 public:
  explicit SlotPool(std::size_t ops) : free_{Scratch(ops), Scratch(ops), Scratch(ops), Scratch(ops)} {}
  std::uint32_t take(Kind kind) {
    const auto pool = static_cast<std::size_t>(kind);
    return size_[pool] == 0 ? counts_[pool]++ : free_[pool][--size_[pool]];
  }
  void give_back(const TapeOp& op) {
    const auto pool = static_cast<std::size_t>(op.kind);
    free_[pool][size_[pool]++] = op.slot;
  }
  [[nodiscard]] const std::array<std::uint32_t, 4>& counts() const { return counts_; }

 private:
  std::array<Scratch, 4> free_;
  std::array<std::size_t, 4> size_{};
  std::array<std::uint32_t, 4> counts_{};
};

/// Every node that `outputs` need.
Tape tape_of(const Program& program, std::span<const NodeId> outputs) {
  const std::size_t n = program.nodes.size();
  Scratch index(n);
  for (std::size_t i = 0; i < n; ++i) index[i] = 0;
  for (const NodeId o : outputs) index[o] = 1;
  for (std::size_t i = n; i-- > 0;) {
    if (index[i] == 0) continue;
    const Node& node = program.nodes[i];
    for (int k = 0; k < input_count(node.op); ++k) index[node.in[static_cast<std::size_t>(k)]] = 1;
  }
  Tape tape;
  for (std::size_t i = 0; i < n; ++i) {
    if (index[i] == 0) continue;
    const Node& node = program.nodes[i];
    TapeOp op;
    op.node = static_cast<NodeId>(i);
    op.op = node.op;
    op.kind = node.kind;
    op.param = node.param;
    op.inputs = static_cast<std::uint8_t>(input_count(node.op));
    for (std::size_t k = 0; k < op.inputs; ++k) op.in[k] = index[node.in[k]];
    if (is_choice(node.op)) op.choice = tape.choices++;
    index[i] = static_cast<std::uint32_t>(tape.ops.size());
    tape.ops.push_back(op);
  }
  for (const NodeId o : outputs) tape.outputs.push_back(index[o]);
  assign_slots(tape);
  return tape;
}

}  // namespace

Tape full_tape(const Program& program) {
  return tape_of(program, program.outputs);
}

Tape density_tape(const Program& program) {
  return tape_of(program, std::span(program.outputs).first(1));
}

Tape tape_in_box(const BoundField& field, const Tape& full, const Box3f& box) {
  Tape tape = full;
  tape.candidates.assign(field.sets.size(), {});
  bool empty_set = false;
  for (TapeOp& op : tape.ops) {
    if (op.op != Opcode::kFeatures) continue;
    field.sets[op.param].index.query(box, tape.candidates[op.param]);
    empty_set = empty_set || tape.candidates[op.param].empty();
  }
  if (!empty_set) return tape;  // the same ops of the same kinds: the registers stand
  for (TapeOp& op : tape.ops) {
    settle(*field.program, op, tape.candidates);
    for (std::size_t k = 0; k < op.inputs; ++k) {
      const Kind kind = tape.ops[op.in[k]].kind;
      op.kind = k == 0 ? kind : join(op.kind, kind);
    }
  }
  assign_slots(tape);
  return tape;
}

void specialise(const Program& program, const Tape& tape, const Trace& trace, int lane, Tape& out) {
  VF_DCHECK(lane >= 0 && lane < 64);
  const auto says = [lane](std::uint64_t bits) { return (bits >> lane & 1U) != 0; };
  // The op whose value an op has: decided choices stand for one of their operands.
  const auto settled = [&](std::uint32_t i) {
    for (;;) {
      const TapeOp& op = tape.ops[i];
      if (op.choice == kNoChoice) return i;
      const std::size_t a = first_choice(op.op);
      if (says(trace.only_a[op.choice])) {
        i = op.in[a];
      } else if (says(trace.only_b[op.choice])) {
        i = op.in[a + 1];
      } else {
        return i;
      }
    }
  };
  // Only what lives is looked at: most of a long tape does not. Backwards, an op is first met by its last
  // reader.
  const auto n = static_cast<std::uint32_t>(tape.ops.size());
  Scratch number(n), alive(n), last_reader(n);
  for (std::uint32_t i = 0; i < n; ++i) number[i] = kDead;
  for (const std::uint32_t o : tape.outputs) {
    number[settled(o)] = 0;
    last_reader[settled(o)] = kDead;
  }
  std::uint32_t count = 0;
  for (std::uint32_t i = n; i-- > 0;) {
    if (number[i] == kDead) continue;
    alive[count++] = i;
    const TapeOp& op = tape.ops[i];
    for (std::size_t k = 0; k < op.inputs; ++k) {
      const std::uint32_t input = settled(op.in[k]);
      if (number[input] != kDead) continue;
      number[input] = 0;
      last_reader[input] = i;
    }
  }
  out.candidates.resize(tape.candidates.size());
  for (auto& list : out.candidates) list.clear();
  out.decided.resize(tape.candidates.size());
  for (auto& list : out.decided) list.clear();
  out.ops.clear();
  out.ops.reserve(count);
  out.choices = 0;
  out.trusts_boxes = tape.trusts_boxes;
  SlotPool slots(count);
  while (count-- > 0) {
    const std::uint32_t i = alive[count];
    const TapeOp& from = tape.ops[i];
    if (from.op == Opcode::kFeatures && !tape.candidates.empty())
      keep_used(tape, trace, from.param, lane, out);
    number[i] = static_cast<std::uint32_t>(out.ops.size());
    // Copied first, changed in place: a copy right after small stores would wait for them.
    out.ops.push_back(from);
    TapeOp& op = out.ops.back();
    settle(program, op, out.candidates);
    for (std::size_t k = 0; k < op.inputs; ++k) {
      op.in[k] = number[settled(from.in[k])];
      const Kind kind = out.ops[op.in[k]].kind;
      op.kind = k == 0 ? kind : join(op.kind, kind);
    }
    if (op.choice != kNoChoice) op.choice = out.choices++;
    op.slot = slots.take(op.kind);
    for (std::size_t k = 0; k < op.inputs; ++k) {
      const std::uint32_t input = settled(from.in[k]);
      if (last_reader[input] != i) continue;
      slots.give_back(out.ops[number[input]]);
      last_reader[input] = kDead;  // an op may read the same input twice
    }
  }
  out.slots = slots.counts();
  out.outputs.clear();
  for (const std::uint32_t o : tape.outputs) out.outputs.push_back(number[settled(o)]);
}

void decide_shapes(const Tape& tape, const Trace& trace, std::uint64_t lanes, Tape& cut) {
  cut.decided.resize(cut.candidates.size());
  for (std::size_t set = 0; set < cut.candidates.size(); ++set) {
    cut.decided[set].resize(cut.candidates[set].size());
    std::size_t kept = 0;
    for (std::size_t c = 0; kept < cut.candidates[set].size(); ++c) {
      if ((trace.used[set][c] & lanes) != 0)
        cut.decided[set][kept++] = decided_in(tape, trace, set, c, lanes);
    }
  }
}

Tape specialise(const Program& program, const Tape& tape, const Trace& trace, int lane) {
  Tape out;
  specialise(program, tape, trace, lane, out);
  return out;
}

}  // namespace vf

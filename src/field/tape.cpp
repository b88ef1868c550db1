// Tapes are cut once a tile or brick: passes over flat arrays, two allocations for the result.
#include "field/tape.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/check.h"
#include "field/kinds.h"

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

/// Which inputs hold the two values that a choice decides between.
constexpr std::size_t first_value(Opcode op) {
  return op == Opcode::kSelectRange ? 1 : 0;
}

/// Makes the op as it stands in a cut tape: a set without candidates is the constant far.
void settle(const Program& program, TapeOp& op, const std::vector<std::vector<std::uint32_t>>& candidates) {
  if (op.op != Opcode::kFeatures || candidates.empty() || !candidates[op.param].empty()) return;
  op.param = program.feature_sets[op.param].far_constant;
  op.op = Opcode::kConstant;
  op.kind = Kind::kConstant;
}

/// Copies the ops marked in `keep`, numbering ops and choices anew. `target[i]` is the op whose value op i
/// has.
void emit(const Program& program, const Tape& from, Scratch& target, Scratch& keep, Tape& out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.ops.size(); ++i) kept += keep[i];
  out.ops.reserve(kept);
  for (std::size_t i = 0; i < from.ops.size(); ++i) {
    if (keep[i] == 0) continue;
    // Copied first, changed in place: a copy right after small stores would wait for them.
    out.ops.push_back(from.ops[i]);
    TapeOp& op = out.ops.back();
    settle(program, op, out.candidates);
    for (std::size_t k = 0; k < op.inputs; ++k) {
      op.in[k] = keep[target[op.in[k]]];  // its new number by now
      const Kind kind = out.ops[op.in[k]].kind;
      op.kind = k == 0 ? kind : join(op.kind, kind);
    }
    if (op.choice != kNoChoice) op.choice = out.choices++;
    keep[i] = static_cast<std::uint32_t>(out.ops.size() - 1);
  }
  out.outputs.reserve(from.outputs.size());
  for (const std::uint32_t o : from.outputs) out.outputs.push_back(keep[target[o]]);
}

}  // namespace

Tape full_tape(const Program& program) {
  const std::size_t n = program.nodes.size();
  Scratch index(n);
  for (std::size_t i = 0; i < n; ++i) index[i] = 0;
  for (const NodeId o : program.outputs) index[o] = 1;
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
  for (const NodeId o : program.outputs) tape.outputs.push_back(index[o]);
  assign_slots(tape);
  return tape;
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

Tape specialise(const Program& program, const Tape& tape, const Trace& trace, int lane) {
  VF_DCHECK(lane >= 0 && lane < 64);
  const std::size_t n = tape.ops.size();
  const auto says = [lane](std::uint64_t bits) { return (bits >> lane & 1U) != 0; };
  Scratch target(n), keep(n);
  for (std::size_t i = 0; i < n; ++i) {
    const TapeOp& op = tape.ops[i];
    target[i] = static_cast<std::uint32_t>(i);
    keep[i] = 0;
    if (op.choice == kNoChoice) continue;
    const std::size_t a = first_value(op.op);
    if (says(trace.only_a[op.choice])) {
      target[i] = target[op.in[a]];
    } else if (says(trace.only_b[op.choice])) {
      target[i] = target[op.in[a + 1]];
    }
  }
  for (const std::uint32_t o : tape.outputs) keep[target[o]] = 1;
  for (std::size_t i = n; i-- > 0;) {
    if (keep[i] == 0) continue;
    const TapeOp& op = tape.ops[i];
    for (std::size_t k = 0; k < op.inputs; ++k) keep[target[op.in[k]]] = 1;
  }
  Tape out;
  out.candidates.resize(tape.candidates.size());
  for (std::size_t i = 0; i < n && !tape.candidates.empty(); ++i) {
    const TapeOp& op = tape.ops[i];
    if (keep[i] == 0 || op.op != Opcode::kFeatures) continue;
    const std::vector<std::uint32_t>& from = tape.candidates[op.param];
    std::vector<std::uint32_t>& to = out.candidates[op.param];
    to.clear();
    to.reserve(from.size());
    for (std::size_t c = 0; c < from.size(); ++c)
      if (says(trace.used[op.param][c])) to.push_back(from[c]);
  }
  emit(program, tape, target, keep, out);
  assign_slots(out);
  return out;
}

}  // namespace vf

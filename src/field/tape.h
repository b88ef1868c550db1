// The part of a program that matters in a box, in order of evaluation.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "math/box.h"

namespace vf {

inline constexpr std::uint32_t kNoChoice = 0xFFFFFFFFU;

struct TapeOp {
  NodeId node = 0;  ///< where it comes from in the program
  Opcode op = Opcode::kConstant;
  Kind kind = Kind::kConstant;
  std::uint8_t inputs = 0;
  std::uint32_t param = 0;
  std::array<std::uint32_t, kMaxInputs> in{};  ///< indices of earlier ops of this tape
  std::uint32_t choice = kNoChoice;            ///< index among the tape's choices
  std::uint32_t slot = 0;                      ///< register within the pool of its kind (assign_slots)
};

/// Choices of a shape that are followed from box to box: its first so many.
inline constexpr std::uint32_t kTrackedChoices = 64;

/// What is decided of the choices of one place's shape in a box: bit i speaks of choice i.
struct Decisions {
  std::uint64_t only_a = 0, only_b = 0;
  friend auto operator<=>(const Decisions&, const Decisions&) = default;
};

struct Tape {
  std::vector<TapeOp> ops;
  std::vector<std::uint32_t> outputs;  ///< indices of ops
  std::uint32_t choices = 0;
  std::array<std::uint32_t, 4> slots{};                ///< registers of each Kind (assign_slots)
  std::vector<std::vector<std::uint32_t>> candidates;  ///< for each feature set: instances, rising
  std::vector<std::vector<Decisions>> decided;         ///< of each candidate; empty: nothing
  bool trusts_boxes =
      true;  ///< value boxes say which places matter. Brute force, which judges them, does not
};

/// What an interval pass over up to 64 boxes found out. Bit i speaks of box i.
struct Trace {
  std::vector<std::uint64_t> only_a, only_b;     ///< for each choice: the other operand cannot matter
  std::vector<std::vector<std::uint64_t>> used;  ///< for each set, each candidate: it may matter
  /// For each set, each candidate, each tracked choice of its shape: the words of only_a and only_b. Empty:
  /// nothing is known.
  std::vector<std::vector<std::uint64_t>> shape_choices;
};

/// The input of a choice that stands for its first value; the next one is the second.
[[nodiscard]] constexpr std::size_t first_choice(Opcode op) {
  return op == Opcode::kSelectRange ? 1 : 0;
}

/// Gives each op a register of its kind: one that no later op still reads, never that of an own input. Every
/// function that makes a tape ends with it.
void assign_slots(Tape& tape);

/// Every node that the outputs need; no candidates.
[[nodiscard]] Tape full_tape(const Program& program);

/// Every node that output 0 needs; no candidates.
[[nodiscard]] Tape density_tape(const Program& program);

/// The tape of `density` within `box`: all instances whose value box meets it.
[[nodiscard]] Tape tape_in_box(const BoundField& field, const Tape& full, const Box3f& box);

/// Drops what cannot matter in box `lane` of a trace over `tape`. The values of the result are the same bits.
/// What is decided of shapes stays as it is in `tape`.
[[nodiscard]] Tape specialise(const Program& program, const Tape& tape, const Trace& trace, int lane);
/// The same into the memory of `out`, which must be another tape.
void specialise(const Program& program, const Tape& tape, const Trace& trace, int lane, Tape& out);

/// What the tape knows of candidate `c` of a set.
[[nodiscard]] inline Decisions decisions_of(const Tape& tape, std::size_t set, std::size_t c) {
  return set < tape.decided.size() && c < tape.decided[set].size() ? tape.decided[set][c] : Decisions{};
}

/// Adds to `cut`, which was cut from `tape` for boxes that use the same candidates, what all of these boxes,
/// bit i for box i, decided of shapes: `cut` then holds for them only.
void decide_shapes(const Tape& tape, const Trace& trace, std::uint64_t lanes, Tape& cut);

}  // namespace vf

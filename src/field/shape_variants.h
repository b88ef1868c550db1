// The shape of a feature set as it stands where some of its choices are decided.
//
// In: a shape program, and what an interval pass decided about a place of it in a box (Decisions). Out: the
// ops that are left. Every variant's value has the same bits as the whole shape's, wherever the decisions
// hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "field/program.h"
#include "field/tape.h"

namespace vf {

struct ShapeVariant {
  std::size_t number = 0;            ///< counts up from 0, the whole shape
  std::vector<TapeOp> ops;           ///< inputs: indices in the whole tape; kinds as they are here
  std::vector<std::uint32_t> index;  ///< of each op in the whole tape
  std::uint32_t output = 0;          ///< index in the whole tape
};

/// One a thread and set; grows with what it is asked for.
class ShapeVariants {
 public:
  explicit ShapeVariants(const Program& shape);

  [[nodiscard]] const Tape& whole() const { return whole_; }
  /// Whether op `i` of the whole tape differs from place to place.
  [[nodiscard]] bool of_place(std::uint32_t i) const { return of_place_[i] != 0; }
  /// Stays valid. With more than a few thousand variants, the whole shape.
  const ShapeVariant& of(const Decisions& decided);

 private:
  /// The op that stands for op `i`; adds the choices it met on the way to `met`.
  [[nodiscard]] std::uint32_t settled(std::uint32_t i, const Decisions& decided, Decisions& met) const;
  /// Flags the ops that are left; `met`: the decisions that make a difference.
  [[nodiscard]] Decisions follow(const Decisions& decided, std::vector<std::uint8_t>& alive) const;
  [[nodiscard]] ShapeVariant make(const Decisions& decided, const std::vector<std::uint8_t>& alive) const;
  [[nodiscard]] const ShapeVariant* find(const Decisions& decided);

  static constexpr std::size_t kRecent = 256;
  struct Recent {
    Decisions decided;
    const ShapeVariant* variant = nullptr;
  };

  Tape whole_;
  std::vector<std::uint8_t> of_place_;
  std::map<Decisions, ShapeVariant> variants_;  ///< by the decisions that make a difference
  std::vector<Recent> recent_;                  ///< by a hash of all decisions
  std::vector<std::uint8_t> alive_;
};

}  // namespace vf

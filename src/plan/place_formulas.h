// Evaluates the formulas of places in batches: chosen outputs of one program over x, y, u1...u8 and ground.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "compose/world.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "math/interval.h"
#include "recipe/recipe.h"

namespace vf {

/// The part of every seed of noise that comes from the world and the depth.
[[nodiscard]] std::uint32_t stratum_seed_mix(const Stratum& stratum);

/// What places are evaluated from, as arrays: the position relative to their sector, u1...u8, and the ground.
struct PlaceInputs {
  std::vector<float> x, y, ground;
  std::array<std::vector<float>, kFeatureRandoms> random;

  [[nodiscard]] std::size_t size() const { return x.size(); }
  /// Adds a place; ground 0.
  void add(float at_x, float at_y, const std::array<float, kFeatureRandoms>& u);
  /// Keeps only the places whose flag is set, in order.
  void keep(std::span<const std::uint8_t> flags);
};

/// One program bound to one sector. Not thread-safe; the values are the same whatever was evaluated before.
class PlaceEvaluator {
 public:
  /// `program` must outlive this.
  PlaceEvaluator(const Program& program, Frame frame, std::uint32_t seed_mix);
  PlaceEvaluator(const PlaceEvaluator&) = delete;  // its parts know each other by address
  PlaceEvaluator& operator=(const PlaceEvaluator&) = delete;

  /// Values of program.outputs[outputs[i]] at every place.
  [[nodiscard]] std::vector<std::vector<float>> evaluate(std::span<const int> outputs,
                                                         const PlaceInputs& inputs);

  /// Proven range of program.outputs[output] for all random values, all places with x, y in `where` (frame)
  /// and any ground in `ground`; infinite where there is none.
  [[nodiscard]] Interval range(int output, const Box2f& where, Interval ground) const;

 private:
  const Program* program_;
  BoundField field_;
  std::optional<BatchEvaluator> batch_;  ///< made when something is evaluated: `range` has no use for it
};

}  // namespace vf

// What is proven of every node of a program, over all of x and y and the whole content interval.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "field/program.h"
#include "field/slopes.h"
#include "math/interval.h"

namespace vf {

/// Proven of one node. The range holds for the values as computed in f32; slopes are of the exact formula
/// (rounding to the 1/1024 m grid is not counted).
struct NodeFacts {
  Interval range;
  SlopeVector slope{};               ///< |d/dx|, |d/dy|, |d/dz| <= this, by axis; infinite when it may jump
  double gradient = 0;               ///< length of the gradient <= this
  bool flips = false;                ///< its only jumps are from v to -v, as those of repeat
  std::optional<SlopeVector> rates;  ///< its derivatives, where they are the same everywhere
};

/// What the leaves of a program range over.
struct AnalysisScope {
  Interval z{-30, 30};                     ///< [metres]
  Interval local_xy{0, 0}, local_z{0, 0};  ///< shapes: px, py; pz. [metres]
  bool turned = false;                     ///< shapes: px, py are not along x, y
  Interval ground{0, 0};                   ///< plans: height of the place. [metres]
  std::vector<Interval> values;            ///< shapes: of each value
  std::vector<NodeFacts> sets;             ///< of each feature set
};

/// Facts of a node of which the inputs' facts are known (`facts[i]` for node i of `program`). An error
/// without a place tells why the op is refused: its value could be NaN or infinite.
[[nodiscard]] Result<NodeFacts> analyse(const Program& program, const Node& node,
                                        std::span<const NodeFacts> facts, const AnalysisScope& scope);

/// "-0.5 .. 12"
[[nodiscard]] std::string to_string(const Interval& interval);

}  // namespace vf

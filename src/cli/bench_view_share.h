// The part of `bench view` that says how much of a whole view's time does not go into its surface.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/options.h"

namespace vf::cli {

/// Medians, all steps one after the other. [seconds]
struct ViewShare {
  double open_s = 0;                        ///< from the text to the field of the view
  double prove_s = 0;                       ///< bounds of all tiles and bricks, nothing evaluated
  double evaluate_s = 0;                    ///< the same with the samples of what is not proven
  double mesh_s = 0;                        ///< the same with triangles and seams
  std::uint64_t evaluated = 0, wasted = 0;  ///< bricks, and those of them without a change of sign
  /// Evaluating bricks without a surface.
  [[nodiscard]] double wasted_s() const {
    return evaluated == 0
               ? 0
               : (evaluate_s - prove_s) * static_cast<double>(wasted) / static_cast<double>(evaluated);
  }
  /// What is not evaluating and meshing bricks that hold a surface, of everything. [0..1]
  [[nodiscard]] double outside() const { return (open_s + prove_s + wasted_s()) / (open_s + mesh_s); }
};

[[nodiscard]] Result<ViewShare> measure_view_share(const Options& options, const std::string& name,
                                                   unsigned workers);

}  // namespace vf::cli

// Adversarial search for values outside of their bounds. Part of the tests only.
#pragma once

#include <cstdint>
#include <string>

#include "field/conformance_cases.h"
#include "field/simd/interval.h"
#include "field/simd_level.h"

namespace vf::conformance {

struct SearchOptions {
  std::uint64_t points = 0;  ///< how many values to try, about
  std::uint64_t seed = 1;
  SimdLevel level = SimdLevel::kScalar;
  IntervalMargins margins{};
  bool stop_at_first = true;
  bool pruned = false;  ///< also compare the values of the cut tapes
};

struct SearchResult {
  std::uint64_t points = 0;
  std::uint64_t boxes = 0;
  std::uint64_t unknown = 0;      ///< boxes without a bound
  std::uint64_t escapes = 0;      ///< values outside of their bounds, or not numbers
  std::uint64_t differences = 0;  ///< values of cut tapes that differ
  double slack = 0;               ///< mean of (bound's width / width seen), over boxes of middling size
  std::string first;              ///< the first escape or difference, in hex floats
};

/// Boxes of one point, of 1..4 ulp, of 1..4 grid steps, of a brick, of everything; in each, values at
/// corners, on lattice lines, at random, then uphill and downhill from the best.
[[nodiscard]] SearchResult search(Opcode op, const SearchOptions& options);

/// One case over and over.
[[nodiscard]] SearchResult search_case(const Case& c, const SearchOptions& options);

/// $VF_CONFORMANCE_POINTS, or `standard`.
[[nodiscard]] std::uint64_t points_per_op(std::uint64_t standard);

}  // namespace vf::conformance

// A closed interval of floats.
#pragma once

#include <cmath>
#include <limits>

namespace vf {

/// lo <= hi, or unknown: a bound that is NaN or infinite means "nothing is known on that side".
struct Interval {
  float lo = 0;
  float hi = 0;

  [[nodiscard]] static Interval everything() {
    return {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  }
  [[nodiscard]] bool finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  [[nodiscard]] bool contains(float v) const { return lo <= v && v <= hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace vf

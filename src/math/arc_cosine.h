// The angle between a unit vector and an axis: basic operations only, so that every machine gets the same
// bits.
#pragma once

#include <cmath>

namespace vf {

/// acos(c) in degrees; c beyond [-1, 1] counts as the nearer end. Error below 3e-6 degrees. Abramowitz and
/// Stegun 4.4.46. (libm differs between machines.)
[[nodiscard]] inline double arc_cosine_deg(double c) {
  const double x = std::fabs(c) < 1 ? std::fabs(c) : 1.0;
  double p = -0.0012624911;
  p = p * x + 0.0066700901;
  p = p * x - 0.0170881256;
  p = p * x + 0.0308918810;
  p = p * x - 0.0501743046;
  p = p * x + 0.0889789874;
  p = p * x - 0.2145988016;
  p = p * x + 1.5707963050;
  const double angle = std::sqrt(1 - x) * p * 57.29577951308232;
  return c < 0 ? 180 - angle : angle;
}

}  // namespace vf

// exp in double, from basic operations only: bounds that enter programs must be the same on every machine.
#pragma once

#include <cmath>

namespace vf {

/// exp(x), |x| <= 700, relative error below 1e-14.
[[nodiscard]] inline double exp_bound(double x) {
  const double n = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = x - n * 0.6931471805599453;  // |r| <= 0.35
  double sum = 1;
  for (int i = 16; i >= 1; --i) sum = 1 + sum * r / i;
  return std::ldexp(sum, static_cast<int>(n));
}

}  // namespace vf

// Sine and cosine for plans: basic operations only, so that every machine gets the same bits.
#pragma once

#include <cmath>

namespace vf {

/// A full turn. [radians]
inline constexpr double kTau = 6.283185307179586;

struct SinCos {
  double sin = 0;
  double cos = 1;
};

/// Sine and cosine of an angle in turns; |turns| < 2^50. Error below 2e-15; exact at multiples of a quarter
/// turn. Taylor series on [-1/8, 1/8] turn after exact reduction. (libm differs between machines.)
[[nodiscard]] inline SinCos sincos_turns(double turns) {
  const double whole = std::floor(turns);
  const double part = turns - whole;                  // [0, 1), exact
  const double quarter = std::floor(part * 4 + 0.5);  // 0..4
  const double t = (part - quarter * 0.25) * kTau;    // [-pi/4, pi/4]
  const double q = t * t;
  double s = -1.0 / 1307674368000.0;
  s = s * q + 1.0 / 6227020800.0;
  s = s * q - 1.0 / 39916800.0;
  s = s * q + 1.0 / 362880.0;
  s = s * q - 1.0 / 5040.0;
  s = s * q + 1.0 / 120.0;
  s = s * q - 1.0 / 6.0;
  s = t + t * (q * s);
  double c = 1.0 / 20922789888000.0;
  c = c * q - 1.0 / 87178291200.0;
  c = c * q + 1.0 / 479001600.0;
  c = c * q - 1.0 / 3628800.0;
  c = c * q + 1.0 / 40320.0;
  c = c * q - 1.0 / 720.0;
  c = c * q + 1.0 / 24.0;
  c = c * q - 0.5;
  c = 1.0 + q * c;
  // Compared, not converted: the turns may be infinite or NaN, and then both results are NaN.
  if (quarter == 1) return {c, -s};
  if (quarter == 2) return {-s, -c};
  if (quarter == 3) return {-c, s};
  return {s, c};
}

}  // namespace vf

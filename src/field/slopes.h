// Bounds of derivatives, as the analysis of formulas composes them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace vf {

/// x (or px), y (or py) and z. Where places are turned, x and y of the world are two more: orthogonal to each
/// other and to z, but at any angle to px and py.
inline constexpr std::size_t kSlopeAxes = 5;
using SlopeVector = std::array<double, kSlopeAxes>;

/// Derivatives of a node: slopes by axis and the length of the gradient.
struct Slopes {
  SlopeVector axis{};
  double gradient = 0;
};

[[nodiscard]] inline Slopes jumps() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  return {{kInfinite, kInfinite, kInfinite, kInfinite, kInfinite}, kInfinite};
}

/// a * b, where a slope of zero stays zero.
[[nodiscard]] inline double times(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

/// sqrt(a^2 + b^2): rounded correctly everywhere, which libm's is not, and some slopes reach values.
[[nodiscard]] inline double root_of_squares(double a, double b) {
  return std::sqrt(a * a + b * b);
}

[[nodiscard]] inline Slopes scaled(Slopes s, double by) {
  for (double& a : s.axis) a = times(a, by);
  s.gradient = times(s.gradient, by);
  return s;
}

/// Length of a vector of which the parts along px, py and along x, y may point the same way.
[[nodiscard]] inline double length_of(const SlopeVector& v) {
  const double plan = root_of_squares(v[0], v[1]) + root_of_squares(v[3], v[4]);
  return root_of_squares(plan, v[2]);
}

/// No axis along which both change: their gradients are at right angles.
[[nodiscard]] inline bool apart(const SlopeVector& a, const SlopeVector& b) {
  for (std::size_t i = 0; i < kSlopeAxes; ++i)
    if (a[i] != 0 && b[i] != 0) return false;
  const auto local = [](const SlopeVector& v) { return v[0] != 0 || v[1] != 0; };
  const auto world = [](const SlopeVector& v) { return v[3] != 0 || v[4] != 0; };
  return !(local(a) && world(b)) && !(world(a) && local(b));
}
[[nodiscard]] inline bool apart(const Slopes& a, const Slopes& b) {
  return apart(a.axis, b.axis);
}

[[nodiscard]] inline Slopes sum(const Slopes& a, const Slopes& b) {
  Slopes s;
  for (std::size_t i = 0; i < kSlopeAxes; ++i) s.axis[i] = a.axis[i] + b.axis[i];
  s.gradient = apart(a, b) ? root_of_squares(a.gradient, b.gradient) : a.gradient + b.gradient;
  return s;
}

[[nodiscard]] inline Slopes largest(const Slopes& a, const Slopes& b) {
  Slopes s;
  for (std::size_t i = 0; i < kSlopeAxes; ++i) s.axis[i] = std::max(a.axis[i], b.axis[i]);
  s.gradient = std::max(a.gradient, b.gradient);
  return s;
}

/// Sum of unit-length combinations u da + v db, u^2 + v^2 <= 1: the slopes of length(a, b).
[[nodiscard]] inline Slopes length_of(const Slopes& a, const Slopes& b) {
  Slopes s;
  for (std::size_t i = 0; i < kSlopeAxes; ++i) s.axis[i] = root_of_squares(a.axis[i], b.axis[i]);
  s.gradient = apart(a, b) ? std::max(a.gradient, b.gradient) : root_of_squares(a.gradient, b.gradient);
  return s;
}

/// Largest stretch of a linear map, of which each row holds the derivatives of one value: for a turn, 1. Its
/// square is the largest eigenvalue of the rows' products, and no greater than any row sum of their
/// magnitudes. Infinite where the angle between rows is not known.
[[nodiscard]] inline double stretch_of(std::span<const SlopeVector> rows) {
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const SlopeVector &a = rows[i], &b = rows[j];
      if (i == j) {
        const double length = length_of(a);
        sum += length * length;
        continue;
      }
      const bool mixed = (root_of_squares(a[0], a[1]) + root_of_squares(b[0], b[1])) > 0 &&
                         (root_of_squares(a[3], a[4]) + root_of_squares(b[3], b[4])) > 0;
      if (mixed && !apart(a, b)) return std::numeric_limits<double>::infinity();
      double product = 0;
      for (std::size_t k = 0; k < kSlopeAxes; ++k) product += a[k] * b[k];
      sum += std::fabs(product);
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest);
}

}  // namespace vf

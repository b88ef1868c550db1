// What is proven of the noises: their ranges and slopes.
//
// Used by the builder's analysis and by the interval evaluator. noise_constants_test.cpp proves every value by
// branch and bound; a value made too small fails it.
#pragma once

namespace vf {

/// Largest |value| of gradient noise before it is scaled to [-1, 1].
inline constexpr float kPerlin2Max = 0.7072F;  // unit gradients
inline constexpr float kPerlin3Max = 1.0364F;  // the 12 edge gradients (+-1, +-1, 0)

/// Largest |partial derivative| along one axis, of noise scaled to [-1, 1], times its spread.
inline constexpr float kPerlin2Slope = 3.7F;
inline constexpr float kPerlin3Slope = 4.2F;
inline constexpr float kValueSlope = 3.75F;  // 2 times the steepest fade, 15/8
inline constexpr float kCellularSlope = 1.0F;

/// Largest length of the gradient, of noise scaled to [-1, 1], times its spread.
inline constexpr float kPerlin2Gradient = 4.4F;
inline constexpr float kPerlin3Gradient = 5.6F;
inline constexpr float kValue2Gradient = 4.0F;
inline constexpr float kValue3Gradient = 4.4F;
inline constexpr float kCellularGradient = 1.0F;

/// Range of cellular noise: distance to the nearest point less 1/2.
inline constexpr float kCellularMin = -0.5F;
inline constexpr float kCellular2Max = 0.9143F;  // sqrt(2) - 1/2
inline constexpr float kCellular3Max = 1.2321F;  // sqrt(3) - 1/2

}  // namespace vf

// What is proven of the noises: their ranges, slopes and curvatures.
//
// Used by the builder's analysis, by the kernels (which scale gradient noise by its maximum) and by the
// interval evaluator. noise_constants_test.cpp proves each by branch and bound, with the kernels' own
// gradients, a little beyond the cell too (1/256 of it: a rounded cell index); a value that is 1 % too small
// fails it. Each is about 0.5 % above the truth, which is room for the rounding of f32.
#pragma once

namespace vf {

/// Largest |value| of gradient noise before it is scaled to [-1, 1].
inline constexpr float kPerlin2Max = 0.6988F;
inline constexpr float kPerlin3Max = 1.2308F;

/// Largest |partial derivative| along one axis, of noise scaled to [-1, 1], times its spread.
inline constexpr float kPerlin2Slope = 2.949F;
inline constexpr float kPerlin3Slope = 3.129F;
inline constexpr float kValueSlope = 3.768F;
inline constexpr float kCellularSlope = 1.0F;

/// Largest length of the gradient, of noise scaled to [-1, 1], times its spread.
inline constexpr float kPerlin2Gradient = 2.96F;
inline constexpr float kPerlin3Gradient = 3.16F;
inline constexpr float kValue2Gradient = 3.8F;
inline constexpr float kValue3Gradient = 4.0F;
inline constexpr float kCellularGradient = 1.0F;

/// Largest |second derivative| along one axis, and mixed along two, of noise scaled to [-1, 1], times the
/// spreads.
inline constexpr float kPerlin2Curvature = 11.577F;
inline constexpr float kPerlin3Curvature = 11.547F;
inline constexpr float kValueCurvature = 11.6F;
inline constexpr float kPerlin2Twist = 7.556F;
inline constexpr float kPerlin3Twist = 9.062F;
inline constexpr float kValueTwist = 14.13F;

/// Largest |third derivative|: thrice along one axis, twice along one and once along another, once along
/// each.
inline constexpr float kPerlin2Jerk = 142.68F;
inline constexpr float kPerlin3Jerk = 132.5F;
inline constexpr float kValueJerk = 123.4F;
inline constexpr float kPerlin2Jerk21 = 39.75F;
inline constexpr float kPerlin3Jerk21 = 36.13F;
inline constexpr float kValueJerk21 = 43.5F;
inline constexpr float kPerlin3Jerk111 = 24.61F;
inline constexpr float kValueJerk111 = 52.98F;

/// Range of cellular noise: distance to the nearest point, at most 1, less 1/2.
inline constexpr float kCellularMin = -0.5F;
inline constexpr float kCellular2Max = 0.5F;
inline constexpr float kCellular3Max = 0.5F;

}  // namespace vf

// A few kernels on their own, compiled once as the library is and more than once as it must not be
// (contraction_test.cpp): what the determinism gate has to notice.
#pragma once

#include <cstddef>

#include "field/simd/bound_noise.h"

namespace vf::probe {

struct Points {
  std::size_t count = 0;  ///< [multiple of 16]
  const float *x = nullptr, *y = nullptr, *z = nullptr;
};

/// Noise in 3D, then the cosine of x turns, then the angle of (x, y); each [count]
using Probe = void (*)(const BoundNoise& noise, const Points& points, float* out);

void as_built(const BoundNoise& noise, const Points& points, float* out);
void fused(const BoundNoise& noise, const Points& points, float* out);      ///< -mfma -ffp-contract=fast
void fast_math(const BoundNoise& noise, const Points& points, float* out);  ///< -ffast-math

}  // namespace vf::probe

// The body of a probe; VF_PROBE names it. Only for the probe_*_test.cpp files, which are compiled for one
// target each.
#include "field/simd/bound_noise.h"
#include "field/simd/noise-inl.h"
#include "field/simd/probe.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace vf::probe {

void VF_PROBE(const BoundNoise& noise, const Points& points, float* out) {
  using namespace vf::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): one target, one function
  for (std::size_t i = 0; i < points.count; i += kLanes) {
    const F x = load(points.x + i), y = load(points.y + i), z = load(points.z + i);
    store(noise3_at(x, y, z, noise), out + i);
    store(cos_turns(x), out + points.count + i);
    store(angle_of(x, y), out + 2 * points.count + i);
  }
}

}  // namespace vf::probe
HWY_AFTER_NAMESPACE();

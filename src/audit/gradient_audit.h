// Is the density as steep as its recipe promises, and nowhere steeper? Finite differences at random places.
#pragma once

#include <cstdint>
#include <string>

#include "field/sampler.h"
#include "math/box.h"

namespace vf {

struct GradientReport {
  std::uint64_t pairs = 0;
  std::uint64_t wrong = 0;  ///< pairs whose difference is more than bound x distance
  float steepest = 0;       ///< largest |difference| / distance seen
  Vec3f at;                 ///< where. [metres, frame]
  std::string first;        ///< the first wrong pair
};

/// Pairs of points in `region` from 1/16 m to 4 m apart, in random directions. A jump, such as at the border
/// of a lattice cell whose neighbour is not looked at, shows as a slope beyond any bound.
[[nodiscard]] GradientReport audit_gradient(FieldSampler& field, const Box3f& region, float bound,
                                            std::uint64_t pairs, std::uint64_t seed);

}  // namespace vf

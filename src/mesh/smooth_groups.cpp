#include "mesh/smooth_groups.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "mesh/lanes.h"

namespace vf {

/// Normals with at least this cosine to the direction.
unsigned SmoothGroups::along(Float4 direction, float least) const {
  Int4 bits{}, own{1, 2, 4, 8};
  for (std::size_t i = 0; 4 * i < size_; ++i, own *= 16) {
    const Float4 cosine = x_[i] * direction[0] + y_[i] * direction[1] + z_[i] * direction[2];
    bits |= (cosine >= least) & own;
  }
  return static_cast<unsigned>(bits[0] | bits[1] | bits[2] | bits[3]) & ((1U << size_) - 1);
}

SmoothGroups::Group SmoothGroups::first_of(unsigned rest) const {
  const unsigned all = (1U << size_) - 1;
  const float length2 = dot3(sum_, sum_);
  if (rest == all && length2 > 0.01F && along(sum_ * (1 / std::sqrt(length2)), kHalfSmoothCos) == all)
    return {all, sum_};
  const auto first = static_cast<std::size_t>(std::countr_zero(rest));
  Group group;
  group.members = (along(normals_[first], kSmoothCos) & rest) | 1U << first;
  for (unsigned bits = group.members; bits != 0; bits &= bits - 1)
    group.sum += normals_[static_cast<std::size_t>(std::countr_zero(bits))];
  return group;
}

}  // namespace vf

#include "mesh/smooth_groups.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "mesh/lanes.h"

namespace vf {

void SmoothGroups::finish(std::size_t size) {
  const std::size_t rows = size > kFew ? 3 : 2;
  while (size_ < 4 * rows) normals_[size_++] = Float4{};
  for (std::size_t i = 0; i < rows; ++i) {
    Float4 a = normals_[4 * i], b = normals_[4 * i + 1], c = normals_[4 * i + 2], d = normals_[4 * i + 3];
    transpose(a, b, c, d);
    x_[i] = a;
    y_[i] = b;
    z_[i] = c;
  }
  size_ = size;
}

/// Normals with at least this cosine to the direction.
inline unsigned SmoothGroups::along(Float4 direction, float least) const {
  const auto row = [&](std::size_t i) {
    return bits_of(x_[i] * direction[0] + y_[i] * direction[1] + z_[i] * direction[2] >= least);
  };
  return (row(0) | row(1) << 4 | (size_ > kFew ? row(2) << 8 : 0)) & all();
}

inline Float4 SmoothGroups::sum_of(unsigned members) const {
  Float4 sum{};
  const auto add = [&](std::size_t i) {
    const auto take = -static_cast<std::int32_t>(members >> i & 1);
    const Float4 normal = normals_[i];
    sum += Int4{take, take, take, take} ? normal : Float4{};
  };
  for (std::size_t i = 0; i < kFew; ++i) add(i);
  for (std::size_t i = kFew; i < size_; ++i) add(i);
  return sum;
}

SmoothGroups::Group SmoothGroups::first_of(unsigned rest) const {
  if (rest == all()) {
    const Float4 sum = sum_of(rest);
    const float length2 = dot3(sum, sum);
    if (length2 > 0.01F && along(sum * (1 / std::sqrt(length2)), kHalfSmoothCos) == rest) return {rest, sum};
  }
  const auto first = static_cast<std::size_t>(std::countr_zero(rest));
  const unsigned members = (along(normals_[first], kSmoothCos) & rest) | 1U << first;
  return {members, sum_of(members)};
}

}  // namespace vf

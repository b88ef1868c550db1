#include "mesh/smooth_groups.h"

#include <cmath>
#include <cstddef>

#include "math/vec.h"

namespace vf {

namespace {

float dot(Vec3f a, Vec3f b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace

void SmoothGroups::add(Vec3f normal) {
  int g = 0;
  while (g < count_ && dot(normal, first_[static_cast<std::size_t>(g)]) < kSmoothCos) ++g;
  const auto k = static_cast<std::size_t>(g);
  if (g == count_) {
    first_[k] = normal;
    ++count_;
  }
  sum_[k] = sum_[k] + normal;
  group_[static_cast<std::size_t>(size_++)] = g;
}

Vec3f SmoothGroups::normal(int group) const {
  const Vec3f sum = sum_[static_cast<std::size_t>(group)];
  return sum * (1 / std::sqrt(dot(sum, sum)));
}

}  // namespace vf

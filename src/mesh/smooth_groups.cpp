#include "mesh/smooth_groups.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "math/vec.h"

namespace vf {

namespace {

float dot(Vec3f a, Vec3f b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec3f unit(Vec3f v) {
  return v * (1 / std::sqrt(dot(v, v)));
}

}  // namespace

void SmoothGroups::solve() {
  const float length2 = dot(sum_, sum_);
  // All within 15 degrees of the mean: no two differ by more than 30.
  if (length2 > 0.01F) {
    const Vec3f mean = unit(sum_);
    bool smooth = true;
    for (int i = 0; i < size_; ++i)
      smooth = smooth && dot(normals_[static_cast<std::size_t>(i)], mean) >= kHalfSmoothCos;
    if (smooth) {
      mean_[0] = mean;
      return;
    }
  }
  split();
}

/// Each normal joins the first group whose first normal it agrees with.
void SmoothGroups::split() {
  std::array<std::size_t, kCellEdges> first{};
  count_ = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
    int g = 0;
    while (g < count_ && dot(normals_[i], normals_[first[static_cast<std::size_t>(g)]]) < kSmoothCos) ++g;
    const auto k = static_cast<std::size_t>(g);
    if (g == count_) {
      first[k] = i;
      mean_[k] = {};
      ++count_;
    }
    group_[i] = g;
    mean_[k] = mean_[k] + normals_[i];
  }
  for (std::size_t g = 0; g < static_cast<std::size_t>(count_); ++g) mean_[g] = unit(mean_[g]);
}

}  // namespace vf

#include "audit/gradient_audit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "base/ids.h"
#include "field/batch_evaluator.h"
#include "field/sampler.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

namespace {

float between(float lo, float hi, std::uint64_t hash) {
  return lo + (hi - lo) * unit_float(hash);
}

/// Rounding of a density of some hundred operations on values up to a few hundred metres. [metres]
constexpr float kRoundingM = 2e-3F;

std::string describe(Vec3f a, Vec3f b, float va, float vb, float bound) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                "phi goes from %.6g at (%.9g, %.9g, %.9g) to %.6g at (%.9g, %.9g, %.9g), steeper than %.3g",
                static_cast<double>(va), static_cast<double>(a.x), static_cast<double>(a.y),
                static_cast<double>(a.z), static_cast<double>(vb), static_cast<double>(b.x),
                static_cast<double>(b.y), static_cast<double>(b.z), static_cast<double>(bound));
  return text.data();
}

}  // namespace

GradientReport audit_gradient(FieldSampler& field, const Box3f& region, float bound, std::uint64_t pairs,
                              std::uint64_t seed) {
  GradientReport report;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto random = [&](std::uint64_t k) { return hash_words({seed, i, k}); };
    const Vec3f from{between(region.min.x, region.max.x, random(0)),
                     between(region.min.y, region.max.y, random(1)),
                     between(region.min.z, region.max.z, random(2))};
    const float step = static_cast<float>(std::uint64_t{1} << (random(3) % 7)) / 16.0F;
    const auto move = [&](float v, std::uint64_t k, float lo, float hi) {
      return std::clamp(v + step * between(-1, 1, random(k)), lo, hi);
    };
    const Vec3f a = snap_to_grid(from);
    const Vec3f b = snap_to_grid({move(from.x, 4, region.min.x, region.max.x),
                                  move(from.y, 5, region.min.y, region.max.y),
                                  move(from.z, 6, region.min.z, region.max.z)});
    // One by one: what is near one point must not help another.
    const float va = field.value(a), vb = field.value(b);
    const Vec3f d = b - a;
    const float distance = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    const float rise = std::fabs(vb - va);
    ++report.pairs;
    if (distance > 0.03F && rise / distance > report.steepest) {
      report.steepest = rise / distance;
      report.at = a;
    }
    if (rise <= bound * distance + kRoundingM) continue;
    if (report.wrong++ == 0) report.first = describe(a, b, va, vb, bound);
  }
  return report;
}

}  // namespace vf

#include "audit/extent_audit.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/sampler.h"
#include "field/simd_level.h"

namespace vf {

namespace {

constexpr int kPerEdge = 17;  ///< points of a face, each way

/// The field with one place's extent so wide that it cuts nothing.
std::shared_ptr<const BoundField> uncut(const BoundField& field, std::size_t set, std::size_t place) {
  constexpr float kWide = 500;
  std::vector<std::vector<FeatureInstance>> sets;
  for (const BoundFeatureSet& s : field.sets) sets.push_back(s.instances);
  FeatureInstance& f = sets[set][place];
  f.extent_min = {f.extent_min.x - kWide, f.extent_min.y - kWide, f.extent_min.z - kWide};
  f.extent_max = {f.extent_max.x + kWide, f.extent_max.y + kWide, f.extent_max.z + kWide};
  f.sign_box = f.sign_box.grown(2 * kWide);
  f.value_box = f.value_box.grown(2 * kWide);
  return std::make_shared<const BoundField>(
      bind_field(field.program, field.frame, field.window, std::move(sets), field.seed_mix));
}

/// Points on the six faces of the extent, a little outside, in frame coordinates.
std::vector<Vec3f> border_of(const FeatureInstance& f) {
  constexpr float kOutside = 1.0F / 64;
  const Vec3f lo{f.extent_min.x - kOutside, f.extent_min.y - kOutside, f.extent_min.z - kOutside};
  const Vec3f hi{f.extent_max.x + kOutside, f.extent_max.y + kOutside, f.extent_max.z + kOutside};
  std::vector<Vec3f> out;
  const auto mix = [](float a, float b, int i) {
    return a + (b - a) * static_cast<float>(i) / static_cast<float>(kPerEdge - 1);
  };
  const auto add = [&](float px, float py, float pz) {
    out.push_back(snap_to_grid(
        {f.at.x + f.yaw_cos * px - f.yaw_sin * py, f.at.y + f.yaw_sin * px + f.yaw_cos * py, f.at.z + pz}));
  };
  for (int i = 0; i < kPerEdge; ++i)
    for (int j = 0; j < kPerEdge; ++j) {
      const float xi = mix(lo.x, hi.x, i), yi = mix(lo.y, hi.y, i), yj = mix(lo.y, hi.y, j),
                  zj = mix(lo.z, hi.z, j);
      add(lo.x, yi, zj), add(hi.x, yi, zj);
      add(xi, lo.y, zj), add(xi, hi.y, zj);
      add(xi, yj, lo.z), add(xi, yj, hi.z);
    }
  return out;
}

}  // namespace

std::vector<CutFeatures> audit_extents(const BuiltRecipe& built,
                                       const std::shared_ptr<const BoundField>& field, std::uint64_t most) {
  constexpr float kRoundingM = 1e-3F;
  std::vector<CutFeatures> out;
  FieldSampler cut_field(field, SimdLevel::kScalar);
  std::vector<float> x, y, z, with, without;
  for (std::size_t set = 0; set < field->sets.size(); ++set) {
    CutFeatures found;
    found.set = field->program->feature_sets[set].name;
    if (set < built.recipe->features.size()) found.place = built.recipe->features[set].place;
    const auto& instances = field->sets[set].instances;
    for (std::size_t i = 0; i < instances.size() && found.places < most; ++i) {
      ++found.places;
      x.clear(), y.clear(), z.clear();
      for (const Vec3f& p : border_of(instances[i])) {
        if (p.z < 0 || p.z > field->program->height_m) continue;  // sealed rock anyway
        x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
      }
      with.resize(x.size());
      without.resize(x.size());
      FieldSampler uncut_field(uncut(*field, set, i), SimdLevel::kScalar);
      cut_field.values(x.size(), x.data(), y.data(), z.data(), with.data());
      uncut_field.values(x.size(), x.data(), y.data(), z.data(), without.data());
      bool cut = false;
      for (std::size_t k = 0; k < x.size(); ++k) {
        // Buried in other rock, or within a rounding: nobody sees it.
        const float depth = std::fabs(without[k]);
        if ((with[k] < 0) == (without[k] < 0) || depth <= kRoundingM) continue;
        cut = true;
        if (depth <= found.deepest_m) continue;
        found.deepest_m = depth;
        found.at = {x[k], y[k], z[k]};
      }
      found.cut += cut ? 1 : 0;
    }
    if (found.cut > 0) out.push_back(found);
  }
  return out;
}

}  // namespace vf

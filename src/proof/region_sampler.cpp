#include "proof/region_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proof/tile_geometry.h"

namespace vf {

Tape whole_tape(const BoundField& field) {
  Program density = *field.program;
  density.outputs.resize(1);
  Tape tape = full_tape(density);
  tape.candidates.assign(field.sets.size(), {});
  for (std::size_t s = 0; s < field.sets.size(); ++s)
    for (std::uint32_t i = 0; i < field.sets[s].instances.size(); ++i) tape.candidates[s].push_back(i);
  return tape;
}

RegionSampler::RegionSampler(std::shared_ptr<const BoundField> field, SimdLevel simd)
    : field_(std::move(field)), batch_(*field_, simd), tape_(whole_tape(*field_)) {}

void RegionSampler::choose_places() {
  const auto [min_x, max_x] = std::minmax_element(x_.begin(), x_.end());
  const auto [min_y, max_y] = std::minmax_element(y_.begin(), y_.end());
  const auto [min_z, max_z] = std::minmax_element(z_.begin(), z_.end());
  const auto gap = [](float v, float lo, float hi) { return std::max({lo - v, v - hi, 0.0F}); };
  for (std::size_t s = 0; s < field_->sets.size(); ++s) {
    const FeatureSetProgram& set = field_->program->feature_sets[s];
    std::vector<std::uint32_t>& chosen = tape_.candidates[s];
    chosen.clear();
    std::uint32_t i = 0;
    for (const FeatureInstance& f : field_->sets[s].instances) {
      const auto reach_of = [](float a, float b) { return std::max(std::fabs(a), std::fabs(b)); };
      const float reach = reach_of(f.extent_min.x, f.extent_max.x) +
                          reach_of(f.extent_min.y, f.extent_max.y) +
                          reach_of(f.extent_min.z, f.extent_max.z) + 2.0F * (set.far + set.blend) + 1.0F;
      const bool near = gap(f.at.x, *min_x, *max_x) <= reach && gap(f.at.y, *min_y, *max_y) <= reach &&
                        gap(f.at.z, *min_z, *max_z) <= reach;
      if (near) chosen.push_back(i);
      ++i;
    }
  }
}

void RegionSampler::run(std::vector<float>& values) {
  values.resize(x_.size());
  if (x_.empty()) return;
  choose_places();
  float* out = values.data();
  PointBatch points;
  points.count = x_.size();
  points.x = x_.data();
  points.y = y_.data();
  points.z = z_.data();
  batch_.points(tape_, points, {&out, 1});
}

void RegionSampler::sample(const TileKey& key, SampleBlock& block) {
  const Vec3f origin = tile_origin(key);
  const float voxel = voxel_m(key.level);
  x_.clear(), y_.clear(), z_.clear();
  for (int z = 0; z < block.nz; ++z)
    for (int y = 0; y < block.ny; ++y)
      for (int x = 0; x < block.nx; ++x) {
        x_.push_back(origin.x + voxel * static_cast<float>(block.min_x + x));
        y_.push_back(origin.y + voxel * static_cast<float>(block.min_y + y));
        z_.push_back(origin.z + voxel * static_cast<float>(block.min_z + z));
      }
  run(block.values);
}

void RegionSampler::sample_at(const TileKey& key, const std::vector<int>& xyz, std::vector<float>& values) {
  const Vec3f origin = tile_origin(key);
  const float voxel = voxel_m(key.level);
  x_.clear(), y_.clear(), z_.clear();
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) {
    x_.push_back(origin.x + voxel * static_cast<float>(xyz[i]));
    y_.push_back(origin.y + voxel * static_cast<float>(xyz[i + 1]));
    z_.push_back(origin.z + voxel * static_cast<float>(xyz[i + 2]));
  }
  run(values);
}

void RegionSampler::sample_points(const std::vector<Vec3f>& points, std::vector<float>& values) {
  x_.clear(), y_.clear(), z_.clear();
  for (const Vec3f& p : points) {
    x_.push_back(p.x);
    y_.push_back(p.y);
    z_.push_back(p.z);
  }
  run(values);
}

}  // namespace vf

#include "proof/region_sampler.h"

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

void RegionSampler::run(std::vector<float>& values) {
  values.resize(x_.size());
  float* out = values.data();
  PointBatch points;
  points.count = x_.size();
  points.x = x_.data();
  points.y = y_.data();
  points.z = z_.data();
  if (points.count > 0) batch_.points(tape_, points, {&out, 1});
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

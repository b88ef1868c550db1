#include "proof/region_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

Tape whole_tape(const BoundField& field) {
  Tape tape = density_tape(*field.program);
  tape.trusts_boxes = false;
  tape.candidates.assign(field.sets.size(), {});
  for (std::size_t s = 0; s < field.sets.size(); ++s)
    for (std::uint32_t i = 0; i < field.sets[s].instances.size(); ++i) tape.candidates[s].push_back(i);
  return tape;
}

RegionSampler::RegionSampler(std::shared_ptr<const BoundField> field, SimdLevel simd)
    : field_(std::move(field)), batch_(*field_, simd), tape_(whole_tape(*field_)) {}

void RegionSampler::gather(const Box3f& box) {
  if (gathered_ == box) return;
  gathered_ = box;
  for (std::size_t s = 0; s < field_->sets.size(); ++s) {
    const FeatureSetProgram& set = field_->program->feature_sets[s];
    tape_.candidates[s].clear();
    for (std::uint32_t i = 0; i < field_->sets[s].instances.size(); ++i) {
      const FeatureInstance& f = field_->sets[s].instances[i];
      // The corner of the extents grown by far + blend is in this sphere, however they are turned.
      const float grow = set.far + set.blend + 1;
      const auto far_end = [&](float lo, float hi) { return std::max(std::fabs(lo), std::fabs(hi)) + grow; };
      const float rx = far_end(f.extent_min.x, f.extent_max.x), ry = far_end(f.extent_min.y, f.extent_max.y),
                  rz = far_end(f.extent_min.z, f.extent_max.z);
      const auto beside = [](float at, float lo, float hi) { return std::max({lo - at, at - hi, 0.0F}); };
      const float dx = beside(f.at.x, box.min.x, box.max.x), dy = beside(f.at.y, box.min.y, box.max.y),
                  dz = beside(f.at.z, box.min.z, box.max.z);
      if (dx * dx + dy * dy + dz * dz <= rx * rx + ry * ry + rz * rz) tape_.candidates[s].push_back(i);
    }
  }
}

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
  std::vector<int> xyz;
  xyz.reserve(static_cast<std::size_t>(3 * block.nx * block.ny * block.nz));
  for (int z = 0; z < block.nz; ++z)
    for (int y = 0; y < block.ny; ++y)
      for (int x = 0; x < block.nx; ++x)
        xyz.insert(xyz.end(), {block.min_x + x, block.min_y + y, block.min_z + z});
  sample_at(key, xyz, block.values);
}

void RegionSampler::sample_at(const TileKey& key, const std::vector<int>& xyz, std::vector<float>& values) {
  const Vec3f origin = tile_origin(key);
  const float voxel = voxel_m(key.level);
  gather(proof_box(origin, key.level, kTileEdge));
  x_.clear(), y_.clear(), z_.clear();
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) {
    VF_DCHECK(xyz[i] >= -1 && xyz[i] <= kTileEdge);
    x_.push_back(origin.x + voxel * static_cast<float>(xyz[i]));
    y_.push_back(origin.y + voxel * static_cast<float>(xyz[i + 1]));
    z_.push_back(origin.z + voxel * static_cast<float>(xyz[i + 2]));
  }
  run(values);
}

void RegionSampler::sample_points(const Box3f& box, const std::vector<Vec3f>& points,
                                  std::vector<float>& values) {
  gather(box);
  x_.clear(), y_.clear(), z_.clear();
  for (const Vec3f& p : points) {
    x_.push_back(p.x);
    y_.push_back(p.y);
    z_.push_back(p.z);
  }
  run(values);
}

}  // namespace vf

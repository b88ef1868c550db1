// In: the 8 x 8 x 8 samples of a brick. Out: how fast the field rises and falls in it, and how far off it may
// be between samples, for the brick and voxel by voxel.
#pragma once

#include <array>
#include <cstdint>

#include "field/program.h"
#include "render/vec_ops.h"

namespace vf::render {

inline constexpr int kBrickVoxels = 343;  ///< 7 x 7 x 7, x fastest

/// Slopes of a voxel and those around it along x, y, z, and its margin. Shares of the brick's own numbers,
/// rounded outwards.
struct VoxelMeasure {
  std::array<std::int8_t, 3> low{}, high{};  ///< [1/127 of the brick's steepest step]
  std::uint8_t margin = 0;                   ///< [1/255 of the brick's margin]
};

struct BrickMeasure {
  Vec3f low, high;       ///< least and greatest change from sample to sample along each axis
  float margin = 0;      ///< between samples the field is off the trilinear value by no more than this
  bool crossed = false;  ///< some sample is rock and some is air
  [[nodiscard]] float steepest() const { return std::max(max_of(high), max_of(low * -1.0F)); }
};

/// `values`: [512]. A fold of the field between two samples bends the steps about it by at least twice what
/// the trilinear value is off there.
[[nodiscard]] BrickMeasure measure_brick(const float* values);

/// `measure`: of the same values.
void measure_voxels(const float* values, const BrickMeasure& measure,
                    std::array<VoxelMeasure, kBrickVoxels>& out);

}  // namespace vf::render

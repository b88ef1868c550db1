// In: the 8 x 8 x 8 samples of a brick. Out: how steep the field is in it, and how far off it may be between
// samples, for the brick and voxel by voxel.
#pragma once

#include <array>
#include <cstdint>

#include "field/program.h"
#include "render/vec_ops.h"

namespace vf::render {

inline constexpr int kBrickVoxels = 343;  ///< 7 x 7 x 7, x fastest

/// Shares of the brick's own numbers, rounded up. [1/255]
struct VoxelMeasure {
  std::uint8_t x = 0, y = 0, z = 0;  ///< slope, of the voxel and those around it
  std::uint8_t margin = 0;
};

struct BrickMeasure {
  Vec3f step;            ///< largest change from sample to sample along each axis
  float margin = 0;      ///< between samples the field is off the trilinear value by no more than this
  bool crossed = false;  ///< some sample is rock and some is air
  std::array<VoxelMeasure, kBrickVoxels> voxels{};
};

/// `values`: [512]. A fold of the field between two samples bends the steps about it by at least twice what
/// the trilinear value is off there; a tenth of the slope on top is for what samples do not see at all.
void measure_brick(const float* values, BrickMeasure& out);

}  // namespace vf::render

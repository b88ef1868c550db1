#include "proof/columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "field/batch_evaluator.h"
#include "math/vec.h"
#include "proof/certificate.h"
#include "proof/column_program.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {
constexpr std::uint32_t kExponentBits = 0x7F800000U;
constexpr int kWindow = 10;  ///< samples -1 ... 8 of a brick
constexpr int kHalo = 34;    ///< samples -1 ... 32 of a tile

float least(float a, float b) {
  return b < a ? b : a;
}
float most(float a, float b) {
  return a < b ? b : a;
}
}  // namespace

ColumnSampler::ColumnSampler(const ColumnProgram& program)
    : program_(&program), planes_(program.ops.size()), patch_(program.ops.size()) {
  for (auto& p : patch_) patch_out_.push_back(p.data());
}

void ColumnSampler::sample(BatchEvaluator& batch, const TileKey& key, TileColumns& out) {
  const std::size_t count = program_->ops.size();
  out.values.resize(count);
  out.brick_range.resize(count);
  out.octant_range.resize(count);
  out.tile_range.resize(count);
  if (count == 0) return;
  const float voxel = voxel_m(key.level);
  const Vec3f origin = tile_origin(key);
  for (int py = 0; py < kPatches; ++py)
    for (int px = 0; px < kPatches; ++px) {
      const BrickGeometry geometry{{origin.x + voxel * static_cast<float>(px * 8 - 1),
                                    origin.y + voxel * static_cast<float>(py * 8 - 1), 0},
                                   voxel};
      batch.columns(program_->columns, program_->ops, geometry, patch_out_);
      for (std::size_t c = 0; c < count; ++c)
        for (int y = 0; y < 8; ++y)
          std::copy_n(patch_[c].data() + y * 8, 8, planes_[c].data() + (py * 8 + y) * kStride + px * 8);
    }
  for (std::size_t c = 0; c < count; ++c) {
    for (int b = 0; b < kBrickColumns; ++b) {
      const int x0 = (b & 3) * 8 + 1, y0 = (b >> 2) * 8 + 1;
      float* values = out.values[c][static_cast<std::size_t>(b)].data();
      for (int y = 0; y < 8; ++y) std::copy_n(planes_[c].data() + (y0 + y) * kStride + x0, 8, values + y * 8);
    }
    ranges_of(planes_[c], out.brick_range[c], out.octant_range[c], out.tile_range[c]);
  }
}

void ColumnSampler::ranges_of(const Plane& plane, LaneRange& bricks, LaneRange& octants, LaneRange& tile) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // A value that is not finite bounds nothing: all ranges of this op become unknown.
  std::uint32_t broken = 0;
  for (const float v : plane)
    broken |= (std::bit_cast<std::uint32_t>(v) & kExponentBits) == kExponentBits ? 1U : 0U;

  std::array<float, kBrickColumns> lo{}, hi{};
  for (int by = 0; by < 4; ++by) {
    std::array<float, kStride> row_lo, row_hi;
    row_lo.fill(kInfinity);
    row_hi.fill(-kInfinity);
    for (int y = by * 8; y < by * 8 + kWindow; ++y) {
      const float* row = plane.data() + y * kStride;
      for (std::size_t x = 0; x < kHalo; ++x) {
        row_lo[x] = least(row_lo[x], row[x]);
        row_hi[x] = most(row_hi[x], row[x]);
      }
    }
    for (int bx = 0; bx < 4; ++bx) {
      float l = kInfinity, h = -kInfinity;
      for (int x = bx * 8; x < bx * 8 + kWindow; ++x) {
        l = least(l, row_lo[static_cast<std::size_t>(x)]);
        h = most(h, row_hi[static_cast<std::size_t>(x)]);
      }
      lo[static_cast<std::size_t>(by * 4 + bx)] = broken != 0 ? -kInfinity : l;
      hi[static_cast<std::size_t>(by * 4 + bx)] = broken != 0 ? kInfinity : h;
    }
  }
  LaneRange& o = octants;
  for (std::size_t lane = 0; lane < kTileBricks; ++lane) {
    const auto b = static_cast<std::size_t>(brick_of_lane(static_cast<int>(lane))) % kBrickColumns;
    bricks.lo[lane] = lo[b];
    bricks.hi[lane] = hi[b];
    const bool first = lane % 8 == 0;
    o.lo[lane / 8] = first ? lo[b] : least(o.lo[lane / 8], lo[b]);
    o.hi[lane / 8] = first ? hi[b] : most(o.hi[lane / 8], hi[b]);
  }
  tile.lo.fill(*std::min_element(o.lo.begin(), o.lo.begin() + 8));
  tile.hi.fill(*std::max_element(o.hi.begin(), o.hi.begin() + 8));
}

}  // namespace vf

#include "render/brick_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vf::render {
namespace {

constexpr std::size_t kSamples = 512;

// One number for each sample. Loops over lattices run in rows of 8 or 64 neighbours, which compilers make
// vectors of.
using Lattice = std::array<float, kSamples>;

// Steps to the next sample; the last of a row repeats the one before it.
template <std::size_t kStride>
void steps_along(const float* v, Lattice& out) {
  for (std::size_t block = 0; block < kSamples; block += 8 * kStride) {
    for (std::size_t i = block; i < block + 7 * kStride; ++i) out[i] = v[i + kStride] - v[i];
    for (std::size_t i = block + 7 * kStride; i < block + 8 * kStride; ++i) out[i] = out[i - kStride];
  }
}

// Adds how much the step changes at each sample; at both ends of a row, as much as next to them.
template <std::size_t kStride>
void add_bends(const Lattice& step, Lattice& out) {
  for (std::size_t block = 0; block < kSamples; block += 8 * kStride) {
    const auto bend = [&](std::size_t i) { return std::fabs(step[i] - step[i - kStride]); };
    for (std::size_t i = block; i < block + kStride; ++i) out[i] += bend(i + kStride);
    for (std::size_t i = block + kStride; i < block + 7 * kStride; ++i) out[i] += bend(i);
    for (std::size_t i = block + 7 * kStride; i < block + 8 * kStride; ++i) out[i] += bend(i - kStride);
  }
}

// Each becomes the most of itself, `kBefore` before it and `kAfter` behind it along an axis.
template <std::size_t kStride, int kBefore, int kAfter, class Most>
void widen(Lattice& a, const Most& most) {
  constexpr auto kBeforeCells = static_cast<std::size_t>(kBefore);
  constexpr std::size_t kCells = 8 + kBeforeCells + static_cast<std::size_t>(kAfter);
  std::array<float, kCells * kStride> row;
  for (std::size_t block = 0; block < kSamples; block += 8 * kStride) {
    float* const at = a.data() + block;
    for (std::size_t c = 0; c < kCells; ++c) {
      const std::size_t from = std::clamp(c, kBeforeCells, kBeforeCells + 7) - kBeforeCells;
      std::copy_n(at + from * kStride, kStride, row.data() + c * kStride);
    }
    for (std::size_t i = 0; i < 8 * kStride; ++i) {
      float m = row[i];
      for (std::size_t d = 1; d <= static_cast<std::size_t>(kBefore + kAfter); ++d)
        m = most(m, row[i + d * kStride]);
      at[i] = m;
    }
  }
}

// To a voxel and its neighbours belong samples i - 1 to i + 2, and one step less along its own axis.
template <std::size_t kAxis, class Most>
void widen_steps(Lattice& a, const Most& most) {
  widen<1, 1, kAxis == 0 ? 1 : 2>(a, most);
  widen<8, 1, kAxis == 1 ? 1 : 2>(a, most);
  widen<64, 1, kAxis == 2 ? 1 : 2>(a, most);
}

constexpr auto kLess = [](float a, float b) { return b < a ? b : a; };
constexpr auto kMore = [](float a, float b) { return b > a ? b : a; };

// A share of the slope is for what samples do not see at all: more for a whole brick, whose samples may be
// all that is ever asked, than for a voxel, near whose surface the field has the last word.
constexpr float kUnseenBrick = 0.1F, kUnseenVoxel = 0.04F;

float margin_of(float slopes, float bends, float unseen) {
  return std::min(0.6F * slopes, 0.6F * bends + unseen * slopes);
}

// Floor, for -512 < v < 512: the library's is a call.
int whole_below(float v) {
  return static_cast<int>(v + 512) - 512;
}

struct Steps {
  std::array<Lattice, 3> along;
  Lattice bends{};
  explicit Steps(const float* values) {
    steps_along<1>(values, along[0]);
    steps_along<8>(values, along[1]);
    steps_along<64>(values, along[2]);
    add_bends<1>(along[0], bends);
    add_bends<8>(along[1], bends);
    add_bends<64>(along[2], bends);
  }
};

}  // namespace

BrickMeasure measure_brick(const float* values) {
  const Steps steps(values);
  BrickMeasure out;
  const auto range = [&](std::size_t axis, float& low, float& high) {
    low = high = steps.along[axis][0];
    for (const float s : steps.along[axis]) low = kLess(low, s), high = kMore(high, s);
    return std::max(high, -low);
  };
  float slopes = range(0, out.low.x, out.high.x);
  slopes += range(1, out.low.y, out.high.y);
  slopes += range(2, out.low.z, out.high.z);
  float bends = 0, lo = values[0], hi = values[0];
  for (const float b : steps.bends) bends = kMore(bends, b);
  for (std::size_t i = 0; i < kSamples; ++i) lo = kLess(lo, values[i]), hi = kMore(hi, values[i]);
  out.margin = margin_of(slopes, bends, kUnseenBrick);
  out.crossed = lo < 0 && hi >= 0;
  return out;
}

void measure_voxels(const float* values, const BrickMeasure& measure,
                    std::array<VoxelMeasure, kBrickVoxels>& out) {
  Steps steps(values);
  std::array<Lattice, 3> low = steps.along;
  std::array<Lattice, 3>& high = steps.along;
  widen_steps<0>(low[0], kLess), widen_steps<0>(high[0], kMore);
  widen_steps<1>(low[1], kLess), widen_steps<1>(high[1], kMore);
  widen_steps<2>(low[2], kLess), widen_steps<2>(high[2], kMore);
  widen<1, 0, 1>(steps.bends, kMore), widen<8, 0, 1>(steps.bends, kMore), widen<64, 0, 1>(steps.bends, kMore);
  const float steepest = measure.steepest();
  const float to_steps = steepest > 0 ? 127 / steepest : 0,
              to_margin = measure.margin > 0 ? 255 / measure.margin : 0;
  for (std::size_t k = 0; k < 7; ++k) {
    for (std::size_t j = 0; j < 7; ++j) {
      for (std::size_t i = 0; i < 7; ++i) {
        const std::size_t s = k * 64 + j * 8 + i;
        VoxelMeasure& m = out[k * 49 + j * 7 + i];
        float slopes = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          const float lo = low[a][s], hi = high[a][s];
          slopes += std::max(hi, -lo);
          m.low[a] = static_cast<std::int8_t>(std::max(-127, whole_below(lo * to_steps)));
          m.high[a] = static_cast<std::int8_t>(std::min(127, -whole_below(-hi * to_steps)));
        }
        const float margin = margin_of(slopes, steps.bends[s], kUnseenVoxel) * to_margin;
        m.margin = static_cast<std::uint8_t>(std::min(255, -whole_below(-margin)));
      }
    }
  }
}

}  // namespace vf::render

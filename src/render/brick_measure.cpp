#include "render/brick_measure.h"

#include <algorithm>
#include <cmath>

namespace vf::render {
namespace {

constexpr int kSamples = 512;

// One number for each sample; of steps and bends some are unused (the last of a row, the ends of a row).
using Lattice = std::array<float, kSamples>;

void steps_along(const float* v, int stride, Lattice& out) {
  out.fill(0);
  for (int i = 0; i + stride < kSamples; ++i)
    out[static_cast<std::size_t>(i)] = (i / stride) % 8 == 7 ? 0.0F : v[i + stride] - v[i];
}

void bends_along(const Lattice& step, int stride, Lattice& out) {
  out.fill(0);
  for (int i = stride; i < kSamples; ++i) {
    const int at = (i / stride) % 8;
    const auto k = static_cast<std::size_t>(i);
    out[k] = at == 0 || at == 7 ? 0.0F : std::fabs(step[k] - step[k - static_cast<std::size_t>(stride)]);
  }
}

// Each becomes the largest of itself and the next `reach` in either direction along an axis.
void widen(Lattice& a, int stride, int before, int after) {
  const Lattice in = a;
  for (int i = 0; i < kSamples; ++i) {
    const int at = (i / stride) % 8;
    float most = in[static_cast<std::size_t>(i)];
    for (int d = std::max(-before, -at); d <= std::min(after, 7 - at); ++d)
      most = std::max(most, in[static_cast<std::size_t>(i + d * stride)]);
    a[static_cast<std::size_t>(i)] = most;
  }
}

float most_of(const Lattice& a) {
  return *std::max_element(a.begin(), a.end());
}

std::uint8_t share_of(float part, float whole) {
  return whole > 0 ? static_cast<std::uint8_t>(std::min(255.0F, std::ceil(part / whole * 255.0F)))
                   : std::uint8_t{0};
}

}  // namespace

void measure_brick(const float* values, BrickMeasure& out) {
  constexpr std::array<int, 3> kStride{1, 8, 64};
  std::array<Lattice, 3> step, bend;
  std::array<float, 3> steepest{}, sharpest{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    steps_along(values, kStride[axis], step[axis]);
    bends_along(step[axis], kStride[axis], bend[axis]);
    for (float& s : step[axis]) s = std::fabs(s);
    steepest[axis] = most_of(step[axis]);
    sharpest[axis] = most_of(bend[axis]);
    // A voxel and its neighbours: samples i - 1 to i + 2, of which steps along the axis start one earlier.
    for (std::size_t along = 0; along < 3; ++along)
      widen(step[axis], kStride[along], 1, along == axis ? 1 : 2);
    for (std::size_t along = 0; along < 3; ++along) widen(bend[axis], kStride[along], 0, 1);
  }
  const float steps = steepest[0] + steepest[1] + steepest[2];
  const auto margin_of = [](float slopes, float bends) {
    return std::min(0.6F * slopes, 0.6F * bends + 0.1F * slopes);
  };
  out.step = {steepest[0], steepest[1], steepest[2]};
  out.margin = margin_of(steps, sharpest[0] + sharpest[1] + sharpest[2]);
  const auto [lo, hi] = std::minmax_element(values, values + kSamples);
  out.crossed = *lo < 0 && *hi >= 0;
  for (std::size_t k = 0; k < 7; ++k) {
    for (std::size_t j = 0; j < 7; ++j) {
      for (std::size_t i = 0; i < 7; ++i) {
        const std::size_t s = k * 64 + j * 8 + i;
        const float margin =
            margin_of(step[0][s] + step[1][s] + step[2][s], bend[0][s] + bend[1][s] + bend[2][s]);
        out.voxels[k * 49 + j * 7 + i] = {share_of(step[0][s], steepest[0]),
                                          share_of(step[1][s], steepest[1]),
                                          share_of(step[2][s], steepest[2]), share_of(margin, out.margin)};
      }
    }
  }
}

}  // namespace vf::render

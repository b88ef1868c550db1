#include "render/light_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/tasks.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

// How much b belongs to the surface of a.
float kinship(const LightSheet::Place& a, const LightSheet::Place& b) {
  const float turn = dot(a.n, b.n);
  if (turn < 0.5F) return 0;
  const Vec3f d = b.p - a.p;
  const float off = std::max(std::fabs(dot(d, a.n)), std::fabs(dot(d, b.n)));
  const float allowed = 4 * a.width_m + 0.01F + 0.12F * length(d);
  const float share = off / allowed;
  if (share >= 1) return 0;
  const float flat = 1 - share * share;
  const float bend = (turn - 0.5F) * 2;
  return flat * flat * bend * bend * bend;
}

}  // namespace

LightSheet::LightSheet(int width, int height, int step)
    : columns_((width + step - 1) / step), rows_((height + step - 1) / step), step_(step) {
  const auto count = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  places_.resize(count);
  values_.resize(count);
}

void LightSheet::smooth(int stride, unsigned workers) {
  constexpr std::array<float, 5> kTent{0.5F, 1, 1, 1, 0.5F};
  std::vector<Vec3f> out(values_.size());
  parallel_for(static_cast<std::size_t>(rows_), workers, [&](std::size_t row, unsigned) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < columns_; ++x) {
      const Place& here = places_[index(x, y)];
      if (!here.valid) continue;
      Vec3f sum;
      float total = 0;
      for (int j = -2; j <= 2; ++j) {
        const int b = y + j * stride;
        if (b < 0 || b >= rows_) continue;
        for (int i = -2; i <= 2; ++i) {
          const int a = x + i * stride;
          if (a < 0 || a >= columns_) continue;
          const Place& there = places_[index(a, b)];
          if (!there.valid) continue;
          const float w = kinship(here, there) * kTent[static_cast<std::size_t>(i + 2)] *
                          kTent[static_cast<std::size_t>(j + 2)];
          sum = sum + values_[index(a, b)] * w;
          total += w;
        }
      }
      out[index(x, y)] = total > 0 ? sum * (1 / total) : values_[index(x, y)];
    }
  });
  values_ = std::move(out);
}

bool LightSheet::between(int column, int row, int spacing, const Place& place, float tolerance,
                         Vec3f& value) const {
  const int left = column - column % spacing, top = row - row % spacing;
  if (left + spacing >= columns_ || top + spacing >= rows_) return false;
  const float fx = static_cast<float>(column - left) / static_cast<float>(spacing),
              fy = static_cast<float>(row - top) / static_cast<float>(spacing);
  Vec3f sum;
  float least = 1e30F, most = 0;
  for (const int b : {0, 1}) {
    for (const int a : {0, 1}) {
      const std::size_t i = index(left + a * spacing, top + b * spacing);
      if (!places_[i].valid || kinship(place, places_[i]) < 0.4F) return false;
      const float l = luminance(values_[i]);
      least = std::min(least, l), most = std::max(most, l);
      sum = sum + values_[i] * ((a == 0 ? 1 - fx : fx) * (b == 0 ? 1 - fy : fy));
    }
  }
  value = sum;
  return most - least <= tolerance * most + 0.01F;
}

bool LightSheet::at(float x, float y, const Place& place, Vec3f& value) const {
  const float gx = x / static_cast<float>(step_), gy = y / static_cast<float>(step_);
  const int ix = static_cast<int>(std::floor(gx)), iy = static_cast<int>(std::floor(gy));
  Vec3f sum;
  float total = 0;
  const auto take = [&](int a, int b, float reach) {
    if (a < 0 || b < 0 || a >= columns_ || b >= rows_) return;
    const Place& there = places_[index(a, b)];
    const float dx = std::fabs(gx - static_cast<float>(a)), dy = std::fabs(gy - static_cast<float>(b));
    const float near = std::max(0.0F, reach - dx) * std::max(0.0F, reach - dy);
    if (!there.valid || near <= 0) return;
    const float w = kinship(place, there) * near;
    sum = sum + values_[index(a, b)] * w;
    total += w;
  };
  // The four around it, where enough of them are of the surface; else further ones.
  for (int b = iy; b <= iy + 1; ++b)
    for (int a = ix; a <= ix + 1; ++a) take(a, b, 1);
  if (total < 0.3F) {
    sum = {}, total = 0;
    for (int b = iy - 1; b <= iy + 2; ++b)
      for (int a = ix - 1; a <= ix + 2; ++a) take(a, b, 1.6F);
  }
  if (total < 1e-5F) return false;
  value = sum * (1 / total);
  return true;
}

}  // namespace vf::render

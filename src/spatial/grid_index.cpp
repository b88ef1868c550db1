#include "spatial/grid_index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "math/box.h"

namespace vf {

namespace {
constexpr int kMaxCellsPerAxis = 1024;

int cell_of(float v, float min, float cell, int n) {
  const float c = std::floor((v - min) / cell);
  return std::clamp(static_cast<int>(std::clamp(c, -1.0F, static_cast<float>(n))), 0, n - 1);
}
}  // namespace

GridIndex::GridIndex(std::span<const Box3f> boxes, float cell_m) : boxes_(boxes.begin(), boxes.end()) {
  VF_CHECK(cell_m > 0);
  if (boxes_.empty()) return;
  float max_x = boxes_[0].max.x, max_y = boxes_[0].max.y;
  min_x_ = boxes_[0].min.x;
  min_y_ = boxes_[0].min.y;
  for (const Box3f& b : boxes_) {
    min_x_ = std::min(min_x_, b.min.x);
    min_y_ = std::min(min_y_, b.min.y);
    max_x = std::max(max_x, b.max.x);
    max_y = std::max(max_y, b.max.y);
  }
  const float widest = std::max(max_x - min_x_, max_y - min_y_);
  cell_m_ = std::max(cell_m, widest / static_cast<float>(kMaxCellsPerAxis - 1));
  nx_ = static_cast<int>((max_x - min_x_) / cell_m_) + 1;
  ny_ = static_cast<int>((max_y - min_y_) / cell_m_) + 1;

  const auto visit = [&](auto&& each) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const Box3f& b = boxes_[i];
      const int x1 = cell_of(b.max.x, min_x_, cell_m_, nx_), y1 = cell_of(b.max.y, min_y_, cell_m_, ny_);
      for (int y = cell_of(b.min.y, min_y_, cell_m_, ny_); y <= y1; ++y)
        for (int x = cell_of(b.min.x, min_x_, cell_m_, nx_); x <= x1; ++x)
          each(static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x),
               static_cast<std::uint32_t>(i));
    }
  };
  starts_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_) + 1, 0);
  visit([&](std::size_t cell, std::uint32_t) { ++starts_[cell + 1]; });
  for (std::size_t c = 1; c < starts_.size(); ++c) starts_[c] += starts_[c - 1];
  entries_.resize(starts_.back());
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  visit([&](std::size_t cell, std::uint32_t box) { entries_[next[cell]++] = box; });
}

void GridIndex::query(const Box3f& box, std::vector<std::uint32_t>& out) const {
  if (boxes_.empty()) return;
  const std::size_t first = out.size();
  const int x1 = cell_of(box.max.x, min_x_, cell_m_, nx_), y1 = cell_of(box.max.y, min_y_, cell_m_, ny_);
  for (int y = cell_of(box.min.y, min_y_, cell_m_, ny_); y <= y1; ++y) {
    for (int x = cell_of(box.min.x, min_x_, cell_m_, nx_); x <= x1; ++x) {
      const std::size_t cell =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x);
      for (std::uint32_t e = starts_[cell]; e < starts_[cell + 1]; ++e)
        if (boxes_[entries_[e]].intersects(box)) out.push_back(entries_[e]);
    }
  }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, out.end());
  out.erase(std::unique(begin, out.end()), out.end());
}

}  // namespace vf

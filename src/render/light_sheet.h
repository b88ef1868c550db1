// A picture-sized sheet of light values that were sampled sparsely or noisily, smoothed and read along
// surfaces.
#pragma once

#include <cstddef>
#include <vector>

#include "render/vec_ops.h"

namespace vf::render {

class LightSheet {
 public:
  LightSheet() = default;
  /// One value for every `step` x `step` pixels.
  LightSheet(int width, int height, int step);

  struct Place {
    Vec3f p, n;
    float width_m = 0;  ///< of a pixel there
    bool valid = false;
  };
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int step() const { return step_; }
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }
  void set(int x, int y, const Place& place, Vec3f value) {
    places_[index(x, y)] = place;
    values_[index(x, y)] = value;
  }

  /// For sheets of which only columns and rows that are whole multiples of `spacing` are set so far: what
  /// lies between the four around a place, if all are of its surface and differ by no more than a share of
  /// `tolerance`.
  [[nodiscard]] bool between(int column, int row, int spacing, const Place& place, float tolerance,
                             Vec3f& value) const;
  /// Averages over the 4 x 4 pattern of samples (5 x 5 with halves at the rim), only along the same surface.
  /// `stride`: columns and rows from one sample of the pattern to the next.
  void smooth(int stride, unsigned workers);
  /// The value that was set at a column and row, or what smoothing made of it.
  [[nodiscard]] Vec3f own(int column, int row) const { return values_[index(column, row)]; }
  /// The value for a place seen at pixel x, y. False when no neighbour lies on its surface.
  [[nodiscard]] bool at(float x, float y, const Place& place, Vec3f& value) const;

 private:
  int columns_ = 0, rows_ = 0, step_ = 1;
  std::vector<Place> places_;
  std::vector<Vec3f> values_;
};

}  // namespace vf::render

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

  /// Averages over the 4 x 4 pattern of samples (5 x 5 with halves at the rim), only along the same surface.
  void smooth(unsigned workers);
  /// The value for a place seen at pixel x, y. False when no neighbour lies on its surface.
  [[nodiscard]] bool at(float x, float y, const Place& place, Vec3f& value) const;

 private:
  int columns_ = 0, rows_ = 0, step_ = 1;
  std::vector<Place> places_;
  std::vector<Vec3f> values_;
};

}  // namespace vf::render

// Points near each other, asked of the density together.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

/// Points are moved to the sample grid, by less than this. [metres]
inline constexpr float kGridM = 1.0F / 512;

/// Add points, ask once, read by the order of adding. Cleared and used again.
class Probe {
 public:
  /// The points to come all lie in this box: what matters in it is found out once for all of them, which is
  /// most of the work for small numbers. Without it each `ask` does so for its own points.
  void aim(FieldSampler& field, const Box3f& box);
  void add(double x, double y, double z) {
    x_.push_back(static_cast<float>(x));
    y_.push_back(static_cast<float>(y));
    z_.push_back(static_cast<float>(z));
  }
  void ask(FieldSampler& field);
  /// On a tape that is valid for all the points.
  void ask(FieldSampler& field, const Tape& tape);
  void clear();

  [[nodiscard]] std::size_t size() const { return x_.size(); }
  [[nodiscard]] float operator[](std::size_t i) const { return phi_[i]; }
  [[nodiscard]] bool air(std::size_t i) const { return phi_[i] > 0; }

 private:
  std::vector<float> x_, y_, z_, phi_;
  std::optional<Tape> tape_;
};

}  // namespace vf

// Haze between the eye and what it sees: even or in layers, lit by the ambient glow and by lamps.
#pragma once

#include <vector>

#include "render/lights.h"
#include "render/vec_ops.h"

namespace vf::render {

struct Haze {
  float extinction = 0, height_m = 0, floor_m = 0;
  Vec3f radiance;  ///< of endless haze
  Vec3f eye;  ///< towards `reach_m` from it all fades into endless haze: the picture ends without an edge
  float reach_m = 0;  ///< in plan; 0: no end

  [[nodiscard]] float density(float z) const;
  /// Optical depth of a way of length t.
  [[nodiscard]] float depth(Vec3f origin, Vec3f dir, float t) const;
  /// Share of light that the veil at the end of the picture leaves.
  [[nodiscard]] float unveiled(Vec3f p) const;
  /// Light that came a way of length t through the haze.
  [[nodiscard]] Vec3f through(Vec3f light, Vec3f origin, Vec3f dir, float t) const;
};
[[nodiscard]] Haze make_haze(const Fog& fog, const AmbientLight& ambient, Vec3f key);

/// Light that lamps scatter into the haze in front of the eye, with the shadows of rock: a grid over the
/// picture and its depth.
class HazeGlow {
 public:
  struct View {
    Vec3f eye, forward, right,
        up;                     ///< right and up scaled to the picture's half width and height at distance 1
    int width = 0, height = 0;  ///< [pixels]
    float reach_m = 100;
    unsigned workers = 1;
  };
  HazeGlow() = default;
  HazeGlow(const View& view, const Haze& haze, float glow, const LampSet& lamps, const TraceGrid& grid);
  /// x, y: in pixels; t: way along the ray.
  [[nodiscard]] Vec3f at(float x, float y, float t) const;

 private:
  [[nodiscard]] float slice_of(float t) const;
  int nx_ = 0, ny_ = 0, nz_ = 0;
  float pixels_per_cell_ = 8, near_m_ = 0.5F, log_ratio_ = 1;
  std::vector<Vec3f> sum_;  ///< light gathered up to the end of each slice
};

}  // namespace vf::render

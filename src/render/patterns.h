// The patterns that break up a flat colour: noise, cracks, tiles, bricks, bands, grass, speckle,
// plaster, leaves.
//
// Pictures only: these values never reach the world.
#pragma once

#include "recipe/recipe.h"
#include "render/vec_ops.h"

namespace vf::render {

struct PatternValue {
  float tone = 0;    ///< share of the second colour. [0..1]
  float height = 0;  ///< relief. [0..1]
  float shade = 1;   ///< factor on both colours, about 1
};

/// The pattern at p on a surface with normal n. `scale_m`: size of the pattern; `footprint_m`: width that one
/// sample stands for: what is finer fades into its mean.
[[nodiscard]] PatternValue pattern_at(DetailPattern pattern, Vec3f p, Vec3f n, float scale_m,
                                      float footprint_m);

/// Gradient noise in about [-1, 1], one unit a cell.
[[nodiscard]] float gradient_noise(Vec3f p);
/// Light that ripples gather on what lies below: mean about 1. x, y in metres.
[[nodiscard]] float caustic(float x, float y, float sharpness, float footprint_m);
/// The fine roughness of anything natural seen from near: about [-1, 1], 4 cm and less.
[[nodiscard]] float grain(Vec3f p, float footprint_m);

/// The same patterns on a torus: they come again after a whole number of units on each axis, so that a
/// picture of them tiles. Their frequencies are moved to the nearest that fit, and blades of grass keep to a
/// few directions.
class TiledPattern {
 public:
  /// `units`: one repeat. [scale_m] [>= 1]
  TiledPattern(float scale_m, int units);
  [[nodiscard]] float edge_m() const { return scale_m_ * static_cast<float>(units_); }
  /// As pattern_at and grain.
  [[nodiscard]] PatternValue at(DetailPattern pattern, Vec3f p, Vec3f n, float footprint_m) const;
  [[nodiscard]] float grain(Vec3f p, float footprint_m) const;

 private:
  float scale_m_;
  int units_;
};

}  // namespace vf::render

// A program bound to one frame: what evaluators read.
//
// In: a Program, a frame (sector), the places of its feature sets. Immutable; any number of threads may read
// it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "field/program.h"
#include "math/box.h"
#include "recipe/recipe.h"
#include "spatial/grid_index.h"

namespace vf {

/// The sector whose corner is the origin of float coordinates.
struct Frame {
  std::int64_t sx = 0, sy = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

/// One axis of the program in this frame: u = (v + offset) mod period, cell = base + floor((v + offset) /
/// period).
struct BoundAxis {
  float offset = 0;        ///< in [0, period). [metres]
  std::uint32_t base = 0;  ///< global index of cell 0, modulo 2^32
};

/// One place of a feature set, in frame coordinates. Its geometry lies within `extent` of `at`, by
/// construction: the distance is never less than that to the box.
struct FeatureInstance {
  Id<struct FeatureTag> id;
  Vec3f at;  ///< multiple of 1/64 m
  float yaw_cos = 1, yaw_sin = 0;
  Vec3f extent_min, extent_max;  ///< turned frame, relative to `at`: where the shape may be negative
  std::array<float, kMaxFeatureValues> values{};
  /// Frame axes, about the turned extents grown in their own axes: by blend (the set is negative only within
  /// such boxes), and by far + blend (beyond it the set does not notice this place).
  Box3f sign_box;
  Box3f value_box;
};

struct BoundFeatureSet {
  std::vector<FeatureInstance> instances;  ///< sorted by id: the order of the fold
  GridIndex index;                         ///< over the value boxes, in plan
};

struct BoundField {
  std::shared_ptr<const Program> program;
  Frame frame;
  Box2f window;                                    ///< features are complete for points in here
  std::vector<BoundAxis> axes;                     ///< one for each of program->frame_axes
  std::vector<std::vector<BoundAxis>> shape_axes;  ///< the same for each feature set's shape
  std::vector<BoundFeatureSet> sets;               ///< one for each of program->feature_sets
  float absolute_x = 0, absolute_y = 0;            ///< 1024 sx, 1024 sy
  std::uint32_t seed_mix = 0;  ///< of world seed and stratum: noise hashes with octave.seed ^ seed_mix
};

/// Binds the axes of `program` to `frame`. Pure; exact in integers.
[[nodiscard]] std::vector<BoundAxis> bind_axes(const Program& program, Frame frame);

/// A field over `window`; `sets` as the plan resolved them (in frame coordinates, any order: they get
/// sorted). `seed_mix` makes the noise of one stratum of one world (see BoundField).
[[nodiscard]] BoundField bind_field(std::shared_ptr<const Program> program, Frame frame, Box2f window,
                                    std::vector<std::vector<FeatureInstance>> sets, std::uint32_t seed_mix);

}  // namespace vf

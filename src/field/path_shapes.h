// The shapes of paths: what a piece of floor does to the density around it, as feature sets of the engine.
//
// A path is a chain of pieces (plan/path_plan.h). Each is one place of four sets that every program has after
// those of its recipe; so paths get the evaluators, bounds and indices of features for nothing.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "field/analysis.h"
#include "field/program.h"
#include "math/vec.h"
#include "recipe/recipe.h"

namespace vf {

enum class PathSet : std::uint8_t {
  kFill,  ///< solid: banks that carry a path over low land
  kCut,   ///< air: the land taken away beside a path through high land
  kPad,   ///< solid: the floor, and kerbs
  kCore,  ///< solid: what a passage winds about; in its frame px runs along its axis, and pz is 0 at the foot
  kVoid,  ///< air: the clear way
};
inline constexpr std::size_t kPathSets = 5;

/// Values of a place. In its frame px runs along the path at the middle of the piece, py to the left, and pz
/// is 0 on the floor there.
enum class PathValue : std::uint8_t {
  kCurvature,  ///< [1/m] > 0 turns left
  kCosine,     ///< of half the turn
  kSine,       ///< of half the turn, with the sign of the curvature
  kEnd,        ///< |px| cos + py sin at the ends; |px| at those of a core's axis. [metres]
  kReach,      ///< px / (1 - curvature py) at the ends. [metres]
  kGrade,      ///< rise by px / (1 - curvature py)
  kRise,       ///< of the floor over the place, which is on a coarser grid. [metres]
  kHalfWidth,  ///< of the clear way; radius of a core, at head and foot. [metres]
  kClear,      ///< height of the clear way, or of a core. [metres]
  kKerb,       ///< height of the kerbs; what a core's radius has lost half-way up. [metres]
  kOverrun,    ///< kPathOverrunM: a way, open at its ends; 0: a place. [metres]
  kAlong,      ///< length along the leg at the middle. [metres] (read by materials)
  kCount
};

inline constexpr float kPadBesideM = 0.5F;  ///< the pad is wider than the clear way, on either side
inline constexpr float kPadThickM = 1;
inline constexpr float kBankReachM = 8;    ///< cut and fill end so far from the clear way, and from its floor
inline constexpr float kPathOverrunM = 1;  ///< ways and banks reach so far past the ends of their piece

inline constexpr float kBankBlendM = 1.5F;  ///< radius in which banks blend with the land
/// Value far from every place. [metres] Pads and voids end all distances at 4 m; banks are beyond that by
/// their blend, so that where no path is near the density is the type's, within 4 m.
[[nodiscard]] constexpr float path_set_far(PathSet set) {
  return set == PathSet::kFill || set == PathSet::kCut ? 4 + kBankBlendM : 4;
}

struct FeatureInstance;
struct BoundField;
struct BoundFeatureSet;

/// Half the clear width of a way. [metres]
inline constexpr float kWayHalfM = 1.75F;

/// Null when the program was built without paths.
[[nodiscard]] const BoundFeatureSet* path_set(const BoundField& field, PathSet set);

/// Whether the clear way of some path holds the point. [metres, frame]
[[nodiscard]] bool in_clear_way(const BoundField& field, Vec3f p);

template <class T>
struct BesidePath {
  T side;    ///< distance in plan from the middle line
  T beyond;  ///< distance in plan beyond the ends, negative between them
};
/// Of a point (x, y) in the frame of a piece; the other arguments are its values. The shapes are made of the
/// same formula.
template <class T>
[[nodiscard]] BesidePath<T> beside_path(T x, T y, T curvature, T cosine, T sine, T end) {
  const T across = curvature * x, towards = 1 - curvature * y;
  return {
      std::abs((curvature * (x * x + y * y) - 2 * y) / (1 + std::sqrt(across * across + towards * towards))),
      std::abs(x) * cosine + y * sine - end};
}

/// Where a point is, seen from one piece; the same bits on every machine.
struct PathView {
  float side = 0;    ///< distance in plan from the middle line. [metres]
  float beyond = 0;  ///< distance in plan beyond the ends, negative between them. [metres]
  float above = 0;   ///< height over the floor. [metres]
  float along = 0;   ///< length along the leg. [metres]
};
[[nodiscard]] PathView view_from(const FeatureInstance& piece, Vec3f p);
[[nodiscard]] inline float path_value(const std::array<float, kMaxFeatureValues>& values, PathValue v) {
  return values[static_cast<std::size_t>(v)];
}

/// The program of one set for a content interval of `height_m`.
[[nodiscard]] FeatureSetProgram path_set_program(PathSet set, float height_m);

/// Of the union of its places: 1-Lipschitz by construction (PathShapes tests), at most `far`.
[[nodiscard]] NodeFacts path_set_facts(PathSet set);

}  // namespace vf

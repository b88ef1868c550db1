// In: a recipe. Out: its field as a typed, shared, folded graph of operations, independent of any sector.
//
// Product header of field/. A Program is immutable once built; any number of threads may read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "field/opcode.h"

namespace vf {

/// Edge of a sector. [metres]
inline constexpr float kSectorM = 1024.0F;
/// All sample points lie on this grid. [1/metres]
inline constexpr float kGridPerM = 1024.0F;
/// Edge of a brick. [samples]
inline constexpr int kBrickEdge = 8;
inline constexpr int kBrickSamples = 512;
/// Version of everything that turns a program into values; part of the world's identity.
inline constexpr std::uint32_t kEvaluatorVersion = 7;

/// What a node's value depends on, which is how many values a brick needs of it.
enum class Kind : std::uint8_t {
  kConstant,  ///< 1
  kSlice,     ///< z only: 8
  kColumn,    ///< x and y: 64
  kFull,      ///< 512
};

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFFU;

struct Node {
  Opcode op = Opcode::kConstant;
  Kind kind = Kind::kConstant;
  std::uint32_t param = 0;  ///< meaning by opcode; see opcodes.def
  std::array<NodeId, kMaxInputs> in{};

  friend bool operator==(const Node&, const Node&) = default;
};

/// A length on the axis a * x + b * y taken modulo a period, for one frame after another.
struct FrameAxis {
  std::int32_t ax = 1, ay = 0;   ///< 1, 0 for x; 0, 1 for y; a Pythagorean pair for turned axes; 0, 0 for z
  std::int64_t period_1024 = 0;  ///< [1/1024 m] [> 0] the spread or period times the hypotenuse
  std::int64_t shift_1024 = 0;   ///< constant added to the coordinate. [1/1024 m]
  friend bool operator==(const FrameAxis&, const FrameAxis&) = default;
};

struct AffineParams {
  std::int32_t ax = 1, ay = 0;
  friend bool operator==(const AffineParams&, const AffineParams&) = default;
};

struct PeriodicParams {
  std::uint32_t axis = 0;  ///< index into frame_axes
  float period = 1;        ///< [metres, times the hypotenuse]
  float scale = 1;         ///< kRepeat: 1 / hypotenuse, so that the result is in metres
  friend bool operator==(const PeriodicParams&, const PeriodicParams&) = default;
};

enum class NoiseBasis : std::uint8_t { kPerlin, kValue, kCellular };
enum class NoiseShape : std::uint8_t { kPlain, kRidged, kBillow };

struct NoiseOctave {
  std::array<std::uint32_t, 3> axis{};  ///< index into frame_axes, for x, y, z
  float period = 1;                     ///< [metres, times the hypotenuse]; exact multiple of 1/1024
  float period_z = 1;                   ///< [metres]
  float amplitude = 1;                  ///< the octaves' amplitudes add up to 1
  std::uint32_t seed = 0;
  friend bool operator==(const NoiseOctave&, const NoiseOctave&) = default;
};

struct NoiseParams {
  NoiseBasis basis = NoiseBasis::kPerlin;
  NoiseShape shape = NoiseShape::kPlain;
  std::vector<NoiseOctave> octaves;
  friend bool operator==(const NoiseParams&, const NoiseParams&) = default;
};

struct SplineParams {
  std::vector<float> at, to, slope;  ///< same length, `at` rising
  friend bool operator==(const SplineParams&, const SplineParams&) = default;
};

/// Inputs of material formulas that are not of the field.
enum class SurfaceInput : std::uint8_t {
  kNormalX,
  kNormalY,
  kNormalZ,
  kSlopeDeg,
  kRouteDistance,
  kRouteAlong,
  kRouteHeight,
  kCount
};

struct FeatureSetProgram;

struct Program {
  std::vector<Node> nodes;    ///< inputs come before users
  std::vector<Place> places;  ///< same length: where the author wrote it
  std::vector<float> constants;
  std::vector<FrameAxis> frame_axes;
  std::vector<AffineParams> affines;
  std::vector<PeriodicParams> periodics;
  std::vector<NoiseParams> noises;
  std::vector<SplineParams> splines;
  std::vector<FeatureSetProgram> feature_sets;
  std::optional<std::size_t> path_sets;  ///< index of the first path set (path_shapes.h); after the recipe's
  std::vector<NodeId> outputs;           ///< [0] is phi; shapes have one output; others as the builder says
  float height_m = 0;                    ///< H
};

/// What the sector's plan needs of a feature set, and what the evaluators need.
struct FeatureSetProgram {
  std::string name;
  Program shape;                   ///< output 0: distance-like, over px py pz, values, and the world's noise
  float blend = 0;                 ///< k. [metres] [>= 0]
  float far = 4;                   ///< [metres] [> 0]
  std::uint32_t far_constant = 0;  ///< index of `far` in the constants of the program that holds this set
  int value_count = 0;
};

}  // namespace vf

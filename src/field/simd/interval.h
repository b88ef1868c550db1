// The kernels of the interval evaluator, and the margins by which its bounds are wider than their formulas.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/shape_variants.h"
#include "field/simd/bind_tables.h"
#include "field/tape.h"

namespace vf {

/// What a bound that is not evaluated step by step adds for rounding, in units of 2^-24 times the sum of its
/// terms, and the proven constants it rests on. Every value is the result of an error analysis beside its
/// use. Only mutation tests pass other values: each made too small must make a named test fail.
struct IntervalMargins {
  // Units of 2^-24 times the sum of the terms' magnitudes.
  float smin = 8;
  float mix = 8;
  float smoothstep = 8;
  float cosine = 12;        ///< kWave: of 1
  float trigonometry = 64;  ///< kSin, kCos: of 1
  float exponential = 16;
  float angle = 16;
  float mod = 8;
  float spline = 24;
  float capsule = 64;
  float helix = 64;
  float noise = 512;  ///< of the octave's scaled amplitude
  // Proven constants and exact rules, as parts of themselves.
  float period = 1;           ///< kRepeat: the wrapped coordinate stays within the period
  float noise_range = 1;      ///< amplitude
  float noise_slope = 1;      ///< bound by slope alone
  float noise_curvature = 1;  ///< bound by value and gradient
  float noise_jerk = 1;       ///< bound by value, gradient and second derivatives
  float cellular_slope = 1;
  float cellular = 1;  ///< rounding of cellular noise
  float extrema = 1;   ///< 0: cosines do not look for extrema inside
  float wraps = 1;     ///< 0: nothing notices that a box crosses from one period or cell into the next
  float drop = 1;      ///< radius of blends at which the other operand is dropped
  float reach = 1;     ///< capsules: half extents of the box
  /// Ends of every op with this opcode move inwards by this part of the width: the suite must notice for any
  /// op.
  std::uint8_t shrunk_op = 255;
  float shrink = 0;
};

/// One place whose shape is evaluated: the boxes in its local coordinates.
struct IntervalPlace {
  const FeatureInstance* instance = nullptr;
  alignas(64) std::array<std::array<float, kMaxBoxes>, 3> lo, hi;
};

/// Registers are [op][lo: 64, hi: 64]; those of a shape by the ops of its whole tape.
struct IntervalShape {
  const BoundTables* tables = nullptr;
  float* registers = nullptr;
  const ShapeVariants* variants = nullptr;
  std::uint64_t* shared =
      nullptr;  ///< [op] vectors of boxes for which an op that no place changes is bounded
};

/// The candidates of one set.
struct IntervalCandidates {
  const std::uint32_t* instances = nullptr;
  const ShapeVariant* const* variants = nullptr;
  std::uint32_t count = 0;
};

/// What the boxes found of one candidate.
struct CandidateLanes {
  std::uint64_t used = 0;
  std::uint64_t reset = 0;  ///< nothing before it matters
};

struct IntervalJob {
  const BoundField* field = nullptr;
  const BoxBatch* boxes = nullptr;  ///< lanes beyond the count repeat the last box
  const Tape* tape = nullptr;
  const BoundTables* tables = nullptr;
  float* registers = nullptr;
  std::span<const IntervalShape> shapes{};           ///< of each feature set
  std::span<const IntervalCandidates> candidates{};  ///< of each feature set
  std::span<const KnownRange> known{};
  bool amplitudes = false;                   ///< noise in 3D is bounded by its amplitude alone
  float* scratch = nullptr;                  ///< [64 * the largest candidate count]
  CandidateLanes* candidate_bits = nullptr;  ///< [the largest candidate count]
  Trace* trace = nullptr;                    ///< sized; may be null
  const IntervalMargins* margins = nullptr;
};

using IntervalKernel = void (*)(const IntervalJob&);
[[nodiscard]] IntervalKernel interval_kernel(SimdLevel level);

inline constexpr std::size_t kIntervalRegister = 2 * kMaxBoxes;

}  // namespace vf

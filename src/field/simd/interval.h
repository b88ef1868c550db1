// The kernels of the interval evaluator, and the margins by which its bounds are wider than their formulas.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "field/interval_evaluator.h"
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
  float cosine = 4;         ///< kWave: of 1
  float trigonometry = 64;  ///< kSin, kCos: of 1
  float exponential = 16;
  float angle = 16;
  float mod = 8;
  float repeat = 8;
  float spline = 24;
  float capsule = 64;
  float helix = 64;
  float noise = 512;    ///< of the octave's scaled amplitude
  float cellular = 32;  ///< of 1
  // Proven constants and exact rules, as parts of themselves.
  float noise_range = 1;
  float noise_slope = 1;
  float noise_curvature = 1;
  float cellular_slope = 1;
  float extrema = 1;  ///< 0: cosines do not look for extrema inside
  float wraps = 1;    ///< 0: periodic ops do not notice that a box crosses a period
  float drop = 1;     ///< blend radius at which the other operand is dropped
};

/// One place whose shape is evaluated: local coordinates of one vector of boxes.
struct IntervalPlace {
  const FeatureInstance* instance = nullptr;
  alignas(64) std::array<std::array<float, 16>, 3> lo, hi;
};

/// A tape with its tables and registers: [op][lo: 64, hi: 64].
struct IntervalTape {
  const Tape* tape = nullptr;
  const BoundTables* tables = nullptr;
  float* registers = nullptr;
};

/// What one vector of boxes found of one candidate.
struct CandidateLanes {
  std::uint64_t used = 0;
  std::uint64_t reset = 0;  ///< nothing before it matters
};

struct IntervalJob {
  const BoundField* field = nullptr;
  const BoxBatch* boxes = nullptr;  ///< lanes beyond the count repeat the last box
  IntervalTape main;
  std::span<const IntervalTape> shapes{};              ///< of each feature set
  std::span<const std::uint32_t* const> candidates{};  ///< of each feature set
  std::span<const std::uint32_t> candidate_counts{};
  std::span<const KnownRange> known{};
  float* scratch = nullptr;                  ///< [16 * the largest candidate count]
  CandidateLanes* candidate_bits = nullptr;  ///< [the largest candidate count]
  Trace* trace = nullptr;                    ///< sized; may be null
  const IntervalMargins* margins = nullptr;
};

using IntervalKernel = void (*)(const IntervalJob&);
[[nodiscard]] IntervalKernel interval_kernel(SimdLevel level);

inline constexpr std::size_t kIntervalRegister = 2 * kMaxBoxes;

}  // namespace vf

// Bounds of a field over boxes: one box, or up to 64 in SIMD lanes.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "field/simd_level.h"
#include "field/tape.h"

namespace vf {

inline constexpr int kMaxBoxes = 64;

/// Structure of arrays, as the lanes read it. [metres, frame]
struct BoxBatch {
  int count = 0;  ///< [1..64]
  alignas(64) std::array<float, kMaxBoxes> min_x, min_y, min_z, max_x, max_y, max_z;
  void set(int i, const Box3f& box) {
    const auto k = static_cast<std::size_t>(i);
    min_x[k] = box.min.x, min_y[k] = box.min.y, min_z[k] = box.min.z;
    max_x[k] = box.max.x, max_y[k] = box.max.y, max_z[k] = box.max.z;
  }
};

/// Known ranges of some ops (columns that were sampled): they replace the op's own bound.
struct KnownRange {
  std::uint32_t op = 0;       ///< index in the tape
  const float* lo = nullptr;  ///< [count]
  const float* hi = nullptr;
};

struct IntervalMargins;

/// One a thread: owns scratch space. The bounds hold for every point of a box, at every SIMD level.
class IntervalEvaluator {
 public:
  IntervalEvaluator(const BoundField& field, SimdLevel level);
  /// With other margins than the proven ones (simd/interval.h): for the tests that show each to be needed.
  IntervalEvaluator(const BoundField& field, SimdLevel level, const IntervalMargins& margins);
  ~IntervalEvaluator();
  IntervalEvaluator(IntervalEvaluator&&) noexcept;
  IntervalEvaluator& operator=(IntervalEvaluator&&) noexcept;

  /// Bounds of output 0 of `tape` over each box; `lo`, `hi`: [boxes.count]. `trace` may be null.
  /// `amplitudes`: noise in 3D is bounded by its amplitude alone, which is quick.
  void evaluate(const Tape& tape, const BoxBatch& boxes, std::span<const KnownRange> known, float* lo,
                float* hi, Trace* trace, bool amplitudes = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf

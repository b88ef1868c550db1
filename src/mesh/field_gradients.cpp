#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "mesh/gradient_source.h"
#include "proof/lane_groups.h"

namespace vf {

namespace {

struct Bounds {
  alignas(64) std::array<float, kMaxBoxes> lo, hi;
};

}  // namespace

struct FieldGradients::Impl {
  Impl(std::shared_ptr<const BoundField> f, SimdLevel simd)
      : field(std::move(f)),
        batch(*field, simd),
        interval(*field, simd),
        whole(density_tape(*field->program)) {}

  void cut(std::size_t first, std::size_t count, std::span<const Box3f> boxes);
  std::size_t new_tape() {
    if (tapes.size() == used) tapes.emplace_back();
    return used++;
  }

  std::shared_ptr<const BoundField> field;
  BatchEvaluator batch;
  IntervalEvaluator interval;
  Tape whole;
  // Of the tile in hand: tape 0 holds in all of it.
  std::deque<Tape> tapes;
  std::size_t used = 0;
  std::vector<std::size_t> tape_of;  ///< of each box
  // Scratch.
  BoxBatch lanes;
  Bounds bounds;
  Trace trace;
  std::vector<std::uint64_t> groups;
  std::vector<BoxPoints> order;
  std::vector<float> x, y, z, value, gx, gy, gz;
};

FieldGradients::FieldGradients(std::shared_ptr<const BoundField> field, SimdLevel simd)
    : impl_(std::make_unique<Impl>(std::move(field), simd)) {}
FieldGradients::~FieldGradients() = default;

void FieldGradients::begin(const Box3f& around, std::span<const Box3f> boxes) {
  Impl& s = *impl_;
  s.used = 0;
  s.tapes[s.new_tape()] = s.field->sets.empty() ? s.whole : tape_in_box(*s.field, s.whole, around);
  s.tape_of.assign(boxes.size(), 0);
  bool any_set = false;
  for (const auto& set : s.tapes[0].candidates) any_set = any_set || !set.empty();
  if (s.tapes[0].choices == 0 && !any_set) return;
  for (std::size_t first = 0; first < boxes.size(); first += kMaxBoxes)
    s.cut(first, std::min<std::size_t>(kMaxBoxes, boxes.size() - first), boxes);
}

/// A tape for each group of boxes in which the same things matter. Noise in 3D counts with its amplitude: its
/// bounds would cost more than they save here.
void FieldGradients::Impl::cut(std::size_t first, std::size_t count, std::span<const Box3f> boxes) {
  lanes.count = static_cast<int>(count);
  for (std::size_t i = 0; i < count; ++i) lanes.set(static_cast<int>(i), boxes[first + i]);
  interval.evaluate(tapes[0], lanes, {}, bounds.lo.data(), bounds.hi.data(), &trace, true);
  const std::uint64_t all = count == kMaxBoxes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  group_lanes(all, trace, groups);
  for (const std::uint64_t group : groups) {
    const int lane = std::countr_zero(group);
    if (!decides(trace, lane) && !decides_shapes(trace, lane)) continue;
    const std::size_t tape = new_tape();
    specialise(*field->program, tapes[0], trace, lane, tapes[tape]);
    decide_shapes(tapes[0], trace, group, tapes[tape]);
    for (std::uint64_t rest = group; rest != 0; rest &= rest - 1)
      tape_of[first + static_cast<std::size_t>(std::countr_zero(rest))] = tape;
  }
}

void FieldGradients::gradients(std::span<const BoxPoints> parts, const PointBatch& points, float* value,
                               float* gx, float* gy, float* gz) {
  Impl& s = *impl_;
  if (s.used == 1) return s.batch.gradients(s.tapes[0], points, value, gx, gy, gz);
  if (s.x.size() < points.count)
    for (auto* v : {&s.x, &s.y, &s.z, &s.value, &s.gx, &s.gy, &s.gz}) v->resize(points.count);
  s.order.assign(parts.begin(), parts.end());
  std::sort(s.order.begin(), s.order.end(), [&](const BoxPoints& a, const BoxPoints& b) {
    return std::pair(s.tape_of[a.box], a.begin) < std::pair(s.tape_of[b.box], b.begin);
  });
  for (std::size_t first = 0; first < s.order.size();) {
    const std::size_t tape = s.tape_of[s.order[first].box];
    std::size_t last = first, count = 0;
    for (; last < s.order.size() && s.tape_of[s.order[last].box] == tape; ++last) {
      const BoxPoints& part = s.order[last];
      std::copy(points.x + part.begin, points.x + part.end, s.x.data() + count);
      std::copy(points.y + part.begin, points.y + part.end, s.y.data() + count);
      std::copy(points.z + part.begin, points.z + part.end, s.z.data() + count);
      count += part.end - part.begin;
    }
    s.batch.gradients(s.tapes[tape], {count, s.x.data(), s.y.data(), s.z.data(), {}}, s.value.data(),
                      s.gx.data(), s.gy.data(), s.gz.data());
    std::size_t from = 0;
    for (; first < last; ++first) {
      const BoxPoints& part = s.order[first];
      const std::size_t n = part.end - part.begin;
      std::copy_n(s.value.data() + from, n, value + part.begin);
      std::copy_n(s.gx.data() + from, n, gx + part.begin);
      std::copy_n(s.gy.data() + from, n, gy + part.begin);
      std::copy_n(s.gz.data() + from, n, gz + part.begin);
      from += n;
    }
  }
}

}  // namespace vf

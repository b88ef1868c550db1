#include "field/conformance_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/conformance_cases.h"
#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf::conformance {

namespace {

constexpr std::size_t kBoxes = 64;
constexpr std::size_t kFirst = 32;  ///< values a box before climbing
constexpr std::size_t kRound = 16;  ///< values a box and round
constexpr int kRounds = 8;

float steps_up(float v, int n) {
  for (int i = 0; i < n; ++i) v = std::nextafter(v, std::numeric_limits<float>::infinity());
  return v;
}

/// A box in axes.
struct Sides {
  std::array<float, 3> lo, hi;
};

/// How a box is made and how values in it are chosen.
enum class Size : std::uint8_t { kPoint, kUlps, kSteps, kBrick, kPart, kCount };

class Search {
 public:
  Search(const SearchOptions& options, SearchResult& result)
      : o_(options), r_(options.seed), result_(result) {}

  void run(const Case& c) {
    case_ = &c;
    BatchEvaluator batch(*c.field, o_.level);
    IntervalEvaluator interval(*c.field, o_.level, o_.margins);
    batch_ = &batch;
    const Tape full = full_tape(*c.program);
    const Tape tape = tape_in_box(*c.field, full, c.domain);
    grid_ = r_.chance(0.5F);
    make_boxes();
    interval.evaluate(tape, boxes_, {}, lo_.data(), hi_.data(), &trace_);
    result_.boxes += kBoxes;
    for (std::size_t b = 0; b < kBoxes; ++b) {
      if (!std::isfinite(lo_[b]) || !std::isfinite(hi_[b])) ++result_.unknown;
      best_lo_[b] = std::numeric_limits<float>::infinity();
      best_hi_[b] = -best_lo_[b];
    }
    first_round(full);
    for (int round = 0; round < kRounds; ++round) climb(full, round);
    measure_slack();
    if (o_.pruned) compare_pruned(tape);
  }

  [[nodiscard]] bool done() const {
    return result_.points >= o_.points ||
           (o_.stop_at_first && (result_.escapes > 0 || result_.differences > 0));
  }
  Random& random() { return r_; }

 private:
  float coordinate(float lo, float hi, std::size_t axis) {
    const std::vector<float>& lines = case_->lines[axis];
    float v = r_.between(lo, hi);
    if (!lines.empty() && r_.chance(0.3F)) {
      v = lines[static_cast<std::size_t>(r_.below(static_cast<int>(lines.size())))];
      // On the line, a few ulp about it, or at any scale beside it.
      if (r_.chance(0.5F)) v = steps_up(v, r_.below(3)) - (r_.chance(0.5F) ? 0.0F : std::fabs(v) * 0x1p-23F);
      if (r_.chance(0.3F)) v += std::exp2(-r_.between(-2, 20)) * (r_.chance(0.5F) ? 1.0F : -1.0F);
    }
    return settle(v, lo, hi);
  }
  /// On the sample grid when the case is; always within.
  float settle(float v, float lo, float hi) const {
    if (grid_) v = std::floor(v * 1024.0F + 0.5F) / 1024.0F;
    return std::clamp(v, lo, hi);
  }

  void make_boxes() {
    const Box3f& d = case_->domain;
    const std::array<float, 3> from{d.min.x, d.min.y, d.min.z}, to{d.max.x, d.max.y, d.max.z};
    boxes_.count = kBoxes;
    for (std::size_t b = 0; b < kBoxes; ++b) {
      size_[b] = static_cast<Size>(r_.below(static_cast<int>(Size::kCount)));
      Sides& s = sides_[b];
      const float part = std::exp2(-r_.between(0, 9));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float at = coordinate(from[axis], to[axis], axis);
        float length = 0;
        switch (size_[b]) {
          case Size::kUlps:
            length = steps_up(at, r_.below(5)) - at;
            break;
          case Size::kSteps:
            length = static_cast<float>(r_.below(5)) / 1024.0F;
            break;
          case Size::kBrick:
            length = 2.25F;
            break;
          case Size::kPart:
            length = r_.chance(0.1F) ? 0.0F : (to[axis] - from[axis]) * part * r_.unit();
            break;
          default:
            break;
        }
        s.lo[axis] = at;
        s.hi[axis] = std::min(at + length, to[axis]);
        if (grid_) s.hi[axis] = std::max(at, std::floor(s.hi[axis] * 1024.0F) / 1024.0F);
      }
      boxes_.set(static_cast<int>(b), {{s.lo[0], s.lo[1], s.lo[2]}, {s.hi[0], s.hi[1], s.hi[2]}});
    }
  }

  std::array<float, 3> random_point(std::size_t b) {
    std::array<float, 3> p{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float lo = sides_[b].lo[axis], hi = sides_[b].hi[axis];
      p[axis] = size_[b] == Size::kUlps ? std::min(steps_up(lo, r_.below(5)), hi) : coordinate(lo, hi, axis);
    }
    return p;
  }

  void put(std::size_t i, const std::array<float, 3>& p) { x_[i] = p[0], y_[i] = p[1], z_[i] = p[2]; }

  void first_round(const Tape& tape) {
    for (std::size_t b = 0; b < kBoxes; ++b) {
      for (std::size_t k = 0; k < kFirst; ++k) {
        std::array<float, 3> p{};
        if (k < 8) {
          for (std::size_t axis = 0; axis < 3; ++axis)
            p[axis] = (k >> axis & 1) != 0 ? sides_[b].hi[axis] : sides_[b].lo[axis];
        } else {
          p = random_point(b);
          // Edges and faces too.
          if (k < 20) {
            for (std::size_t axis = 0; axis < 3; ++axis)
              if (r_.chance(0.4F)) p[axis] = r_.chance(0.5F) ? sides_[b].hi[axis] : sides_[b].lo[axis];
          }
        }
        put(b * kFirst + k, p);
      }
    }
    evaluate(tape, kFirst);
  }

  /// Half of the values around the highest so far, half around the lowest, closer with every round.
  void climb(const Tape& tape, int round) {
    for (std::size_t b = 0; b < kBoxes; ++b) {
      for (std::size_t k = 0; k < kRound; ++k) {
        std::array<float, 3> p = k % 2 == 0 ? at_hi_[b] : at_lo_[b];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const float lo = sides_[b].lo[axis], hi = sides_[b].hi[axis];
          if (r_.chance(0.3F)) continue;
          const float reach = (hi - lo) * std::exp2(-1.5F * static_cast<float>(round));
          const float moved = p[axis] + r_.between(-reach, reach);
          p[axis] = size_[b] == Size::kUlps || round == kRounds - 1
                        ? std::clamp(steps_up(moved, r_.below(3) - 1), lo, hi)
                        : settle(moved, lo, hi);
        }
        put(b * kRound + k, p);
      }
    }
    evaluate(tape, kRound);
  }

  void evaluate(const Tape& tape, std::size_t each) {
    const std::size_t count = kBoxes * each;
    float* const out[1] = {value_.data()};
    batch_->points(tape, {count, x_.data(), y_.data(), z_.data(), {}}, out);
    result_.points += count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t b = i / each;
      const float v = value_[i];
      if (!(lo_[b] <= v && v <= hi_[b])) report(result_.escapes, "escapes", b, i, lo_[b], hi_[b]);
      if (v > best_hi_[b]) best_hi_[b] = v, at_hi_[b] = {x_[i], y_[i], z_[i]};
      if (v < best_lo_[b]) best_lo_[b] = v, at_lo_[b] = {x_[i], y_[i], z_[i]};
    }
  }

  void report(std::uint64_t& counter, const char* what, std::size_t b, std::size_t i, float a, float c) {
    if (counter++ > 0) return;
    const auto f = [](float v) { return static_cast<double>(v); };
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(),
                  "%s: value %a (%.9g) at (%a, %a, %a), against %a .. %a (%.9g .. %.9g), box (%a, %a, %a) .. "
                  "(%a, %a, %a)",
                  what, f(value_[i]), f(value_[i]), f(x_[i]), f(y_[i]), f(z_[i]), f(a), f(c), f(a), f(c),
                  f(sides_[b].lo[0]), f(sides_[b].lo[1]), f(sides_[b].lo[2]), f(sides_[b].hi[0]),
                  f(sides_[b].hi[1]), f(sides_[b].hi[2]));
    if (result_.first.empty()) result_.first = text.data();
  }

  void measure_slack() {
    for (std::size_t b = 0; b < kBoxes; ++b) {
      const double seen = static_cast<double>(best_hi_[b]) - static_cast<double>(best_lo_[b]);
      if (size_[b] != Size::kBrick || seen < 1e-3 || !std::isfinite(hi_[b])) continue;
      slack_sum_ += (static_cast<double>(hi_[b]) - static_cast<double>(lo_[b])) / seen;
      ++slack_count_;
      result_.slack = slack_sum_ / slack_count_;
    }
  }

  /// The values of the tape cut for one box are those of the whole tape, -0 taken as 0.
  void compare_pruned(const Tape& tape) {
    for (std::size_t b = 0; b < kBoxes; b += 4) {
      const Tape cut = specialise(*case_->program, tape, trace_, static_cast<int>(b));
      constexpr std::size_t kCount = 32;
      std::array<float, kCount> whole{};
      for (std::size_t i = 0; i < kCount; ++i) put(i, i < 8 ? corner(b, i) : random_point(b));
      float* const out[1] = {value_.data()};
      float* const out_whole[1] = {whole.data()};
      const PointBatch points{kCount, x_.data(), y_.data(), z_.data(), {}};
      batch_->points(tape, points, out_whole);
      batch_->points(cut, points, out);
      result_.points += kCount;
      for (std::size_t i = 0; i < kCount; ++i)
        if (value_[i] != whole[i]) report(result_.differences, "differs when cut", b, i, whole[i], whole[i]);
    }
  }
  std::array<float, 3> corner(std::size_t b, std::size_t k) const {
    std::array<float, 3> p{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      p[axis] = (k >> axis & 1) != 0 ? sides_[b].hi[axis] : sides_[b].lo[axis];
    return p;
  }

  const SearchOptions& o_;
  Random r_;
  SearchResult& result_;
  const Case* case_ = nullptr;
  BatchEvaluator* batch_ = nullptr;
  bool grid_ = true;
  BoxBatch boxes_;
  Trace trace_;
  std::array<Sides, kBoxes> sides_{};
  std::array<Size, kBoxes> size_{};
  std::array<float, kBoxes> lo_{}, hi_{}, best_lo_{}, best_hi_{};
  std::array<std::array<float, 3>, kBoxes> at_lo_{}, at_hi_{};
  std::array<float, kBoxes * kFirst> x_{}, y_{}, z_{}, value_{};
  double slack_sum_ = 0, slack_count_ = 0;
};

}  // namespace

SearchResult search(Opcode op, const SearchOptions& options) {
  SearchResult result;
  Search search(options, result);
  while (!search.done()) search.run(make_case(op, search.random()));
  return result;
}

SearchResult search_case(const Case& c, const SearchOptions& options) {
  SearchResult result;
  Search search(options, result);
  while (!search.done()) search.run(c);
  return result;
}

std::uint64_t points_per_op(std::uint64_t standard) {
  const char* text = std::getenv("VF_CONFORMANCE_POINTS");
  if (text == nullptr) return standard;
  return std::strtoull(text, nullptr, 10);
}

}  // namespace vf::conformance

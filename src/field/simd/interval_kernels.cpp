#include "field/simd/interval.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/simd/interval_kernels.cpp"
// clang-format off
#include "field/simd/targets.h"  // IWYU pragma: keep (says which targets there are)
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bound_noise.h"
#include "field/simd/interval-inl.h"
#include "field/simd/interval_noise-inl.h"
#include "field/simd/interval_shapes-inl.h"
#include "field/simd/noise-inl.h"
#include "field/simd/ops-inl.h"
#include "field/simd_level.h"
#include "field/tape.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

constexpr std::size_t kBoxes = kMaxBoxes;

HWY_INLINE Ival load_ival(const float* reg, std::size_t i) {
  return {load(reg + i), load(reg + kBoxes + i)};
}
HWY_INLINE void store_ival(const Ival& v, float* reg, std::size_t i) {
  store(v.lo, reg + i);
  store(v.hi, reg + kBoxes + i);
}

HWY_INLINE std::uint64_t bits_of(MaskF mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(kTag, mask, bytes);
  return bytes[0] | static_cast<std::uint64_t>(bytes[1]) << 8;
}

/// One pass over a tape: vectors of boxes from `first` to `last`.
struct Pass {
  const IntervalJob* job;
  const IntervalTape* tape;
  const IntervalPlace* place;  ///< of shapes
  std::size_t first, last;

  HWY_INLINE float* reg(std::uint32_t op) const { return tape->registers + op * kIntervalRegister; }
  HWY_INLINE const IntervalMargins& margins() const { return *job->margins; }
  HWY_INLINE bool traced() const { return place == nullptr && job->trace != nullptr; }
};

/// out = fn(inputs), thin ops: fn keeps what is unknown unknown, by itself or through `checked`.
template <std::size_t kInputs, class Fn>
HWY_INLINE void map(const Pass& p, const TapeOp& op, float* out, const Fn& fn) {
  for (std::size_t i = p.first; i < p.last; i += kLanes) {
    Ival in[kInputs];
    for (std::size_t k = 0; k < kInputs; ++k) in[k] = load_ival(p.reg(op.in[k]), i);
    store_ival(checked(fn(in)), out, i);
  }
}

/// The same for fat ops: nothing is claimed where an input is unknown or beyond the range of their error
/// analysis.
template <std::size_t kInputs, class Fn>
HWY_INLINE void map_fat(const Pass& p, const TapeOp& op, float* out, const Fn& fn) {
  map<kInputs>(p, op, out, [&](const Ival* in) HWY_ATTR {
    MaskF known = is_known(in[0], kFatLimit);
    for (std::size_t k = 1; k < kInputs; ++k) known = both(known, is_known(in[k], kFatLimit));
    return select(known, checked(fn(in)), everything());
  });
}

/// The same for ops that may show that one operand does not matter.
template <std::size_t kInputs, class Fn>
HWY_INLINE void map_choice(const Pass& p, const TapeOp& op, float* out, const Fn& fn) {
  const bool traced = p.traced() && op.choice != kNoChoice;
  for (std::size_t i = p.first; i < p.last; i += kLanes) {
    Ival in[kInputs];
    for (std::size_t k = 0; k < kInputs; ++k) in[k] = load_ival(p.reg(op.in[k]), i);
    const Chosen chosen = fn(in);
    store_ival(checked(chosen.value), out, i);
    if (!traced) continue;
    p.job->trace->only_a[op.choice] |= bits_of(chosen.only_a) << i;
    p.job->trace->only_b[op.choice] |= bits_of(chosen.only_b) << i;
  }
}

HWY_INLINE void fill(const Pass& p, float* out, float value) {
  for (std::size_t i = p.first; i < p.last; i += kLanes) store_ival(checked(Ival(value)), out, i);
}
HWY_INLINE void fill_leaf(const Pass& p, float* out, const float* lo, const float* hi, float offset) {
  for (std::size_t i = p.first; i < p.last; i += kLanes)
    store_ival(checked(add(Ival(load(lo + i), load(hi + i)), offset)), out, i);
}
HWY_INLINE void fill_local(const Pass& p, float* out, std::size_t axis) {
  const Ival v{load(p.place->lo[axis].data()), load(p.place->hi[axis].data())};
  store_ival(checked(v), out, p.first);
}

void run_features(const Pass& p, const TapeOp& op, float* out);

void run_leaf(const Pass& p, const TapeOp& op, float* out) {
  const BoxBatch& b = *p.job->boxes;
  switch (op.op) {
    case Opcode::kConstant:
      return fill(p, out, p.tape->tables->program->constants[op.param]);
    case Opcode::kX:
      return fill_leaf(p, out, b.min_x.data(), b.max_x.data(), 0.0F);
    case Opcode::kY:
      return fill_leaf(p, out, b.min_y.data(), b.max_y.data(), 0.0F);
    case Opcode::kZ:
      return fill_leaf(p, out, b.min_z.data(), b.max_z.data(), 0.0F);
    case Opcode::kAbsoluteX:
      return fill_leaf(p, out, b.min_x.data(), b.max_x.data(), p.job->field->absolute_x);
    case Opcode::kAbsoluteY:
      return fill_leaf(p, out, b.min_y.data(), b.max_y.data(), p.job->field->absolute_y);
    case Opcode::kLocalX:
      return fill_local(p, out, 0);
    case Opcode::kLocalY:
      return fill_local(p, out, 1);
    case Opcode::kLocalZ:
      return fill_local(p, out, 2);
    case Opcode::kValue:
      return fill(p, out, p.place->instance->values[op.param]);
    default:  // kSurface, kRandom: not functions of the box
      return fill(p, out, HUGE_VALF);
  }
}

void run_unary(const Pass& p, const TapeOp& op, float* out) {
  const IntervalMargins& m = p.margins();
  const float* constants = p.tape->tables->program->constants.data() + op.param;
  switch (op.op) {
    case Opcode::kNegate:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return -in[0]; });
    case Opcode::kAbs:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return abs_of(in[0]); });
    case Opcode::kFloor:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return floor_of(in[0]); });
    case Opcode::kSqrt:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return sqrt_of(in[0]); });
    case Opcode::kSquare:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return square_of(in[0]); });
    case Opcode::kCube:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return cube_of(in[0]); });
    case Opcode::kSnap:
      return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return snap_of(in[0]); });
    case Opcode::kExp:
      return map<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return exp_range(in[0], m); });
    case Opcode::kSin:
      return map<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return radians_range(in[0], 0.25F, m); });
    case Opcode::kCos:
      return map<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return radians_range(in[0], 0.0F, m); });
    case Opcode::kSmoothstep:
      return map_fat<1>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return smoothstep_range(in[0], constants[0], constants[1], m);
      });
    case Opcode::kSpline: {
      const SplineParams& spline = p.tape->tables->program->splines[op.param];
      return map_fat<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return spline_range(in[0], spline, m); });
    }
    case Opcode::kWave: {
      const BoundPeriodic& periodic = p.tape->tables->periodics[op.param];
      return map_fat<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return wave_range(in[0], periodic, m); });
    }
    default: {
      const BoundPeriodic& periodic = p.tape->tables->periodics[op.param];
      return map_fat<1>(p, op, out,
                        [&](const Ival* in) HWY_ATTR { return repeat_range(in[0], periodic, m); });
    }
  }
}

void run_binary(const Pass& p, const TapeOp& op, float* out) {
  const IntervalMargins& m = p.margins();
  switch (op.op) {
    case Opcode::kAdd:
      return map<2>(p, op, out, [](const Ival* in) HWY_ATTR { return in[0] + in[1]; });
    case Opcode::kSubtract:
      return map<2>(p, op, out, [](const Ival* in) HWY_ATTR { return in[0] - in[1]; });
    case Opcode::kMultiply:
      if (op.in[0] == op.in[1])
        return map<1>(p, op, out, [](const Ival* in) HWY_ATTR { return square_of(in[0]); });
      return map<2>(p, op, out, [](const Ival* in) HWY_ATTR { return in[0] * in[1]; });
    case Opcode::kDivide:
      return map<2>(p, op, out, [](const Ival* in) HWY_ATTR { return in[0] / in[1]; });
    case Opcode::kMod:
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR { return mod_range(in[0], in[1], m); });
    case Opcode::kLength2:
      return map<2>(p, op, out, [](const Ival* in) HWY_ATTR { return length_of(in[0], in[1]); });
    case Opcode::kAngle:
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR { return angle_range(in[0], in[1], m); });
    case Opcode::kAffine: {
      const AffineParams& a = p.tape->tables->program->affines[op.param];
      const float ax = static_cast<float>(a.ax), ay = static_cast<float>(a.ay);
      return map<2>(p, op, out, [=](const Ival* in) HWY_ATTR { return mul(in[0], ax) + mul(in[1], ay); });
    }
    case Opcode::kCellular2: {
      const BoundNoise& noise = p.tape->tables->noises[op.param];
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return cellular_range<2>(in[0], in[1], in[1], noise, m);
      });
    }
    default: {
      const BoundNoise& noise = p.tape->tables->noises[op.param];
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return gradient_noise_range<2>(in[0], in[1], in[1], noise, m);
      });
    }
  }
}

void run_choice(const Pass& p, const TapeOp& op, float* out) {
  const IntervalMargins& m = p.margins();
  const float* constants = p.tape->tables->program->constants.data() + op.param;
  switch (op.op) {
    case Opcode::kMin:
      return map_choice<2>(p, op, out, [](const Ival* in) HWY_ATTR { return min_choice(in[0], in[1]); });
    case Opcode::kMax:
      return map_choice<2>(p, op, out, [](const Ival* in) HWY_ATTR { return max_choice(in[0], in[1]); });
    case Opcode::kSmin:
      return map_choice<2>(
          p, op, out, [&](const Ival* in) HWY_ATTR { return smin_choice(in[0], in[1], constants[0], m); });
    case Opcode::kSmax:
      return map_choice<2>(p, op, out, [&](const Ival* in) HWY_ATTR {
        Chosen chosen = smin_choice(-in[0], -in[1], constants[0], m);
        chosen.value = -chosen.value;
        return chosen;
      });
    case Opcode::kMix:
      return map_choice<3>(p, op, out,
                           [&](const Ival* in) HWY_ATTR { return mix_choice(in[0], in[1], in[2], m); });
    default:
      return map_choice<3>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return select_choice(in[0], in[1], in[2], constants[0], constants[1]);
      });
  }
}

void run_solid(const Pass& p, const TapeOp& op, float* out) {
  const IntervalMargins& m = p.margins();
  switch (op.op) {
    case Opcode::kLength3:
      return map<3>(p, op, out, [](const Ival* in) HWY_ATTR { return length_of(in[0], in[1], in[2]); });
    case Opcode::kNoise3: {
      const BoundNoise& noise = p.tape->tables->noises[op.param];
      return map_fat<3>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return gradient_noise_range<3>(in[0], in[1], in[2], noise, m);
      });
    }
    case Opcode::kCellular3: {
      const BoundNoise& noise = p.tape->tables->noises[op.param];
      return map_fat<3>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return cellular_range<3>(in[0], in[1], in[2], noise, m);
      });
    }
    case Opcode::kSphere:
      return map_fat<4>(p, op, out,
                        [](const Ival* in) HWY_ATTR { return sphere_of(in[0], in[1], in[2], in[3]); });
    case Opcode::kEllipsoid:
      return map_fat<6>(p, op, out, [](const Ival* in) HWY_ATTR {
        return ellipsoid_of(in[0], in[1], in[2], in[3], in[4], in[5]);
      });
    case Opcode::kBox:
      return map_fat<6>(p, op, out, [](const Ival* in) HWY_ATTR {
        return box_of(in[0], in[1], in[2], in[3], in[4], in[5]);
      });
    case Opcode::kRoundBox:
      return map_fat<7>(p, op, out, [](const Ival* in) HWY_ATTR {
        return round_box_of(in[0], in[1], in[2], in[3], in[4], in[5], in[6]);
      });
    case Opcode::kCapsule:
      return map_fat<10>(p, op, out, [&](const Ival* in) HWY_ATTR { return capsule_range(in, m); });
    case Opcode::kCylinder:
      return map_fat<5>(
          p, op, out, [](const Ival* in) HWY_ATTR { return cylinder_of(in[0], in[1], in[2], in[3], in[4]); });
    case Opcode::kHexprism:
      return map_fat<5>(
          p, op, out, [](const Ival* in) HWY_ATTR { return hexprism_of(in[0], in[1], in[2], in[3], in[4]); });
    case Opcode::kTorus:
      return map_fat<5>(p, op, out,
                        [](const Ival* in) HWY_ATTR { return torus_of(in[0], in[1], in[2], in[3], in[4]); });
    case Opcode::kHelix:
      return map_fat<6>(p, op, out, [&](const Ival* in) HWY_ATTR { return helix_range(in, m); });
    case Opcode::kRect:
      return map_fat<5>(p, op, out,
                        [](const Ival* in) HWY_ATTR { return rect_of(in[0], in[1], in[2], in[3], in[4]); });
    default:
      return run_features(p, op, out);
  }
}

void run_kind(const Pass& p, const TapeOp& op, float* out) {
  if (is_choice(op.op)) return run_choice(p, op, out);
  if (op.op == Opcode::kFeatures) return run_features(p, op, out);
  switch (op.inputs) {
    case 0:
      return run_leaf(p, op, out);
    case 1:
      return run_unary(p, op, out);
    case 2:
      return run_binary(p, op, out);
    default:
      return run_solid(p, op, out);
  }
}

void run_op(const Pass& p, const TapeOp& op, float* out) {
  run_kind(p, op, out);
  if (static_cast<std::uint8_t>(op.op) != p.margins().shrunk_op) return;
  for (std::size_t i = p.first; i < p.last; i += kLanes) {
    const Ival v = load_ival(out, i);
    const F by = (v.hi - v.lo) * F(p.margins().shrink);
    store_ival(select(is_known(v), Ival{v.lo + by, v.hi - by}, v), out, i);
  }
}

/// One vector of boxes in the turned frame of a place.
void set_place(const BoxBatch& b, std::size_t i, const FeatureInstance& f, IntervalPlace& place) {
  const Ival x = add({load(&b.min_x[i]), load(&b.max_x[i])}, -f.at.x);
  const Ival y = add({load(&b.min_y[i]), load(&b.max_y[i])}, -f.at.y);
  const Ival z = add({load(&b.min_z[i]), load(&b.max_z[i])}, -f.at.z);
  const bool turned = f.yaw_sin != 0.0F || f.yaw_cos != 1.0F;
  const Ival local[3] = {turned ? mul(x, f.yaw_cos) + mul(y, f.yaw_sin) : x,
                         turned ? mul(y, f.yaw_cos) - mul(x, f.yaw_sin) : y, z};
  place.instance = &f;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    store(local[axis].lo, place.lo[axis].data());
    store(local[axis].hi, place.hi[axis].data());
  }
}

HWY_INLINE Ival extent_range(const IntervalPlace& place) {
  const FeatureInstance& f = *place.instance;
  const auto side = [&](std::size_t axis, float lo, float hi) HWY_ATTR {
    const Ival v{load(place.lo[axis].data()), load(place.hi[axis].data())};
    return max_of(Ival(lo) - v, v - Ival(hi));
  };
  return max_of(max_of(side(0, f.extent_min.x, f.extent_max.x), side(1, f.extent_min.y, f.extent_max.y)),
                side(2, f.extent_min.z, f.extent_max.z));
}

/// The ordered fold of one set over one vector of boxes. A place is dropped where it cannot change the fold
/// so far, all places before it where they cannot change it; both make the blend return one side exactly.
struct Fold {
  Ival acc;
  float blend;
  MaskF dropped;  ///< by the last place
  MaskF reset;

  HWY_INLINE Fold(float far, float k) : acc(far), blend(k) {}
  HWY_INLINE void take(const Ival& d, const IntervalMargins& m) {
    const MaskF known = both(is_known(acc, kFatLimit), is_known(d, kFatLimit));
    const F apart(blend * m.drop);
    dropped = both(known, less_equal(apart, d.lo - acc.hi));
    reset = both(known, hn::AndNot(dropped, less_equal(apart, acc.lo - d.hi)));
    const Ival joined = blend > 0 ? smin_range(acc, d, blend, m) : min_of(acc, d);
    acc = select(dropped, acc, select(reset, d, select(known, joined, everything())));
  }
};

void run_features(const Pass& p, const TapeOp& op, float* out) {
  const IntervalJob& job = *p.job;
  const FeatureSetProgram& set = job.field->program->feature_sets[op.param];
  const std::uint32_t count = job.candidate_counts[op.param];
  const std::uint32_t* candidates = job.candidates[op.param];
  const IntervalTape& shape = job.shapes[op.param];
  std::vector<std::uint64_t>* used =
      p.traced() && op.param < job.trace->used.size() ? &job.trace->used[op.param] : nullptr;
  const F apart(set.blend * p.margins().drop);
  const std::uint64_t whole = kLanes >= 64 ? ~0ULL : (1ULL << kLanes) - 1;
  IntervalPlace place;
  for (std::size_t i = p.first; i < p.last; i += kLanes) {
    Fold fold(set.far, set.blend);
    // scratch: of each candidate the lower end of its distance, then two words of lanes.
    float* nearest = job.scratch;
    bool shared_known = false;  // what does not depend on the place is bounded with the first
    for (std::uint32_t c = 0; c < count; ++c) {
      set_place(*job.boxes, i, job.field->sets[op.param].instances[candidates[c]], place);
      const Ival extent = extent_range(place);
      job.candidate_bits[c] = {0, 0};
      store(infinity(), nearest + c * 16);
      // At least that far: when that is out of reach for every box, the shape need not be evaluated.
      if (bits_of(both(is_known(fold.acc, kFatLimit), less_equal(apart, extent.lo - fold.acc.hi))) == whole)
        continue;
      const Pass inner{&job, &shape, &place, i, i + kLanes};
      for (std::uint32_t k = 0; k < shape.tape->ops.size(); ++k)
        if (!shared_known || shape.of_place[k] != 0) run_op(inner, shape.tape->ops[k], inner.reg(k));
      shared_known = true;
      const Ival d = max_of(load_ival(inner.reg(shape.tape->outputs[0]), i), extent);
      const Ival distance = checked(d);
      fold.take(distance, p.margins());
      store(distance.lo, nearest + c * 16);
      job.candidate_bits[c] = {whole & ~bits_of(fold.dropped), bits_of(fold.reset)};
    }
    store_ival(checked(fold.acc), out, i);
    if (used == nullptr) continue;
    std::uint64_t alive = whole;
    for (std::uint32_t c = count; c-- > 0;) {
      std::uint64_t lanes = job.candidate_bits[c].used & alive;
      // A plain minimum does not care for order: what is above the whole fold does not matter.
      if (set.blend == 0) lanes &= ~bits_of(less(fold.acc.hi, load(nearest + c * 16)));
      alive &= ~job.candidate_bits[c].reset;
      (*used)[c] |= lanes << i;
    }
  }
}

/// Where the caller knows better, its ranges stand.
void apply_known(const IntervalJob& job, std::size_t last, const KnownRange& known, float* out) {
  const auto count = static_cast<std::size_t>(job.boxes->count);
  for (std::size_t i = 0; i < last; ++i) {
    const std::size_t from = i < count ? i : count - 1;
    out[i] = known.lo[from];
    out[kBoxes + i] = known.hi[from];
  }
  for (std::size_t i = 0; i < last; i += kLanes) store_ival(checked(load_ival(out, i)), out, i);
}

void run_job(const IntervalJob& job) {
  const auto count = static_cast<std::size_t>(job.boxes->count);
  const std::size_t last = (count + kLanes - 1) / kLanes * kLanes;
  const Pass p{&job, &job.main, nullptr, 0, last};
  const std::vector<TapeOp>& ops = job.main.tape->ops;
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    const KnownRange* known = nullptr;
    for (const KnownRange& range : job.known)
      if (range.op == k) known = &range;
    if (known != nullptr) {
      apply_known(job, last, *known, p.reg(k));
    } else {
      run_op(p, ops[k], p.reg(k));
    }
  }
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vf {

IntervalKernel interval_kernel(SimdLevel level) {
#if HWY_TARGETS & HWY_SSE4
  if (level == SimdLevel::kSse4) return &N_SSE4::run_job;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (level == SimdLevel::kAvx2) return &N_AVX2::run_job;
#endif
#if HWY_TARGETS & HWY_AVX3
  if (level == SimdLevel::kAvx512) return &N_AVX3::run_job;
#endif
  static_cast<void>(level);
#if HWY_TARGETS & HWY_EMU128
  return &N_EMU128::run_job;
#else
  return &N_SCALAR::run_job;
#endif
}

}  // namespace vf
#endif

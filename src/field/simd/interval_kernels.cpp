#include "field/simd/interval.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/simd/interval_kernels.cpp"
// clang-format off
#include "field/simd/targets.h"  // IWYU pragma: keep (says which targets there are)
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/shape_variants.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bind_tables.h"
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

/// Where the choices of a tape leave their words: choice i at [i * stride].
struct ChoiceWords {
  std::uint64_t *only_a = nullptr, *only_b = nullptr;
  std::size_t stride = 1;
  std::uint32_t count = 0;  ///< later choices are not followed; 0 when nobody asks
};

/// One pass over a tape: vectors of boxes from `first` to `last`.
struct Pass {
  const IntervalJob* job;
  const BoundTables* tables;
  float* registers;
  ChoiceWords choices;
  const IntervalPlace* place;  ///< of shapes
  std::size_t first, last;

  HWY_INLINE float* reg(std::uint32_t op) const { return registers + op * kIntervalRegister; }
  HWY_INLINE const IntervalMargins& margins() const { return *job->margins; }
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
  const bool traced = op.choice < p.choices.count;
  for (std::size_t i = p.first; i < p.last; i += kLanes) {
    Ival in[kInputs];
    for (std::size_t k = 0; k < kInputs; ++k) in[k] = load_ival(p.reg(op.in[k]), i);
    const Chosen chosen = fn(in);
    store_ival(checked(chosen.value), out, i);
    if (!traced) continue;
    p.choices.only_a[op.choice * p.choices.stride] |= bits_of(chosen.only_a) << i;
    p.choices.only_b[op.choice * p.choices.stride] |= bits_of(chosen.only_b) << i;
  }
}

HWY_INLINE void fill(const Pass& p, float* out, float value) {
  for (std::size_t i = p.first; i < p.last; i += kLanes) store_ival(checked(Ival(value)), out, i);
}
/// Any noise is within: its octaves' amplitudes add up to 1, but for rounding.
HWY_INLINE void fill_amplitude(const Pass& p, float* out) {
  const Ival range{F(-1.0F - 1.0F / 1024), F(1.0F + 1.0F / 1024)};
  for (std::size_t i = p.first; i < p.last; i += kLanes) store_ival(range, out, i);
}
HWY_INLINE void fill_leaf(const Pass& p, float* out, const float* lo, const float* hi, float offset) {
  for (std::size_t i = p.first; i < p.last; i += kLanes)
    store_ival(checked(add(Ival(load(lo + i), load(hi + i)), offset)), out, i);
}
HWY_INLINE void fill_local(const Pass& p, float* out, std::size_t axis) {
  fill_leaf(p, out, p.place->lo[axis].data(), p.place->hi[axis].data(), 0.0F);
}

void run_features(const Pass& p, const TapeOp& op, float* out);

void run_leaf(const Pass& p, const TapeOp& op, float* out) {
  const BoxBatch& b = *p.job->boxes;
  switch (op.op) {
    case Opcode::kConstant:
      return fill(p, out, p.tables->program->constants[op.param]);
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
  const float* constants = p.tables->program->constants.data() + op.param;
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
      const SplineParams& spline = p.tables->program->splines[op.param];
      return map_fat<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return spline_range(in[0], spline, m); });
    }
    case Opcode::kWave: {
      const BoundPeriodic& periodic = p.tables->periodics[op.param];
      return map_fat<1>(p, op, out, [&](const Ival* in) HWY_ATTR { return wave_range(in[0], periodic, m); });
    }
    default: {
      const BoundPeriodic& periodic = p.tables->periodics[op.param];
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
      const AffineParams& a = p.tables->program->affines[op.param];
      const float ax = static_cast<float>(a.ax), ay = static_cast<float>(a.ay);
      return map<2>(p, op, out, [=](const Ival* in) HWY_ATTR { return mul(in[0], ax) + mul(in[1], ay); });
    }
    case Opcode::kCellular2: {
      const BoundNoise& noise = p.tables->noises[op.param];
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return cellular_range<2>(in[0], in[1], in[1], noise, m);
      });
    }
    default: {
      const BoundNoise& noise = p.tables->noises[op.param];
      return map_fat<2>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return gradient_noise_range<2>(in[0], in[1], in[1], noise, m);
      });
    }
  }
}

void run_choice(const Pass& p, const TapeOp& op, float* out) {
  const IntervalMargins& m = p.margins();
  const float* constants = p.tables->program->constants.data() + op.param;
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
      if (p.job->amplitudes) return fill_amplitude(p, out);
      const BoundNoise& noise = p.tables->noises[op.param];
      return map_fat<3>(p, op, out, [&](const Ival* in) HWY_ATTR {
        return gradient_noise_range<3>(in[0], in[1], in[2], noise, m);
      });
    }
    case Opcode::kCellular3: {
      if (p.job->amplitudes) return fill_amplitude(p, out);
      const BoundNoise& noise = p.tables->noises[op.param];
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
  for (std::size_t axis = 0; axis < 3; ++axis) {
    store(local[axis].lo, &place.lo[axis][i]);
    store(local[axis].hi, &place.hi[axis][i]);
  }
}

HWY_INLINE Ival extent_range(const IntervalPlace& place, std::size_t i) {
  const FeatureInstance& f = *place.instance;
  const auto side = [&](std::size_t axis, float lo, float hi) HWY_ATTR {
    const Ival v{load(&place.lo[axis][i]), load(&place.hi[axis][i])};
    return max_of(Ival(lo) - v, v - Ival(hi));
  };
  return max_of(max_of(side(0, f.extent_min.x, f.extent_max.x), side(1, f.extent_min.y, f.extent_max.y)),
                side(2, f.extent_min.z, f.extent_max.z));
}

inline constexpr std::uint64_t kWholeVector = kLanes >= 64 ? ~0ULL : (1ULL << kLanes) - 1;

/// The ordered fold of the places of one set. A place is dropped where it cannot change the fold so far, all
/// places before it where they cannot change it; both make the blend return one side exactly.
struct FeatureFold {
  const Pass* p;
  const FeatureSetProgram* set;
  const IntervalShape* shape;
  float* acc;  ///< register of the fold so far
  F apart;

  /// Bit for each vector of boxes that a place may reach: at least its distance to the extents away, it may
  /// not be out of reach for every box of the vector.
  std::uint64_t reached(IntervalPlace& place) const {
    std::uint64_t vectors = 0;
    for (std::size_t i = p->first; i < p->last; i += kLanes) {
      set_place(*p->job->boxes, i, *place.instance, place);
      const Ival so_far = load_ival(acc, i);
      const MaskF out_of_reach =
          both(is_known(so_far, kFatLimit), less_equal(apart, extent_range(place, i).lo - so_far.hi));
      if (bits_of(out_of_reach) != kWholeVector) vectors |= std::uint64_t{1} << i;
    }
    return vectors;
  }

  /// The shape over vectors first ... last. What no place changes is bounded by the first that needs it.
  void bound_shape(const ShapeVariant& variant, const Pass& inner) const {
    std::uint64_t vectors = 0;
    for (std::size_t i = inner.first; i < inner.last; i += kLanes) vectors |= std::uint64_t{1} << i;
    for (std::size_t k = 0; k < variant.ops.size(); ++k) {
      const std::uint32_t index = variant.index[k];
      if (!shape->variants->of_place(index)) {
        if ((vectors & ~shape->shared[index]) == 0) continue;
        shape->shared[index] |= vectors;
      }
      run_op(inner, variant.ops[k], inner.reg(index));
    }
  }

  void join(const IntervalPlace& place, const float* shape_range, std::size_t i, float* nearest,
            CandidateLanes& bits) const {
    const IntervalMargins& m = p->margins();
    const Ival so_far = load_ival(acc, i);
    const Ival d = checked(max_of(load_ival(shape_range, i), extent_range(place, i)));
    const MaskF known = both(is_known(so_far, kFatLimit), is_known(d, kFatLimit));
    const MaskF dropped = both(known, less_equal(apart, d.lo - so_far.hi));
    // At a tie what was there first counts.
    const MaskF nearer = set->blend > 0 ? less_equal(apart, so_far.lo - d.hi) : less(d.hi, so_far.lo);
    const MaskF reset = both(known, hn::AndNot(dropped, nearer));
    const Ival joined = set->blend > 0 ? smin_range(so_far, d, set->blend, m) : min_of(so_far, d);
    store_ival(select(dropped, so_far, select(reset, d, select(known, joined, everything()))), acc, i);
    store(d.lo, nearest + i);
    bits.used |= (kWholeVector & ~bits_of(dropped)) << i;
    bits.reset |= bits_of(reset) << i;
  }

  void take(IntervalPlace& place, const ShapeVariant& variant, const ChoiceWords& choices, float* nearest,
            CandidateLanes& bits) const {
    const std::uint64_t vectors = reached(place);
    for (std::size_t i = p->first; i < p->last; i += kLanes) store(infinity(), nearest + i);
    for (std::size_t i = p->first; i < p->last; i += kLanes) {
      if ((vectors >> i & 1U) == 0) continue;
      std::size_t end = i + kLanes;
      while (end < p->last && (vectors >> end & 1U) != 0) end += kLanes;
      const Pass inner{p->job, shape->tables, shape->registers, choices, &place, i, end};
      bound_shape(variant, inner);
      for (; i < end; i += kLanes) join(place, inner.reg(variant.output), i, nearest, bits);
    }
  }
};

void run_features(const Pass& p, const TapeOp& op, float* out) {
  const IntervalJob& job = *p.job;
  const FeatureSetProgram& set = job.field->program->feature_sets[op.param];
  const IntervalCandidates& candidates = job.candidates[op.param];
  for (std::size_t i = p.first; i < p.last; i += kLanes) store_ival(checked(Ival(set.far)), out, i);
  if (candidates.count == 0) return;  // nobody made its shape
  const IntervalShape& shape = job.shapes[op.param];
  const bool traced = p.choices.count > 0 && op.param < job.trace->used.size();
  const std::uint32_t tracked = std::min(shape.variants->whole().choices, kTrackedChoices);
  const FeatureFold fold{&p, &set, &shape, out, F(set.blend * p.margins().drop)};
  std::fill_n(shape.shared, shape.variants->whole().ops.size(), 0);
  IntervalPlace place;
  for (std::uint32_t c = 0; c < candidates.count; ++c) {
    place.instance = &job.field->sets[op.param].instances[candidates.instances[c]];
    ChoiceWords choices;
    if (traced && tracked > 0) {
      std::uint64_t* words = job.trace->shape_choices[op.param].data() + std::size_t{2} * c * tracked;
      choices = {words, words + 1, 2, tracked};
    }
    job.candidate_bits[c] = {};
    fold.take(place, *candidates.variants[c], choices, job.scratch + std::size_t{c} * kBoxes,
              job.candidate_bits[c]);
  }
  for (std::size_t i = p.first; i < p.last; i += kLanes) store_ival(checked(load_ival(out, i)), out, i);
  if (!traced) return;
  std::uint64_t alive = ~std::uint64_t{0};
  for (std::uint32_t c = candidates.count; c-- > 0;) {
    std::uint64_t lanes = job.candidate_bits[c].used & alive;
    // A plain minimum does not care for order: what is above the whole fold does not matter.
    if (set.blend == 0 && lanes != 0) {
      const float* nearest = job.scratch + std::size_t{c} * kBoxes;
      for (std::size_t i = p.first; i < p.last; i += kLanes)
        lanes &= ~(bits_of(less(load_ival(out, i).hi, load(nearest + i))) << i);
    }
    alive &= ~job.candidate_bits[c].reset;
    job.trace->used[op.param][c] |= lanes;
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
  ChoiceWords choices;
  // One more than there are, so that a trace without choices is one too.
  if (job.trace != nullptr)
    choices = {job.trace->only_a.data(), job.trace->only_b.data(), 1, job.tape->choices + 1};
  const Pass p{&job, job.tables, job.registers, choices, nullptr, 0, last};
  const std::vector<TapeOp>& ops = job.tape->ops;
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
#include "field/simd/of_level.h"

namespace vf {

IntervalKernel interval_kernel(SimdLevel level) {
  return VF_OF_LEVEL(level, run_job);
}

}  // namespace vf
#endif

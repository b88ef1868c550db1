#include "field/simd/batch_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/simd/batch_kernels.cpp"
// clang-format off
#include "field/simd/targets.h"  // IWYU pragma: keep (says which targets there are)
#include <cstdint>
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <type_traits>

#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/noise-inl.h"
#include "field/simd/noise_grid-inl.h"
#include "field/simd/ops-inl.h"
#include "field/simd_level.h"

HWY_BEFORE_NAMESPACE();
namespace vf::HWY_NAMESPACE {

// ---------------------------------------------------------------- registers

HWY_INLINE const float* at_step(const Operand& o, const Extent& e, int step) {
  return o.p + static_cast<std::size_t>(step) * std::size_t{e.stride[o.step]};
}
HWY_INLINE float* at_step(float* dst, const Extent& e, int step) {
  return dst + static_cast<std::size_t>(step) * std::size_t{e.stride[2]};
}

/// Value i of a step that begins at `p`.
HWY_INLINE F read(const float* p, std::uint32_t broadcast, int i, F*) {
  return broadcast != 0 ? F(*p) : load(p + i);
}
HWY_INLINE Dual read(const float* p, std::uint32_t broadcast, int i, Dual*) {
  if (broadcast != 0) return Dual(*p);
  p += i;
  return {load(p), load(p + kDualPlane), load(p + 2 * kDualPlane), load(p + 3 * kDualPlane)};
}
HWY_INLINE void write(F v, float* p) {
  store(v, p);
}
HWY_INLINE void write(const Dual& v, float* p) {
  store(v.v, p);
  store(v.x, p + kDualPlane);
  store(v.y, p + 2 * kDualPlane);
  store(v.z, p + 3 * kDualPlane);
}

// ---------------------------------------------------------------- one op over its registers

template <class T, std::size_t kInputs, class Op>
void run(const KernelArgs& a, const Operand* operands, const Extent& e) {
  for (int step = e.first_step; step < e.end_step; ++step) {
    float* dst = at_step(a.dst, e, step);
    const float* p[kInputs];
    for (std::size_t k = 0; k < kInputs; ++k) p[k] = at_step(operands[k], e, step);
    for (int i = e.first; i < e.end; i += static_cast<int>(kLanes)) {
      T in[kInputs];
      for (std::size_t k = 0; k < kInputs; ++k)
        in[k] = read(p[k], operands[k].broadcast, i, static_cast<T*>(nullptr));
      write(Op::apply(in, a), dst + i);
    }
  }
}

/// Binary ops on values: the broadcast of each side is decided outside the loop.
template <class Op, bool kBroadcastA, bool kBroadcastB>
void run_binary(const KernelArgs& a, const Operand* operands, const Extent& e) {
  for (int step = e.first_step; step < e.end_step; ++step) {
    const float *pa = at_step(operands[0], e, step), *pb = at_step(operands[1], e, step);
    float* dst = at_step(a.dst, e, step);
    F in[2] = {F(*pa), F(*pb)};
    for (int i = e.first; i < e.end; i += static_cast<int>(kLanes)) {
      if constexpr (!kBroadcastA) in[0] = load(pa + i);
      if constexpr (!kBroadcastB) in[1] = load(pb + i);
      store(Op::apply(in, a), dst + i);
    }
  }
}
template <class Op>
void run_values2(const KernelArgs& a, const Operand* in, const Extent& e) {
  if (in[0].broadcast != 0) {
    if (in[1].broadcast != 0) return run_binary<Op, true, true>(a, in, e);
    return run_binary<Op, true, false>(a, in, e);
  }
  if (in[1].broadcast != 0) return run_binary<Op, false, true>(a, in, e);
  return run_binary<Op, false, false>(a, in, e);
}

/// Shapes on bricks: x and y of the columns, z of the slice, and parameters that are the same everywhere,
/// which stay in registers, with all that follows from them.
template <std::size_t kInputs, class Op>
void run_shape(const KernelArgs& a, const Operand* operands, const Extent& e) {
  bool usual = operands[0].broadcast == 0 && operands[1].broadcast == 0 && operands[2].broadcast != 0;
  for (std::size_t k = 3; k < kInputs; ++k)
    usual = usual && operands[k].broadcast != 0 && operands[k].step == 0;
  if (!usual) return run<F, kInputs, Op>(a, operands, e);
  F in[kInputs];
  for (std::size_t k = 3; k < kInputs; ++k) in[k] = F(*operands[k].p);
  for (int step = e.first_step; step < e.end_step; ++step) {
    const float *x = at_step(operands[0], e, step), *y = at_step(operands[1], e, step);
    in[2] = F(*at_step(operands[2], e, step));
    float* dst = at_step(a.dst, e, step);
    for (int i = e.first; i < e.end; i += static_cast<int>(kLanes)) {
      in[0] = load(x + i);
      in[1] = load(y + i);
      store(Op::apply(in, a), dst + i);
    }
  }
}

#define VF_APPLY(name, expression)                                                 \
  struct name {                                                                    \
    template <class T>                                                             \
    static HWY_INLINE T apply(const T* in, [[maybe_unused]] const KernelArgs& a) { \
      return expression;                                                           \
    }                                                                              \
  }

VF_APPLY(Negate, -in[0]);
VF_APPLY(Abs, abs_of(in[0]));
VF_APPLY(Floor, floor_of(in[0]));
VF_APPLY(Sqrt, sqrt_of(in[0]));
VF_APPLY(Square, in[0] * in[0]);
VF_APPLY(Cube, in[0] * in[0] * in[0]);
VF_APPLY(Exp, exp_of(in[0]));
VF_APPLY(Sin, sin_of(in[0]));
VF_APPLY(Cos, cos_of(in[0]));
VF_APPLY(Snap, snap_of(in[0]));
VF_APPLY(Add, in[0] + in[1]);
VF_APPLY(Subtract, in[0] - in[1]);
VF_APPLY(Multiply, in[0] * in[1]);
VF_APPLY(Divide, in[0] / in[1]);
VF_APPLY(Min, min_of(in[0], in[1]));
VF_APPLY(Max, max_of(in[0], in[1]));
VF_APPLY(Mod, mod_of(in[0], in[1]));
VF_APPLY(Smin, smin_of(in[0], in[1], a.constants[0], 0.25F / a.constants[0]));
VF_APPLY(Smax, smax_of(in[0], in[1], a.constants[0], 0.25F / a.constants[0]));
VF_APPLY(Length2, length_of(in[0], in[1]));
VF_APPLY(Angle, angle_of(in[0], in[1]));
VF_APPLY(Affine, mul(in[0], static_cast<float>(a.affine->ax)) + mul(in[1], static_cast<float>(a.affine->ay)));
VF_APPLY(Length3, length_of(in[0], in[1], in[2]));
VF_APPLY(Mix, mix_of(in[0], in[1], in[2]));
VF_APPLY(SelectRange, select_range_of(in[0], in[1], in[2], a.constants[0], a.constants[1]));
VF_APPLY(Smoothstep, smoothstep_of(in[0], a.constants[0], a.constants[1]));
VF_APPLY(Noise2, noise2_at(in[0], in[1], *a.noise));
VF_APPLY(Noise3, noise3_at(in[0], in[1], in[2], *a.noise));
VF_APPLY(Cellular2, (cellular_at<T, 2>(in[0], in[1], in[1], *a.noise)));
VF_APPLY(Cellular3, (cellular_at<T, 3>(in[0], in[1], in[2], *a.noise)));
VF_APPLY(Sphere, sphere_of(in[0], in[1], in[2], in[3]));
VF_APPLY(Ellipsoid, ellipsoid_of(in[0], in[1], in[2], in[3], in[4], in[5]));
VF_APPLY(Box, box_of(in[0], in[1], in[2], in[3], in[4], in[5]));
VF_APPLY(RoundBox, round_box_of(in[0], in[1], in[2], in[3], in[4], in[5], in[6]));
VF_APPLY(Capsule, capsule_of(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]));
VF_APPLY(Cylinder, cylinder_of(in[0], in[1], in[2], in[3], in[4]));
VF_APPLY(Hexprism, hexprism_of(in[0], in[1], in[2], in[3], in[4]));
VF_APPLY(Torus, torus_of(in[0], in[1], in[2], in[3], in[4]));
VF_APPLY(Helix, helix_of(in[0], in[1], in[2], in[3], in[4], in[5]));
VF_APPLY(Rect, rect_of(in[0], in[1], in[2], in[3], in[4]));

/// cos(2 pi (v + o) / period), the argument first brought into [0, 1) exactly.
struct Wave {
  template <class T>
  static HWY_INLINE T apply(const T* in, const KernelArgs& a) {
    const F period(a.periodic->period);
    const F shifted = value_of(in[0]) + F(a.periodic->offset);
    const F u = shifted - floor_of(shifted / period) * period;
    return cos_turns(with_value(in[0], u / period, F(1.0F) / period));
  }
  static HWY_INLINE F with_value(F, F v, F) { return v; }
  static HWY_INLINE Dual with_value(const Dual& a, F v, F slope) { return chain(a, v, slope); }
};
/// Signed distance from the nearest multiple of the period.
struct Repeat {
  template <class T>
  static HWY_INLINE T apply(const T* in, const KernelArgs& a) {
    const F period(a.periodic->period), half(a.periodic->period * 0.5F);
    const F shifted = value_of(in[0]) + F(a.periodic->offset) + half;
    const F u = shifted - floor_of(shifted / period) * period;
    return Wave::with_value(in[0], (u - half) * F(a.periodic->scale), F(a.periodic->scale));
  }
};

/// Cubic Hermite segments; straight lines beyond the ends.
struct Spline {
  template <class T>
  static HWY_INLINE T apply(const T* in, const KernelArgs& a) {
    const SplineParams& s = *a.spline;
    const std::size_t n = s.at.size();
    const T& x = in[0];
    T result = T(s.to[0]) + mul(x - T(s.at[0]), s.slope[0]);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const float h = s.at[i + 1] - s.at[i];
      const float rise = s.to[i + 1] - s.to[i];
      const float m0 = s.slope[i] * h, m1 = s.slope[i + 1] * h;
      const T t = mul(x - T(s.at[i]), 1.0F / h);
      const T inner =
          T(s.to[i]) + t * (T(m0) + t * (T(3.0F * rise - 2.0F * m0 - m1) + t * T(m0 + m1 - 2.0F * rise)));
      result = select(less_equal(F(s.at[i]), value_of(x)), inner, result);
    }
    const T beyond = T(s.to[n - 1]) + mul(x - T(s.at[n - 1]), s.slope[n - 1]);
    return select(less_equal(F(s.at[n - 1]), value_of(x)), beyond, result);
  }
};

/// The fold of one place into its set:
///   b = the largest of extent_min - p and p - extent_max over the axes: distance to the declared box
///   acc = smin(acc, max(d, b), blend)
/// As b grows with slope one, a place cannot matter beyond its box grown by far + blend, whatever its
/// formula.
template <class T>
struct Folder {
  T min_x, min_y, min_z, max_x, max_y, max_z;
  float blend, quarter;

  HWY_INLINE explicit Folder(const FoldArgs& a)
      : min_x(a.extent_min.x),
        min_y(a.extent_min.y),
        min_z(a.extent_min.z),
        max_x(a.extent_max.x),
        max_y(a.extent_max.y),
        max_z(a.extent_max.z),
        blend(a.blend),
        quarter(a.blend > 0 ? 0.25F / a.blend : 0.0F) {}
  HWY_INLINE T beside(const T& px, const T& py) const {
    const T bx = max_of(min_x - px, px - max_x);
    const T by = max_of(min_y - py, py - max_y);
    return max_of(bx, by);
  }
  HWY_INLINE T above(const T& pz) const { return max_of(min_z - pz, pz - max_z); }
  HWY_INLINE T join(const T& acc, const T& d, const T& beside, const T& above) const {
    const T far = max_of(d, max_of(beside, above));
    return blend > 0 ? smin_of(acc, far, blend, quarter) : min_of(acc, far);
  }
};

void fold_dual(const FoldArgs& a, const Extent& e) {
  const Folder<Dual> folder(a);
  Dual* const none = nullptr;
  for (int i = e.first; i < e.end; i += static_cast<int>(kLanes)) {
    const Dual beside = folder.beside(read(a.px.p, 0, i, none), read(a.py.p, 0, i, none));
    const Dual above = folder.above(read(a.pz.p, a.pz.broadcast, i, none));
    write(folder.join(read(a.acc, 0, i, none), read(a.d.p, a.d.broadcast, i, none), beside, above),
          a.acc + i);
  }
}

/// px, py: of columns or points.
void fold(const FoldArgs& a, const Extent& e) {
  const Folder<F> folder(a);
  F* const none = nullptr;
  for (int i = e.first; i < e.end; i += static_cast<int>(kLanes)) {
    const F beside = folder.beside(load(a.px.p + i), load(a.py.p + i));
    for (int step = e.first_step; step < e.end_step; ++step) {
      float* acc = at_step(a.acc, e, step) + i;
      const F above = folder.above(read(at_step(a.pz, e, step), a.pz.broadcast, i, none));
      store(folder.join(load(acc), read(at_step(a.d, e, step), a.d.broadcast, i, none), beside, above), acc);
    }
  }
}

/// Lanes x ... of a row of 8 that lie in [first, last].
HWY_INLINE MaskF columns_between(int x, int first, int last) {
  const F at = F(hn::Iota(kTag, static_cast<float>(x)));
  return hn::And(less_equal(F(static_cast<float>(first)), at), less_equal(at, F(static_cast<float>(last))));
}

/// A vector that reaches beyond the row touches nothing there.
HWY_INLINE F load_row(MaskF mask, const float* p) {
  if constexpr (kLanes > kBrickEdge) return F(hn::MaskedLoad(mask, kTag, p));
  return load(p);
}
HWY_INLINE void store_row(MaskF mask, F value, F before, float* p) {
  if constexpr (kLanes > kBrickEdge) {
    hn::BlendedStore(value.v, mask, kTag, p);
  } else {
    store(select(mask, value, before), p);
  }
}

void to_place(const PlaceFrame& f, int count, const float* x, const float* y, const float* z, float* px,
              float* py, float* pz) {
  const bool turned = f.yaw_sin != 0.0F || f.yaw_cos != 1.0F;
  const F at_x(f.at.x), at_y(f.at.y), at_z(f.at.z), cosine(f.yaw_cos), sine(f.yaw_sin);
  for (int i = 0; i < count; i += static_cast<int>(kLanes)) {
    const F dx = load(x + i) - at_x, dy = load(y + i) - at_y;
    store(turned ? cosine * dx + sine * dy : dx, px + i);
    store(turned ? cosine * dy - sine * dx : dy, py + i);
    store(load(z + i) - at_z, pz + i);
  }
}

void fold_packed(const FoldArgs& a, const Extent& e, const PackedColumns& packed) {
  const Folder<F> folder(a);
  F* const none = nullptr;
  for (int x = 0; x < kBrickEdge; x += static_cast<int>(kLanes)) {
    if (x > packed.last_x || x + static_cast<int>(kLanes) <= packed.first_x) continue;
    const MaskF mask = columns_between(x, packed.first_x, packed.last_x);
    int i = x - packed.first_x;  // of the packed column that stands in lane 0, were there one
    for (int row = 0; row < packed.rows; ++row, i += packed.width()) {
      const F beside = folder.beside(load(a.px.p + i), load(a.py.p + i));
      for (int step = e.first_step; step < e.end_step; ++step) {
        float* acc = at_step(a.acc, e, step) + (packed.first_row + row) * kBrickEdge + x;
        const F before = load_row(mask, acc), above = folder.above(F(*at_step(a.pz, e, step)));
        const F after =
            folder.join(before, read(at_step(a.d, e, step), a.d.broadcast, i, none), beside, above);
        store_row(mask, after, before, acc);
      }
    }
  }
}

template <class T, class Op, std::size_t kInputs>
constexpr Kernel kernel_of() {
  if constexpr (kInputs == 2 && std::is_same_v<T, F>) {
    return &run_values2<Op>;
  } else if constexpr (kInputs >= 4 && std::is_same_v<T, F>) {
    return &run_shape<kInputs, Op>;
  } else {
    return &run<T, kInputs, Op>;
  }
}

template <class T>
void fill(std::array<Kernel, 256>& table) {
  const auto set = [&](Opcode op, Kernel kernel) { table[static_cast<std::size_t>(op)] = kernel; };
  set(Opcode::kNegate, kernel_of<T, Negate, 1>());
  set(Opcode::kAbs, kernel_of<T, Abs, 1>());
  set(Opcode::kFloor, kernel_of<T, Floor, 1>());
  set(Opcode::kSqrt, kernel_of<T, Sqrt, 1>());
  set(Opcode::kSquare, kernel_of<T, Square, 1>());
  set(Opcode::kCube, kernel_of<T, Cube, 1>());
  set(Opcode::kExp, kernel_of<T, Exp, 1>());
  set(Opcode::kSin, kernel_of<T, Sin, 1>());
  set(Opcode::kCos, kernel_of<T, Cos, 1>());
  set(Opcode::kSnap, kernel_of<T, Snap, 1>());
  set(Opcode::kAdd, kernel_of<T, Add, 2>());
  set(Opcode::kSubtract, kernel_of<T, Subtract, 2>());
  set(Opcode::kMultiply, kernel_of<T, Multiply, 2>());
  set(Opcode::kDivide, kernel_of<T, Divide, 2>());
  set(Opcode::kMin, kernel_of<T, Min, 2>());
  set(Opcode::kMax, kernel_of<T, Max, 2>());
  set(Opcode::kMod, kernel_of<T, Mod, 2>());
  set(Opcode::kSmin, kernel_of<T, Smin, 2>());
  set(Opcode::kSmax, kernel_of<T, Smax, 2>());
  set(Opcode::kLength2, kernel_of<T, Length2, 2>());
  set(Opcode::kAngle, kernel_of<T, Angle, 2>());
  set(Opcode::kAffine, kernel_of<T, Affine, 2>());
  set(Opcode::kLength3, kernel_of<T, Length3, 3>());
  set(Opcode::kMix, kernel_of<T, Mix, 3>());
  set(Opcode::kSelectRange, kernel_of<T, SelectRange, 3>());
  set(Opcode::kSmoothstep, kernel_of<T, Smoothstep, 1>());
  set(Opcode::kSpline, kernel_of<T, Spline, 1>());
  set(Opcode::kWave, kernel_of<T, Wave, 1>());
  set(Opcode::kRepeat, kernel_of<T, Repeat, 1>());
  set(Opcode::kNoise2, kernel_of<T, Noise2, 2>());
  set(Opcode::kNoise3, kernel_of<T, Noise3, 3>());
  set(Opcode::kCellular2, kernel_of<T, Cellular2, 2>());
  set(Opcode::kCellular3, kernel_of<T, Cellular3, 3>());
  set(Opcode::kSphere, kernel_of<T, Sphere, 4>());
  set(Opcode::kEllipsoid, kernel_of<T, Ellipsoid, 6>());
  set(Opcode::kBox, kernel_of<T, Box, 6>());
  set(Opcode::kRoundBox, kernel_of<T, RoundBox, 7>());
  set(Opcode::kCapsule, kernel_of<T, Capsule, 10>());
  set(Opcode::kCylinder, kernel_of<T, Cylinder, 5>());
  set(Opcode::kHexprism, kernel_of<T, Hexprism, 5>());
  set(Opcode::kTorus, kernel_of<T, Torus, 5>());
  set(Opcode::kHelix, kernel_of<T, Helix, 6>());
  set(Opcode::kRect, kernel_of<T, Rect, 5>());
}

BatchKernels make_batch_kernels() {
  BatchKernels k;
  fill<F>(k.op);
  fill<Dual>(k.dual);
  k.fold = &fold;
  k.fold_dual = &fold_dual;
  k.fold_packed = &fold_packed;
  k.noise3_grid = &noise3_grid;
  k.noise2_grid = &noise2_grid;
  k.noise3_columns = &noise3_columns;
  k.to_place = &to_place;
  k.lanes = static_cast<int>(kLanes);
  return k;
}

/// Constant: nothing in it depends on the machine but whether it may be called.
const BatchKernels& batch_table() {
  static const BatchKernels table = make_batch_kernels();
  return table;
}

}  // namespace vf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "field/simd/of_level.h"

namespace vf {

const BatchKernels& batch_kernels(SimdLevel level) {
  return VF_OF_LEVEL(level, batch_table)();
}

}  // namespace vf
#endif

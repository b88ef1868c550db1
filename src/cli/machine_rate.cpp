#include "cli/machine_rate.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cli/console.h"
#include "field/simd_level.h"

namespace vf::cli {

namespace {

// Multiplications and additions in chains of their own: together they fill all arithmetic pipes, and fit with
// their two constants in 16 registers.
constexpr int kChains = 7;
constexpr std::int64_t kSteps = 1 << 20;
volatile float one = 1;  // unknown to the compiler, so that no operation folds away
volatile float sink;     // keeps the work from being thrown away

// GCC and Clang vectors: the operators compile to the plain instructions of the function's target, and with
// -ffp-contract=off multiply and add stay two instructions.
template <int kLanes>
struct Lanes;
template <>
struct Lanes<1> {
  using Type = float;
};
template <>
struct Lanes<4> {
  using Type __attribute__((vector_size(16))) = float;
};
template <>
struct Lanes<8> {
  using Type __attribute__((vector_size(32))) = float;
};
template <>
struct Lanes<16> {
  using Type __attribute__((vector_size(64))) = float;
};

// A macro and not a template: the target attribute does not reach into functions that are called. Named
// variables and not arrays, which GCC would keep in memory. The opaque asm keeps the chains apart, and scalar
// ones scalar.
#define VF_STEP(i, KEEP) \
  p##i *= scale;         \
  s##i += shift;         \
  KEEP(p##i);            \
  KEEP(s##i);
#define VF_MUL_ADD_CHAINS(LANES, KEEP)                                                                    \
  using V = Lanes<LANES>::Type;                                                                           \
  const V scale = V{} + one, shift = V{} + one;                                                           \
  V p0 = scale, p1 = scale, p2 = scale, p3 = scale, p4 = scale, p5 = scale, p6 = scale;                   \
  V s0 = scale, s1 = scale, s2 = scale, s3 = scale, s4 = scale, s5 = scale, s6 = scale;                   \
  for (std::int64_t step = 0; step < kSteps; ++step) {                                                    \
    VF_STEP(0, KEEP)                                                                                      \
    VF_STEP(1, KEEP) VF_STEP(2, KEEP) VF_STEP(3, KEEP) VF_STEP(4, KEEP) VF_STEP(5, KEEP) VF_STEP(6, KEEP) \
  }                                                                                                       \
  const V sum = p0 + p1 + p2 + p3 + p4 + p5 + p6 + s0 + s1 + s2 + s3 + s4 + s5 + s6;

#if defined(__x86_64__)
#define VF_KEEP(v) asm("" : "+x"(v))
#define VF_KEEP512(v) asm("" : "+v"(v))
#else
#define VF_KEEP(v) asm("" : "+w"(v))
#endif

void run_scalar() {
  VF_MUL_ADD_CHAINS(1, VF_KEEP)
  sink = sum;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) void run_sse4() {
  VF_MUL_ADD_CHAINS(4, VF_KEEP)
  sink = sum[0];
}
__attribute__((target("avx2"))) void run_avx2() {
  VF_MUL_ADD_CHAINS(8, VF_KEEP)
  sink = sum[0];
}
__attribute__((target("avx512f"))) void run_avx512() {
  VF_MUL_ADD_CHAINS(16, VF_KEEP512)
  sink = sum[0];
}
#endif

double measure(void (*run)(), int lanes) {
  double best = 0;
  for (int i = 0; i < 8; ++i) {
    const Stopwatch clock;
    run();
    const double flops = 2.0 * kChains * static_cast<double>(kSteps) * lanes;
    best = std::max(best, flops / clock.seconds() * 1e-9);
  }
  return best;
}

}  // namespace

double mul_add_gflops(SimdLevel level) {
  const std::vector<SimdLevel> can = supported_simd_levels();
  if (std::find(can.begin(), can.end(), level) == can.end()) return 0;
  switch (level) {
    case SimdLevel::kScalar:
      return measure(run_scalar, 1);
#if defined(__x86_64__)
    case SimdLevel::kSse4:
      return measure(run_sse4, 4);
    case SimdLevel::kAvx2:
      return measure(run_avx2, 8);
    case SimdLevel::kAvx512:
      return measure(run_avx512, 16);
#else
    default:
      return 0;
#endif
  }
  return 0;
}

}  // namespace vf::cli

// Chooses among the compilations of one function, of which there is one for each SimdLevel. Include after
// hwy/highway.h, where HWY_ONCE holds.
#pragma once

#include "field/simd_level.h"

#if HWY_TARGETS & HWY_EMU128
#define VF_SCALAR_OF(name) &N_EMU128::name
#else
#define VF_SCALAR_OF(name) &N_SCALAR::name
#endif
#if HWY_TARGETS & HWY_SSE4
#define VF_SSE4_OR(level, name, other) ((level) == SimdLevel::kSse4 ? &N_SSE4::name : (other))
#else
#define VF_SSE4_OR(level, name, other) (other)
#endif
#if HWY_TARGETS & HWY_AVX2
#define VF_AVX2_OR(level, name, other) ((level) == SimdLevel::kAvx2 ? &N_AVX2::name : (other))
#else
#define VF_AVX2_OR(level, name, other) (other)
#endif
#if HWY_TARGETS & HWY_AVX3
#define VF_AVX512_OR(level, name, other) ((level) == SimdLevel::kAvx512 ? &N_AVX3::name : (other))
#else
#define VF_AVX512_OR(level, name, other) (other)
#endif

/// A pointer to vf::HWY_NAMESPACE::name as compiled for `level`; the scalar one for levels that were not
/// compiled.
#define VF_OF_LEVEL(level, name) \
  (static_cast<void>(level),     \
   VF_SSE4_OR(level, name, VF_AVX2_OR(level, name, VF_AVX512_OR(level, name, VF_SCALAR_OF(name)))))

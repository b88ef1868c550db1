// Which Highway targets are compiled: one for each SimdLevel. Include before hwy/foreach_target.h.
#pragma once

#define HWY_COMPILE_ALL_ATTAINABLE
#ifdef VF_FEW_SIMD_LEVELS
// Sanitizers make the kernels slow to compile, and find the same faults at one level: scalar and AVX2 only.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif

// Which Highway targets are compiled: one for each SimdLevel. Include before hwy/foreach_target.h.
#pragma once

#ifdef VF_SCALAR_ONLY
// Sanitizer builds. Instrumented, the wide kernels take clang minutes and gigabytes each; the scalar ones
// walk the same registers with the same loops.
#define HWY_COMPILE_ONLY_SCALAR
#else
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif

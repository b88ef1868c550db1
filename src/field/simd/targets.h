// Which Highway targets are compiled: one for each SimdLevel. Include before hwy/foreach_target.h.
#pragma once

#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)

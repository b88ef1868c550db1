#define HWY_COMPILE_ONLY_STATIC
#define VF_PROBE fast_math
#include "field/simd/probe-inl.h"

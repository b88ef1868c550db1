#define HWY_COMPILE_ONLY_STATIC
#define VF_PROBE fused
#include "field/simd/probe-inl.h"

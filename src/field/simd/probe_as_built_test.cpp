#define HWY_COMPILE_ONLY_STATIC
#define VF_PROBE as_built
#include "field/simd/probe-inl.h"

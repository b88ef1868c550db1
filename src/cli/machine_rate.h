// How fast this machine multiplies and adds, so that figures of different machines can be compared.
#pragma once

#include "field/simd_level.h"

namespace vf::cli {

/// One thread, multiply then add without fusing (as the field engine computes), independent chains in
/// registers. The best of several short runs, about 0.1 s in all. [GFLOP/s] 0 where the level cannot run.
[[nodiscard]] double mul_add_gflops(SimdLevel level);

}  // namespace vf::cli

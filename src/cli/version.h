// Who we are.
#pragma once

#include <string>

namespace vf::cli {

/// "VoxelForge 0.1.0 (evaluator 1)"
[[nodiscard]] std::string engine_name();

}  // namespace vf::cli

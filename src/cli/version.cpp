#include "cli/version.h"

#include <fmt/format.h>
#include <string>

#include "field/program.h"

namespace vf::cli {

std::string engine_name() {
  return fmt::format("VoxelForge {} (evaluator {})", VF_VERSION, kEvaluatorVersion);
}

}  // namespace vf::cli

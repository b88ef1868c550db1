#include "cli/bench.h"
namespace vf::cli {
Result<int> bench_view(const Options&, const std::string&) {
  return 0;
}
}  // namespace vf::cli

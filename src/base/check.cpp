#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace vf {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace vf

// Any bytes as one formula.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vf::fuzz::check_formula({reinterpret_cast<const char*>(data), size});
  return 0;
}

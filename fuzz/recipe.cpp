// Any bytes as a recipe and as a world file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vf::fuzz::check_recipe({reinterpret_cast<const char*>(data), size});
  return 0;
}

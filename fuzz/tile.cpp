// Any bytes as a tile, plain and packed.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/tile_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vf::fuzz::check_tile(std::as_bytes(std::span(data, size)));
  return 0;
}

// Any bytes as a certificate of routes.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/certificate_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vf::fuzz::check_certificate(std::as_bytes(std::span(data, size)));
  return 0;
}

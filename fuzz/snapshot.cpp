// Any bytes as a snapshot of a sector.
#include "plan/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/snapshot_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vf::fuzz::check_snapshot(std::as_bytes(std::span(data, size)));
  return 0;
}

#include "field/simd_level.h"

// clang-format off
#include "field/simd/targets.h"  // IWYU pragma: keep (says which targets there are)
#include <hwy/targets.h>
// clang-format on

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vf {

namespace {

std::vector<SimdLevel> find_levels() {
  const std::int64_t targets = hwy::SupportedTargets();
  std::vector<SimdLevel> levels{SimdLevel::kScalar};
#if defined(__x86_64__) || defined(_M_X64)
  if ((targets & HWY_TARGETS & HWY_SSE4) != 0) levels.push_back(SimdLevel::kSse4);
  if ((targets & HWY_TARGETS & HWY_AVX2) != 0) levels.push_back(SimdLevel::kAvx2);
  if ((targets & HWY_TARGETS & HWY_AVX3) != 0) levels.push_back(SimdLevel::kAvx512);
#else
  static_cast<void>(targets);
#endif
  return levels;
}

}  // namespace

std::vector<SimdLevel> supported_simd_levels() {
  // Asked once: CPUID is slow under a hypervisor.
  static const std::vector<SimdLevel> levels = find_levels();
  return levels;
}

SimdLevel best_simd_level() {
  return supported_simd_levels().back();
}

std::string_view to_string(SimdLevel level) {
  switch (level) {
    case SimdLevel::kScalar:
      return "scalar";
    case SimdLevel::kSse4:
      return "sse4";
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
  }
  return "?";
}

std::optional<SimdLevel> simd_level_from(std::string_view text) {
  if (text == "best") return best_simd_level();
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kSse4, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (text == to_string(level)) return level;
  }
  return std::nullopt;
}

}  // namespace vf

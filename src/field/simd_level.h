// Which instruction set evaluates. The result never depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vf {

enum class SimdLevel : std::uint8_t { kScalar, kSse4, kAvx2, kAvx512 };

/// The levels this machine can run, weakest first; always holds kScalar.
[[nodiscard]] std::vector<SimdLevel> supported_simd_levels();
[[nodiscard]] SimdLevel best_simd_level();
[[nodiscard]] std::string_view to_string(SimdLevel level);
/// "scalar", "sse4", "avx2", "avx512" or "best"; nothing for another text.
[[nodiscard]] std::optional<SimdLevel> simd_level_from(std::string_view text);

}  // namespace vf

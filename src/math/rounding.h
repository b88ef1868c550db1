// Floats to whole numbers without the library's floor, which is a call on the oldest machines we build for.
#pragma once

#include <cstdint>

namespace vf {

/// floor(v) for |v| < 2^31.
[[nodiscard]] inline std::int32_t floor_to_int(float v) {
  const auto i = static_cast<std::int32_t>(v);
  return i - (static_cast<float>(i) > v ? 1 : 0);
}

/// floor(v + 1/2) for |v| < 2^31.
[[nodiscard]] inline std::int32_t round_to_int(float v) {
  return floor_to_int(v + 0.5F);
}

}  // namespace vf

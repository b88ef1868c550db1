// Bytes as text for data URIs.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace vf {

/// RFC 4648, with padding.
[[nodiscard]] std::string to_base64(std::span<const std::byte> bytes);

}  // namespace vf

// The layout of a payload that its writer and its readers share: docs/formats/tile.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mesh/surface_materials.h"

namespace vf::payload_format {

inline constexpr std::string_view kMagic = "VFTILE\r\n";
inline constexpr std::string_view kPackedMagic = "VFPACK\r\n";
inline constexpr std::size_t kDigestBytes = 16;
/// From the version to the numbers of vertices and triangles.
inline constexpr std::size_t kHeaderBytes = 72;
inline constexpr std::size_t kVertexBytes = 10;     ///< three positions, two of the normal; 16 bits each
inline constexpr std::size_t kBlendBytes = 7;       ///< four materials, weights of all but the first
inline constexpr std::size_t kGlowBytes = 4;        ///< only where not all is aglow
inline constexpr std::uint32_t kSmallMesh = 65536;  ///< vertices that 16 bits can tell apart

/// Bits of the header's `parts`.
inline constexpr std::uint32_t kHasGlow = 1, kKnownParts = 1;

/// Every material that has a share glows fully, as far as it glows at all: need not be told.
[[nodiscard]] inline bool plain_glow(const MaterialBlend& blend) {
  for (std::size_t i = 0; i < blend.glow.size(); ++i)
    if (blend.glow[i] != (blend.weight[i] > 0 ? 255 : 0)) return false;
  return true;
}

}  // namespace vf::payload_format

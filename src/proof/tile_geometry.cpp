#include "proof/tile_geometry.h"

#include <cmath>
#include <cstdint>

namespace vf {

namespace {
/// Sealed rock above and below the content. [metres]
constexpr float kCeilingM = 6;
}  // namespace

TileSpan stratum_tiles(int level, float height_m) {
  const float edge = tile_m(level);
  return {static_cast<std::int32_t>(std::floor(-kBedrockM / edge)),
          static_cast<std::int32_t>(std::ceil((height_m + kCeilingM) / edge)) - 1};
}

}  // namespace vf

// Where tiles and bricks lie, and what their proofs must cover.
#pragma once

#include <cstdint>

#include "math/box.h"
#include "math/vec.h"
#include "proof/certificate.h"

namespace vf {

/// Edge of a tile. [metres]
[[nodiscard]] constexpr float tile_m(int level) {
  return voxel_m(level) * static_cast<float>(kTileEdge);
}

/// Sample 0, 0, 0 of the tile. [metres, frame]
[[nodiscard]] constexpr Vec3f tile_origin(const TileKey& key) {
  const float edge = tile_m(key.level);
  return {edge * static_cast<float>(key.tx), edge * static_cast<float>(key.ty),
          edge * static_cast<float>(key.tz)};
}

/// The tile of the next level that holds this one.
[[nodiscard]] constexpr TileKey coarser(const TileKey& key) {
  return {key.level + 1, key.tx >> 1, key.ty >> 1, key.tz >> 1};
}

[[nodiscard]] constexpr Vec3f brick_origin(const TileKey& key, int brick) {
  const Vec3f t = tile_origin(key);
  const float edge = voxel_m(key.level) * 8.0F;
  return {t.x + edge * static_cast<float>(brick & 3), t.y + edge * static_cast<float>((brick >> 2) & 3),
          t.z + edge * static_cast<float>(brick >> 4)};
}

/// Samples -1 ... edge about an origin: every end of an edge that leaves the block. A sign change on an edge
/// shared with a neighbour is so seen by both.
[[nodiscard]] constexpr Box3f proof_box(Vec3f origin, int level, int edge) {
  const float v = voxel_m(level);
  const float end = v * static_cast<float>(edge);
  return {{origin.x - v, origin.y - v, origin.z - v}, {origin.x + end, origin.y + end, origin.z + end}};
}

/// Most rock below the content: the band of 6 m, and what rounds the stratum up to a multiple of 8. [metres]
inline constexpr float kBedrockM = 14;

/// First and last tz of the tiles that hold a stratum's bands and content: z in [-kBedrockM, H + 6].
struct TileSpan {
  std::int32_t first = 0, last = -1;
  [[nodiscard]] constexpr int count() const { return last - first + 1; }
};
[[nodiscard]] TileSpan stratum_tiles(int level, float height_m);

}  // namespace vf

// A piece of the surface <-> bytes that every machine writes the same: docs/formats/tile.md.
//
// Product header of view/. What a game, a store or a server passes around: content-addressed by its digest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {

inline constexpr std::uint32_t kTilePayloadVersion = 1;

/// Most that a payload may hold; sixteen times what white noise makes of a tile.
inline constexpr std::uint32_t kMaxPayloadVertices = 1U << 22;
inline constexpr std::uint32_t kMaxPayloadTriangles = 1U << 23;

/// A tile by its place in the world, whatever frame it was made in: 0 <= tx, ty < 128 / 2^level.
struct TileAddress {
  std::int64_t stratum = 0;
  std::int64_t sx = 0, sy = 0;  ///< sector
  TileKey key;                  ///< in the sector's frame
  friend bool operator==(const TileAddress&, const TileAddress&) = default;
};

/// The address of a tile of the frame of sector sx, sy, wherever its key leads.
[[nodiscard]] TileAddress address_of(std::int64_t stratum, std::int64_t sx, std::int64_t sy,
                                     const TileKey& key);

enum class PayloadKind : std::uint8_t { kInside, kSeam };

struct TilePayload {
  Digest world;  ///< of all that makes the world: seed, recipe, evaluator
  TileAddress at;
  PayloadKind kind = PayloadKind::kInside;
  std::uint32_t seam = 0;  ///< which seam of the tile; 0 of an inside
  std::vector<MeshVertex> vertices;
  std::vector<MaterialBlend> materials;  ///< [vertices]
  std::vector<Triangle> triangles;
  friend bool operator==(const TilePayload&, const TilePayload&) = default;
};

/// A piece with what its vertices are made of, without the vertices that none of its triangles has (those
/// of an inside that wait for seams). `blends`: [piece.vertices].
[[nodiscard]] TilePayload make_payload(const MeshPiece& piece, std::span<const MaterialBlend> blends,
                                       const TileAddress& at, const Digest& world);

/// Canonical: the last 16 bytes are the digest of those before, and so the name of the content.
[[nodiscard]] std::vector<std::byte> encode_payload(const TilePayload& payload);

/// All bytes are untrusted. An error says at which byte what stands and what was expected. Memory is bounded
/// by the size of `bytes`; what decodes encodes to the same bytes.
[[nodiscard]] Result<TilePayload> decode_payload(std::span<const std::byte> bytes);

/// The name of the content: the digest that ends the bytes.
[[nodiscard]] Digest digest_of(const TilePayload& payload);

}  // namespace vf

// Payloads for the wire: vertices in the order in which a GPU wants them, compressed by meshoptimizer.
//
// Packing moves vertices and turns triangles, and so is no part of a tile's identity: a packed tile carries
// the name of the content that it was made from.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "view/tile_payload.h"

namespace vf {

struct PackedPayload {
  TilePayload payload;  ///< the same triangles as the original's, in another order
  Digest content;       ///< digest_of the original
};

[[nodiscard]] std::vector<std::byte> pack_payload(const TilePayload& payload);

/// All bytes are untrusted; memory stays within 256 times the size of `bytes`.
[[nodiscard]] Result<PackedPayload> unpack_payload(std::span<const std::byte> bytes);

}  // namespace vf

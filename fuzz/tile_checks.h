// What must hold for any bytes as a tile: the fuzzer and the replay of its corpus in the tests run the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/snapshot_checks.h"
#include "view/payload_transport.h"
#include "view/tile_payload.h"

namespace vf::fuzz {

inline void check_plain_tile(std::span<const std::byte> bytes) {
  const Result<TilePayload> tile = decode_payload(bytes);
  if (!tile) {
    VF_CHECK(tile.error().code == ErrorCode::kBadInput && tile.error().message.starts_with("tile, "));
    return;
  }
  const std::vector<std::byte> again = encode_payload(*tile);
  VF_CHECK(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
  const Result<PackedPayload> unpacked = unpack_payload(pack_payload(*tile));
  VF_CHECK(unpacked && unpacked->content == digest_of(*tile));
  VF_CHECK(unpacked->payload.triangles.size() == tile->triangles.size());
}

inline void check_packed_tile(std::span<const std::byte> bytes) {
  const Result<PackedPayload> tile = unpack_payload(bytes);
  if (!tile) {
    VF_CHECK(tile.error().code == ErrorCode::kBadInput && tile.error().message.starts_with("packed tile, "));
    return;
  }
  VF_CHECK(decode_payload(encode_payload(tile->payload)).has_value());
}

/// The bytes as they are, and with a good checksum.
inline void check_tile(std::span<const std::byte> bytes) {
  const std::vector<std::byte> sealed = with_checksum(bytes);
  for (const std::span<const std::byte> text : {bytes, std::span<const std::byte>(sealed)}) {
    check_plain_tile(text);
    check_packed_tile(text);
  }
}

}  // namespace vf::fuzz

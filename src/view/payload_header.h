// The header that payloads and their packed form share.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "view/tile_payload.h"

namespace vf {

/// What follows a header.
struct PayloadCounts {
  std::uint32_t vertices = 0, triangles = 0;
  bool glow = false;
};

void write_payload_header(const TilePayload& payload, ByteWriter& out);
/// The reader holds kHeaderBytes at least. `what`: begins the messages.
[[nodiscard]] std::optional<Error> read_payload_header(ByteReader& in, const char* what, TilePayload& payload,
                                                       PayloadCounts& counts);

/// What must hold of vertices, blends and triangles; the first that does not, in words.
[[nodiscard]] std::optional<Error> check_payload(const TilePayload& payload, const char* what);

}  // namespace vf

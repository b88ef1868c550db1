#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/digest.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "view/payload_format.h"
#include "view/payload_header.h"
#include "view/tile_payload.h"

namespace vf {

using namespace payload_format;

void write_payload_header(const TilePayload& payload, ByteWriter& out) {
  const bool plain = std::all_of(payload.materials.begin(), payload.materials.end(), plain_glow);
  out.u32(kTilePayloadVersion);
  out.digest(payload.world);
  out.i64(payload.at.stratum);
  out.i64(payload.at.sx);
  out.i64(payload.at.sy);
  out.u8(static_cast<std::uint8_t>(payload.at.key.level));
  out.u8(static_cast<std::uint8_t>(payload.kind));
  out.u16(static_cast<std::uint16_t>(plain ? 0 : kHasGlow));
  out.i32(payload.at.key.tx);
  out.i32(payload.at.key.ty);
  out.i32(payload.at.key.tz);
  out.u32(payload.seam);
  out.u32(static_cast<std::uint32_t>(payload.vertices.size()));
  out.u32(static_cast<std::uint32_t>(payload.triangles.size()));
}

std::vector<std::byte> encode_payload(const TilePayload& payload) {
  VF_CHECK(payload.materials.size() == payload.vertices.size());
  VF_CHECK(payload.vertices.size() <= kMaxPayloadVertices &&
           payload.triangles.size() <= kMaxPayloadTriangles);
  ByteWriter out;
  out.text(kMagic);
  write_payload_header(payload, out);
  for (const MeshVertex& v : payload.vertices) {
    for (const std::int16_t c : {v.x, v.y, v.z, v.normal.u, v.normal.v}) out.i16(c);
  }
  for (const MaterialBlend& b : payload.materials) {
    out.bytes(std::as_bytes(std::span(b.material)));
    out.bytes(std::as_bytes(std::span(b.weight).subspan(1)));
  }
  if (!std::all_of(payload.materials.begin(), payload.materials.end(), plain_glow))
    for (const MaterialBlend& b : payload.materials) out.bytes(std::as_bytes(std::span(b.glow)));
  const bool small = payload.vertices.size() <= kSmallMesh;
  for (const Triangle& t : payload.triangles)
    for (const std::uint32_t v : t.at) small ? out.u16(static_cast<std::uint16_t>(v)) : out.u32(v);
  out.digest(digest_of_bytes(out.written()));
  return out.take();
}

Digest digest_of(const TilePayload& payload) {
  const std::vector<std::byte> bytes = encode_payload(payload);
  return digest_of_bytes(std::span(bytes).first(bytes.size() - kDigestBytes));
}

TilePayload make_payload(const MeshPiece& piece, std::span<const MaterialBlend> blends, const TileAddress& at,
                         const Digest& world) {
  VF_CHECK(blends.size() == piece.vertices.size());
  TilePayload out;
  out.world = world;
  out.at = at;
  std::vector<std::uint32_t> renamed(piece.vertices.size(), 0);
  for (const Triangle& t : piece.triangles)
    for (const std::uint32_t v : t.at) renamed[v] = 1;
  for (std::size_t v = 0; v < renamed.size(); ++v) {
    if (renamed[v] == 0) continue;
    renamed[v] = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(piece.vertices[v]);
    out.materials.push_back(blends[v]);
  }
  out.triangles.reserve(piece.triangles.size());
  for (const Triangle& t : piece.triangles)
    out.triangles.push_back({{renamed[t.at[0]], renamed[t.at[1]], renamed[t.at[2]]}});
  return out;
}

TileAddress address_of(std::int64_t stratum, std::int64_t sx, std::int64_t sy, const TileKey& key) {
  const std::int32_t tiles = 128 >> key.level;  // along a sector
  const auto floor_div = [tiles](std::int32_t t) { return (t < 0 ? t - tiles + 1 : t) / tiles; };
  const std::int32_t dx = floor_div(key.tx), dy = floor_div(key.ty);
  return {stratum, sx + dx, sy + dy, {key.level, key.tx - dx * tiles, key.ty - dy * tiles, key.tz}};
}

}  // namespace vf

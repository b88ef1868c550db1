#include "mesh/mesh_digest.h"

#include <cstdint>
#include <span>

#include "base/digest.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

std::uint64_t word(std::int16_t a, std::int16_t b, std::int16_t c, std::int16_t d) {
  const auto bits = [](std::int16_t v) { return std::uint64_t{static_cast<std::uint16_t>(v)}; };
  return bits(a) | bits(b) << 16 | bits(c) << 32 | bits(d) << 48;
}

void add(Digester& digest, const MeshPiece& piece) {
  // Level and size; where the tile lies is told by the frame's owner, so that one tile seen from two sectors
  // is one.
  digest.add(static_cast<std::uint64_t>(piece.anchor.level));
  digest.add(piece.vertices.size());
  for (const MeshVertex& v : piece.vertices) {
    digest.add(word(v.x, v.y, v.z, v.normal.u));
    digest.add(word(v.normal.v, 0, 0, 0));
  }
  digest.add(piece.triangles.size());
  for (const Triangle& t : piece.triangles)
    for (const std::uint32_t v : t.at) digest.add(std::uint64_t{v});
}

}  // namespace

Digest digest_of(const MeshPiece& piece) {
  Digester digest;
  add(digest, piece);
  return digest.finish();
}

Digest digest_of(std::span<const TileMesh> tiles, std::span<const MeshPiece> seams) {
  Digester digest;
  for (const TileMesh& t : tiles) add(digest, t.inside);
  for (const MeshPiece& s : seams) add(digest, s);
  return digest.finish();
}

}  // namespace vf

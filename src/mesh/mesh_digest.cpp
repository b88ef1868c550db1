#include "mesh/mesh_digest.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "base/digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

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

void dump(const char* what, const MeshPiece& piece, std::string& out) {
  std::array<char, 160> line{};
  const auto put = [&](int length) { out.append(line.data(), static_cast<std::size_t>(length)); };
  const TileKey& key = piece.anchor;
  put(std::snprintf(line.data(), line.size(), "tile %d %d %d %d %s\n", key.level, key.tx, key.ty, key.tz,
                    what));
  for (const MeshVertex& v : piece.vertices)
    put(std::snprintf(line.data(), line.size(), "v %d %d %d normal %d %d\n", v.x, v.y, v.z, v.normal.u,
                      v.normal.v));
  for (const Triangle& t : piece.triangles)
    put(std::snprintf(line.data(), line.size(), "t %u %u %u\n", t.at[0], t.at[1], t.at[2]));
}

}  // namespace

Digest digest_of(const MeshPiece& piece) {
  Digester digest;
  add(digest, piece);
  return digest.finish();
}

Digest digest_of(const ViewMesh& mesh) {
  Digester digest;
  for (const MeshPiece* piece : mesh.pieces()) add(digest, *piece);
  return digest.finish();
}

Digest digest_of(const RegionMesh& mesh) {
  Digester digest;
  for (const TileMesh& t : mesh.tiles) add(digest, t.inside);
  for (const MeshPiece& s : mesh.seams) add(digest, s);
  return digest.finish();
}

std::string mesh_dump(const RegionMesh& mesh) {
  std::string out;
  for (const TileMesh& t : mesh.tiles) dump("inside", t.inside, out);
  for (const MeshPiece& s : mesh.seams) dump("seams", s, out);
  return out;
}

}  // namespace vf

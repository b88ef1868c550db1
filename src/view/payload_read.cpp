// The reader trusts no byte: it looks before it reads, and allocates only for what is there.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/digest.h"
#include "base/result.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "view/payload_format.h"
#include "view/payload_header.h"
#include "view/tile_payload.h"

namespace vf {

using namespace payload_format;

namespace {

Error fault(const char* what, std::size_t at, const std::string& said) {
  return {ErrorCode::kBadInput, {}, fmt::format("{}, byte {}: {}", what, at, said)};
}

std::optional<std::string> wrong_blend(const MaterialBlend& b) {
  const int rest = b.weight[1] + b.weight[2] + b.weight[3];
  if (rest > 255) return fmt::format("weights of {} of 255; expected 255 at most", rest);
  return std::nullopt;
}

}  // namespace

std::optional<Error> read_payload_header(ByteReader& in, const char* what, TilePayload& payload,
                                         PayloadCounts& counts) {
  const auto fail = [&](std::size_t at, const std::string& said) { return fault(what, at, said); };
  const std::size_t start = in.at();
  if (const std::uint32_t version = in.u32(); version != kTilePayloadVersion)
    return fail(start, fmt::format("format version {}; expected {}", version, kTilePayloadVersion));
  payload.world = in.digest();
  payload.at.stratum = in.i64();
  payload.at.sx = in.i64();
  payload.at.sy = in.i64();
  TileKey& key = payload.at.key;
  key.level = in.u8();
  if (key.level > kMaxLevel)
    return fail(start + 44, fmt::format("level {}; expected 0 to {}", key.level, kMaxLevel));
  if (const std::uint8_t kind = in.u8(); kind > 1)
    return fail(start + 45, fmt::format("kind {}; expected 0 (inside) or 1 (seam)", kind));
  else
    payload.kind = static_cast<PayloadKind>(kind);
  const std::uint16_t parts = in.u16();
  if ((parts & ~kKnownParts) != 0)
    return fail(start + 46, fmt::format("parts {:#x}; this version knows {:#x}", parts, kKnownParts));
  counts.glow = (parts & kHasGlow) != 0;
  key.tx = in.i32();
  key.ty = in.i32();
  key.tz = in.i32();
  const std::int32_t tiles = 128 >> key.level;
  if (key.tx < 0 || key.tx >= tiles || key.ty < 0 || key.ty >= tiles)
    return fail(start + 48,
                fmt::format("tile {}, {}; expected 0 to {} in its sector", key.tx, key.ty, tiles - 1));
  payload.seam = in.u32();
  if (payload.kind == PayloadKind::kInside && payload.seam != 0)
    return fail(start + 60, fmt::format("an inside with seam {}; expected 0", payload.seam));
  counts.vertices = in.u32();
  counts.triangles = in.u32();
  if (counts.vertices > kMaxPayloadVertices)
    return fail(start + 64,
                fmt::format("{} vertices; expected at most {}", counts.vertices, kMaxPayloadVertices));
  if (counts.triangles > kMaxPayloadTriangles)
    return fail(start + 68,
                fmt::format("{} triangles; expected at most {}", counts.triangles, kMaxPayloadTriangles));
  return std::nullopt;
}

std::optional<Error> check_payload(const TilePayload& payload, const char* what) {
  const auto fail = [&](std::size_t i, const char* part, const std::string& said) {
    return Error{ErrorCode::kBadInput, {}, fmt::format("{}, {} {}: {}", what, part, i, said)};
  };
  for (std::size_t i = 0; i < payload.vertices.size(); ++i) {
    const OctNormal n = payload.vertices[i].normal;
    if (n.u == INT16_MIN || n.v == INT16_MIN)
      return fail(i, "vertex", "a normal of -32768; expected -32767 at least");
  }
  for (std::size_t i = 0; i < payload.materials.size(); ++i)
    if (const std::optional<std::string> wrong = wrong_blend(payload.materials[i]))
      return fail(i, "vertex", *wrong);
  const auto count = static_cast<std::uint32_t>(payload.vertices.size());
  std::vector<bool> used(count, false);
  for (std::size_t i = 0; i < payload.triangles.size(); ++i) {
    const auto& t = payload.triangles[i].at;
    for (const std::uint32_t v : t)
      if (v >= count) return fail(i, "triangle", fmt::format("vertex {} of {}", v, count));
    for (const std::uint32_t v : t) used[v] = true;
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
      return fail(i, "triangle", "one vertex twice; expected three");
  }
  const auto idle = static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
  if (idle < used.size()) return fail(idle, "vertex", "no triangle has it; expected it to be left out");
  return std::nullopt;
}

namespace {

void read_vertices(ByteReader& in, std::vector<MeshVertex>& out) {
  for (MeshVertex& v : out) {
    v.x = in.i16(), v.y = in.i16(), v.z = in.i16();
    v.normal.u = in.i16(), v.normal.v = in.i16();
  }
}

void read_blends(ByteReader& in, bool glow, std::vector<MaterialBlend>& out) {
  for (MaterialBlend& b : out) {
    for (std::uint8_t& m : b.material) m = in.u8();
    int rest = 0;
    for (std::size_t i = 1; i < b.weight.size(); ++i) rest += b.weight[i] = in.u8();
    b.weight[0] = static_cast<std::uint8_t>(std::max(0, 255 - rest));
    for (std::size_t i = 0; i < b.glow.size(); ++i) b.glow[i] = b.weight[i] > 0 ? 255 : 0;
  }
  if (!glow) return;
  for (MaterialBlend& b : out)
    for (std::uint8_t& g : b.glow) g = in.u8();
}

}  // namespace

Result<TilePayload> decode_payload(std::span<const std::byte> bytes) {
  constexpr const char* kWhat = "tile";
  constexpr std::size_t kStart = kMagic.size() + kHeaderBytes;
  if (bytes.size() < kStart + kDigestBytes)
    return fault(kWhat, bytes.size(),
                 fmt::format("cut short: a tile has {} bytes at least", kStart + kDigestBytes));
  ByteReader in(bytes);
  if (const std::string magic = in.text(kMagic.size()); magic != kMagic)
    return fault(kWhat, 0,
                 fmt::format("no tile: it begins with \"{}\"; expected \"{}\"", shown(magic), shown(kMagic)));
  TilePayload out;
  PayloadCounts counts;
  if (std::optional<Error> error = read_payload_header(in, kWhat, out, counts)) return *std::move(error);
  const std::size_t index_bytes = counts.vertices <= kSmallMesh ? 2 : 4;
  const std::size_t wanted =
      std::size_t{counts.vertices} * (kVertexBytes + kBlendBytes + (counts.glow ? kGlowBytes : 0)) +
      std::size_t{counts.triangles} * 3 * index_bytes + kDigestBytes;
  if (in.left() != wanted)
    return fault(kWhat, in.at(),
                 fmt::format("{} vertices and {} triangles need {} bytes; {} are left", counts.vertices,
                             counts.triangles, wanted, in.left()));
  if (const Digest digest = digest_of_bytes(bytes.first(bytes.size() - kDigestBytes)),
      stored = ByteReader(bytes.last(kDigestBytes)).digest();
      digest != stored)
    return fault(kWhat, bytes.size() - kDigestBytes,
                 fmt::format("damaged: the digest is {}; expected {}", to_hex(stored), to_hex(digest)));
  out.vertices.resize(counts.vertices);
  out.materials.resize(counts.vertices);
  out.triangles.resize(counts.triangles);
  read_vertices(in, out.vertices);
  read_blends(in, counts.glow, out.materials);
  for (Triangle& t : out.triangles)
    for (std::uint32_t& v : t.at) v = index_bytes == 2 ? in.u16() : in.u32();
  if (std::optional<Error> error = check_payload(out, kWhat)) return *std::move(error);
  if (counts.glow && std::all_of(out.materials.begin(), out.materials.end(), plain_glow))
    return fault(kWhat, kMagic.size() + 46, "glow that says nothing; expected it to be left out");
  return out;
}

}  // namespace vf

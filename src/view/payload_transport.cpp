#include "view/payload_transport.h"

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/result.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "view/payload_format.h"
#include "view/payload_header.h"
#include "view/tile_payload.h"

namespace vf {

using namespace payload_format;

namespace {

/// The codec takes vertices of whole words.
struct PackedVertex {
  std::array<std::int16_t, 3> at{};
  std::array<std::int16_t, 2> normal{};
  std::int16_t zero = 0;
};
static_assert(sizeof(PackedVertex) == 12);
struct PackedBlend {
  std::array<std::uint8_t, 4> material{}, weight{};
};
static_assert(sizeof(PackedBlend) == 8);
using PackedGlow = std::array<std::uint8_t, 4>;

constexpr const char* kWhat = "packed tile";
/// The codec spends at least two bits on each byte of 16 vertices, and a byte on a triangle.
constexpr std::size_t kMostVerticesAByte = 16, kMostTrianglesAByte = 1;

Error fault(std::size_t at, const std::string& said) {
  return {ErrorCode::kBadInput, {}, fmt::format("{}, byte {}: {}", kWhat, at, said)};
}

template <class T>
std::vector<std::byte> vertex_stream(const std::vector<T>& items) {
  if (items.empty()) return {};
  std::vector<unsigned char> out(meshopt_encodeVertexBufferBound(items.size(), sizeof(T)));
  out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), items.data(), items.size(), sizeof(T)));
  const auto bytes = std::as_bytes(std::span(out));
  return {bytes.begin(), bytes.end()};
}

template <class T>
bool read_stream(std::span<const std::byte> stream, std::vector<T>& items) {
  if (items.empty()) return stream.empty();
  return meshopt_decodeVertexBuffer(items.data(), items.size(), sizeof(T),
                                    reinterpret_cast<const unsigned char*>(stream.data()),
                                    stream.size()) == 0;
}

std::vector<std::byte> index_stream(const std::vector<std::uint32_t>& indices, std::size_t vertices) {
  if (indices.empty()) return {};
  std::vector<unsigned char> out(meshopt_encodeIndexBufferBound(indices.size(), vertices));
  out.resize(meshopt_encodeIndexBuffer(out.data(), out.size(), indices.data(), indices.size()));
  const auto bytes = std::as_bytes(std::span(out));
  return {bytes.begin(), bytes.end()};
}

/// Triangles as a vertex cache likes them, vertices in the order of their first use.
TilePayload reordered(const TilePayload& in, std::vector<std::uint32_t>& indices) {
  TilePayload out = in;
  indices.clear();
  for (const Triangle& t : in.triangles) indices.insert(indices.end(), t.at.begin(), t.at.end());
  if (indices.empty()) return out;
  const std::size_t vertices = in.vertices.size();
  meshopt_optimizeVertexCache(indices.data(), indices.data(), indices.size(), vertices);
  std::vector<std::uint32_t> place(vertices);
  VF_CHECK(meshopt_optimizeVertexFetchRemap(place.data(), indices.data(), indices.size(), vertices) ==
           vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    out.vertices[place[v]] = in.vertices[v];
    out.materials[place[v]] = in.materials[v];
  }
  for (std::uint32_t& i : indices) i = place[i];
  return out;
}

}  // namespace

std::vector<std::byte> pack_payload(const TilePayload& payload) {
  std::vector<std::uint32_t> indices;
  const TilePayload sorted = reordered(payload, indices);
  std::vector<PackedVertex> vertices;
  std::vector<PackedBlend> blends;
  std::vector<PackedGlow> glows;
  for (const MeshVertex& v : sorted.vertices)
    vertices.push_back({{v.x, v.y, v.z}, {v.normal.u, v.normal.v}, 0});
  for (const MaterialBlend& b : sorted.materials) blends.push_back({b.material, b.weight});
  if (!std::all_of(sorted.materials.begin(), sorted.materials.end(), plain_glow))
    for (const MaterialBlend& b : sorted.materials) glows.push_back(b.glow);
  ByteWriter out;
  out.text(kPackedMagic);
  write_payload_header(sorted, out);
  out.digest(digest_of(payload));
  const std::array<std::vector<std::byte>, 4> streams{vertex_stream(vertices), vertex_stream(blends),
                                                      vertex_stream(glows),
                                                      index_stream(indices, sorted.vertices.size())};
  for (const auto& stream : streams) out.u32(static_cast<std::uint32_t>(stream.size()));
  for (const auto& stream : streams) out.bytes(stream);
  out.digest(digest_of_bytes(out.written()));
  return out.take();
}

namespace {

struct Streams {
  std::array<std::span<const std::byte>, 4> at;
};

/// The streams behind the header; the first fault otherwise.
std::optional<Error> find_streams(ByteReader& in, const PayloadCounts& counts, Streams& streams) {
  std::array<std::uint32_t, 4> sizes{};
  const std::size_t start = in.at();
  for (std::uint32_t& size : sizes) size = in.u32();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (in.left() < kDigestBytes + std::size_t{sizes[i]})
      return fault(start + 4 * i,
                   fmt::format("cut short: a part of {} bytes; {} are left", sizes[i], in.left()));
    streams.at[i] = in.bytes(sizes[i]);
  }
  if (in.left() != kDigestBytes)
    return fault(in.at(), fmt::format("{} bytes follow; expected {}", in.left(), kDigestBytes));
  const auto bounded = [](std::size_t count, std::size_t bytes, std::size_t most) {
    return count <= bytes * most;
  };
  const bool good = bounded(counts.vertices, sizes[0], kMostVerticesAByte) &&
                    bounded(counts.vertices, sizes[1], kMostVerticesAByte) &&
                    (counts.glow ? bounded(counts.vertices, sizes[2], kMostVerticesAByte) : sizes[2] == 0) &&
                    bounded(counts.triangles, sizes[3], kMostTrianglesAByte);
  if (!good)
    return fault(start,
                 fmt::format("parts of {}, {}, {} and {} bytes can't hold {} vertices and {} triangles",
                             sizes[0], sizes[1], sizes[2], sizes[3], counts.vertices, counts.triangles));
  return std::nullopt;
}

bool read_streams(const Streams& streams, const PayloadCounts& counts, TilePayload& out) {
  std::vector<PackedVertex> vertices(counts.vertices);
  std::vector<PackedBlend> blends(counts.vertices);
  std::vector<PackedGlow> glows(counts.glow ? counts.vertices : 0);
  std::vector<std::uint32_t> indices(std::size_t{3} * counts.triangles);
  if (!read_stream(streams.at[0], vertices) || !read_stream(streams.at[1], blends) ||
      !read_stream(streams.at[2], glows))
    return false;
  if (indices.empty()
          ? !streams.at[3].empty()
          : meshopt_decodeIndexBuffer(indices.data(), indices.size(),
                                      reinterpret_cast<const unsigned char*>(streams.at[3].data()),
                                      streams.at[3].size()) != 0)
    return false;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const PackedVertex& v = vertices[i];
    out.vertices.push_back({v.at[0], v.at[1], v.at[2], {v.normal[0], v.normal[1]}});
    MaterialBlend blend{blends[i].material, blends[i].weight, {}};
    for (std::size_t k = 0; k < blend.glow.size(); ++k)
      blend.glow[k] = counts.glow ? glows[i][k] : static_cast<std::uint8_t>(blend.weight[k] > 0 ? 255 : 0);
    out.materials.push_back(blend);
  }
  for (std::size_t t = 0; t < indices.size(); t += 3)
    out.triangles.push_back({{indices[t], indices[t + 1], indices[t + 2]}});
  return true;
}

}  // namespace

Result<PackedPayload> unpack_payload(std::span<const std::byte> bytes) {
  constexpr std::size_t kLeast = kPackedMagic.size() + kHeaderBytes + kDigestBytes + 16 + kDigestBytes;
  if (bytes.size() < kLeast)
    return fault(bytes.size(), fmt::format("cut short: a packed tile has {} bytes at least", kLeast));
  ByteReader in(bytes);
  if (const std::string magic = in.text(kPackedMagic.size()); magic != kPackedMagic)
    return fault(0, fmt::format("no packed tile: it begins with \"{}\"; expected \"{}\"", shown(magic),
                                shown(kPackedMagic)));
  const Digest digest = digest_of_bytes(bytes.first(bytes.size() - kDigestBytes)),
               stored = ByteReader(bytes.last(kDigestBytes)).digest();
  if (digest != stored)
    return fault(bytes.size() - kDigestBytes,
                 fmt::format("damaged: the digest is {}; expected {}", to_hex(stored), to_hex(digest)));
  PackedPayload out;
  PayloadCounts counts;
  if (std::optional<Error> error = read_payload_header(in, kWhat, out.payload, counts))
    return *std::move(error);
  out.content = in.digest();
  Streams streams;
  if (std::optional<Error> error = find_streams(in, counts, streams)) return *std::move(error);
  if (!read_streams(streams, counts, out.payload))
    return fault(in.at(), "damaged: meshoptimizer can't decode it");
  for (const MaterialBlend& b : out.payload.materials)
    if (b.weight[0] + b.weight[1] + b.weight[2] + b.weight[3] != 255)
      return fault(in.at(), "weights that don't add up to 255");
  if (std::optional<Error> error = check_payload(out.payload, kWhat)) return *std::move(error);
  return out;
}

}  // namespace vf

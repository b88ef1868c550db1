#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "fuzz/snapshot_checks.h"
#include "fuzz/tile_checks.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "view/payload_transport.h"
#include "view/tile_payload.h"

namespace vf {
namespace {

using Bytes = std::vector<std::byte>;

/// A strip of `count` triangles whose vertices all differ.
TilePayload some_payload(std::uint32_t count, bool glow) {
  std::mt19937 random(count);
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  TilePayload out;
  out.world = {0x0123456789ABCDEF, 0xFEDCBA9876543210};
  out.at = {1'000'000, -40'000, 70'000, {2, 31, 0, -1}};
  for (std::uint32_t v = 0; v < count + 2; ++v) {
    out.vertices.push_back({static_cast<std::int16_t>(v & 0x3FFF),
                            static_cast<std::int16_t>(number(-9, 16384)),
                            static_cast<std::int16_t>(v >> 14),
                            {static_cast<std::int16_t>(number(-32767, 32767)), 5}});
    const auto second = static_cast<std::uint8_t>(number(0, 100)),
               third = static_cast<std::uint8_t>(number(0, 50));
    MaterialBlend blend{
        {3, 200, 7, 0}, {static_cast<std::uint8_t>(255 - second - third), second, third, 0}, {}};
    for (std::size_t i = 0; i < 4; ++i) blend.glow[i] = blend.weight[i] > 0 ? 255 : 0;
    if (glow && v % 3 == 0) blend.glow[0] = 9;
    out.materials.push_back(blend);
  }
  for (std::uint32_t t = 0; t < count; ++t) out.triangles.push_back({{t, t + 1, t + 2}});
  return out;
}

/// Triangles by what stands at their corners, each from its least corner on.
std::vector<std::array<std::array<int, 12>, 3>> corners_of(const TilePayload& payload) {
  std::vector<std::array<std::array<int, 12>, 3>> out;
  for (const Triangle& t : payload.triangles) {
    std::array<std::array<int, 12>, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const MeshVertex& v = payload.vertices[t.at[i]];
      const MaterialBlend& b = payload.materials[t.at[i]];
      corners[i] = {v.x,         v.y,         v.z,         v.normal.u,  v.normal.v, b.material[0],
                    b.weight[0], b.weight[1], b.weight[2], b.weight[3], b.glow[0],  b.glow[1]};
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    out.push_back(corners);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string message_of(const Bytes& bytes) {
  const Result<TilePayload> tile = decode_payload(bytes);
  return tile ? "no error" : tile.error().message;
}

void expect_says(const TilePayload& payload, const std::string& part) {
  const std::string message = message_of(encode_payload(payload));
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(TilePayload, ComesBackFromItsBytes) {
  for (const std::uint32_t triangles : {0U, 1U, 500U, 70'000U})
    for (const bool glow : {false, true}) {
      TilePayload payload = some_payload(std::max(1U, triangles), glow);
      if (triangles == 0) payload.vertices.clear(), payload.materials.clear(), payload.triangles.clear();
      const Bytes bytes = encode_payload(payload);
      const Result<TilePayload> again = decode_payload(bytes);
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(*again, payload);
      EXPECT_EQ(encode_payload(*again), bytes);
    }
}

TEST(TilePayload, KeepsItsBytes) {
  EXPECT_EQ(to_hex(digest_of(some_payload(50, true))), "0a41d86b0255820873feb60d95d0a248")
      << "raise kTilePayloadVersion with the format";
}

TEST(TilePayload, IsNamedByItsContent) {
  const TilePayload payload = some_payload(9, false);
  TilePayload other = payload;
  other.vertices[3].normal.v = 6;
  EXPECT_NE(digest_of(payload), digest_of(other));
  other = payload;
  other.at.sx += 1;
  EXPECT_NE(digest_of(payload), digest_of(other));
}

TEST(TilePayload, IsTheSameFromEveryFrame) {
  EXPECT_EQ(address_of(5, 10, 20, {0, 130, -1, -2}), address_of(5, 11, 19, {0, 2, 127, -2}));
  EXPECT_EQ(address_of(5, 10, 20, {4, -8, -9, 1}), (TileAddress{5, 9, 18, {4, 0, 7, 1}}));
  EXPECT_EQ(address_of(5, 10, 20, {4, 7, 8, 1}), (TileAddress{5, 10, 21, {4, 7, 0, 1}}));
}

TEST(TilePayload, LeavesOutVerticesThatWaitForSeams) {
  const TilePayload whole = some_payload(4, true);
  MeshPiece piece;
  piece.vertices = whole.vertices;
  piece.triangles = {{{2, 3, 5}}};
  const TilePayload payload = make_payload(piece, whole.materials, whole.at, whole.world);
  ASSERT_EQ(payload.vertices.size(), 3U);
  EXPECT_EQ(payload.vertices[2], whole.vertices[5]);
  EXPECT_EQ(payload.materials[1], whole.materials[3]);
  EXPECT_EQ(payload.triangles[0].at, (std::array<std::uint32_t, 3>{0, 1, 2}));
  EXPECT_EQ(message_of(encode_payload(payload)), "no error");
}

TEST(TilePayload, SaysWhereBytesAreWrong) {
  TilePayload payload = some_payload(6, false);
  payload.triangles[2].at[1] = 99;
  expect_says(payload, "tile, triangle 2: vertex 99 of 8");
  payload = some_payload(6, false);
  payload.triangles[2].at[1] = payload.triangles[2].at[0];
  expect_says(payload, "tile, triangle 2: one vertex twice");
  payload = some_payload(6, false);
  payload.triangles.pop_back();
  expect_says(payload, "tile, vertex 7: no triangle has it");
  payload = some_payload(6, false);
  payload.vertices[1].normal.u = INT16_MIN;
  expect_says(payload, "tile, vertex 1: a normal of -32768");
  payload = some_payload(6, false);
  payload.materials[1].weight = {0, 200, 56, 0};
  expect_says(payload, "tile, vertex 1: weights of 256 of 255");
  payload = some_payload(6, false);
  payload.at.key.tx = 32;
  expect_says(payload, "tile 32, 0; expected 0 to 31 in its sector");
  payload.at.key = {7, 0, 0, 0};
  expect_says(payload, "level 7; expected 0 to 4");
}

TEST(TilePayload, RefusesWhatIsNotATileOrNotWhole) {
  const Bytes whole = encode_payload(some_payload(6, true));
  EXPECT_NE(message_of({}).find("cut short"), std::string::npos);
  Bytes bytes = whole;
  bytes[0] = std::byte{'X'};
  EXPECT_NE(message_of(bytes).find("no tile: it begins with \"XFTILE\\x0d\\x0a\""), std::string::npos)
      << message_of(bytes);
  bytes = whole;
  bytes[8] = std::byte{2};
  EXPECT_EQ(message_of(bytes), "tile, byte 8: format version 2; expected 1");
  bytes = whole;
  bytes.pop_back();
  EXPECT_NE(message_of(bytes).find("are left"), std::string::npos);
  bytes = whole;
  bytes[100] ^= std::byte{1};
  EXPECT_NE(message_of(bytes).find("damaged: the digest is"), std::string::npos);
}

TEST(PackedPayload, HoldsTheSameTrianglesAndTheNameOfTheOriginal) {
  for (const std::uint32_t triangles : {1U, 500U, 70'000U})
    for (const bool glow : {false, true}) {
      const TilePayload payload = some_payload(triangles, glow);
      const Bytes packed = pack_payload(payload);
      const Result<PackedPayload> again = unpack_payload(packed);
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(again->content, digest_of(payload));
      EXPECT_EQ(again->payload.at, payload.at);
      EXPECT_EQ(corners_of(again->payload), corners_of(payload));
    }
}

TEST(PackedPayload, RefusesDamage) {
  const Bytes whole = pack_payload(some_payload(40, true));
  const auto message = [](const Bytes& bytes) {
    const Result<PackedPayload> tile = unpack_payload(bytes);
    return tile ? std::string("no error") : tile.error().message;
  };
  Bytes bytes = whole;
  bytes[150] ^= std::byte{1};
  EXPECT_NE(message(bytes).find("damaged"), std::string::npos);
  bytes = whole;
  bytes[74] = std::byte{0x10};  // a million vertices
  EXPECT_NE(message(fuzz::with_checksum(bytes)).find("can't hold"), std::string::npos);
  EXPECT_NE(message({}).find("cut short"), std::string::npos);
}

TEST(FuzzCorpus, OfTilesHolds) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VF_SOURCE_DIR) + "/fuzz/corpus/tile")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    fuzz::check_tile(std::as_bytes(std::span(text)));
    ++files;
  }
  EXPECT_GE(files, 6U);
}

TEST(FuzzCorpus, OfTilesHoldsWhenBytesAreDamaged) {
  std::mt19937 random(7);
  for (const bool packed : {false, true}) {
    const TilePayload payload = some_payload(30, true);
    const Bytes whole = packed ? pack_payload(payload) : encode_payload(payload);
    for (int round = 0; round < 4000; ++round) {
      Bytes bytes = whole;
      for (int i = 0; i <= round % 4; ++i)
        bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xFF);
      if (round % 7 == 0) bytes.resize(random() % bytes.size());
      fuzz::check_tile(bytes);
    }
  }
}

}  // namespace
}  // namespace vf

#include "plan/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "fuzz/snapshot_checks.h"
#include "plan/identity.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "recipe/recipe.h"
#include "test_support/plans.h"

namespace vf {
namespace {

using Bytes = std::vector<std::byte>;

std::string message_of(std::span<const std::byte> bytes) {
  const Result<SectorSnapshot> decoded = decode_snapshot(bytes);
  return decoded ? "decoded" : decoded.error().message;
}

/// What the reader says of a snapshot in which something was changed before it was written.
std::string refusal(const std::function<void(SectorSnapshot&)>& change, bool with_paths = true) {
  SectorSnapshot snapshot = test::some_snapshot(7, with_paths);
  change(snapshot);
  return message_of(encode_snapshot(snapshot));
}

/// The same, with 4 bytes put over those at an offset.
std::string refusal_of_bytes(std::size_t at, std::uint32_t value) {
  Bytes bytes = encode_snapshot(test::some_snapshot(7));
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
  return message_of(fuzz::with_checksum(bytes));
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nexpected: " << part;
}

// Offsets of some_snapshot(): the recipe's id has 9 bytes.
constexpr std::size_t kPlaceAt = 56 + 9, kTablesAt = kPlaceAt + 28;

TEST(Snapshot, RoundTripsEveryRecordAndEveryByte) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SectorSnapshot snapshot = test::some_snapshot(seed, seed % 2 == 0);
    const Bytes bytes = encode_snapshot(snapshot);
    const Result<SectorSnapshot> decoded = decode_snapshot(bytes);
    ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
    EXPECT_EQ(*decoded, snapshot);
    EXPECT_EQ(encode_snapshot(*decoded), bytes);
  }
  SectorSnapshot empty;
  empty.origin.recipe_id = "t";
  const Result<SectorSnapshot> decoded = decode_snapshot(encode_snapshot(empty));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_EQ(*decoded, empty);
}

// Written by an earlier build: a change of the format raises kSnapshotVersion.
TEST(Snapshot, KeepsItsBytes) {
  SectorSnapshot snapshot = test::some_snapshot(7);
  snapshot.origin.evaluator = 1;
  EXPECT_EQ(to_hex(digest_of_bytes(encode_snapshot(snapshot))), "6d6b183f44309f045cefed7676743fcf");
  EXPECT_EQ(to_hex(identity_of(test::some_snapshot(7, false).plan)), "810b96bd059f9cad70345bdd40debb57");
}

TEST(Snapshot, IsLittleEndianAndEndsWithItsDigest) {
  SectorSnapshot snapshot = test::some_snapshot(7);
  snapshot.origin.world_seed = {0x0102030405060708ULL};
  const Bytes bytes = encode_snapshot(snapshot);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(std::to_integer<std::size_t>(bytes[16 + i]), 8 - i);
  EXPECT_EQ(bytes, fuzz::with_checksum(bytes));
  EXPECT_EQ(identity_of(snapshot), digest_of_bytes(std::span(bytes).first(bytes.size() - 16)));
}

TEST(Snapshot, ForgetsTheSignOfZero) {
  SectorSnapshot snapshot = test::some_snapshot(7);
  snapshot.plan.features[0][0].yaw_turns = 0.0F;
  const Bytes bytes = encode_snapshot(snapshot);
  snapshot.plan.features[0][0].yaw_turns = -0.0F;
  EXPECT_EQ(encode_snapshot(snapshot), bytes);
}

TEST(Snapshot, RefusesWhatIsCutShortAnywhere) {
  const Bytes bytes = encode_snapshot(test::some_snapshot(7));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::string message = message_of(std::span(bytes).first(n));
    ASSERT_NE(message.find("cut short"), std::string::npos) << n << " bytes: " << message;
  }
  expect_says(message_of(std::span(bytes).first(5)),
              "byte 0: cut short: the magic needs 8 bytes; 5 are left");
}

TEST(Snapshot, RefusesTrailingBytes) {
  Bytes bytes = encode_snapshot(test::some_snapshot(7));
  const std::size_t size = bytes.size();
  bytes.insert(bytes.end(), 3, std::byte{0});
  expect_says(message_of(bytes), "byte " + std::to_string(size) + ": 3 bytes after the end");
}

TEST(Snapshot, RefusesForeignMagicAndVersions) {
  expect_says(refusal_of_bytes(0, 0x0A0D0A1AU),
              R"(byte 0: no snapshot of a sector: it begins with "\x1a\x0a\x0d\x0aCTOR")");
  expect_says(refusal_of_bytes(8, 2), "byte 8: format version 2; expected 1");
  expect_says(refusal([](SectorSnapshot& s) { s.origin.evaluator = 99; }),
              "byte 12: of evaluator version 99; expected " + std::to_string(kEvaluatorVersion));
  expect_says(refusal_of_bytes(kTablesAt, 0x21656D6FU), R"(a table "ome!", which version 1 does not know)");
}

TEST(Snapshot, RefusesDamageThatOnlyTheChecksumShows) {
  const Bytes good = encode_snapshot(test::some_snapshot(7));
  Bytes bytes = good;
  bytes[16] ^= std::byte{1};  // the seed: every value is good
  expect_says(message_of(bytes), "byte " + std::to_string(good.size() - 16) + ": checksum ");
  // And no flip of a single bit goes unseen.
  for (std::size_t i = 0; i < good.size() * 8; ++i) {
    bytes = good;
    bytes[i / 8] ^= static_cast<std::byte>(1U << (i % 8));
    ASSERT_FALSE(decode_snapshot(bytes).has_value()) << "bit " << i;
  }
}

TEST(Snapshot, RefusesRecordsOutOfOrderAndTwice) {
  expect_says(refusal([](SectorSnapshot& s) { std::swap(s.plan.lights[0], s.plan.lights[1]); }),
              "expected ids to rise");
  expect_says(refusal([](SectorSnapshot& s) { s.plan.features[0][1].id = s.plan.features[0][0].id; }),
              "expected ids to rise");
  const std::string twice = refusal([](SectorSnapshot& s) {
    s.plan.features[2] = {s.plan.features[0].begin(), s.plan.features[0].begin() + 1};
  });
  expect_says(twice, "is taken by the record at byte " + std::to_string(kTablesAt + 16));
}

TEST(Snapshot, RefusesCountsThatAreTooLarge) {
  expect_says(refusal_of_bytes(48, 0xFFFFFFFFU), "byte 48: 4294967295 feature sets; expected at most 16");
  expect_says(refusal_of_bytes(52, 0x7FFFFFFFU),
              "byte 52: the recipe's id has 2147483647 bytes; expected 1 to 48");
  expect_says(refusal_of_bytes(kPlaceAt + 24, 1000), "1000 tables; expected at most 7");
  expect_says(refusal_of_bytes(kTablesAt + 4, 3), "features of set 3; expected less than 3");
  expect_says(refusal_of_bytes(kTablesAt + 8, 17), "features with 17 values; expected at most 16");
  expect_says(refusal_of_bytes(kTablesAt + 12, 0xFFFFFFFFU), "cut short: 4294967295 features of 100 bytes;");
  expect_says(refusal_of_bytes(kTablesAt + 12, 0), "a table without records");
}

TEST(Snapshot, RefusesNumbersOutOfRange) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinite = std::numeric_limits<float>::infinity();
  const auto feature = [](const std::function<void(FeatureRecord&)>& change) {
    return refusal([&](SectorSnapshot& s) { change(s.plan.features[0][0]); });
  };
  const std::string first = "byte " + std::to_string(kTablesAt + 16 + 32) + ": ";
  expect_says(feature([](FeatureRecord& r) { r.yaw_turns = kNan; }), first + "yaw is not finite");
  expect_says(feature([](FeatureRecord& r) { r.extent_max.z = kInfinite; }), "an extent is not finite");
  expect_says(feature([](FeatureRecord& r) { r.values[0] = -kInfinite; }), "a value is not finite");
  expect_says(feature([](FeatureRecord& r) { r.random[3] = 1; }), "expected 0 <= u < 1");
  expect_says(feature([](FeatureRecord& r) { r.extent_min.x = r.extent_max.x + 1; }),
              "extents are inside out");
  expect_says(refusal_of_bytes(kTablesAt + 16 + 32, 0x80000000U), first + "yaw is -0; expected 0");
  expect_says(refusal([](SectorSnapshot& s) { s.plan.lights[2].light = 16; }),
              "light 16; expected less than 16");
  expect_says(refusal([](SectorSnapshot& s) { s.plan.sy = std::int64_t{1} << 31; }),
              "byte " + std::to_string(kPlaceAt + 8) + ": sector ");
  expect_says(refusal([](SectorSnapshot& s) { s.origin.recipe_id = "No Id"; }),
              R"(the recipe's id is "No Id"; expected a-z, 0-9 and _)");
}

TEST(Snapshot, RefusesPathsThatDoNotHangTogether) {
  const auto paths = [](const std::function<void(PathPlan&)>& change) {
    return refusal([&](SectorSnapshot& s) { change(s.plan.paths); });
  };
  expect_says(paths([](PathPlan& p) { p.nodes[0].kind = static_cast<PathNodeKind>(7); }),
              "kind of node 7; expected less than 7");
  expect_says(paths([](PathPlan& p) { p.legs[0].kind = static_cast<PathLegKind>(3); }),
              "kind of leg 3; expected less than 3");
  expect_says(paths([](PathPlan& p) { p.pieces[0].shape = static_cast<PathShape>(3); }),
              "shape of a piece 3; expected less than 3");
  expect_says(paths([](PathPlan& p) { p.pieces[0].half_width_mm = -1; }),
              "half a width is -1; expected >= 0");
  expect_says(paths([](PathPlan& p) { p.legs[0].to.value ^= 1; }), "which is not here");
  expect_says(paths([](PathPlan& p) { p.legs[1].first += 1; }), "a leg begins at piece");
  expect_says(paths([](PathPlan& p) { p.legs[0].count = 0; }), "a leg has 0 pieces; expected 1 to ");
  expect_says(paths([](PathPlan& p) { p.legs.back().count = 0xFFFFFFFFU; }), "a leg has 4294967295 pieces");
  expect_says(paths([](PathPlan& p) { p.pieces.back().shape = PathShape::kWay; }),
              "is of no leg and no place");
  expect_says(paths([](PathPlan& p) { p.legs[0].length_um = -5; }), "the length of a leg is -5");
}

// Negative control 15, second half: an optional part that a layout does not have leaves no trace in it. The
// fault would be an empty table, or a count of each kind, in every layout.
TEST(Snapshot, ALayoutKeepsItsIdentityWhenAnOptionalPartIsIntroduced) {
  const SectorPlan without = test::some_snapshot(7, false).plan;
  EXPECT_EQ(to_hex(identity_of(without)), "810b96bd059f9cad70345bdd40debb57")
      << "what it was before there were paths";
  EXPECT_NE(identity_of(test::some_snapshot(7).plan), identity_of(without));
  Bytes bytes = encode_snapshot(test::some_snapshot(7, false));
  bytes[kPlaceAt + 24] =
      std::byte{static_cast<unsigned char>(std::to_integer<int>(bytes[kPlaceAt + 24]) + 1)};
  Bytes empty_table;
  for (const char c : std::string("NODE")) empty_table.push_back(static_cast<std::byte>(c));
  empty_table.insert(empty_table.end(), 12, std::byte{0});
  bytes.insert(bytes.end() - 16, empty_table.begin(), empty_table.end());
  expect_says(message_of(fuzz::with_checksum(bytes)), "a table without records; expected it to be left out");
}

/// The corpus was written by evaluator 1: a whole file counts as one of this evaluator's.
Bytes renewed(Bytes bytes) {
  constexpr std::size_t kVersionAt = 12;
  if (bytes.size() < 32 || fuzz::with_checksum(bytes) != bytes || bytes[kVersionAt] != std::byte{1})
    return bytes;
  bytes[kVersionAt] = static_cast<std::byte>(kEvaluatorVersion);
  return fuzz::with_checksum(bytes);
}

std::vector<Bytes> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VF_SOURCE_DIR) + "/fuzz/corpus/snapshot"))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Bytes> out;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(text));
    out.push_back(renewed(Bytes(bytes.begin(), bytes.end())));
  }
  return out;
}

TEST(FuzzCorpus, OfSnapshotsHolds) {
  std::size_t good = 0;
  for (const Bytes& bytes : corpus()) {
    fuzz::check_snapshot(bytes);
    good += decode_snapshot(bytes).has_value() ? 1U : 0U;
  }
  EXPECT_GE(good, 3U);
  EXPECT_GE(corpus().size(), good + 10) << "most of a corpus is wrong";
}

TEST(FuzzCorpus, OfSnapshotsHoldsWhenBytesAreDamaged) {
  const Bytes whole = encode_snapshot(test::some_snapshot(7));
  for (std::uint64_t round = 0; round < 4000; ++round) {
    Bytes bytes = whole;
    for (std::uint64_t i = 0; i < 1 + round % 5; ++i) {
      const std::uint64_t hash = hash_words({round, i});
      bytes[hash % bytes.size()] = static_cast<std::byte>((hash >> 32) & 0xFF);
    }
    if (round % 7 == 0) bytes.resize(hash_words({round}) % bytes.size());
    fuzz::check_snapshot(bytes);
  }
}

}  // namespace
}  // namespace vf

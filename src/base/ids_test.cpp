#include "base/ids.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace vf {
namespace {

// The numbers are part of every world's identity: a change here changes all worlds.
TEST(Ids, HashesArePinned) {
  EXPECT_EQ(mix64(0), 0xE220A8397B1DCDAFULL);  // SplitMix64's published first output for seed 0
  EXPECT_EQ(hash_text(""), 0xCBF29CE484222325ULL);
  EXPECT_EQ(hash_text("a"), 0xAF63DC4C8601EC8CULL);  // FNV-1a's published test vectors
  EXPECT_EQ(hash_text("foobar"), 0x85944171F73967E8ULL);
  EXPECT_EQ(hash_words({1, 2, 3}), 0xE234B8E7662009C0ULL);
}

TEST(Ids, HashTextReadsBytesAboveAsciiAsUnsigned) {
  EXPECT_EQ(hash_text("\xC3\xA9"), 0x0AC21707B7181E01ULL);
}

TEST(Ids, HashWordsSeesOrderAndLength) {
  EXPECT_NE(hash_words({1, 2}), hash_words({2, 1}));
  EXPECT_NE(hash_words({1}), hash_words({1, 0}));
  EXPECT_NE(hash_words({}), hash_words({0}));
}

TEST(Ids, OneBitOfInputFlipsAboutHalfOfTheOutput) {
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t i = 0; i < 256; ++i)
      flipped += std::popcount(hash_words({i, 7}) ^ hash_words({i ^ (1ULL << bit), 7}));
    EXPECT_NEAR(flipped / 256.0, 32.0, 1.5) << "input bit " << bit;
  }
}

TEST(Ids, UnitFloatStaysBelowOne) {
  EXPECT_EQ(unit_float(0), 0.0F);
  EXPECT_EQ(unit_float(~0ULL), 1.0F - 1.0F / 16777216.0F);
  EXPECT_EQ(unit_float(1ULL << 63), 0.5F);
}

TEST(Ids, KindsDoNotMix) {
  static_assert(!std::is_convertible_v<Id<struct OneTag>, Id<struct OtherTag>>);
  static_assert(!std::is_convertible_v<std::uint64_t, Seed>);
  EXPECT_LT((Id<struct OneTag>{3}), (Id<struct OneTag>{4}));
}

}  // namespace
}  // namespace vf

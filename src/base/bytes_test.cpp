#include "base/bytes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/digest.h"

namespace vf {
namespace {

TEST(Bytes, ReadWhatWasWritten) {
  ByteWriter out;
  out.text("ab");
  out.u8(200);
  out.u16(60'000);
  out.i16(-2);
  out.u32(4'000'000'000U);
  out.i32(-3);
  out.u64(0x0102030405060708);
  out.i64(-4);
  out.f32(1.5F);
  out.digest({1, 2});
  const std::vector<std::byte> bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(in.text(2), "ab");
  EXPECT_EQ(in.u8(), 200);
  EXPECT_EQ(in.u16(), 60'000);
  EXPECT_EQ(in.i16(), -2);
  EXPECT_EQ(in.u32(), 4'000'000'000U);
  EXPECT_EQ(in.i32(), -3);
  EXPECT_EQ(in.u64(), 0x0102030405060708U);
  EXPECT_EQ(in.i64(), -4);
  EXPECT_EQ(in.f32(), 1.5F);
  EXPECT_EQ(in.digest(), (Digest{1, 2}));
  EXPECT_EQ(in.left(), 0U);
}

TEST(Bytes, AreLittleEndianAndKnowOneZero) {
  ByteWriter out;
  out.u32(0x01020304);
  out.f32(-0.0F);
  const auto bytes = out.written();
  EXPECT_EQ(bytes[0], std::byte{4});
  EXPECT_EQ(bytes[3], std::byte{1});
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(bytes[i], std::byte{0});
}

TEST(Bytes, AreShownAsAMessageMay) {
  EXPECT_EQ(shown("VF\r\n~\x80"), "VF\\x0d\\x0a~\\x80");
}

}  // namespace
}  // namespace vf

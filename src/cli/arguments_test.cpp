#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/result.h"

namespace vf::cli {
namespace {

std::int64_t grid(const char* text) {
  const Result<std::int64_t> value = parse_metres_1024("at", text);
  EXPECT_TRUE(value) << text;
  return value ? *value : -1;
}

TEST(Metres, AreExactAtAnyDistance) {
  EXPECT_EQ(grid("0"), 0);
  EXPECT_EQ(grid("1"), 1024);
  EXPECT_EQ(grid("-1.5"), -1536);
  EXPECT_EQ(grid("+0.0009765625"), 1);
  EXPECT_EQ(grid(".25"), 256);
  EXPECT_EQ(grid("7."), 7 * 1024);
  // A double has 53 bits; here 10^12 m takes 50 of them and the fraction of the grid one more than there is
  // left.
  EXPECT_EQ(grid("999999999999.0009765625"), 999999999999 * 1024 + 1);
  EXPECT_EQ(grid("-999999999999.9990234375"), -(999999999999 * 1024 + 1023));
}

TEST(Metres, GoToTheNearestGridPoint) {
  EXPECT_EQ(grid("0.0004882812499"), 0);
  EXPECT_EQ(grid("0.00048828125"), 1);  // a half goes upward
  EXPECT_EQ(grid("-0.00048828125"), 0);
  EXPECT_EQ(grid("-0.0004882812501"), -1);
  EXPECT_EQ(grid("0.99999"), 1024);
  EXPECT_EQ(grid("0.000488281250000000000000000000001"), 1);
  EXPECT_EQ(grid("-0.000488281250000000000000000000001"), -1);
}

TEST(Metres, RefuseWhatIsNoLength) {
  for (const char* text : {"", "-", ".", "1,5", "1e3", "nan", "inf", "0x10", "1.2.3", "--1", " 1",
                           "1000000000001", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_metres_1024("at", text)) << text;
  }
}

TEST(Sizes, NeedTwoEdgesWithinTheLimit) {
  const Result<PictureSize> size = parse_size("1920x1080");
  ASSERT_TRUE(size);
  EXPECT_EQ(size->width, 1920);
  EXPECT_EQ(size->height, 1080);
  for (const char* text :
       {"", "x", "10", "10x", "x10", "0x10", "10x0", "-1x5", "9000x10", "8192x8192", "10x10x10"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
}

TEST(Counts, NameTheirRange) {
  const Result<std::uint64_t> value = parse_count("--runs", "0", 1, 1000);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message, "--runs: 0 is out of range; expected 1 to 1000");
  EXPECT_EQ(value.error().code, ErrorCode::kBadInput);
  EXPECT_FALSE(parse_count("--runs", "1.5", 1, 1000));
  EXPECT_FALSE(parse_count("--runs", "", 1, 1000));
  EXPECT_FALSE(parse_count("--runs", "18446744073709551616", 0, ~std::uint64_t{0}));
  EXPECT_TRUE(parse_count("--seed", "18446744073709551615", 0, ~std::uint64_t{0}));
}

TEST(Settings, SplitAtTheFirstEqualsSign) {
  const auto setting = parse_setting("a.b=3=4");
  ASSERT_TRUE(setting);
  EXPECT_EQ(setting->first, "a.b");
  EXPECT_EQ(setting->second, "3=4");
  EXPECT_FALSE(parse_setting("a="));
  EXPECT_FALSE(parse_setting("=3"));
}

}  // namespace
}  // namespace vf::cli

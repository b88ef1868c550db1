#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace vf {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0)
    return Error{ErrorCode::kBadInput, {"numbers.toml", 3, 14}, "an even number was expected"};
  return value / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = half(14);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 7);
  const Result<int> bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kBadInput);
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, TellsThePlaceAsEditorsReadIt) {
  EXPECT_EQ(half(7).error().text(), "numbers.toml:3:14: an even number was expected");
}

TEST(Result, LeavesOutThePlaceItDoesNotKnow) {
  EXPECT_EQ((Error{ErrorCode::kIo, {"out", 0, 0}, "no such folder"}).text(), "out: no such folder");
  EXPECT_EQ((Error{ErrorCode::kIo, {}, "disk full"}).text(), "disk full");
}

TEST(Place, SortsByFileThenLineThenColumn) {
  EXPECT_LT((Place{"a", 9, 9}), (Place{"b", 1, 1}));
  EXPECT_LT((Place{"a", 2, 9}), (Place{"a", 10, 1}));
  EXPECT_LT((Place{"a", 2, 3}), (Place{"a", 2, 20}));
}

using ResultDeathTest = testing::Test;

TEST_F(ResultDeathTest, AskingForTheValueOfAnErrorStopsTheProcess) {
  const Result<int> bad = half(7);
  EXPECT_DEATH(static_cast<void>(bad.value()), "has_value\\(\\) does not hold");
}

TEST_F(ResultDeathTest, AskingForTheErrorOfAValueStopsTheProcess) {
  const Result<int> good = half(14);
  EXPECT_DEATH(static_cast<void>(good.error()), "does not hold");
}

}  // namespace
}  // namespace vf

#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vf {
namespace {

const std::vector<std::string> kNames{"amplitude", "ground", "perlin2", "perlin3", "smin", "smax"};

TEST(NearestName, FindsAMissedLetter) {
  EXPECT_EQ(nearest_name("amplitud", kNames), "amplitude");
  EXPECT_EQ(nearest_name("gruond", kNames), "ground");  // two neighbours swapped count as one edit
}

TEST(NearestName, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("water.level", kNames), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
}

TEST(NearestName, GivesTiesToTheEarlierName) {
  EXPECT_EQ(nearest_name("perlin", kNames), "perlin2");
  EXPECT_EQ(nearest_name("smix", kNames), "smin");
}

TEST(NearestName, AcceptsMoreEditsInLongerNames) {
  EXPECT_EQ(nearest_name("ampitoode", kNames), "amplitude");  // 3 edits in 9 letters
  EXPECT_EQ(nearest_name("smnnnn", kNames), "");
}

TEST(NearestName, TakesHostileLengths) {
  EXPECT_EQ(nearest_name(std::string(5000, 'q'), kNames), "");
}

}  // namespace
}  // namespace vf

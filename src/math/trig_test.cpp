#include "math/trig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace vf {
namespace {

TEST(Trig, AgreesWithTheLibraryToFifteenDigits) {
  for (int i = -40000; i <= 40000; ++i) {
    const double turns = i * 0.000137;
    const SinCos sc = sincos_turns(turns);
    EXPECT_NEAR(sc.sin, std::sin(turns * 2 * std::numbers::pi), 1e-13 + 4e-15);
    EXPECT_NEAR(sc.cos, std::cos(turns * 2 * std::numbers::pi), 1e-13 + 4e-15);
    EXPECT_NEAR(sc.sin * sc.sin + sc.cos * sc.cos, 1, 4e-15);
  }
}

TEST(Trig, IsExactAtQuarterTurns) {
  for (int q = -9; q <= 9; ++q) {
    const SinCos sc = sincos_turns(q * 0.25);
    const int k = ((q % 4) + 4) % 4;
    EXPECT_EQ(sc.cos, k == 0 ? 1 : k == 2 ? -1 : 0);
    EXPECT_EQ(sc.sin, k == 1 ? 1 : k == 3 ? -1 : 0);
  }
}

TEST(Trig, RepeatsAfterWholeTurnsBitForBit) {
  for (int i = 0; i < 1024; ++i) {
    const double turns = i / 1024.0;
    EXPECT_EQ(sincos_turns(turns).sin, sincos_turns(turns + 12345).sin);
    EXPECT_EQ(sincos_turns(turns).cos, sincos_turns(turns - 777).cos);
  }
}

TEST(Trig, AnswersNaNWhereThereIsNoAngle) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double turns : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sincos_turns(turns).sin));
    EXPECT_TRUE(std::isnan(sincos_turns(turns).cos));
  }
}

// Pinned bits: a change here re-rolls every turned feature.
TEST(Trig, KeepsItsBits) {
  EXPECT_EQ(sincos_turns(0.1).sin, 0x1.2cf2304755a5ep-1);
  EXPECT_EQ(sincos_turns(0.1).cos, 0x1.9e3779b97f4a8p-1);
}

}  // namespace
}  // namespace vf

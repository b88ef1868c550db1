#include "audit/air_lattice.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

TEST(AirLattice, SaysWhatTheDensitySays) {
  const auto program = islands_program();
  FieldSampler field(bound(program, {}, {scattered_islands(*program, 60, 120)}), best_simd_level());
  AirLattice lattice(field);
  // Over the frame's origin and over borders of regions; opened twice in part.
  lattice.open({-41, -12, 130}, {23, 30, 201});
  lattice.open({-20, 0, 150}, {23, 30, 170});
  lattice.close_opening();
  EXPECT_EQ(lattice.size(), std::size_t{9} * 6 * 10);
  EXPECT_FALSE(lattice.find({-7, 0, 20}).has_value());
  std::size_t air = 0, rock = 0;
  for (int z = 130; z <= 201; ++z)
    for (int y = -12; y <= 30; ++y)
      for (int x = -41; x <= 23; ++x) {
        const std::optional<std::size_t> brick = lattice.find({x >> 3, y >> 3, z >> 3});
        ASSERT_TRUE(brick.has_value());
        ASSERT_EQ(lattice.at(*brick), (LatticeCell{x >> 3, y >> 3, z >> 3}));
        const bool is_air =
            (lattice.air(*brick).at(static_cast<std::size_t>(z & 7)) >> (8 * (y & 7) + (x & 7)) & 1U) != 0;
        const auto m = [](int v) { return AirLattice::kStepM * static_cast<float>(v); };
        if ((x + 3 * y + 5 * z) % 11 == 0) {
          ASSERT_EQ(is_air, field.value({m(x), m(y), m(z)}) > 0) << x << ' ' << y << ' ' << z;
        }
        ++(is_air ? air : rock);
      }
  EXPECT_GT(air, 10'000U);
  EXPECT_GT(rock, 1000U);
}

}  // namespace
}  // namespace vf

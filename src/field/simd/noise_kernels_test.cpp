#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "field/noise_constants.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bound_noise.h"
#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {
namespace {

BoundNoise random_noise(std::mt19937& random, NoiseBasis basis, NoiseShape shape) {
  BoundNoise noise;
  noise.basis = basis;
  noise.shape = shape;
  noise.count = 1 + static_cast<int>(random() % 4);
  float amplitude = 1;
  for (int i = 0; i < noise.count; ++i) {
    BoundOctave& o = noise.octaves[static_cast<std::size_t>(i)];
    const auto axis = [&] {
      const float period = static_cast<float>(64 + random() % 40000) / 1024.0F;
      const float offset = std::floor(period * static_cast<float>(random() % 1000)) / 1024.0F;
      return BoundOctaveAxis{offset, period, 1.0F / period, static_cast<std::uint32_t>(random())};
    };
    o.x = axis();
    o.y = axis();
    o.z = axis();
    o.amplitude = amplitude;
    o.scaled_amplitude = amplitude / kPerlin3Max;
    o.seed = static_cast<std::uint32_t>(random());
    amplitude *= 0.5F;
  }
  return noise;
}

/// Values at the brick's samples through the kernel for arbitrary points.
std::vector<float> at_points(const BatchKernels& kernels, Opcode op, const BoundNoise& noise, Vec3f origin,
                             float voxel) {
  std::vector<float> x(kBrickSamples), y(kBrickSamples), z(kBrickSamples), out(kBrickSamples);
  for (std::size_t i = 0; i < kBrickSamples; ++i) {
    x[i] = origin.x + voxel * static_cast<float>(i % 8);
    y[i] = origin.y + voxel * static_cast<float>(i / 8 % 8);
    z[i] = origin.z + voxel * static_cast<float>(i / 64);
  }
  const std::array<Operand, 3> in{Operand{x.data(), 0, 0}, Operand{y.data(), 0, 0}, Operand{z.data(), 0, 0}};
  KernelArgs args;
  args.dst = out.data();
  args.noise = &noise;
  Extent all;
  all.end = kBrickSamples;
  kernels.op[static_cast<std::size_t>(op)](args, in.data(), all);
  return out;
}

class NoiseKernels : public testing::TestWithParam<std::tuple<NoiseBasis, NoiseShape>> {};

TEST_P(NoiseKernels, GridColumnsAndPointsGiveTheSameBitsAtEveryLevel) {
  const auto [basis, shape] = GetParam();
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const BoundNoise noise = random_noise(random, basis, shape);
    const float voxel = 0.25F * static_cast<float>(1 << (random() % 5));
    const auto place = [&] { return voxel * static_cast<float>(static_cast<int>(random() % 400) - 200); };
    const Vec3f origin{place(), place(), place()};
    const std::vector<float> expected =
        at_points(batch_kernels(SimdLevel::kScalar), Opcode::kNoise3, noise, origin, voxel);
    const std::vector<float> flat =
        at_points(batch_kernels(SimdLevel::kScalar), Opcode::kNoise2, noise, origin, voxel);
    for (const SimdLevel level : supported_simd_levels()) {
      const BatchKernels& kernels = batch_kernels(level);
      EXPECT_EQ(at_points(kernels, Opcode::kNoise3, noise, origin, voxel), expected) << to_string(level);
      alignas(64) std::array<float, kBrickSamples> grid, columns;
      kernels.noise3_grid(noise, origin, voxel, grid.data());
      EXPECT_TRUE(std::equal(grid.begin(), grid.end(), expected.begin())) << to_string(level);
      alignas(64) std::array<float, 64> x, y, grid2;
      alignas(64) std::array<float, 16> z;
      for (std::size_t i = 0; i < 64; ++i) {
        x[i] = origin.x + voxel * static_cast<float>(i % 8);
        y[i] = origin.y + voxel * static_cast<float>(i / 8);
      }
      for (std::size_t i = 0; i < 16; ++i) z[i] = origin.z + voxel * static_cast<float>(i % 8);
      const Extent whole{0, kBrickEdge, 0, 64, {0, 1, 64}};
      kernels.noise3_columns(noise, x.data(), y.data(), z.data(), whole, columns.data());
      EXPECT_TRUE(std::equal(columns.begin(), columns.end(), expected.begin())) << to_string(level);
      const Extent part{3, 6, 16, 48, {0, 1, 64}};
      columns.fill(0);
      kernels.noise3_columns(noise, x.data(), y.data(), z.data(), part, columns.data());
      for (std::ptrdiff_t at = 3 * 64 + 16; at < 6 * 64; at += 64)
        EXPECT_TRUE(std::equal(columns.begin() + at, columns.begin() + at + 32, expected.begin() + at))
            << to_string(level);
      kernels.noise2_grid(noise, origin, voxel, grid2.data());
      EXPECT_TRUE(std::equal(grid2.begin(), grid2.end(), flat.begin())) << to_string(level);
    }
  }
}

// Intervals without an end, and lanes that nobody reads, reach the kernels as infinities and NaN. Whatever
// comes out, it is the same at every level, and no conversion to an integer is left to the machine.
TEST(Kernels, AnswerEveryInputAlikeAtEveryLevel) {
  constexpr float kMax = std::numeric_limits<float>::max(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const std::array<float, 16> inputs{std::numeric_limits<float>::quiet_NaN(),
                                     kInfinity,
                                     -kInfinity,
                                     kMax,
                                     -kMax,
                                     0x1p31F,
                                     -0x1p31F,
                                     0x1.fffffep30F,
                                     -0x1.000002p31F,
                                     1e30F,
                                     -1e30F,
                                     100,
                                     -200,
                                     0x1p-149F,
                                     -0.0F,
                                     0.5F};
  std::mt19937 random(11);
  const BoundNoise noise = random_noise(random, NoiseBasis::kPerlin, NoiseShape::kPlain);
  std::vector<float> x, y, z;
  for (const float a : inputs) {
    for (const float b : inputs) {
      x.push_back(a);
      y.push_back(b);
      z.push_back(0.25F * static_cast<float>(x.size()));
    }
  }
  const std::array<Operand, 3> in{Operand{x.data(), 0, 0}, Operand{y.data(), 0, 0}, Operand{z.data(), 0, 0}};
  const auto values = [&](SimdLevel level, Opcode op) {
    std::vector<float> out(x.size());
    KernelArgs args;
    args.dst = out.data();
    args.noise = &noise;
    Extent all;
    all.end = static_cast<int>(x.size());
    batch_kernels(level).op[static_cast<std::size_t>(op)](args, in.data(), all);
    return out;
  };
  for (const Opcode op : {Opcode::kExp, Opcode::kNoise2, Opcode::kNoise3, Opcode::kCellular2,
                          Opcode::kCellular3, Opcode::kFloor}) {
    const std::vector<float> expected = values(SimdLevel::kScalar, op);
    for (const SimdLevel level : supported_simd_levels()) {
      const std::vector<float> got = values(level, op);
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
            << to_string(level) << " op " << static_cast<int>(op) << " at " << x[i] << ", " << y[i] << ": "
            << got[i] << ", scalar " << expected[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NoiseKernels,
                         testing::Combine(testing::Values(NoiseBasis::kPerlin, NoiseBasis::kValue),
                                          testing::Values(NoiseShape::kPlain, NoiseShape::kRidged,
                                                          NoiseShape::kBillow)));

}  // namespace
}  // namespace vf

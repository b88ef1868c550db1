// The error analysis of interval-inl.h, where trying every float is the proof.
#include "field/simd/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/opcode.h"
#include "field/simd/batch_kernels.h"
#include "field/simd_level.h"

namespace vf {
namespace {

constexpr int kBlock = 4096;
constexpr double kUnit = 0x1p-24;

/// Calls check(x, f(x)) for every `step`-th float from `from` to `to`, both positive.
template <class Check>
void for_floats(Opcode op, const BoundPeriodic* periodic, float from, float to, std::uint32_t step,
                const Check& check) {
  const BatchKernels& kernels = batch_kernels(best_simd_level());
  std::vector<float> x(kBlock), y(kBlock);
  const std::array<Operand, 1> in{Operand{x.data(), 0, 0}};
  KernelArgs args;
  args.dst = y.data();
  Extent block;
  block.end = kBlock;
  args.periodic = periodic;
  const auto first = std::bit_cast<std::uint32_t>(from), last = std::bit_cast<std::uint32_t>(to);
  for (std::uint64_t at = first; at <= last; at += static_cast<std::uint64_t>(kBlock) * step) {
    for (std::size_t i = 0; i < kBlock; ++i)
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(std::min<std::uint64_t>(at + i * step, last)));
    kernels.op[static_cast<std::size_t>(op)](args, in.data(), block);
    for (std::size_t i = 0; i < kBlock; ++i) check(x[i], y[i]);
  }
}

TEST(IntervalMargins, CosineOfTurnsIsWithinTwoUnitsAndNeverLeavesItsRange) {
  // Below 2^-13 turns the cosine is 1 to within 2^-25. The other quarters mirror this one exactly.
  const BoundPeriodic turns{0, 1, 1};
  double worst = 0, most = 0;
  for_floats(Opcode::kWave, &turns, 0x1p-13F, 0.25F, 1, [&](float t, float c) {
    const double exact = std::cos(6.283185307179586476925 * static_cast<double>(t));
    worst = std::max(worst, std::fabs(static_cast<double>(c) - exact));
    most = std::max(most, std::fabs(static_cast<double>(c)));
  });
  EXPECT_LT(worst, 2 * kUnit);
  EXPECT_LE(most, 1.0);
}

TEST(IntervalMargins, ExponentialIsWithinFourUnitsOfItself) {
  double worst = 0;
  for (const Opcode sign : {Opcode::kExp}) {
    for_floats(sign, nullptr, 0x1p-26F, 80.0F, 17, [&](float x, float e) {
      const double exact = std::exp(static_cast<double>(x));
      worst = std::max(worst, std::fabs(static_cast<double>(e) / exact - 1));
    });
  }
  for_floats(Opcode::kExp, nullptr, -0x1p-26F, -80.0F, 17, [&](float x, float e) {
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::fabs(static_cast<double>(e) / exact - 1));
  });
  EXPECT_LT(worst, 4 * kUnit);
}

TEST(IntervalMargins, SineAndCosineOfRadiansStayWithinHalfTheirMargin) {
  double worst = 0;
  for (const Opcode op : {Opcode::kSin, Opcode::kCos}) {
    for_floats(op, nullptr, 0x1p-12F, 8192.0F, 37, [&](float x, float v) {
      const double a = static_cast<double>(x);
      const double exact = op == Opcode::kSin ? std::sin(a) : std::cos(a);
      worst = std::max(worst, std::fabs(static_cast<double>(v) - exact));
    });
  }
  EXPECT_LT(worst, 0.5 * static_cast<double>(IntervalMargins{}.trigonometry) * kUnit);
}

TEST(IntervalMargins, AngleStaysWithinHalfItsMargin) {
  const BatchKernels& kernels = batch_kernels(best_simd_level());
  std::vector<float> x(kBlock), y(kBlock), out(kBlock);
  const std::array<Operand, 2> in{Operand{x.data(), 0, 0}, Operand{y.data(), 0, 0}};
  KernelArgs args;
  args.dst = out.data();
  Extent block;
  block.end = kBlock;
  double worst = 0;
  for (int turn = 0; turn < 512; ++turn) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const double a = (turn * kBlock + static_cast<double>(i)) / (512.0 * kBlock) * 6.283185307179586;
      x[i] = static_cast<float>(37 * std::cos(a));
      y[i] = static_cast<float>(37 * std::sin(a));
    }
    kernels.op[static_cast<std::size_t>(Opcode::kAngle)](args, in.data(), block);
    for (std::size_t i = 0; i < kBlock; ++i) {
      const double exact = std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]));
      worst = std::max(worst, std::fabs(static_cast<double>(out[i]) - exact));
    }
  }
  EXPECT_LT(worst, 0.5 * static_cast<double>(IntervalMargins{}.angle) * 3.14159 * kUnit);
}

}  // namespace
}  // namespace vf

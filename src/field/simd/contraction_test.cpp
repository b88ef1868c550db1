// Negative control 12, compilers: fused multiply-add, fast-math and the cosine of libm change bits, and the
// comparison of digests shows each. (Distance: src/plan/resolve_test.cpp.)
//
// Slow by name, not by time: in builds that do not inline, the linker takes one copy of a kernel for all, and
// the probes would run the library's.
#include <gtest/gtest.h>
#include <cstdint>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/digest.h"
#include "field/opcode.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bound_noise.h"
#include "field/simd/probe.h"
#include "field/simd_level.h"

namespace vf {
namespace {

constexpr std::size_t kCount = 4096;

struct Input {
  BoundNoise noise;
  std::vector<float> x, y, z;

  Input() {
    std::mt19937 random(12);
    for (BoundOctave* o : {&noise.octaves[0], &noise.octaves[1]}) {
      o->x = o->y = o->z = {1.75F, 5.25F, 1.0F / 5.25F, 7};
      o->seed = static_cast<std::uint32_t>(random());
    }
    noise.octaves[1].amplitude = noise.octaves[1].scaled_amplitude = 0.5F;
    noise.count = 2;
    for (std::size_t i = 0; i < kCount; ++i)
      for (auto* v : {&x, &y, &z}) v->push_back(static_cast<float>(random() % 65536) / 1024.0F - 20);
  }
};

std::string digest_of(std::span<const float> values) {
  Digester digester;
  digester.add(values);
  return to_hex(digester.finish());
}

/// Of the three parts of a probe's output.
std::array<std::string, 3> digests_of(const Input& in, probe::Probe run) {
  std::vector<float> out(3 * kCount);
  run(in.noise, {kCount, in.x.data(), in.y.data(), in.z.data()}, out.data());
  const std::span<const float> all(out);
  return {digest_of(all.subspan(0, kCount)), digest_of(all.subspan(kCount, kCount)),
          digest_of(all.subspan(2 * kCount))};
}

/// Noise and angle from the library's kernels: the gate's reference.
std::array<std::string, 2> reference(const Input& in, SimdLevel level) {
  const BatchKernels& kernels = batch_kernels(level);
  const auto digest = [&](Opcode op, std::span<const Operand> operands) {
    std::vector<float> out(kCount);
    KernelArgs args;
    args.dst = out.data();
    if (op == Opcode::kNoise3) args.noise = &in.noise;
    Extent all;
    all.end = kCount;
    kernels.op[static_cast<std::size_t>(op)](args, operands.data(), all);
    return digest_of(out);
  };
  const std::array<Operand, 3> p{Operand{in.x.data(), 0, 0}, Operand{in.y.data(), 0, 0},
                                 Operand{in.z.data(), 0, 0}};
  return {digest(Opcode::kNoise3, p), digest(Opcode::kAngle, p)};
}

bool runs_fused() {
  const auto levels = supported_simd_levels();
  return std::find(levels.begin(), levels.end(), SimdLevel::kAvx2) != levels.end();
}

TEST(ContractionSlow, TheProbeIsGreenAsTheLibraryIsBuilt) {
  const Input in;
  const auto probed = digests_of(in, &probe::as_built);
  for (const SimdLevel level : supported_simd_levels()) {
    const auto expected = reference(in, level);
    EXPECT_EQ(probed[0], expected[0]) << to_string(level);
    EXPECT_EQ(probed[2], expected[1]) << to_string(level);
  }
}

TEST(ContractionSlow, FusedMultiplyAddTurnsTheDigestRed) {
  if (!runs_fused()) GTEST_SKIP() << "this machine cannot fuse";
  const Input in;
  EXPECT_NE(digests_of(in, &probe::fused)[0], digests_of(in, &probe::as_built)[0]);
}

TEST(ContractionSlow, FastMathTurnsTheDigestRed) {
  const Input in;
  EXPECT_NE(digests_of(in, &probe::fast_math), digests_of(in, &probe::as_built));
}

TEST(ContractionSlow, TheCosineOfLibmTurnsTheDigestRed) {
  const Input in;
  std::vector<float> cosines;
  for (const float x : in.x) cosines.push_back(std::cos(6.28318530717958647692F * x));
  EXPECT_NE(digest_of(cosines), digests_of(in, &probe::as_built)[1]);
}

}  // namespace
}  // namespace vf

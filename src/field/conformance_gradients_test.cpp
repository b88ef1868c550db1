// Gradients against finite differences.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/conformance_cases.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"

namespace vf::conformance {
namespace {

constexpr std::size_t kPoints = 256;

struct Samples {
  std::array<std::vector<float>, 3> at;
  Samples() {
    for (std::vector<float>& v : at) v.resize(kPoints);
  }
};

class EveryOpGradient : public testing::TestWithParam<Opcode> {};

TEST_P(EveryOpGradient, MatchesFiniteDifferences) {
  Random random(9 + static_cast<std::uint64_t>(GetParam()));
  std::size_t compared = 0, skipped = 0, wrong = 0;
  std::ostringstream first;
  for (int trial = 0; trial < 30; ++trial) {
    const Case c = make_case(GetParam(), random);
    BatchEvaluator batch(*c.field, best_simd_level());
    const Tape tape = full_tape(*c.program);
    Samples s;
    const std::array<float, 3> lo{c.domain.min.x, c.domain.min.y, c.domain.min.z};
    const std::array<float, 3> hi{c.domain.max.x, c.domain.max.y, c.domain.max.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (float& v : s.at[axis]) v = random.on_grid(lo[axis], hi[axis]);
    const auto values = [&](std::size_t axis, float step) {
      std::vector<float> moved = s.at[axis];
      for (float& v : moved) v += step;
      std::array<const float*, 3> p{s.at[0].data(), s.at[1].data(), s.at[2].data()};
      p[axis] = moved.data();
      std::vector<float> out(kPoints);
      float* const to[1] = {out.data()};
      batch.points(tape, {kPoints, p[0], p[1], p[2], {}}, to);
      return out;
    };
    std::vector<float> value(kPoints);
    std::array<std::vector<float>, 3> gradient;
    for (std::vector<float>& g : gradient) g.resize(kPoints);
    batch.gradients(tape, {kPoints, s.at[0].data(), s.at[1].data(), s.at[2].data(), {}}, value.data(),
                    gradient[0].data(), gradient[1].data(), gradient[2].data());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      constexpr float kStep = 1.0F / 512;
      const std::vector<float> a = values(axis, -kStep), b = values(axis, kStep);
      const std::vector<float> a8 = values(axis, -8 * kStep), b8 = values(axis, 8 * kStep);
      const std::vector<float> a2 = values(axis, -2 * kStep), b2 = values(axis, 2 * kStep);
      for (std::size_t i = 0; i < kPoints; ++i) {
        const double near = static_cast<double>(b[i] - a[i]) / (2.0 * static_cast<double>(kStep));
        const double wide = static_cast<double>(b2[i] - a2[i]) / (4.0 * static_cast<double>(kStep));
        const double widest = static_cast<double>(b8[i] - a8[i]) / (16.0 * static_cast<double>(kStep));
        const double forward = static_cast<double>(b[i] - value[i]) / static_cast<double>(kStep);
        const double backward = static_cast<double>(value[i] - a[i]) / static_cast<double>(kStep);
        const double rounding = std::fabs(static_cast<double>(value[i])) * 0x1p-24 * 512 * 4;
        const double tolerance = 0.02 * (1 + std::fabs(near)) + rounding;
        // Differences that disagree among themselves have a kink or a jump between them, or see rounding
        // only.
        const bool smooth = std::fabs(near - wide) < tolerance && std::fabs(near - widest) < 8 * tolerance &&
                            std::fabs(forward - backward) < 4 * tolerance &&
                            rounding < 0.1 * (1 + std::fabs(near));
        const bool jumps = GetParam() == Opcode::kFloor && near != 0;
        if (!smooth || jumps) {
          ++skipped;
          continue;
        }
        ++compared;
        const double got = static_cast<double>(gradient[axis][i]);
        if (std::fabs(got - near) <= 2 * tolerance) continue;
        if (wrong++ > 0) continue;
        first << "axis " << axis << ": " << got << ", not " << near << ", at (" << s.at[0][i] << ", "
              << s.at[1][i] << ", " << s.at[2][i] << ")";
      }
    }
  }
  EXPECT_GT(4 * compared, skipped) << "of " << compared + skipped << " differences";
  // Inner roundings that the steps blow up, and kinks that hide from all steps.
  EXPECT_LE(400 * wrong, compared) << wrong << " of " << compared << ", first " << first.str();
}

std::vector<Opcode> differentiable_opcodes() {
  std::vector<Opcode> out = field_opcodes();
  std::erase(out, Opcode::kSnap);  // below
  return out;
}

std::string op_name(const testing::TestParamInfo<Opcode>& info) {
  return std::string(to_string(info.param));
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryOpGradient, testing::ValuesIn(differentiable_opcodes()), op_name);

TEST(Conformance, SnapHasTheGradientOfItsInput) {
  ProgramMaker m;
  const NodeId x = m.node(Opcode::kMultiply, 0, {m.x(), m.constant(3)});
  const auto field = m.bind(m.node(Opcode::kSnap, 0, {x}));
  const float at = 1.25F;
  float value = 0, gx = 0, gy = 1, gz = 1;
  BatchEvaluator(*field, SimdLevel::kScalar)
      .gradients(full_tape(*field->program), {1, &at, &at, &at, {}}, &value, &gx, &gy, &gz);
  EXPECT_EQ(value, 3.75F);
  EXPECT_EQ(gx, 3.0F);
  EXPECT_EQ(gy, 0.0F);
  EXPECT_EQ(gz, 0.0F);
}

}  // namespace
}  // namespace vf::conformance

#include "field/fold.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "field/opcode.h"
#include "field/program.h"
#include "field/recipe_for_tests.h"

namespace vf {
namespace {

using test::Built;

TEST(Fold, BasicOpsGiveTheEvaluatorsBits) {
  std::mt19937 random(3);
  const auto number = [&] { return (static_cast<float>(random() >> 8) / 16777216.0F - 0.5F) * 200; };
  for (const Opcode op : {Opcode::kNegate, Opcode::kAbs, Opcode::kFloor, Opcode::kSquare, Opcode::kCube,
                          Opcode::kSnap, Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply, Opcode::kDivide,
                          Opcode::kMin, Opcode::kMax, Opcode::kMod, Opcode::kSqrt}) {
    for (int i = 0; i < 200; ++i) {
      std::vector<float> in{number(), number()};
      if (op == Opcode::kSqrt || op == Opcode::kMod) in[0] = std::abs(in[0]), in[1] = std::abs(in[1]) + 0.01F;
      in.resize(static_cast<std::size_t>(input_count(op)));
      Node node;
      node.op = op;
      const std::optional<float> folded = fold_basic(op, in);
      ASSERT_TRUE(folded);
      // +0 and -0 are one value.
      EXPECT_EQ(std::bit_cast<std::uint32_t>(*folded + 0.0F),
                std::bit_cast<std::uint32_t>(fold_by_evaluator(node, {}, in) + 0.0F))
          << to_string(op) << " " << in[0];
    }
  }
}

TEST(Fold, LeavesNoOperationOverConstants) {
  const Built b(
      "phi = \"z - sin(1) - exp(-1)*smoothstep(0, 3, 1) - angle(1, 2) - length(3, 4) - smin(1, 2, 3)\"");
  ASSERT_EQ(b.error, "");
  for (const Node& n : b.density().nodes) {
    bool all = input_count(n.op) > 0;
    for (int i = 0; i < input_count(n.op); ++i)
      all = all && b.density().nodes[n.in[static_cast<std::size_t>(i)]].op == Opcode::kConstant;
    EXPECT_FALSE(all) << to_string(n.op);
  }
}

TEST(Fold, ConstantsOfAnyWordMayStandWhereConstantsMust) {
  const Built b("phi = \"smin(z - 8, 9 - z, exp(-1) + sin(1))\"");
  EXPECT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kSmin), 1);
}

}  // namespace
}  // namespace vf

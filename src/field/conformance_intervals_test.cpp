// Bounds hold, for every opcode, and a tape cut by them has the same values.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "field/conformance_cases.h"
#include "field/conformance_search.h"
#include "field/opcode.h"
#include "field/simd_level.h"

namespace vf::conformance {
namespace {

class EveryOp : public testing::TestWithParam<Opcode> {};

TEST_P(EveryOp, StaysWithinItsBoundsUnderAdversarialSearch) {
  SearchOptions options;
  options.points = points_per_op(400'000);
  options.seed = 100 + static_cast<std::uint64_t>(GetParam());
  options.level = best_simd_level();
  options.pruned = true;
  const SearchResult found = search(GetParam(), options);
  EXPECT_EQ(found.escapes, 0U) << found.first;
  EXPECT_EQ(found.differences, 0U) << found.first;
  EXPECT_EQ(found.unknown, 0U) << "of " << found.boxes << " boxes";
  RecordProperty("slack", std::to_string(found.slack));
}

std::string op_name(const testing::TestParamInfo<Opcode>& info) {
  return std::string(to_string(info.param));
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryOp, testing::ValuesIn(field_opcodes()), op_name);

}  // namespace
}  // namespace vf::conformance

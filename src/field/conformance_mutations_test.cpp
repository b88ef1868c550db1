// Each margin and proven constant of the interval evaluator is needed: made too small, the conformance check
// of some op finds values outside of their bounds, or cut tapes with other values.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "field/conformance_cases.h"
#include "field/conformance_search.h"
#include "field/opcode.h"
#include "field/simd/interval.h"
#include "field/simd_level.h"

namespace vf::conformance {
namespace {

/// Whether the search of conformance_intervals_test.cpp fails for `op` with these margins.
bool notices(Opcode op, const IntervalMargins& margins, std::uint64_t points = 20'000'000) {
  SearchOptions options;
  options.points = points;
  options.seed = 4321 + static_cast<std::uint64_t>(op);
  options.level = best_simd_level();
  options.margins = margins;
  options.pruned = true;
  const SearchResult found = search(op, options);
  return found.escapes > 0 || found.differences > 0;
}

struct Mutation {
  const char* name;
  Opcode op;
  float IntervalMargins::* margin;
  float value;
};

std::string mutation_name(const testing::TestParamInfo<Mutation>& tested) {
  return tested.param.name;
}
std::string op_name(const testing::TestParamInfo<Opcode>& tested) {
  return std::string(to_string(tested.param));
}

class TooSmall : public testing::TestWithParam<Mutation> {};

TEST_P(TooSmall, IsNoticed) {
  IntervalMargins margins;
  margins.*GetParam().margin = GetParam().value;
  EXPECT_TRUE(notices(GetParam().op, margins));
}

using M = IntervalMargins;
// 0: no margin. Below 0: ends moved inwards, where the computed function happens to be monotone over all
// floats (as cos_turns, exp_of and angle_of are), so that the margin only stands for what we have not proven.
INSTANTIATE_TEST_SUITE_P(
    Conformance, TooSmall,
    testing::Values(Mutation{"smin_rounding", Opcode::kSmin, &M::smin, 0},
                    Mutation{"smax_rounding", Opcode::kSmax, &M::smin, 0},
                    Mutation{"mix_rounding", Opcode::kMix, &M::mix, 0},
                    Mutation{"smoothstep_rounding", Opcode::kSmoothstep, &M::smoothstep, 0},
                    Mutation{"wave_rounding", Opcode::kWave, &M::cosine, -16},
                    Mutation{"wave_extrema", Opcode::kWave, &M::extrema, 0},
                    Mutation{"wave_wrap", Opcode::kWave, &M::wraps, 0},
                    Mutation{"repeat_wrap", Opcode::kRepeat, &M::wraps, 0},
                    Mutation{"repeat_period", Opcode::kRepeat, &M::period, 0.99F},
                    Mutation{"mod_rounding", Opcode::kMod, &M::mod, 0},
                    Mutation{"mod_wrap", Opcode::kMod, &M::wraps, 0},
                    Mutation{"sin_rounding", Opcode::kSin, &M::trigonometry, 0},
                    Mutation{"cos_rounding", Opcode::kCos, &M::trigonometry, 0},
                    Mutation{"sin_extrema", Opcode::kSin, &M::extrema, 0},
                    Mutation{"cos_extrema", Opcode::kCos, &M::extrema, 0},
                    Mutation{"exp_rounding", Opcode::kExp, &M::exponential, -16},
                    Mutation{"angle_rounding", Opcode::kAngle, &M::angle, -16},
                    Mutation{"spline_rounding", Opcode::kSpline, &M::spline, 0},
                    Mutation{"capsule_rounding", Opcode::kCapsule, &M::capsule, 0},
                    Mutation{"capsule_reach", Opcode::kCapsule, &M::reach, 0.98F},
                    Mutation{"helix_rounding", Opcode::kHelix, &M::helix, -4096},
                    Mutation{"helix_wrap", Opcode::kHelix, &M::wraps, 0},
                    Mutation{"noise2_rounding", Opcode::kNoise2, &M::noise, 0},
                    Mutation{"noise3_rounding", Opcode::kNoise3, &M::noise, 0},
                    Mutation{"noise2_range", Opcode::kNoise2, &M::noise_range, 0.75F},
                    Mutation{"noise3_range", Opcode::kNoise3, &M::noise_range, 0.65F},
                    Mutation{"noise2_slope", Opcode::kNoise2, &M::noise_slope, 0.5F},
                    Mutation{"noise3_slope", Opcode::kNoise3, &M::noise_slope, 0.4F},
                    Mutation{"noise2_curvature", Opcode::kNoise2, &M::noise_curvature, 0.3F},
                    Mutation{"noise3_curvature", Opcode::kNoise3, &M::noise_curvature, 0.3F},
                    Mutation{"noise2_jerk", Opcode::kNoise2, &M::noise_jerk, 0.2F},
                    Mutation{"noise3_jerk", Opcode::kNoise3, &M::noise_jerk, 0.2F},
                    Mutation{"noise2_cells", Opcode::kNoise2, &M::wraps, 0},
                    Mutation{"noise3_cells", Opcode::kNoise3, &M::wraps, 0},
                    Mutation{"cellular2_slope", Opcode::kCellular2, &M::cellular_slope, 0.95F},
                    Mutation{"cellular3_slope", Opcode::kCellular3, &M::cellular_slope, 0.95F},
                    Mutation{"cellular2_rounding", Opcode::kCellular2, &M::cellular, 0},
                    Mutation{"cellular3_rounding", Opcode::kCellular3, &M::cellular, 0},
                    Mutation{"smin_drop", Opcode::kSmin, &M::drop, 0.8F},
                    Mutation{"smax_drop", Opcode::kSmax, &M::drop, 0.8F},
                    Mutation{"features_drop", Opcode::kFeatures, &M::drop, 0.5F},
                    Mutation{"features_blend_rounding", Opcode::kFeatures, &M::smin, 0}),
    mutation_name);

/// Ops whose bound is not reached by values to within the part taken off below.
float shrink_of(Opcode op) {
  switch (op) {
    case Opcode::kNoise2:
    case Opcode::kNoise3:
      return 0.2F;
    case Opcode::kCellular2:
    case Opcode::kCellular3:
    case Opcode::kHelix:
    case Opcode::kFeatures:
      return 0.05F;
    default:
      return 0.01F;
  }
}

class ShrunkOp : public testing::TestWithParam<Opcode> {};

TEST_P(ShrunkOp, IsNoticed) {
  IntervalMargins margins;
  margins.shrunk_op = static_cast<std::uint8_t>(GetParam());
  margins.shrink = shrink_of(GetParam());
  EXPECT_TRUE(notices(GetParam(), margins));
}

std::vector<Opcode> ops_with_width() {
  std::vector<Opcode> out = field_opcodes();
  std::erase(out, Opcode::kConstant);
  std::erase(out, Opcode::kValue);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Conformance, ShrunkOp, testing::ValuesIn(ops_with_width()), op_name);

}  // namespace
}  // namespace vf::conformance

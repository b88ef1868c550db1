// The fixed sample of the matrix of audits: every shipped type, and places where it once was violated.
// script/nightly runs the whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "audit/audit_report.h"
#include "audit/sector_audits.h"
#include "field/simd_level.h"
#include "test_support/shipped_worlds.h"

namespace vf {
namespace {

struct Sample {
  std::string name, type;
  std::uint64_t seed = 1;
  std::int64_t sx = 0, sy = 0;
};

std::vector<Sample> samples() {
  std::vector<Sample> out;
  for (const std::string& type : test::shipped_types()) out.push_back({type, type});
  // A way came down to a node before it had left the corner of its place.
  out.push_back({"down_to_a_corner", "floating_islands", 4, 3, -2});
  out.push_back({"down_to_a_corner_again", "floating_islands", 5, 0, 0});
  // Two ways left a node on one strip.
  out.push_back({"two_ways_on_one_strip", "floating_islands", 7, 0, 0});
  out.push_back({"back_on_one_strip", "floating_islands", 19, 3, -2});
  // The bank of a place ended a metre beyond its ends.
  out.push_back({"a_place_on_a_slope", "too_clean_hills", 5, 3, -2});
  return out;
}

AuditReport audit(const Sample& sample) {
  const test::ShippedWorld w = test::open_shipped(sample.type, sample.seed);
  // Stratum 1 has passages above and below.
  return audit_sector_of(w.world, w.built, 1, sample.sx, sample.sy, best_simd_level(),
                         {"capsule", "floor", "grade", "width", "height", "ripple", "mouths", "flood",
                          "seals", "places", "sight", "falls", "certificate"});
}

class ShippedAuditsSlow : public testing::TestWithParam<Sample> {};

TEST_P(ShippedAuditsSlow, FindNoViolation) {
  const AuditReport report = audit(GetParam());
  EXPECT_EQ(report.rows.size(), 15U);
  for (const AuditRow& row : report.rows) EXPECT_GT(row.checked, 0U) << row.audit;
  for (const Violation& v : report.violations)
    ADD_FAILURE() << fmt::format(
        "{}: {}, at {:.2f}, {:.2f}, {:.2f}; voxelforge shot type:{} --seed {} "
        "--stratum 1 {}",
        v.audit, v.message, v.at_m.x, v.at_m.y, v.at_m.z, GetParam().type, GetParam().seed,
        camera_arguments(v));
}

INSTANTIATE_TEST_SUITE_P(Sectors, ShippedAuditsSlow, testing::ValuesIn(samples()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace vf

#include "audit/identity_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/plan_audit.h"
#include "base/ids.h"
#include "base/result.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"
#include "test_support/plans.h"

namespace vf {
namespace {

PlanOrigin some_origin() {
  PlanOrigin origin;
  origin.recipe_id = "some_type";
  return origin;
}

/// A resolver without a fault: made-up records, keyed by the sector.
SectorPlan good_plan(std::int64_t sx, std::int64_t sy) {
  SectorPlan plan =
      test::some_snapshot(hash_words({static_cast<std::uint64_t>(sx), static_cast<std::uint64_t>(sy)})).plan;
  plan.stratum = 0;
  plan.sx = sx;
  plan.sy = sy;
  return plan;
}

std::vector<std::string> audited(const ResolveSector& resolve) {
  return audit_identity(some_origin(), resolve, 4, -7, 8);
}

TEST(IdentityAudit, FindsNothingInAPureFunction) {
  const auto wrong = audited(good_plan);
  EXPECT_TRUE(wrong.empty()) << wrong.front();
}

// Negative control 11, three faults. Where the plan's own audit cannot see the fault, only this gate is red.
TEST(IdentityAudit, FailsWhenRecordsStandInTheOrderOfThreads) {
  std::atomic<std::size_t> arrivals = 0;
  const auto wrong = audited([&](std::int64_t sx, std::int64_t sy) -> Result<SectorPlan> {
    SectorPlan plan = good_plan(sx, sy);
    auto& set = plan.features[0];
    const auto shift = static_cast<std::ptrdiff_t>(arrivals++ % set.size());
    std::rotate(set.begin(), set.begin() + shift, set.end());
    return plan;
  });
  EXPECT_FALSE(wrong.empty());
}

TEST(IdentityAudit, FailsWhenRecordsAreNeverSorted) {
  const auto wrong = audited([](std::int64_t sx, std::int64_t sy) -> Result<SectorPlan> {
    SectorPlan plan = good_plan(sx, sy);
    std::reverse(plan.lights.begin(), plan.lights.end());
    return plan;
  });
  ASSERT_EQ(wrong.size(), 4U) << "every sector's snapshot is refused; nothing else is wrong";
  EXPECT_NE(wrong.front().find("expected ids to rise"), std::string::npos) << wrong.front();
}

TEST(IdentityAudit, FailsWhenAPlaceIsDrawnFromARunningGenerator) {
  std::atomic<std::uint64_t> state = 1;  // as rand() has one
  std::atomic<int> plan_faults = 0;
  const auto wrong = audited([&](std::int64_t sx, std::int64_t sy) -> Result<SectorPlan> {
    SectorPlan plan = good_plan(sx, sy);
    plan.features[0][0].at.x = static_cast<std::int64_t>(mix64(state++) % 60'000) * 15625;
    plan_faults += static_cast<int>(audit_plan(plan).size());
    return plan;
  });
  EXPECT_FALSE(wrong.empty());
  EXPECT_EQ(plan_faults, 0) << "each plan alone is sound";
}

TEST(IdentityAudit, FailsWhenASectorRemembersTheOneBefore) {
  std::atomic<std::int64_t> before = 0;
  const auto wrong = audited([&](std::int64_t sx, std::int64_t sy) -> Result<SectorPlan> {
    SectorPlan plan = good_plan(sx, sy);
    plan.lights[0].at.z += 15625 * (before.exchange(sx) % 2);
    return plan;
  });
  EXPECT_FALSE(wrong.empty());
}

}  // namespace
}  // namespace vf

// Each audit sees the fault it is there for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "audit/extent_audit.h"
#include "audit/gradient_audit.h"
#include "audit/plan_audit.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "plan/sector_plan.h"
#include "recipe/recipe.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

template <class Change>
std::shared_ptr<const BoundField> islands_with(const Change& change) {
  const auto program = islands_program();
  auto places = scattered_islands(*program, 60, 120);
  for (FeatureInstance& f : places) change(f);
  return bound(program, {}, {places});
}

const Box3f kRegion{{-50, -50, 2}, {50, 50, 94}};

// Negative control 16: features that are only seen from their own cell make the density jump.
TEST(GradientAudit, TurnsRedWhenFeaturesAreNotSeenFromTheNextCell) {
  const auto near_sighted = islands_with([](FeatureInstance& f) {
    f.value_box = {{f.at.x - 8, f.at.y - 8, f.at.z - 8}, {f.at.x + 8, f.at.y + 8, f.at.z + 8}};
  });
  FieldSampler good(islands_with([](FeatureInstance&) {}), best_simd_level()),
      bad(near_sighted, best_simd_level());
  const GradientReport green = audit_gradient(good, kRegion, 3, 20000, 1);
  EXPECT_EQ(green.wrong, 0U) << green.first;
  EXPECT_EQ(green.pairs, 20000U);
  const GradientReport red = audit_gradient(bad, kRegion, 3, 20000, 1);
  EXPECT_GT(red.wrong, 0U);
  EXPECT_NE(red.first.find("steeper than"), std::string::npos);
}

TEST(GradientAudit, TurnsRedWhenTheDeclaredBoundIsTooSmall) {
  FieldSampler field(bound(surface_program(3)), best_simd_level());
  EXPECT_GT(audit_gradient(field, {{-50, -50, 20}, {50, 50, 60}}, 0.5F, 5000, 2).wrong, 0U);
}

TEST(ExtentAudit, SeesWhatIsCutOffFlat) {
  BuiltRecipe built;
  auto recipe = std::make_shared<Recipe>();
  recipe->features.resize(1);
  recipe->features[0].name = "islands";
  built.recipe = recipe;
  EXPECT_TRUE(audit_extents(built, islands_with([](FeatureInstance&) {}), 20).empty());
  const auto cut = audit_extents(built, islands_with([](FeatureInstance& f) { f.extent_max.z = 1; }), 20);
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut[0].set, "islands");
  EXPECT_EQ(cut[0].places, 20U);
  EXPECT_GT(cut[0].cut, 10U);
  EXPECT_GT(cut[0].deepest_m, 1);
}

TEST(PlanAudit, SeesUnsortedDoubledMisplacedAndBrokenRecords) {
  SectorPlan plan;
  plan.features.resize(1);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    FeatureRecord r;
    r.id = {i * 10};
    r.at = {15625 * 64, 15625, 0};
    plan.features[0].push_back(r);
  }
  EXPECT_TRUE(audit_plan(plan).empty());
  const auto broken = [&](auto&& change) {
    SectorPlan p = plan;
    change(p.features[0]);
    return audit_plan(p).size();
  };
  EXPECT_GE(broken([](auto& r) { std::swap(r[0], r[1]); }), 1U) << "negative control 11: unsorted records";
  EXPECT_GE(broken([](auto& r) { r[1].id = r[0].id; }), 1U);
  EXPECT_GE(broken([](auto& r) { r[2].at.x += 1; }), 1U);
  EXPECT_GE(broken([](auto& r) { r[2].at.x = -1024'000'000 - 15625; }), 1U);
  EXPECT_GE(broken([](auto& r) { r[2].extent_min.z = 5; }), 1U);
  EXPECT_GE(broken([](auto& r) { r[0].values[3] = std::nanf(""); }), 1U);
  EXPECT_GE(broken([](auto& r) { r[0].random[0] = 1; }), 1U);
}

}  // namespace
}  // namespace vf

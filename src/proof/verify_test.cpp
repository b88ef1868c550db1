#include "proof/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/digest.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/region_sampler.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

const TileOptions kBest{best_simd_level(), true};

/// Level 0 within 8 m of an island: brute force is slow.
std::vector<TileKey> few_tiles(const BoundField& field) {
  const Vec3f at = field.sets[0].instances[7].at;
  std::vector<TileKey> out = near_ring_tiles(at.x, at.y, field.program->height_m);
  const auto tx = static_cast<std::int32_t>(std::floor(at.x / 8)),
             ty = static_cast<std::int32_t>(std::floor(at.y / 8));
  std::erase_if(out, [&](const TileKey& t) { return std::abs(t.tx - tx) > 1 || std::abs(t.ty - ty) > 1; });
  return out;
}

/// Islands with their boxes changed by `change` after the plan made them.
template <class Change>
std::shared_ptr<const BoundField> islands_with(const Change& change) {
  const auto program = islands_program();
  auto places = scattered_islands(*program, 60, 120);
  for (FeatureInstance& f : places) change(f);
  return bound(program, {}, {places});
}

TEST(Verify, BoundsOfTheContinuumHold) {
  for (const auto& field : {bound(surface_program()), bound(cave_program()), bound(csg_program()),
                            islands_with([](FeatureInstance&) {}), bound(random_program(2))}) {
    const Box3f region{{-40, -40, -6}, {60, 60, 70}};
    const BoundReport report = verify_bounds(*field, region, 3000, 24, 7, best_simd_level());
    EXPECT_EQ(report.boxes, 3000U);
    EXPECT_EQ(report.wrong, 0U) << report.first;
    EXPECT_EQ(report.unknown, 0U);
  }
}

// Negative control 8: value boxes without blend and displacement lose features; brute force sees it.
TEST(Verify, TurnsRedWhenValueBoxesAreTooSmall) {
  const auto field = islands_with([](FeatureInstance& f) { f.value_box = f.sign_box.grown(-5); });
  const VerifyReport report = verify_region(field, few_tiles(*field), kBest, 2);
  EXPECT_GT(report.wrong + report.different, 0U);
  ASSERT_FALSE(report.first.empty());
  EXPECT_NE(to_string(report.first[0]).find("level 0 tile"), std::string::npos);
}

// Negative control 6, with the boxes of places in the part of columns and pads: one place is left out of the
// proofs. The digest and brute force see it; what each build, instruction set and number of workers says
// stays the same.
TEST(Verify, TurnsRedWhenAPlaceIsLeftOutOfTheProofs) {
  const auto whole = islands_with([](FeatureInstance&) {});
  const auto tiles = few_tiles(*whole);
  const FeatureInstance& left_out = whole->sets[0].instances[7];
  const auto broken = islands_with([&](FeatureInstance& f) {
    if (f.id == left_out.id) f.value_box = f.sign_box = Box3f{{9000, 9000, 9000}, {9000, 9000, 9000}};
  });
  const auto digest = [&](const auto& field, SimdLevel simd, unsigned workers) {
    return to_hex(density_digest(field, tiles, {simd, true}, workers).all);
  };
  const std::string red = digest(broken, kBest.simd, 1);
  EXPECT_NE(red, digest(whole, kBest.simd, 1));
  EXPECT_EQ(red, digest(broken, SimdLevel::kScalar, 1));
  EXPECT_EQ(red, digest(broken, kBest.simd, 2));
  const VerifyReport report = verify_region(broken, tiles, kBest, 2);
  EXPECT_GT(report.wrong + report.different, 0U);
  EXPECT_EQ(report.counts.unknown, 0U);
}

// Negative control 7: boxes that are far too large cost work, never correctness.
TEST(Verify, StaysGreenWhenBoxesAreTooLarge) {
  const auto tight = islands_with([](FeatureInstance&) {});
  const auto loose = islands_with([](FeatureInstance& f) { f.value_box = f.value_box.grown(24); });
  const auto tiles = few_tiles(*tight);
  const VerifyReport report = verify_region(loose, tiles, kBest, 2);
  EXPECT_EQ(report.wrong, 0U);
  EXPECT_EQ(report.different, 0U);
  EXPECT_GE(report.counts.candidates, evaluate_region(tight, tiles, kBest, 2).candidates);
}

// Negative controls 9 and 10: a brick that is called air (or solid) without proof is found.
TEST(Verify, TurnsRedWhenAMixedBrickIsSkipped) {
  const auto field = bound(cave_program());
  TileEvaluator evaluator(field, kBest);
  RegionSampler sampler(field, kBest.simd);
  ProofCounts counts;
  TileDensity density;
  std::uint64_t tampered = 0, wrong = 0;
  for (const TileKey& key : near_ring_tiles(0, 0, 64)) {
    evaluator.evaluate(key, density, counts);
    VerifyReport honest;
    for (std::size_t b = 0; b < kTileBricks && tampered < 12; ++b) {
      const float* values = density.brick(static_cast<int>(b));
      if (values == nullptr) continue;
      const bool solid = values[0] < 0;
      bool mixed = false;
      for (int i = 0; i < kBrickSamples; ++i) mixed = mixed || (values[i] < 0) != solid;
      if (!mixed) continue;
      TileDensity skipped = density;
      skipped.verdict[b] = tampered % 2 == 0 ? Verdict::kAir : Verdict::kSolid;
      skipped.reason[b] = Reason::kProven;
      skipped.block[b] = -1;
      VerifyReport report;
      verify_tile(skipped, sampler, report);
      ++tampered;
      wrong += report.wrong;
      EXPECT_EQ(report.wrong, 1U);
    }
  }
  EXPECT_EQ(tampered, 12U);
  EXPECT_EQ(wrong, tampered);
}

// A value that is off by one ulp is found: pruning may not change a bit.
TEST(Verify, TurnsRedWhenOneBitOfOneSampleDiffers) {
  const auto field = bound(surface_program());
  TileEvaluator evaluator(field, kBest);
  RegionSampler sampler(field, kBest.simd);
  ProofCounts counts;
  TileDensity density;
  for (std::int32_t tz = 0; tz < 13; ++tz) {
    evaluator.evaluate({0, 1, 1, tz}, density, counts);
    if (counts.evaluated > 0) break;
  }
  ASSERT_GT(counts.evaluated, 0U);
  VerifyReport before;
  verify_tile(density, sampler, before);
  EXPECT_EQ(before.different, 0U);
  density.values[77] = std::nextafter(density.values[77], 1e9F);
  VerifyReport after;
  verify_tile(density, sampler, after);
  EXPECT_EQ(after.different, 1U);
}

// A proof that looks at [0, 7] only misses a crossing on the edge to the next brick; brute force over [-1, 8]
// sees it.
TEST(Verify, LooksOneSampleBeyondTheBrick) {
  ProgramMaker m(48);
  const NodeId phi = m.add(Opcode::kSubtract, {m.leaf(Opcode::kZ), m.number(9.9F)});
  const auto field = bound(m.sealed(phi));
  TileEvaluator evaluator(field, kBest);
  RegionSampler sampler(field, kBest.simd);
  TileDensity density;
  ProofCounts counts;
  // Samples 8 ... 9.75 of the lowest bricks are solid; the crossing is on the edge to 10.
  evaluator.evaluate({0, 0, 0, 1}, density, counts);
  VerifyReport honest;
  verify_tile(density, sampler, honest);
  EXPECT_EQ(honest.wrong, 0U);
  for (std::size_t b = 0; b < 16; ++b) {
    ASSERT_EQ(density.verdict[b], Verdict::kMixed);
    density.verdict[b] = Verdict::kSolid;
    density.block[b] = -1;
  }
  VerifyReport short_sighted;
  verify_tile(density, sampler, short_sighted);
  EXPECT_EQ(short_sighted.wrong, 16U);
}

}  // namespace
}  // namespace vf

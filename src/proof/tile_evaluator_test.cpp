#include "proof/tile_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "base/digest.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/verify.h"
#include "proof/view_region.h"
#include "proof/waste.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

/// A few tiles of every level around a place, over the whole height.
std::vector<TileKey> some_tiles(const BoundField& field, float x, float y, int columns) {
  std::vector<TileKey> out;
  for (int level = 0; level <= kMaxLevel; ++level) {
    const float edge = 8.0F * static_cast<float>(1 << level);
    const auto tx = static_cast<std::int32_t>(std::floor(x / edge)),
               ty = static_cast<std::int32_t>(std::floor(y / edge));
    const float top = field.program->height_m + 6;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < columns; ++i)
        for (int tz = -1; static_cast<float>(tz) * edge < top; ++tz)
          out.push_back({level, tx + i, ty + j, tz});
    columns = std::max(1, columns - 1);
  }
  return out;
}

std::vector<std::shared_ptr<const BoundField>> all_fields() {
  std::vector<std::shared_ptr<const BoundField>> out{bound(surface_program()), bound(surface_program(0)),
                                                     bound(cave_program()), bound(csg_program())};
  const auto islands = islands_program();
  out.push_back(bound(islands, {}, {scattered_islands(*islands, 60, 120)}));
  for (const float blend : {0.0F, 0.75F}) {
    const auto towers = towers_program(blend);
    out.push_back(bound(towers, {}, {scattered_islands(*towers, 60, 120)}));
  }
  for (std::uint32_t seed = 1; seed <= 8; ++seed) out.push_back(bound(random_program(seed)));
  return out;
}

TEST(TileEvaluator, PrunedEqualsUnprunedBitForBit) {
  int number = 0;
  for (const auto& field : all_fields()) {
    const auto tiles = some_tiles(*field, 5, -9, 2);
    TileOptions pruned{best_simd_level(), true}, whole{best_simd_level(), false};
    const RegionDigest a = density_digest(field, tiles, pruned, 1);
    const RegionDigest b = density_digest(field, tiles, whole, 1);
    EXPECT_EQ(to_hex(a.all), to_hex(b.all))
        << "field " << number << ": "
        << first_difference(density_dump(field, tiles, pruned, 1), density_dump(field, tiles, whole, 1));
    EXPECT_LT(a.counts.evaluated, b.counts.evaluated);
    ++number;
  }
}

TEST(TileEvaluator, BruteForceFindsNothingWrong) {
  int number = 0;
  for (const auto& field : all_fields()) {
    const auto tiles = some_tiles(*field, -30, 11, 2);
    const VerifyReport report = verify_region(field, tiles, {best_simd_level(), true}, 1);
    EXPECT_EQ(report.bricks, tiles.size() * 64);
    EXPECT_EQ(report.counts.solid + report.counts.air + report.counts.evaluated, report.bricks);
    EXPECT_EQ(report.wrong, 0U) << "field " << number << " "
                                << (report.first.empty() ? "" : to_string(report.first[0]));
    EXPECT_EQ(report.different, 0U) << "field " << number << " "
                                    << (report.first.empty() ? "" : to_string(report.first[0]));
    EXPECT_EQ(report.counts.unknown, 0U);
    ++number;
  }
}

TEST(TileEvaluator, SimdLevelsAgree) {
  for (const auto& field : all_fields()) {
    const auto tiles = some_tiles(*field, 0, 0, 1);
    const Digest scalar = density_digest(field, tiles, {SimdLevel::kScalar, true}, 1).all;
    for (const SimdLevel level : supported_simd_levels())
      EXPECT_EQ(to_hex(density_digest(field, tiles, {level, true}, 1).all), to_hex(scalar))
          << to_string(level);
  }
}

TEST(TileEvaluator, WorkersAndTheOrderOfTilesDoNotMatter) {
  const auto field = bound(surface_program());
  auto tiles = some_tiles(*field, 100, 40, 2);
  const TileOptions options{best_simd_level(), true};
  const RegionDigest one = density_digest(field, tiles, options, 1);
  for (const unsigned workers : {2U, 5U}) {
    const RegionDigest many = density_digest(field, tiles, options, workers);
    EXPECT_EQ(many.all, one.all);
    EXPECT_EQ(many.counts.evaluated, one.counts.evaluated);
  }
  std::mt19937 random(3);
  std::shuffle(tiles.begin(), tiles.end(), random);
  EXPECT_EQ(density_digest(field, tiles, options, 1).all, one.all);
}

TEST(TileEvaluator, ATileDoesNotDependOnWhatCameBefore) {
  const auto field = bound(cave_program());
  TileEvaluator busy(field, {best_simd_level(), true});
  std::vector<TileKey> tiles = some_tiles(*field, 0, 0, 3);
  std::mt19937 random(8);
  std::shuffle(tiles.begin(), tiles.end(), random);
  TileDensity a, b;
  ProofCounts counts;
  for (const TileKey& key : tiles) {
    busy.evaluate(key, a, counts);
    TileEvaluator fresh(field, {best_simd_level(), true});
    fresh.evaluate(key, b, counts);
    ASSERT_EQ(a.verdict, b.verdict);
    for (int k = 0; k < kTileBricks; ++k) {
      ASSERT_EQ(a.brick(k) == nullptr, b.brick(k) == nullptr);
      if (a.brick(k) != nullptr) {
        ASSERT_TRUE(std::equal(a.brick(k), a.brick(k) + kBrickSamples, b.brick(k)));
      }
    }
  }
}

TEST(TileEvaluator, SampledColumnsLeaveNoWasteOverHills) {
  const auto field = bound(surface_program(0));
  const auto tiles = near_ring_tiles(10, 20, field->program->height_m);
  const ProofCounts counts = measure_waste(field, tiles, {best_simd_level(), true}, 1);
  EXPECT_GT(counts.evaluated, 1000U);
  EXPECT_EQ(counts.wasted, 0U);
  EXPECT_EQ(counts.unknown, 0U);
}

// Frames: the same physical tile through the frame of the neighbouring sector, near and far, is the same
// bits.
TEST(TileEvaluator, FramesAgreeAcrossSectorBordersAndFarAway) {
  for (const std::int64_t s : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{9766}, std::int64_t{-9767}}) {
    for (const auto& program : {surface_program(), cave_program(), random_program(3), random_program(5)}) {
      const auto here = bound(program, {s, 2 * s}), there = bound(program, {s + 1, 2 * s - 1});
      std::vector<TileKey> a, b;
      for (const int level : {0, 2}) {
        const std::int32_t per_sector = 128 >> level;
        for (std::int32_t tz = -1; tz < 4; ++tz)
          for (const std::int32_t tx : {per_sector - 1, per_sector}) {
            a.push_back({level, tx, 0, tz});
            b.push_back({level, tx - per_sector, per_sector, tz});
          }
      }
      const TileOptions options{best_simd_level(), true};
      EXPECT_EQ(to_hex(density_digest(here, a, options, 1).all),
                to_hex(density_digest(there, b, options, 1).all))
          << "sector " << s << ": "
          << first_difference(density_dump(here, a, options, 1), density_dump(there, b, options, 1));
    }
  }
}

// Negative control 14: one value at every level.
TEST(TileEvaluator, EveryLevelHasTheSameValueAtTheSamePoint) {
  for (const auto& field : all_fields()) {
    TileEvaluator evaluator(field, {best_simd_level(), false});
    ProofCounts counts;
    TileDensity fine, coarse;
    for (int level = 0; level < kMaxLevel; ++level) {
      evaluator.evaluate({level, 2, -2, 1}, fine, counts);
      evaluator.evaluate({level + 1, 1, -1, 0}, coarse, counts);
      // Samples 0 ... 15 of the coarse tile's upper z half are every second sample of the fine one.
      for (int z = 0; z < 16; ++z)
        for (int y = 0; y < 16; ++y)
          for (int x = 0; x < 16; ++x) {
            const auto at = [](const TileDensity& d, int i, int j, int k) {
              return d.brick(((k >> 3) * 4 + (j >> 3)) * 4 + (i >> 3))[(k & 7) * 64 + (j & 7) * 8 + (i & 7)];
            };
            ASSERT_EQ(at(fine, 2 * x, 2 * y, 2 * z), at(coarse, x, y, z + 16));
          }
    }
  }
}

// What a tile costs does not grow with the number of features in the world; see also
// audit/candidates_test.cpp.
TEST(TileEvaluator, CandidatesDoNotGrowWithTheFeaturesOfTheWorld) {
  const auto program = islands_program();
  const auto run = [&](int count, float side) {
    const auto field = bound(program, {}, {scattered_islands(*program, count, side)});
    return evaluate_region(field, near_ring_tiles(0, 0, 96), {best_simd_level(), true}, 1);
  };
  const ProofCounts few = run(160, 400), many = run(1600, 400 * std::sqrt(10.0F));
  EXPECT_GT(few.candidates, 0U);
  const auto per_tile = [](const ProofCounts& c) {
    return static_cast<double>(c.candidates) / static_cast<double>(c.tiles);
  };
  EXPECT_LT(per_tile(many), 1.5 * per_tile(few)) << "same density of features, ten times as many";
}

TEST(TileEvaluator, AnUnknownBoundIsEvaluatedNotSkipped) {
  // 1 / (z - 20 + noise) has no bound where its divisor may be zero.
  ProgramMaker m(48);
  const NodeId divisor = m.add(
      Opcode::kAdd, {m.add(Opcode::kSubtract, {m.leaf(Opcode::kZ), m.number(20)}), m.noise(true, 16, 2, 4)});
  const auto program = m.sealed(m.add(Opcode::kDivide, {m.number(1), divisor}));
  const auto field = bound(program);
  const auto tiles = some_tiles(*field, 0, 0, 1);
  const VerifyReport report = verify_region(field, tiles, {best_simd_level(), true}, 1);
  EXPECT_GT(report.counts.unknown, 0U);
  EXPECT_EQ(report.wrong, 0U);
  EXPECT_EQ(report.different, 0U);
}

}  // namespace
}  // namespace vf

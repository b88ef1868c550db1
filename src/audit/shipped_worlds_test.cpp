// Promises about the recipes that ship, through the whole pipeline: text, programs, plan, proofs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audit/extent_audit.h"
#include "audit/gradient_audit.h"
#include "audit/identity_audit.h"
#include "audit/mesh_audit.h"
#include "audit/plan_audit.h"
#include "base/digest.h"
#include "base/result.h"
#include "field/bound_field.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "mesh/region_mesh.h"
#include "plan/origin.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/tile_evaluator.h"
#include "proof/tile_geometry.h"
#include "proof/verify.h"
#include "proof/view_region.h"
#include "proof/waste.h"
#include "test_support/region_meshes.h"
#include "test_support/shipped_worlds.h"

namespace vf {
namespace {

using ShippedStratum = StratumScope;

ShippedStratum open_stratum(const std::string& type, std::int64_t index = 0) {
  const test::ShippedWorld w = test::open_shipped(type);
  return stratum_scope(w.world, w.built, index);
}

std::shared_ptr<const BoundField> field_of(const ShippedStratum& w, Frame frame, const Box2f& window) {
  auto field = field_in_window(w, frame, window);
  EXPECT_TRUE(field.has_value()) << (field ? "" : field.error().text());
  return std::make_shared<const BoundField>(std::move(*field));
}

std::shared_ptr<const BoundField> field_of(const ShippedStratum& w, Frame frame,
                                           const std::vector<TileKey>& tiles) {
  return field_of(w, frame, window_of_tiles(tiles));
}

/// Columns of `edge` x `edge` tiles of a level about x, y, over the whole height.
std::vector<TileKey> columns_about(const ShippedStratum& w, float x, float y, int level, int edge) {
  std::vector<TileKey> out;
  const float m = 8.0F * static_cast<float>(1 << level);
  const auto tx = static_cast<std::int32_t>(std::floor(x / m)),
             ty = static_cast<std::int32_t>(std::floor(y / m));
  for (std::int32_t j = 0; j < edge; ++j)
    for (std::int32_t i = 0; i < edge; ++i)
      for (std::int32_t tz = -1; static_cast<float>(tz) * m < w.built->density->height_m + 6; ++tz)
        out.push_back({level, tx + i, ty + j, tz});
  return out;
}

/// A few columns of all levels, where the shipped viewpoints look.
std::vector<TileKey> some_columns(const ShippedStratum& w, float x = 470, float y = 490) {
  std::vector<TileKey> out = columns_about(w, x, y, 0, 2);
  for (const int level : {1, 2, 3}) {
    const auto more = columns_about(w, x, y, level, 1);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

const TileOptions kPruned{best_simd_level(), true};

class ShippedWorlds : public testing::TestWithParam<std::string> {};

TEST_P(ShippedWorlds, PruningChangesNoBit) {
  const ShippedStratum w = open_stratum(GetParam());
  const auto tiles = some_columns(w);
  const auto field = field_of(w, {}, tiles);
  const TileOptions whole{best_simd_level(), false};
  EXPECT_EQ(to_hex(density_digest(field, tiles, kPruned, 2).all),
            to_hex(density_digest(field, tiles, whole, 2).all))
      << first_difference(density_dump(field, tiles, kPruned, 2), density_dump(field, tiles, whole, 2));
}

TEST_P(ShippedWorlds, BruteForceAgreesWithEveryProof) {
  const ShippedStratum w = open_stratum(GetParam());
  const auto tiles = some_columns(w);
  const auto field = field_of(w, {}, tiles);
  const VerifyReport report = verify_region(field, tiles, kPruned, 2);
  EXPECT_EQ(report.bricks, tiles.size() * 64);
  EXPECT_EQ(report.wrong, 0U) << (report.first.empty() ? "" : to_string(report.first[0]));
  EXPECT_EQ(report.different, 0U) << (report.first.empty() ? "" : to_string(report.first[0]));
  const Box2f& window = field->window;
  const BoundReport bounds = verify_bounds(
      *field,
      {{window.min_x, window.min_y, -6}, {window.max_x, window.max_y, w.built->density->height_m + 6}}, 1500,
      16, 5, best_simd_level());
  EXPECT_EQ(bounds.wrong, 0U) << bounds.first;
  EXPECT_EQ(bounds.unknown, 0U);
}

TEST_P(ShippedWorlds, WastesFewBricksAndKnowsEveryBound) {
  const ShippedStratum w = open_stratum(GetParam());
  for (const int level : {0, 1}) {
    const auto tiles = columns_about(w, 480, 480, level, 3);
    const ProofCounts counts = measure_waste(field_of(w, {}, tiles), tiles, kPruned, 2);
    EXPECT_LE(static_cast<double>(counts.wasted), 0.25 * static_cast<double>(counts.evaluated))
        << "level " << level;
    EXPECT_LE(static_cast<double>(counts.unknown), 0.01 * static_cast<double>(counts.evaluated))
        << "level " << level;
  }
}

TEST_P(ShippedWorlds, WorkersSimdAndOrderChangeNoBit) {
  const ShippedStratum w = open_stratum(GetParam());
  auto tiles = columns_about(w, 470, 490, 0, 2);
  const auto field = field_of(w, {}, tiles);
  const std::string once = to_hex(density_digest(field, tiles, kPruned, 1).all);
  EXPECT_EQ(to_hex(density_digest(field, tiles, kPruned, 8).all), once);
  std::reverse(tiles.begin(), tiles.end());
  for (const SimdLevel level : supported_simd_levels())
    EXPECT_EQ(to_hex(density_digest(field, tiles, {level, true}, 2).all), once) << to_string(level);
}

// The same physical tiles through the frames of neighbouring sectors: at the origin, left of it, and 10^7 m
// away.
TEST_P(ShippedWorlds, FramesAgreeAcrossBordersAndFarAway) {
  const ShippedStratum w = open_stratum(GetParam());
  for (const std::int64_t s : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{9766}, std::int64_t{-9767}}) {
    std::vector<TileKey> here = columns_about(w, 1016, 500, 0, 2), there = here;
    for (TileKey& key : there) key.tx -= 128;
    EXPECT_EQ(to_hex(density_digest(field_of(w, {s, -s}, here), here, kPruned, 2).all),
              to_hex(density_digest(field_of(w, {s + 1, -s}, there), there, kPruned, 2).all))
        << "sector " << s;
  }
}

TEST_P(ShippedWorlds, PlansAreSound) {
  const ShippedStratum w = open_stratum(GetParam());
  for (const std::int64_t sx : {-1, 0}) {
    const auto plan = resolve_sector(w, sx, 7);
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    const auto wrong = audit_plan(*plan);
    EXPECT_TRUE(wrong.empty()) << wrong.front();
  }
}

// The same bytes whatever was resolved before, on whichever thread; at the top and far down and away.
TEST_P(ShippedWorlds, PlansAreTheSameInEveryOrderAndOnEveryThread) {
  struct At {
    std::int64_t stratum, sx, sy;
  };
  for (const At at : {At{0, 0, 0}, At{1'000'000, -40'000, 70'000}}) {
    const ShippedStratum w = open_stratum(GetParam(), at.stratum);
    const auto resolve = [&w](std::int64_t sx, std::int64_t sy) { return resolve_sector(w, sx, sy); };
    const auto wrong = audit_identity(origin_of(w.stratum), resolve, at.sx, at.sy, 8);
    EXPECT_TRUE(wrong.empty()) << wrong.front();
  }
}

TEST_P(ShippedWorlds, IsNowhereSteeperThanPromised) {
  const ShippedStratum w = open_stratum(GetParam());
  const auto tiles = columns_about(w, 448, 448, 2, 4);
  FieldSampler sampler(field_of(w, {}, tiles), best_simd_level());
  const Box2f& window = sampler.field().window;
  const GradientReport report = audit_gradient(
      sampler, {{window.min_x, window.min_y, 0}, {window.max_x, window.max_y, w.built->density->height_m}},
      static_cast<float>(w.built->recipe->gradient_bound), 20000, 3);
  EXPECT_EQ(report.wrong, 0U) << report.first;
  EXPECT_GT(report.steepest, 0.1F);
}

TEST_P(ShippedWorlds, CutsNoFeatureByItsExtent) {
  const ShippedStratum w = open_stratum(GetParam());
  const auto tiles = columns_about(w, 448, 448, 3, 2);
  const auto field = field_of(w, {}, tiles);
  for (const CutFeatures& cut : audit_extents(*w.built, field, 6))
    if (cut.deepest_m > 0.1F)  // a tip may lose its last centimetres
      ADD_FAILURE() << to_string(cut.place) << ": features." << cut.set << ": " << cut.cut << " of "
                    << cut.places << " stick out of their extent, " << cut.deepest_m << " m at " << cut.at.x
                    << ", " << cut.at.y << ", " << cut.at.z;
}

INSTANTIATE_TEST_SUITE_P(Types, ShippedWorlds, testing::ValuesIn(test::shipped_types()),
                         [](const auto& each) { return each.param; });

/// Around the arrival and far away: nothing open, two sheets never in one vertex, every side out of the rock.
TEST(ShippedMeshesSlow, AreClosedAndManifoldAtEveryLevel) {
  for (const std::string& type : test::shipped_types()) {
    const ShippedStratum w = open_stratum(type);
    for (int level = 0; level <= 2; ++level) {
      const TileSpan span = stratum_tiles(level, static_cast<float>(w.built->recipe->height_m));
      const auto middle = static_cast<std::int32_t>(512 / tile_m(level));
      std::vector<TileKey> tiles;
      for (std::int32_t ty = middle - 1; ty < middle + 2; ++ty)
        for (std::int32_t tx = middle - 1; tx < middle + 2; ++tx)
          for (std::int32_t tz = span.first; tz <= span.last; ++tz) tiles.push_back({level, tx, ty, tz});
      const Box2f window = mesh_window(tiles);
      for (const Frame frame : {Frame{0, 0}, Frame{-40'000, 70'000}}) {
        const auto field = field_of(w, frame, window);
        const test::Meshes meshes = test::mesh(field, tiles, {best_simd_level(), true}, 0);
        const MeshAudit a = test::audit(meshes);
        EXPECT_GT(a.triangles, 0U) << type;
        EXPECT_EQ(a.faults(), 0U) << type << ", level " << level << ": " << a.first;
      }
    }
  }
}

}  // namespace
}  // namespace vf

#include "plan/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "base/tasks.h"
#include "compose/world.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "plan/cells.h"
#include "plan/identity.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using test::ProgramMaker;

/// A recipe built by hand: a scatter of blobs on a hilly ground, a lattice of posts, a list of two stones,
/// three kinds of lights.
struct TestWorld {
  BuiltRecipe built;
  Stratum stratum;
};

void add_sets(Recipe& recipe) {
  const auto set = [&](const char* name, FeatureKind kind) {
    FeatureSet s;
    s.name = name;
    s.kind = kind;
    recipe.features.push_back(s);
  };
  set("blobs", FeatureKind::kScatter);
  set("posts", FeatureKind::kLattice);
  set("stones", FeatureKind::kList);
  const auto light = [&](const char* name, LightPlacement placement, float range) {
    Light l;
    l.name = name;
    l.placement = placement;
    l.range_m = range;
    recipe.lights.push_back(l);
  };
  light("lamp", LightPlacement::kLattice, 20);
  light("glow", LightPlacement::kFeatures, 10);
  light("sun stone", LightPlacement::kPoint, 30);
}

PlaceFormulas blobs() {
  ProgramMaker m(40);
  const NodeId ground = m.add(Opcode::kAdd, {m.number(12), m.scaled(m.noise(false, 60, 3, 4), 6)});
  const NodeId u1 = m.add(Opcode::kRandom, {}, 0), u2 = m.add(Opcode::kRandom, {}, 1);
  const NodeId standing = m.add(Opcode::kRandom, {}, 8);
  const NodeId radius = m.add(Opcode::kAdd, {m.number(1.5F), m.scaled(u2, 3)});
  const NodeId accept = m.add(Opcode::kSubtract, {m.number(15), standing});
  const NodeId low = m.add(Opcode::kNegate, {radius});
  PlaceFormulas f;
  f.program = m.finish(ground);
  f.program.outputs = {ground, u1, radius, accept, low, standing};
  f.ground = 0;
  f.accept = 3;
  f.yaw = 1;
  f.extent_x = f.extent_y = f.extent_z_max = 2;
  f.extent_z_min = 4;
  f.values = {2, 5};
  f.pitch_64 = 24 * 64;
  f.offset_x_64 = 100;
  f.offset_y_64 = -37;
  f.jitter = 0.7F;
  return f;
}

PlaceFormulas posts() {
  ProgramMaker m(40);
  const NodeId one = m.number(1), minus = m.number(-1), half = m.number(0.5F), tall = m.number(30);
  PlaceFormulas f;
  f.program = m.finish(one);
  f.program.outputs = {one, minus, half, tall};
  f.probability = 2;
  f.extent_x = f.extent_y = 0;
  f.extent_z_min = 1;
  f.extent_z_max = 3;
  f.values = {0};
  f.pitch_64 = 40 * 64;
  return f;
}

PlaceFormulas stones() {
  PlaceFormulas f = posts();
  f.pitch_64 = 0;
  f.probability = -1;
  f.points_64 = {{256 * 64, 256 * 64, 9 * 64}, {1020 * 64, 3 * 64, 8 * 64 + 1}};
  return f;
}

std::vector<LightFormulas> lights() {
  ProgramMaker m(40);
  const NodeId ground = m.add(Opcode::kAdd, {m.number(12), m.scaled(m.noise(false, 60, 3, 4), 6)});
  const NodeId up = m.number(3.5F), share = m.number(0.7F), x = m.number(512), z = m.number(20);
  LightFormulas lamp;
  lamp.program = m.finish(ground);
  lamp.program.outputs = {ground, up, share, x, z};
  LightFormulas glow = lamp, point = lamp;
  lamp.ground = 0;
  lamp.probability = 2;
  lamp.offset = {-1, -1, 1};
  lamp.pitch_64 = 48 * 64;
  lamp.jitter = 0.3F;
  glow.feature_set = 0;
  glow.offset = {1, -1, 1};
  point.offset = {3, 3, 4};
  return {lamp, glow, point};
}

TestWorld test_world(std::uint64_t seed = 11, std::int64_t stratum = 0) {
  auto recipe = std::make_shared<Recipe>();
  recipe->id = "test_world";
  add_sets(*recipe);
  ProgramMaker density(40);
  NodeId phi = density.number(4);
  for (int i = 0; i < 3; ++i) {
    ProgramMaker shape(40);
    FeatureSetProgram set;
    set.name = recipe->features[static_cast<std::size_t>(i)].name;
    set.value_count = 1;
    set.blend = i == 0 ? 1.0F : 0.0F;
    set.shape = shape.finish(
        shape.add(Opcode::kSphere, {shape.leaf(Opcode::kLocalX), shape.leaf(Opcode::kLocalY),
                                    shape.leaf(Opcode::kLocalZ), shape.add(Opcode::kValue, {}, 0)}));
    phi = density.add(Opcode::kMin, {phi, density.features(std::move(set))});
  }
  TestWorld w;
  w.built.recipe = recipe;
  w.built.density = density.sealed(phi);
  w.built.places = {blobs(), posts(), stones()};
  w.built.lights = lights();
  w.stratum.recipe = recipe;
  w.stratum.world_seed = {seed};
  w.stratum.index = stratum;
  return w;
}

/// Its recipe is built by hand, without an anchor: no paths.
StratumScope scope_of(const TestWorld& w) {
  StratumScope scope;
  scope.stratum = w.stratum;
  scope.built = std::make_shared<const BuiltRecipe>(w.built);
  return scope;
}

SectorPlan plan_of(const TestWorld& w, std::int64_t sx, std::int64_t sy) {
  auto plan = resolve_sector(scope_of(w), sx, sy);
  EXPECT_TRUE(plan.has_value());
  return std::move(*plan);
}

TEST(Sector, HoldsWhatTheRecipeAsksFor) {
  const TestWorld w = test_world();
  const SectorPlan plan = plan_of(w, 0, 0);
  ASSERT_EQ(plan.features.size(), 3U);
  EXPECT_GT(plan.features[0].size(), 500U) << "43 x 43 cells, most of them accepted";
  EXPECT_LT(plan.features[0].size(), 1800U);
  for (const FeatureRecord& r : plan.features[0]) {
    EXPECT_LT(r.at.z, 15'000'000) << "accept: ground below 15 m";
    EXPECT_EQ(r.at.z % kUmPer64, 0);
    EXPECT_FLOAT_EQ(r.values[1], static_cast<float>(r.at.z) / 1e6F) << "ground is the height of the place";
    EXPECT_FLOAT_EQ(r.values[0], 1.5F + 3 * r.random[1]);
    EXPECT_EQ(r.yaw_turns, r.random[0]);
    EXPECT_EQ(r.extent_max.x, r.values[0]);
    EXPECT_EQ(r.extent_min.z, -r.values[0]);
  }
  // Half of the 26 x 26 posts, exactly on their lattice.
  EXPECT_NEAR(static_cast<double>(plan.features[1].size()), 338, 60);
  for (const FeatureRecord& r : plan.features[1]) {
    EXPECT_EQ(r.at.x % 40'000'000, 0);
    EXPECT_EQ(r.at.y % 40'000'000, 0);
  }
  ASSERT_EQ(plan.features[2].size(), 2U);
  std::set<std::int64_t> xs;
  for (const FeatureRecord& r : plan.features[2]) xs.insert(r.at.x);
  EXPECT_EQ(xs, (std::set<std::int64_t>{256'000'000, 1'020'000'000}));
  EXPECT_EQ(std::count_if(plan.lights.begin(), plan.lights.end(),
                          [](const LightRecord& r) { return r.light == 2; }),
            1);
  EXPECT_EQ(static_cast<std::size_t>(std::count_if(plan.lights.begin(), plan.lights.end(),
                                                   [](const LightRecord& r) { return r.light == 1; })),
            plan.features[0].size())
      << "one glow a blob";
}

// Negative control 11: unsorted records or thread-order inserts would show here.
TEST(Sector, ResolvesTheSameInAnyOrderAndOnAnyThread) {
  const TestWorld w = test_world();
  std::map<std::pair<int, int>, Digest> forward;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j) forward[{i, j}] = identity_of(plan_of(w, i, j));
  std::vector<Digest> parallel(25);
  parallel_for(25, 4, [&](std::size_t k, unsigned) {
    const int n = 24 - static_cast<int>(k);
    parallel[static_cast<std::size_t>(n)] = identity_of(plan_of(w, n / 5 - 2, n % 5 - 2));
  });
  for (int n = 0; n < 25; ++n)
    EXPECT_EQ(parallel[static_cast<std::size_t>(n)], (forward[{n / 5 - 2, n % 5 - 2}]));
  std::set<std::string> distinct;
  for (const auto& [key, digest] : forward) distinct.insert(to_hex(digest));
  EXPECT_EQ(distinct.size(), 25U);
}

TEST(Sector, RecordsAreSortedByIdAndIdsAreDistinct) {
  const TestWorld w = test_world();
  std::set<std::uint64_t> ids;
  std::size_t count = 0;
  for (const std::int64_t s : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}}) {
    const SectorPlan plan = plan_of(w, s, 0);
    for (const auto& set : plan.features) {
      EXPECT_TRUE(std::is_sorted(set.begin(), set.end(),
                                 [](const FeatureRecord& a, const FeatureRecord& b) { return a.id < b.id; }));
      for (const FeatureRecord& r : set) ids.insert(r.id.value);
      count += set.size();
    }
    EXPECT_TRUE(std::is_sorted(plan.lights.begin(), plan.lights.end(),
                               [](const LightRecord& a, const LightRecord& b) { return a.id < b.id; }));
  }
  EXPECT_EQ(ids.size(), count);
}

TEST(Sector, SeedStratumAndLayoutVersionRollAnew) {
  const Digest first = identity_of(plan_of(test_world(11, 0), 3, 4));
  EXPECT_EQ(identity_of(plan_of(test_world(11, 0), 3, 4)), first);
  EXPECT_NE(identity_of(plan_of(test_world(12, 0), 3, 4)), first);
  SectorPlan deeper = plan_of(test_world(11, 1), 3, 4);
  deeper.stratum = 0;
  EXPECT_NE(identity_of(deeper), first);
  // Negative control 15: a tweak of `version` keeps the layout, `layout_version` rolls it anew.
  TestWorld w = test_world();
  auto recipe = std::make_shared<Recipe>(*w.built.recipe);
  recipe->version = 7;
  w.stratum.recipe = w.built.recipe = recipe;
  EXPECT_EQ(identity_of(plan_of(w, 3, 4)), first);
  auto rolled = std::make_shared<Recipe>(*recipe);
  rolled->layout_version = 2;
  w.stratum.recipe = w.built.recipe = rolled;
  EXPECT_NE(identity_of(plan_of(w, 3, 4)), first);
}

TEST(Sector, ResolvesAtTheEdgeOfTheWorldAndRefusesBeyond) {
  const TestWorld w = test_world();
  for (const std::int64_t s : {-kMaxSector, kMaxSector - 1}) {
    const SectorPlan plan = plan_of(w, s, -1 - s);
    EXPECT_GT(plan.features[0].size(), 300U);
    for (const FeatureRecord& r : plan.features[0]) {
      EXPECT_GE(r.at.x, 0);
      EXPECT_LE(r.at.x, 1'048'000'000);
    }
  }
  const auto beyond = resolve_sector(scope_of(w), kMaxSector, 0);
  ASSERT_FALSE(beyond.has_value());
  EXPECT_NE(beyond.error().message.find("-2^31"), std::string::npos);
}

/// phi at a physical point given from the corner of sector (sx, sy), through a frame and a window.
float phi_at(const TestWorld& w, Frame frame, const Box2f& window, std::int64_t sx, std::int64_t sy,
             Vec3f p) {
  const auto field = field_in_window(scope_of(w), frame, window);
  EXPECT_TRUE(field.has_value());
  const float x = p.x + static_cast<float>(sx - frame.sx) * kSectorM,
              y = p.y + static_cast<float>(sy - frame.sy) * kSectorM;
  BatchEvaluator batch(*field, best_simd_level());
  const Tape tape = tape_in_box(*field, full_tape(*w.built.density), {{x, y, p.z}, {x, y, p.z}});
  PointBatch points;
  points.count = 1;
  points.x = &x;
  points.y = &y;
  points.z = &p.z;
  float value = 0;
  float* out = &value;
  batch.points(tape, points, {&out, 1});
  return value;
}

// Negative control 12, distance: the same points through neighbouring frames and any window, near and far
// away.
TEST(Sector, FieldsAreTheSameBitsThroughEveryFrameAndWindow) {
  const TestWorld w = test_world();
  int near_features = 0;
  for (const std::int64_t s :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{9766}, std::int64_t{-9767}, kMaxSector - 2}) {
    for (int i = 0; i < 40; ++i) {
      const auto u = [&](std::uint64_t k) {
        return unit_float(hash_words({static_cast<std::uint64_t>(i), k}));
      };
      // Points within 8 m of the border between sectors s and s + 1.
      const Vec3f p{1016 + std::floor(16 * 1024 * u(0)) / 1024, std::floor(1024 * 1024 * u(1)) / 1024,
                    8 + std::floor(8 * 1024 * u(2)) / 1024};
      const float own = phi_at(w, {s, s}, {p.x - 1, p.y - 1, p.x + 1, p.y + 1}, s, s, p);
      const float wide = phi_at(w, {s, s}, {p.x - 90, p.y - 70, p.x + 50, p.y + 120}, s, s, p);
      const float x = p.x - kSectorM;
      const float next = phi_at(w, {s + 1, s}, {x - 33, p.y - 33, x + 33, p.y + 33}, s, s, p);
      EXPECT_EQ(own, wide) << "sector " << s << " point " << i;
      EXPECT_EQ(own, next) << "sector " << s << " point " << i;
      near_features += own < 4 ? 1 : 0;
    }
  }
  EXPECT_GT(near_features, 10) << "the points must see features, or the test says nothing";
}

TEST(Sector, WindowsHoldTheSectorsRecordsBitForBit) {
  const TestWorld w = test_world();
  const auto field = field_in_window(scope_of(w), {2, -3}, {-40, 900, 200, 1100});
  ASSERT_TRUE(field.has_value());
  std::map<std::uint64_t, FeatureRecord> records;
  std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> sector;
  for (std::int64_t sy = -4; sy <= -1; ++sy)
    for (std::int64_t sx = 1; sx <= 3; ++sx) {
      const SectorPlan plan = plan_of(w, sx, sy);
      for (const FeatureRecord& r : plan.features[0]) {
        records[r.id.value] = r;
        sector[r.id.value] = {sx, sy};
      }
    }
  std::size_t seen = 0;
  for (const FeatureInstance& f : field->sets[0].instances) {
    ASSERT_TRUE(records.contains(f.id.value));
    const FeatureRecord& r = records[f.id.value];
    const auto [sx, sy] = sector[f.id.value];
    EXPECT_EQ(static_cast<double>(f.at.x),
              static_cast<double>(r.at.x) / 1e6 + static_cast<double>(sx - 2) * 1024);
    EXPECT_EQ(static_cast<double>(f.at.y),
              static_cast<double>(r.at.y) / 1e6 + static_cast<double>(sy + 3) * 1024);
    EXPECT_EQ(f.values, r.values);
    ++seen;
  }
  // And none is missing: every record whose value box meets the window is there.
  std::size_t expected = 0;
  for (const auto& [id, r] : records) {
    const auto [sx, sy] = sector[id];
    const double x = static_cast<double>(r.at.x) / 1e6 + static_cast<double>(sx - 2) * 1024;
    const double y = static_cast<double>(r.at.y) / 1e6 + static_cast<double>(sy + 3) * 1024;
    const double reach = static_cast<double>(r.extent_max.x) + 5;  // far 4, blend 1; turned boxes are wider
    if (x + reach >= -40 && x - reach <= 200 && y + reach >= 900 && y - reach <= 1100) ++expected;
  }
  EXPECT_GE(seen, expected);
  EXPECT_GT(expected, 50U);
}

TEST(Sector, LightsInAWindowAreThoseThatReachIt) {
  const TestWorld w = test_world();
  const Box2f window{480, 480, 540, 540};
  SectorPaths paths(scope_of(w));
  const auto lights = lights_in_window(paths, {0, 0}, window);
  ASSERT_TRUE(lights.has_value());
  const SectorPlan plan = plan_of(w, 0, 0);
  std::size_t expected = 0;
  for (const LightRecord& r : plan.lights) {
    const double x = static_cast<double>(r.at.x) / 1e6, y = static_cast<double>(r.at.y) / 1e6;
    const auto range = static_cast<double>(w.built.recipe->lights[r.light].range_m);
    expected += x >= 480 - range && x <= 540 + range && y >= 480 - range && y <= 540 + range ? 1 : 0;
  }
  EXPECT_EQ(lights->size(), expected);
  EXPECT_EQ(std::count_if(lights->begin(), lights->end(), [](const PlacedLight& l) { return l.light == 2; }),
            1);
  for (const PlacedLight& l : *lights) EXPECT_TRUE(l.light != 2 || l.at == (Vec3f{512, 512, 20}));
}

TEST(Sector, TellsTheAuthorWhenAPlaceMayReachAnywhere) {
  TestWorld w = test_world();
  PlaceFormulas& f = w.built.places[1];
  ProgramMaker m(40);
  const NodeId huge = m.scaled(m.add(Opcode::kRandom, {}, 0), 5000);
  f.program = m.finish(huge);
  f.probability = -1;
  f.extent_x = f.extent_y = f.extent_z_min = f.extent_z_max = 0;
  f.values.clear();
  const auto field = field_in_window(scope_of(w), {0, 0}, {0, 0, 10, 10});
  ASSERT_FALSE(field.has_value());
  EXPECT_NE(field.error().message.find("features.posts"), std::string::npos);
}

TEST(Sector, RefusesMorePlacesThanTheStatedLimit) {
  TestWorld w = test_world();
  w.built.places[1].pitch_64 = 4 * 64;
  w.built.places[1].probability = -1;
  const auto plan = resolve_sector(scope_of(w), 0, 0);
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(plan.error().message.find("20000 places"), std::string::npos) << plan.error().message;
}

}  // namespace
}  // namespace vf

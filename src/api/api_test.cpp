#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "voxelforge/voxelforge.hpp"

namespace voxelforge {
namespace {

constexpr const char* kHills = R"toml(
[type]
id = "hills"
family = "test"
height_m = 28

[field]
ground = "9 + 2*(wave(x, 28) + wave(y, 36)) + perlin2(20, octaves = 2)"
phi = "smin(min(heightfield(ground), 22 - z), features.balls, 1)"

[features.balls]
kind = "scatter"
pitch = 24
jitter = 0.5
probability = 0.6
ground = "ground"
shape = "sphere(px, py, pz - 4, radius)"
extent = 3
extent_z = [1, 7]
blend = 0.5
far = 3

[features.balls.values]
radius = "1 + 2*u1"
)toml";

World open_hills(std::uint64_t seed = 7) {
  OpenOptions options;
  options.seed = seed;
  Result<World> world = World::from_text("hills.toml", kHills, options);
  if (!world) ADD_FAILURE() << world.error().text();
  return *world;
}

Sampler sampler_of(const World& world, const std::string& instruction_set = "best") {
  Result<Sampler> sampler = Sampler::create(world, instruction_set);
  if (!sampler) ADD_FAILURE() << sampler.error().text();
  return std::move(*sampler);
}

/// Points over a patch that crosses the border of four sectors, from rock to rock.
std::vector<Point> points_around(double x, double y, const Stratum& stratum) {
  std::vector<Point> points;
  for (int i = -20; i <= 20; ++i)
    for (int j = 0; j <= 40; ++j)
      points.push_back({x + i * 1.25, y - i * 0.75, stratum.top_z_m - stratum.height_m * j / 41});
  return points;
}

std::vector<float> densities(Sampler& sampler, const std::vector<Point>& points) {
  std::vector<float> out(points.size());
  const Status status = sampler.density(points, out);
  EXPECT_TRUE(status) << (status ? "" : status.error().text());
  return out;
}

TEST(Api, TellsItsVersion) {
  EXPECT_EQ(version().major, 0U);
  EXPECT_GE(version().evaluator, 1U);
}

TEST(Api, NamesWhatIsWrongWithAName) {
  const Result<World> world = World::open("type:no_such_type");
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().text().find("no_such_type"), std::string::npos) << world.error().text();
}

TEST(Api, PointsAtTheErrorInARecipesText) {
  const Result<World> world = World::from_text("mine.toml", "[type\nid = \"mine\"\n");
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(world.error().file, "mine.toml");
  EXPECT_GE(world.error().line, 1U);
}

TEST(Api, FindsTextsThroughTheCaller) {
  OpenOptions options;
  options.read_text = [](const std::string& name) -> std::optional<std::string> {
    if (name != "mine.toml") return std::nullopt;
    return "[type]\nid = \"mine\"\nversion = 1\nfamily = \"test\"\nheight_m = 20\n\n[field]\nphi = \"z - "
           "8\"\n";
  };
  const Result<World> world = World::open("mine.toml", options);
  ASSERT_TRUE(world) << world.error().text();
  const Result<Stratum> stratum = world->stratum(0);
  ASSERT_TRUE(stratum);
  EXPECT_EQ(stratum->type_id, "mine");
  EXPECT_EQ(stratum->content_height_m, 20.0);
  Sampler sampler = sampler_of(*world);
  for (const double z : {2.0, 7.5, 9.25, 12.0}) {
    const Result<float> density = sampler.density(Point{3, 4, stratum->floor_z_m + z});
    ASSERT_TRUE(density);
    // No path is near: there the field tells no distance beyond 4 m.
    EXPECT_EQ(*density, static_cast<float>(std::clamp(z - 8, -4.0, 4.0)))
        << "at z = " << z << " above the floor";
  }
}

TEST(Api, StrataFollowDownwardWithoutGaps) {
  const World world = open_hills();
  double top = 0;
  for (std::int64_t k = 0; k < 50; ++k) {
    const Result<Stratum> stratum = world.stratum(k);
    ASSERT_TRUE(stratum);
    EXPECT_EQ(stratum->top_z_m, top);
    EXPECT_EQ(*world.stratum_index_at(top), k) << "a border belongs to the stratum below it";
    EXPECT_EQ(*world.stratum_index_at(top - stratum->height_m / 2), k);
    top -= stratum->height_m;
  }
  EXPECT_FALSE(world.stratum(-1));
  EXPECT_FALSE(world.stratum_index_at(0.5));
  EXPECT_FALSE(world.stratum_index_at(std::nan("")));
}

TEST(Api, TheSealsOfAStratumAreSolid) {
  const World world = open_hills();
  Sampler sampler = sampler_of(world);
  const Stratum stratum = *world.stratum(3);
  for (const double z : {stratum.top_z_m, stratum.top_z_m - 3, stratum.floor_z_m - 3})
    EXPECT_LT(*sampler.density(Point{-5000.5, 77.25, z}), 0.0F) << "z = " << z;
}

TEST(Api, AnswersTheSameBitsOnEveryInstructionSet) {
  const World world = open_hills();
  const std::vector<Point> points = points_around(1024, -1024, *world.stratum(0));
  Sampler scalar = sampler_of(world, "scalar");
  const std::vector<float> expected = densities(scalar, points);
  for (const std::string& name : instruction_sets()) {
    Sampler sampler = sampler_of(world, name);
    const std::vector<float> got = densities(sampler, points);
    for (std::size_t i = 0; i < points.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i] + 0.0F), std::bit_cast<std::uint32_t>(expected[i] + 0.0F))
          << name << " at point " << i;
  }
}

TEST(Api, AnswersDoNotDependOnWhatWasAskedBefore) {
  const World world = open_hills();
  const std::vector<Point> points = points_around(0, 0, *world.stratum(1));
  Sampler fresh = sampler_of(world), used = sampler_of(world);
  for (const double x : {0.0, 1e7, -3e6}) densities(used, points_around(x, -x, *world.stratum(5)));
  EXPECT_EQ(densities(fresh, points), densities(used, points));
}

TEST(Api, OnePointAtATimeEqualsManyAtOnce) {
  const World world = open_hills();
  const std::vector<Point> points = points_around(512.5, 1023.75, *world.stratum(0));
  Sampler sampler = sampler_of(world);
  const std::vector<float> together = densities(sampler, points);
  for (std::size_t i = 0; i < points.size(); i += 7) EXPECT_EQ(*sampler.density(points[i]), together[i]) << i;
}

TEST(Api, SeedsDiffer) {
  const World one = open_hills(1), other = open_hills(2);
  Sampler in_one = sampler_of(one), in_other = sampler_of(other);
  const std::vector<Point> points = points_around(200, 200, *one.stratum(0));
  EXPECT_NE(densities(in_one, points), densities(in_other, points));
}

TEST(Api, BoundsHoldEveryDensityInTheBox) {
  const World world = open_hills();
  Sampler sampler = sampler_of(world);
  const Stratum stratum = *world.stratum(0);
  int proven = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = 1020 + i * 0.3, y = -2050 + i * 1.7,
                 z = stratum.top_z_m - stratum.height_m + 1 + (i % 30);
    const Box box{{x, y, z}, {x + 3, y + 3, z + 1}};
    const Result<Bounds> bounds = sampler.bounds(box);
    ASSERT_TRUE(bounds) << bounds.error().text();
    proven += bounds->verdict == Verdict::kMixed ? 0 : 1;
    for (int j = 0; j < 64; ++j) {
      const Point p{x + (j % 4), y + ((j / 4) % 4), z + (j / 16) / 3.0};
      const float density = *sampler.density(p);
      EXPECT_LE(bounds->min, density);
      EXPECT_GE(bounds->max, density);
      EXPECT_TRUE(bounds->verdict != Verdict::kSolid || density < 0) << density;
      EXPECT_TRUE(bounds->verdict != Verdict::kAir || density > 0) << density;
    }
  }
  EXPECT_GT(proven, 50);
}

TEST(Api, BoundsReachOverStrata) {
  const World world = open_hills();
  Sampler sampler = sampler_of(world);
  const double border = world.stratum(1)->top_z_m;
  const Result<Bounds> seal = sampler.bounds({{0, 0, border - 2}, {8, 8, border + 2}});
  ASSERT_TRUE(seal);
  EXPECT_EQ(seal->verdict, Verdict::kSolid) << "the seal between two strata";
  const Result<Bounds> both = sampler.bounds({{0, 0, border - 40}, {8, 8, border + 40}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->verdict, Verdict::kMixed);
}

TEST(Api, RefusesBadBoxesAndPoints) {
  const World world = open_hills();
  Sampler sampler = sampler_of(world);
  EXPECT_FALSE(sampler.bounds({{1, 0, -5}, {0, 1, -4}}));
  EXPECT_FALSE(sampler.bounds({{0, 0, -5}, {10000, 1, -4}}));
  EXPECT_FALSE(sampler.density(Point{std::nan(""), 0, -5}));
  EXPECT_FALSE(sampler.density(Point{2e12, 0, -5}));
  EXPECT_FALSE(sampler.density(Point{0, 0, 1}));
  std::vector<float> short_out(1);
  EXPECT_FALSE(sampler.density(std::vector<Point>(2, Point{0, 0, -5}), short_out));
  EXPECT_FALSE(Sampler::create(world, "mmx"));
}

}  // namespace
}  // namespace voxelforge

#include "voxelforge/surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "voxelforge/voxelforge.hpp"

namespace voxelforge {
namespace {

World open(const std::string& name) {
  Result<World> world = World::open(name);
  if (!world) ADD_FAILURE() << world.error().text();
  return *world;
}

Point floor_of(const World& world, double x, double y) {
  const Result<Stratum> stratum = world.stratum(0);
  return {x, y, stratum->floor_z_m + stratum->content_height_m / 2};
}

Surface build(const World& world, double x, double y, const SurfaceOptions& options) {
  Result<Surface> surface = Surface::build(world, floor_of(world, x, y), options);
  if (!surface) ADD_FAILURE() << surface.error().text();
  return *surface;
}

TEST(Surface, StandsWhereTheDensityChangesItsSign) {
  const World world = open("type:surface_world");
  SurfaceOptions options;
  options.radius_m = 8;
  const Surface surface = build(world, 1020, -4, options);
  Result<Sampler> sampler = Sampler::create(world);
  ASSERT_GT(surface.triangle_count(), 1000U);
  std::size_t seen = 0, off = 0;
  for (std::size_t i = 0; i < surface.tile_count(); ++i) {
    const SurfaceTile tile = surface.tile(i);
    ASSERT_EQ(tile.positions.size(), tile.normals.size());
    for (std::size_t v = 0; v < tile.positions.size(); v += 7) {
      const auto at = [&](double along) {
        const std::array<float, 3>&p = tile.positions[v], &n = tile.normals[v];
        return Point{tile.origin.x + static_cast<double>(p[0]) + along * static_cast<double>(n[0]),
                     tile.origin.y + static_cast<double>(p[1]) + along * static_cast<double>(n[1]),
                     tile.origin.z + static_cast<double>(p[2]) + along * static_cast<double>(n[2])};
      };
      if (!(*sampler->density(at(0.06)) > 0) || !(*sampler->density(at(-0.06)) < 0)) ++off;
      ++seen;
    }
  }
  EXPECT_GT(seen, 300U);
  // In the creases of the ceiling's veins a quarter of a voxel is not always enough.
  EXPECT_LE(off, seen / 20) << off << " of " << seen;
}

TEST(Surface, DoesNotDependOnWorkersOrInstructions) {
  const World world = open("type:floating_islands");
  SurfaceOptions options;
  options.radius_m = 16;
  options.workers = 1;
  options.instruction_set = "scalar";
  const std::string digest = build(world, 40, 40, options).digest();
  for (const std::string& set : instruction_sets()) {
    options.instruction_set = set;
    options.workers = 3;
    EXPECT_EQ(build(world, 40, 40, options).digest(), digest) << set;
  }
}

TEST(Surface, ABodyStandsOnIt) {
  const World world = open("type:too_clean_hills");
  SurfaceOptions options;
  options.radius_m = 8;
  const Surface surface = build(world, 200, 300, options);
  const Point middle = floor_of(world, 200, 300);
  const std::optional<SurfaceHit> ground = surface.ray(middle, {0, 0, -2}, 40);
  ASSERT_TRUE(ground.has_value());
  EXPECT_GT(ground->normal[2], 0.5F);
  EXPECT_NEAR(middle.z - ground->distance_m, ground->at.z, 1e-3);
  // Feet a little below the ground are pushed up and out of it.
  const Point foot{ground->at.x, ground->at.y, ground->at.z + 0.2};
  const std::vector<SurfaceContact> contacts = surface.touch({foot, {foot.x, foot.y, foot.z + 1.08}, 0.34});
  ASSERT_FALSE(contacts.empty());
  double deepest = 0;
  for (const SurfaceContact& c : contacts) deepest = std::max(deepest, c.depth_m);
  EXPECT_GT(deepest, 0.02);
  EXPECT_LT(deepest, 0.3);
  EXPECT_TRUE(surface.touch({{foot.x, foot.y, foot.z + 3}, {foot.x, foot.y, foot.z + 4}, 0.34}).empty());
  EXPECT_FALSE(surface.ray(middle, {0, 0, 0}, 40).has_value());
}

TEST(Surface, RefusesWhatIsOutOfRangeAndNamesTheLimit) {
  const World world = open("type:pool_rooms");
  const auto message = [&](const Point& at, const SurfaceOptions& options) {
    const Result<Surface> surface = Surface::build(world, at, options);
    return surface ? std::string("built") : surface.error().message;
  };
  SurfaceOptions wide;
  wide.radius_m = 500;
  EXPECT_NE(message({0, 0, -10}, wide).find("8 to 128 m"), std::string::npos);
  SurfaceOptions crowd;
  crowd.workers = 100000;
  EXPECT_NE(message({0, 0, -10}, crowd).find("1024"), std::string::npos);
  EXPECT_NE(message({1e15, 0, -10}, {}).find("10^12"), std::string::npos);
  EXPECT_NE(message({std::nan(""), 0, -10}, {}).find("10^12"), std::string::npos);
  SurfaceOptions odd;
  odd.instruction_set = "mmx";
  EXPECT_NE(message({0, 0, -10}, odd).find("mmx"), std::string::npos);
}

}  // namespace
}  // namespace voxelforge

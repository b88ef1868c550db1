#include "voxelforge/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "view/tile_payload.h"
#include "voxelforge/surface.hpp"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {
namespace {

World flat_plain() {
  Result<World> world = World::open("type:flat_plain");
  if (!world) ADD_FAILURE() << world.error().text();
  return *world;
}

Viewer viewer_in(const World& world, double x, double y) {
  const Result<Stratum> stratum = world.stratum(0);
  Viewer viewer;
  viewer.at = {x, y, stratum->floor_z_m + stratum->content_height_m / 2};
  viewer.view_m = 128;
  return viewer;
}

/// The loop of the header's first lines.
std::map<std::uint64_t, ViewPiece> play(View& view, const Viewer& viewer) {
  std::map<std::uint64_t, ViewPiece> held;
  EXPECT_TRUE(view.look({&viewer, 1}));
  while (!view.settled(viewer.id)) {
    const Result<ViewUpdate> update = view.poll(viewer.id, std::size_t{1} << 20);
    EXPECT_TRUE(update);
    if (!update) break;
    for (const ViewPiece& piece : update->uploads) held.emplace(piece.id(), piece);
    for (const std::uint64_t id : update->retired) held.erase(id);
    std::this_thread::yield();
  }
  return held;
}

TEST(View, FillsTheViewInAGameLoop) {
  const World world = flat_plain();
  Result<View> view = View::open(world, {2, "best", 256, true});
  ASSERT_TRUE(view);
  const Viewer viewer = viewer_in(world, 500, 300);
  const std::map<std::uint64_t, ViewPiece> held = play(*view, viewer);
  EXPECT_TRUE(view->playable(viewer.id));
  std::array<std::size_t, 5> levels{};
  for (const auto& [id, piece] : held) {
    ++levels.at(static_cast<std::size_t>(piece.level()));
    const std::size_t count = piece.positions().size();
    EXPECT_EQ(piece.normals().size(), count);
    EXPECT_EQ(piece.materials().size(), count);
    for (const auto& t : piece.triangles())
      for (const std::uint32_t v : t) ASSERT_LT(v, count);
  }
  EXPECT_GT(levels[0], 50U);
  EXPECT_GT(levels[1], 20U);
  EXPECT_GT(levels[2], 20U);
  EXPECT_EQ(levels[3], 0U);
}

TEST(View, StandsOnTheSameGroundAsSurface) {
  const World world = flat_plain();
  Result<View> view = View::open(world);
  const Viewer viewer = viewer_in(world, 120, -80);
  (void)play(*view, viewer);
  const ViewGround ground = view->ground(viewer.id);
  const Result<Surface> surface = Surface::build(world, viewer.at);
  ASSERT_TRUE(surface);
  for (double dx = -20; dx <= 20; dx += 6.3) {
    const Point from{viewer.at.x + dx, viewer.at.y, viewer.at.z};
    const std::optional<SurfaceHit> a = ground.ray(from, {0, 0, -1}, 60),
                                    b = surface->ray(from, {0, 0, -1}, 60);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->at.z, b->at.z);
    EXPECT_EQ(a->normal, b->normal);
    EXPECT_FALSE(ground.touch({a->at, a->at, 0.3}).empty());
  }
}

TEST(View, GivesPiecesAsBytes) {
  const World world = flat_plain();
  Result<View> view = View::open(world);
  const std::map<std::uint64_t, ViewPiece> held = play(*view, viewer_in(world, -3, 1025));
  std::size_t seams = 0;
  for (const auto& [id, piece] : held) {
    const vf::Result<vf::TilePayload> payload = vf::decode_payload(piece.payload());
    ASSERT_TRUE(payload) << payload.error().message;
    EXPECT_EQ(payload->kind == vf::PayloadKind::kSeam, piece.is_seam());
    EXPECT_EQ(payload->triangles.size(), piece.triangles().size());
    EXPECT_EQ(payload->at.key.level, piece.level());
    seams += piece.is_seam() ? 1U : 0U;
  }
  EXPECT_GT(seams, 20U);
}

TEST(View, RefusesWhatIsOutOfRange) {
  const World world = flat_plain();
  EXPECT_EQ(View::open(world, {65, "best", 256, true}).error().message, "view: expected at most 64 workers");
  EXPECT_EQ(View::open(world, {1, "best", 32, true}).error().message,
            "view: expected 64 to 1048576 MiB of memory");
  EXPECT_FALSE(View::open(world, {1, "avx1024", 256, true}));
  Result<View> view = View::open(world, {0, "scalar", 64, true});
  ASSERT_TRUE(view);
  Viewer viewer = viewer_in(world, 0, 0);
  viewer.near_m = 200;
  const Status status = view->look({&viewer, 1});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "viewer 1: near_m is out of range; expected 16 to 32 m");
  EXPECT_FALSE(view->poll(1, 1000));
  EXPECT_FALSE(view->work());
  EXPECT_FALSE(view->playable(1));
  EXPECT_EQ(view->ground(1).triangle_count(), 0U);
}

}  // namespace
}  // namespace voxelforge

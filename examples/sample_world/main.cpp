// Opens a world, samples its density along a vertical line, asks what is proven about boxes, and builds the
// ground to stand on, and keeps what a viewer sees.
//   sample_world [WORLD]      WORLD: type:ID or a shipped world
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>
#include <voxelforge/surface.hpp>
#include <voxelforge/view.hpp>
#include <voxelforge/voxelforge.hpp>

namespace {

const char* name_of(voxelforge::Verdict verdict) {
  switch (verdict) {
    case voxelforge::Verdict::kSolid:
      return "solid";
    case voxelforge::Verdict::kAir:
      return "air";
    case voxelforge::Verdict::kMixed:
      return "mixed";
  }
  return "?";
}

int fail(const voxelforge::Error& error);

/// What a game does every frame, until all is shown.
int show_view(const voxelforge::World& world, const voxelforge::Point& place) {
  auto view = voxelforge::View::open(world);
  if (!view) return fail(view.error());
  voxelforge::Viewer viewer;
  viewer.at = place;
  viewer.view_m = 128;
  if (const auto status = view->look({&viewer, 1}); !status) return fail(status.error());
  std::map<std::uint64_t, voxelforge::ViewPiece> shown;
  bool stood = false;
  while (!view->settled(viewer.id)) {
    const auto update = view->poll(viewer.id, 1 << 20);
    if (!update) return fail(update.error());
    for (const voxelforge::ViewPiece& piece : update->uploads) shown.emplace(piece.id(), piece);
    for (const std::uint64_t id : update->retired) shown.erase(id);
    if (!stood && view->playable(viewer.id)) {
      stood = true;
      std::printf("view: ground of %zu triangles is there\n", view->ground(viewer.id).triangle_count());
    }
    std::this_thread::yield();
  }
  std::size_t triangles = 0;
  for (const auto& [id, piece] : shown) triangles += piece.triangles().size();
  std::printf("view: %zu triangles in %zu pieces, 128 m around\n", triangles, shown.size());
  return 0;
}

int fail(const voxelforge::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return error.code == voxelforge::ErrorCode::kBadInput ? 2 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "type:too_clean_hills";
  voxelforge::OpenOptions options;
  options.seed = 7;
  const auto world = voxelforge::World::open(name, options);
  if (!world) return fail(world.error());
  const auto stratum = world->stratum(0);
  if (!stratum) return fail(stratum.error());
  std::printf("%s: stratum 0 is %s, content from %g m to %g m\n", name.c_str(), stratum->type_id.c_str(),
              stratum->floor_z_m, stratum->floor_z_m + stratum->content_height_m);

  auto sampler = voxelforge::Sampler::create(*world);
  if (!sampler) return fail(sampler.error());

  // Density from the content's floor to its ceiling, near the origin and ten thousand kilometres away.
  for (const double x : {100.0, 10'000'100.0}) {
    std::vector<voxelforge::Point> points;
    for (int i = 0; i <= 8; ++i)
      points.push_back({x, 200.0, stratum->floor_z_m + stratum->content_height_m * i / 8});
    std::vector<float> density(points.size());
    if (const auto status = sampler->density(points, density); !status) return fail(status.error());
    for (std::size_t i = 0; i < points.size(); ++i)
      std::printf("x %11.1f  z %8.3f  density %+9.4f m  %s\n", x, points[i].z,
                  static_cast<double>(density[i]), density[i] < 0 ? "solid" : "air");
  }

  // What is proven about boxes of 4 m, from bottom to top.
  for (double z = stratum->top_z_m - stratum->height_m; z < stratum->top_z_m; z += 4) {
    const auto bounds = sampler->bounds({{100, 200, z}, {104, 204, z + 4}});
    if (!bounds) return fail(bounds.error());
    std::printf("box at z %8.3f  density in [%+9.4f, %+9.4f] m  %s\n", z, static_cast<double>(bounds->min),
                static_cast<double>(bounds->max), name_of(bounds->verdict));
  }

  // The ground around a place, as triangles; and where a body that falls there comes to stand.
  const voxelforge::Point place{100, 200, stratum->floor_z_m + stratum->content_height_m / 2};
  const auto ground = voxelforge::Surface::build(*world, place);
  if (!ground) return fail(ground.error());
  std::printf("ground: %zu triangles in %zu tiles, digest %s\n", ground->triangle_count(),
              ground->tile_count(), ground->digest().c_str());
  if (const auto hit = ground->ray(place, {0, 0, -1}, stratum->height_m))
    std::printf("a body at x %g, y %g falls %.3f m, to z %.3f\n", place.x, place.y, hit->distance_m,
                hit->at.z);
  return show_view(*world, place);
}

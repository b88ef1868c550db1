#include "cli/view_input.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/camera_input.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/region_mesh.h"
#include "mesh/view_mesh.h"
#include "plan/resolve.h"
#include "proof/certificate.h"
#include "proof/view_region.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

Result<ViewField> open_tiles(const InputStratum& where, const ViewPlace& place, std::vector<TileKey> tiles,
                             const Box2f& window) {
  Result<BoundField> field = field_in_window(where, place.frame, window);
  if (!field) return field.error();
  return ViewField{std::make_shared<const BoundField>(*std::move(field)), std::move(tiles)};
}

float height_of(const InputStratum& where) {
  return static_cast<float>(where.built->recipe->height_m);
}

}  // namespace

void add_place2(const Verb& verb, std::optional<Place2>& target, const std::string& help) {
  verb.checked(
      "--at", help,
      [&target](const std::string& text) -> Status {
        const Result<std::vector<std::string>> parts = split_list("--at", text, 2, 2, "x,y in metres");
        if (!parts) return parts.error();
        Place2 at{};
        for (std::size_t i = 0; i < at.size(); ++i) {
          const Result<std::int64_t> value = parse_metres_1024("--at", (*parts)[i]);
          if (!value) return value.error();
          at[i] = *value;
        }
        target = at;
        return Unit{};
      },
      "X,Y");
}

Result<ViewPlace> view_place(const Place2& at) {
  return frame_place(at[0], at[1]);
}

Result<ViewPlace> default_view_place(const InputStratum& where) {
  const std::vector<Viewpoint>& views = where.built->recipe->viewpoints;
  if (views.empty()) return ViewPlace{{}, 512, 512};
  const Result<PlacedCamera> camera = viewpoint_camera(*where.built, where.stratum, views.front());
  if (!camera) return camera.error();
  return ViewPlace{camera->frame, camera->camera.eye.x, camera->camera.eye.y};
}

std::array<double, 2> world_place(const ViewPlace& place) {
  return {static_cast<double>(place.frame.sx) * 1024 + static_cast<double>(place.x),
          static_cast<double>(place.frame.sy) * 1024 + static_cast<double>(place.y)};
}

Result<ViewField> open_view(const InputStratum& where, const ViewPlace& place) {
  std::vector<TileKey> tiles = view_tiles(place.x, place.y, height_of(where));
  const Box2f window = window_of_tiles(tiles);
  return open_tiles(where, place, std::move(tiles), window);
}

Result<ViewField> open_near_ring(const InputStratum& where, const ViewPlace& place) {
  std::vector<TileKey> tiles = near_ring_tiles(place.x, place.y, height_of(where));
  const Box2f window = window_of_tiles(tiles);
  return open_tiles(where, place, std::move(tiles), window);
}

Result<ViewField> open_mesh_ring(const InputStratum& where, const ViewPlace& place) {
  std::vector<TileKey> tiles = near_ring_tiles(place.x, place.y, height_of(where));
  const Box2f window = mesh_window(tiles);
  return open_tiles(where, place, std::move(tiles), window);
}

Result<ViewField> open_mesh_view(const InputStratum& where, const ViewPlace& place) {
  const ViewSettings& view = where.built->recipe->view;
  std::vector<TileKey> tiles = tiles_in(wanted_squares(rings_of(view), place.x, place.y), height_of(where));
  const Box2f window = view_window(tiles);
  return open_tiles(where, place, std::move(tiles), window);
}

std::vector<TileKey> tiles_of_level(const std::vector<TileKey>& tiles, int level) {
  std::vector<TileKey> out;
  std::copy_if(tiles.begin(), tiles.end(), std::back_inserter(out),
               [&](const TileKey& k) { return k.level == level; });
  return out;
}

}  // namespace vf::cli

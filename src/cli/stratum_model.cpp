#include "cli/stratum_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/part_looks.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/material_borders.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "proof/view_region.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

/// The corner of the model in the frame: whole metres, so that it is exact everywhere.
Vec3f frame_origin(const ViewPlace& place) {
  return {std::floor(place.x), std::floor(place.y), 0};
}

/// The same in the world, on the content floor. [metres, z up]
Vec3d world_origin(const InputStratum& where, const ViewPlace& place) {
  const Vec3f at = frame_origin(place);
  return {static_cast<double>(place.frame.sx) * 1024 + static_cast<double>(at.x),
          static_cast<double>(place.frame.sy) * 1024 + static_cast<double>(at.y),
          where.stratum.content_floor_z_m};
}

/// One level, or all of a view.
struct Surfaces {
  std::optional<RegionMesh> ring;
  std::optional<ViewMesh> view;

  [[nodiscard]] std::vector<const MeshPiece*> pieces() const {
    return ring ? ring->pieces() : view->pieces();
  }
  [[nodiscard]] Digest digest() const { return ring ? digest_of(*ring) : digest_of(*view); }
};

Surfaces make_surfaces(const ViewField& view, const ModelOptions& options) {
  Surfaces out;
  if (options.whole_view) {
    out.view = mesh_view(view.field, view.tiles, options.tiles, options.workers);
  } else {
    const RegionDensity density = evaluate_for_mesh(view.field, view.tiles, options.tiles, options.workers);
    out.ring = mesh_region(density, options.tiles.simd, options.workers);
  }
  return out;
}

/// Those that reach into the model, the nearest to the place first.
Result<std::vector<ModelLight>> model_lights(const InputStratum& where, const ViewPlace& place,
                                             const Box2f& window, std::size_t most) {
  std::vector<ModelLight> out;
  if (most == 0) return out;
  SectorPaths paths(where);
  Result<std::vector<PlacedLight>> lights = lights_in_window(paths, place.frame, window);
  if (!lights) return lights.error();
  const std::vector<Light>& kinds = where.built->recipe->lights;
  std::erase_if(*lights, [&](const PlacedLight& l) { return kinds[l.light].intensity <= 0; });
  const auto away2 = [&](const PlacedLight& l) {
    const float dx = l.at.x - place.x, dy = l.at.y - place.y;
    return dx * dx + dy * dy;
  };
  std::sort(lights->begin(), lights->end(), [&](const PlacedLight& a, const PlacedLight& b) {
    return std::tuple(away2(a), a.at.x, a.at.y, a.at.z, a.light) <
           std::tuple(away2(b), b.at.x, b.at.y, b.at.z, b.light);
  });
  if (lights->size() > most) lights->resize(most);
  const Vec3f origin = frame_origin(place);
  for (const PlacedLight& l : *lights) {
    const Light& kind = kinds[l.light];
    const Vec3f at = l.at - origin;
    // A white surface sends 1/pi of the light that it gets to every side; ours is said by what it sends.
    out.push_back({kind.name,
                   {at.x, at.z, 0 - at.y},
                   {kind.color[0], kind.color[1], kind.color[2]},
                   std::numbers::pi_v<float> * kind.intensity,
                   kind.range_m});
  }
  return out;
}

}  // namespace

Result<StratumModel> stratum_model(const InputStratum& where, const ViewPlace& place,
                                   const ModelOptions& options) {
  const Result<ViewField> view =
      options.whole_view ? open_mesh_view(where, place) : open_mesh_ring(where, place);
  if (!view) return view.error();
  const Surfaces mesh = make_surfaces(*view, options);
  const std::vector<const MeshPiece*> pieces = mesh.pieces();
  std::size_t triangles = 0;
  for (const MeshPiece* piece : pieces) triangles += piece->triangles.size();
  if (triangles > kMaxModelTriangles) {
    return Error{ErrorCode::kResource,
                 {},
                 fmt::format("the {} of stratum {} has {} triangles; a model holds at most {}",
                             options.whole_view ? "view" : "near ring", where.stratum.index, triangles,
                             kMaxModelTriangles)};
  }
  const std::shared_ptr<const BoundField> materials = materials_beside(*where.built, *view->field);
  const std::vector<PaintedPiece> painted =
      painted_pieces(materials, pieces, options.tiles.simd, options.workers);
  std::vector<MaterialTile> tiles = material_tiles(*where.built->recipe);
  if (!options.tinted)
    for (MaterialTile& tile : tiles) tile.headroom = 1;

  StratumModel out;
  out.index = where.stratum.index;
  out.recipe = where.built->recipe;
  out.mesh = mesh.digest();
  out.origin_m = world_origin(where, place);
  out.parts = surface_parts({painted, tiles, frame_origin(place)}, options.workers);
  Result<std::vector<PartLook>> looks =
      part_looks(*out.recipe, tiles, out.parts, {options.texture_px, options.workers});
  if (!looks) return looks.error();
  out.looks = *std::move(looks);
  Result<std::vector<ModelLight>> lights =
      model_lights(where, place, window_of_tiles(view->tiles), options.lights);
  if (!lights) return lights.error();
  out.lights = *std::move(lights);
  return out;
}

}  // namespace vf::cli

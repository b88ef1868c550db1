#include "cli/stratum_model.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
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
#include "math/vec.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"
#include "plan/resolve.h"

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
  const std::vector<std::vector<MaterialBlend>> blends =
      surface_materials(materials, pieces, options.tiles.simd, options.workers);
  std::vector<MaterialTile> tiles = material_tiles(*where.built->recipe);
  if (!options.tinted)
    for (MaterialTile& tile : tiles) tile.headroom = 1;

  StratumModel out;
  out.index = where.stratum.index;
  out.recipe = where.built->recipe;
  out.mesh = mesh.digest();
  out.origin_m = world_origin(where, place);
  out.parts = surface_parts({pieces, blends, tiles, frame_origin(place)}, options.workers);
  Result<std::vector<PartLook>> looks =
      part_looks(*out.recipe, tiles, out.parts, {options.texture_px, options.workers});
  if (!looks) return looks.error();
  out.looks = *std::move(looks);
  return out;
}

}  // namespace vf::cli

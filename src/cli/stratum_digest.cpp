#include "cli/stratum_digest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "plan/resolve.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/tile_evaluator.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"

namespace vf::cli {

std::vector<TileKey> digest_tiles(const ViewPlace& place, float height_m) {
  std::vector<TileKey> tiles;
  for (int level = 0; level <= kMaxLevel; ++level) {
    const float edge = tile_m(level);
    const auto tx = static_cast<std::int32_t>(std::floor(place.x / edge));
    const auto ty = static_cast<std::int32_t>(std::floor(place.y / edge));
    const TileSpan span = stratum_tiles(level, height_m);
    for (std::int32_t z = span.first; z <= span.last; ++z) {
      for (std::int32_t y = ty - 1; y <= ty; ++y) {
        for (std::int32_t x = tx - 1; x <= tx; ++x) tiles.push_back({level, x, y, z});
      }
    }
  }
  return tiles;
}

Result<StratumDigest> digest_stratum(const InputStratum& where, const ViewPlace& place,
                                     const TileOptions& options, unsigned workers, bool want_dump) {
  const std::vector<TileKey> tiles = digest_tiles(place, static_cast<float>(where.built->recipe->height_m));
  std::vector<std::vector<TileKey>> levels;
  Box2f window = window_of_tiles(tiles);
  for (int level = 0; level <= kMaxLevel; ++level) {
    levels.push_back(tiles_of_level(tiles, level));
    const Box2f mesh = mesh_window(levels.back());
    window = {std::min(window.min_x, mesh.min_x), std::min(window.min_y, mesh.min_y),
              std::max(window.max_x, mesh.max_x), std::max(window.max_y, mesh.max_y)};
  }
  Result<BoundField> bound = field_in_window(where, place.frame, window);
  if (!bound) return bound.error();
  const auto field = std::make_shared<const BoundField>(*std::move(bound));
  StratumDigest out;
  out.region = density_digest(field, tiles, options, workers);
  if (want_dump) out.dump = density_dump(field, tiles, options, workers);
  Digester mesh;
  for (const std::vector<TileKey>& level : levels) {
    const RegionDensity region = evaluate_for_mesh(field, level, options, workers);
    const RegionMesh surface = mesh_region(region, options.simd, workers);
    mesh.add(digest_of(surface));
    if (want_dump) out.dump += mesh_dump(surface);
  }
  out.mesh = mesh.finish();
  return out;
}

}  // namespace vf::cli

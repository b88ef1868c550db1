#include "voxelforge/surface.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/convert.h"
#include "api/world_impl.h"
#include "base/digest.h"
#include "base/fp_scope.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/collider.h"
#include "mesh/ground.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

namespace {

constexpr double kLeastRadiusM = 8, kMostRadiusM = 128;
constexpr unsigned kMostWorkers = 1024;

/// Whole tiles whose square reaches `radius_m` from a place, over the stratum's height.
std::vector<vf::TileKey> tiles_around(float x, float y, double radius_m, float height_m) {
  constexpr double kTileM = static_cast<double>(vf::tile_m(0));
  const auto half = static_cast<std::int32_t>(std::ceil(radius_m / kTileM));
  const auto middle = [](float v) {
    return static_cast<std::int32_t>(std::floor(static_cast<double>(v) / kTileM + 0.5));
  };
  const vf::TileSpan span = vf::stratum_tiles(0, height_m);
  std::vector<vf::TileKey> tiles;
  for (std::int32_t ty = middle(y) - half; ty < middle(y) + half; ++ty)
    for (std::int32_t tx = middle(x) - half; tx < middle(x) + half; ++tx)
      for (std::int32_t tz = span.first; tz <= span.last; ++tz) tiles.push_back({0, tx, ty, tz});
  return tiles;
}

}  // namespace

struct Surface::Impl {
  vf::Ground ground;
  Point corner;  ///< world place of the frame's origin

  [[nodiscard]] vf::Vec3f local(const Point& p) const {
    return {static_cast<float>(p.x - corner.x), static_cast<float>(p.y - corner.y),
            static_cast<float>(p.z - corner.z)};
  }
  [[nodiscard]] Point world(vf::Vec3f p) const {
    return {corner.x + static_cast<double>(p.x), corner.y + static_cast<double>(p.y),
            corner.z + static_cast<double>(p.z)};
  }
};

Result<Surface> Surface::build(const World& world, const Point& around, const SurfaceOptions& options) {
  if (!in_range(around))
    return bad_input("surface: the place is out of range: expected |x|, |y| <= 10^12 m and z <= 0");
  if (!(options.radius_m >= kLeastRadiusM && options.radius_m <= kMostRadiusM))
    return bad_input("surface: expected a radius of 8 to 128 m");
  if (options.workers > kMostWorkers) return bad_input("surface: expected at most 1024 workers");
  const Result<vf::SimdLevel> simd = instruction_set_level(options.instruction_set);
  if (!simd) return simd.error();
  const Result<std::int64_t> index = world.stratum_index_at(around.z);
  if (!index) return index.error();
  const vf::FpScope scope;
  const vf::StratumScope stratum = world.impl_->scope_at(*index);
  const double sx = std::floor(around.x / kSectorM), sy = std::floor(around.y / kSectorM);
  const std::vector<vf::TileKey> tiles =
      tiles_around(static_cast<float>(around.x - sx * kSectorM), static_cast<float>(around.y - sy * kSectorM),
                   options.radius_m, static_cast<float>(stratum.built->recipe->height_m));
  vf::Result<vf::BoundField> field = vf::field_in_window(
      stratum, {static_cast<std::int64_t>(sx), static_cast<std::int64_t>(sy)}, vf::mesh_window(tiles));
  if (!field) return public_error(field.error());
  const vf::RegionDensity region = vf::evaluate_for_mesh(
      std::make_shared<const vf::BoundField>(*std::move(field)), tiles, {*simd, true}, options.workers);
  auto impl = std::make_shared<Impl>();
  impl->ground = vf::make_ground(region, *simd, options.workers);
  impl->corner = {sx * kSectorM, sy * kSectorM, stratum.stratum.content_floor_z_m};
  return Surface(std::move(impl));
}

std::size_t Surface::tile_count() const {
  return impl_->ground.mesh.tiles.size();
}

std::size_t Surface::triangle_count() const {
  return impl_->ground.mesh.triangle_count();
}

std::string Surface::digest() const {
  return vf::to_hex(vf::digest_of(impl_->ground.mesh));
}

SurfaceTile Surface::tile(std::size_t index) const {
  const vf::TileMesh& tile = impl_->ground.mesh.tiles.at(index);
  const vf::TileKey& key = tile.inside.anchor;
  SurfaceTile out;
  out.origin = impl_->world(vf::tile_origin(key));
  const float unit = vf::voxel_m(key.level) / vf::kVoxelUnits;
  for (const vf::MeshPiece* piece : {&tile.inside, &impl_->ground.mesh.seams[index]}) {
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    for (const vf::MeshVertex& v : piece->vertices) {
      out.positions.push_back(
          {unit * static_cast<float>(v.x), unit * static_cast<float>(v.y), unit * static_cast<float>(v.z)});
      out.normals.push_back(to_array(vf::decode_normal(v.normal)));
    }
    for (const vf::Triangle& t : piece->triangles)
      out.triangles.push_back({first + t.at[0], first + t.at[1], first + t.at[2]});
  }
  return out;
}

std::optional<SurfaceHit> Surface::ray(const Point& from, const std::array<double, 3>& direction,
                                       double most_m) const {
  const std::optional<vf::Vec3f> d = unit_direction(direction);
  if (!d || !(most_m >= 0)) return std::nullopt;
  const std::optional<vf::RayHit> hit = impl_->ground.ray(impl_->local(from), *d, static_cast<float>(most_m));
  if (!hit) return std::nullopt;
  return SurfaceHit{static_cast<double>(hit->distance_m), impl_->world(hit->at), to_array(hit->normal)};
}

std::vector<SurfaceContact> Surface::touch(const SurfaceCapsule& capsule) const {
  std::vector<vf::CapsuleContact> found;
  if (capsule.radius_m > 0)
    impl_->ground.touch(
        {impl_->local(capsule.from), impl_->local(capsule.to), static_cast<float>(capsule.radius_m)}, found);
  std::vector<SurfaceContact> out;
  for (const vf::CapsuleContact& c : found)
    out.push_back({impl_->world(c.at), to_array(c.normal), static_cast<double>(c.depth_m)});
  return out;
}

}  // namespace voxelforge

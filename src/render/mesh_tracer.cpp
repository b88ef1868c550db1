#include "render/mesh_tracer.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "math/box.h"
#include "math/ray_box.h"
#include "mesh/ground.h"
#include "mesh/tile_mesh.h"
#include "proof/tile_geometry.h"

namespace vf::render {

namespace {

/// Inside of the outermost cells, which are open to the sides.
Box3f box_of(const Ground& ground) {
  Box3f box{{1e30F, 1e30F, 1e30F}, {-1e30F, -1e30F, -1e30F}};
  for (const TileMesh& tile : ground.mesh.tiles) {
    const TileKey& key = tile.inside.anchor;
    const Vec3f o = tile_origin(key);
    const float edge = tile_m(key.level);
    box.min = {std::min(box.min.x, o.x), std::min(box.min.y, o.y), std::min(box.min.z, o.z)};
    box.max = {std::max(box.max.x, o.x + edge), std::max(box.max.y, o.y + edge),
               std::max(box.max.z, o.z + edge)};
  }
  const float cell = ground.mesh.tiles.empty() ? 0.0F : voxel_m(ground.mesh.tiles[0].inside.anchor.level);
  return {{box.min.x + cell, box.min.y + cell, box.min.z}, {box.max.x - cell, box.max.y - cell, box.max.z}};
}

}  // namespace

std::unique_ptr<RayTracer> make_tracer(const TraceGrid& grid, const SceneField& field, const Ground* mesh) {
  if (mesh == nullptr || mesh->mesh.tiles.empty()) return std::make_unique<FieldTracer>(grid, field);
  return std::make_unique<MeshTracer>(grid, field, *mesh);
}

MeshTracer::MeshTracer(const TraceGrid& grid, const SceneField& field, const Ground& mesh)
    : field_(grid, field), mesh_(&mesh), box_(box_of(mesh)) {}

void MeshTracer::trace(std::span<const Ray> rays, std::span<RayHit> hits) {
  beyond_.clear();
  which_.clear();
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Ray& ray = rays[i];
    const RayStretch in = clip_ray(box_, ray.origin, ray.dir, {ray.t_min, ray.t_max});
    if (in.empty()) {
      beyond_.push_back(ray);
      which_.push_back(i);
      continue;
    }
    if (in.low > ray.t_min) {  // the field before the mesh
      RayHit before;
      Ray until = ray;
      until.t_max = in.low;
      field_.trace({&until, 1}, {&before, 1});
      if (before.hit) {
        hits[i] = before;
        continue;
      }
    }
    const Vec3f from = ray.origin + ray.dir * in.low;
    if (const std::optional<GroundHit> hit = mesh_->ray(from, ray.dir, in.high - in.low)) {
      hits[i] = {true, in.low + hit->distance_m, hit->at, mesh_->smooth_normal(*hit)};
      continue;
    }
    if (in.high >= ray.t_max) {
      hits[i] = {false, ray.t_max, {}, {}};
      continue;
    }
    beyond_.push_back(ray);
    beyond_.back().t_min = in.high;
    which_.push_back(i);
  }
  beyond_hits_.resize(beyond_.size());
  field_.trace(beyond_, beyond_hits_);
  for (std::size_t k = 0; k < which_.size(); ++k) hits[which_[k]] = beyond_hits_[k];
}

}  // namespace vf::render

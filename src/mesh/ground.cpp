#include "mesh/ground.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/tasks.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/collider.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"

namespace vf {

std::optional<GroundHit> Ground::ray(Vec3f origin, Vec3f direction, float most_m) const {
  std::optional<GroundHit> best;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const TileCollider& c = colliders[i];
    if (!c.may_hit(origin, direction, most_m)) continue;
    if (const std::optional<RayHit> hit = c.ray(origin, direction, most_m)) {
      best = GroundHit{*hit, i};
      most_m = hit->distance_m;
    }
  }
  return best;
}

Vec3f Ground::smooth_normal(const GroundHit& hit) const {
  const std::size_t inside = mesh.tiles[hit.tile].inside.triangles.size();
  const MeshPiece& piece = hit.triangle < inside ? mesh.tiles[hit.tile].inside : mesh.seams[hit.tile];
  const Triangle& t = piece.triangles[hit.triangle < inside ? hit.triangle : hit.triangle - inside];
  Vec3f sum;
  for (std::size_t i = 0; i < 3; ++i)
    sum = sum + decode_normal(piece.vertices[t.at[i]].normal) * hit.weights[i];
  const float length = std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
  return length > 0 ? sum * (1 / length) : hit.normal;
}

void Ground::touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const {
  for (const TileCollider& c : colliders)
    if (c.may_touch(capsule)) c.touch(capsule, out);
}

std::vector<TileCollider> make_colliders(const RegionMesh& mesh, unsigned workers) {
  std::vector<TileCollider> out(mesh.tiles.size());
  parallel_for(out.size(), workers, [&](std::size_t i, unsigned) {
    const std::array<const MeshPiece*, 2> pieces{&mesh.tiles[i].inside, &mesh.seams[i]};
    out[i] = TileCollider(pieces);
  });
  return out;
}

Ground make_ground(const RegionDensity& region, SimdLevel simd, unsigned workers) {
  Ground ground;
  ground.mesh = mesh_region(region, simd, workers);
  ground.colliders = make_colliders(ground.mesh, workers);
  return ground;
}

}  // namespace vf

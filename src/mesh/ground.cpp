#include "mesh/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/tasks.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/collider.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// The part of [0, most] that a ray is in the box; nothing when it misses. A little grown against rounding.
bool enters(const Box3f& box, Vec3f o, Vec3f d, float most) {
  float low = 0, high = most;
  const auto slab = [&](float from, float along, float min, float max) {
    min -= 1e-3F, max += 1e-3F;
    if (along == 0) return min <= from && from <= max;
    const float a = (min - from) / along, b = (max - from) / along;
    low = std::max(low, std::min(a, b));
    high = std::min(high, std::max(a, b));
    return low <= high;
  };
  return slab(o.x, d.x, box.min.x, box.max.x) && slab(o.y, d.y, box.min.y, box.max.y) &&
         slab(o.z, d.z, box.min.z, box.max.z);
}

}  // namespace

std::size_t Ground::triangle_count() const {
  std::size_t n = 0;
  for (const TileCollider& c : colliders) n += c.size();
  return n;
}

std::optional<GroundHit> Ground::ray(Vec3f origin, Vec3f direction, float most_m) const {
  std::optional<GroundHit> best;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const TileCollider& c = colliders[i];
    if (c.empty() || !enters(c.box(), origin, direction, most_m)) continue;
    if (const std::optional<RayHit> hit = c.ray(origin, direction, most_m)) {
      best = GroundHit{*hit, i};
      most_m = hit->distance_m;
    }
  }
  return best;
}

Vec3f Ground::smooth_normal(const GroundHit& hit) const {
  const std::size_t inside = tiles[hit.tile].inside.triangles.size();
  const MeshPiece& piece = hit.triangle < inside ? tiles[hit.tile].inside : seams[hit.tile];
  const Triangle& t = piece.triangles[hit.triangle < inside ? hit.triangle : hit.triangle - inside];
  Vec3f sum;
  for (std::size_t i = 0; i < 3; ++i)
    sum = sum + decode_normal(piece.vertices[t.at[i]].normal) * hit.weights[i];
  const float length = std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
  return length > 0 ? sum * (1 / length) : hit.normal;
}

void Ground::touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const {
  const Vec3f a = capsule.from, b = capsule.to;
  const Box3f box = Box3f{{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
                          {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}}
                        .grown(capsule.radius_m);
  for (const TileCollider& c : colliders)
    if (!c.empty() && c.box().intersects(box)) c.touch(capsule, out);
}

std::vector<TileCollider> make_colliders(std::span<const TileMesh> tiles, std::span<const MeshPiece> seams,
                                         unsigned workers) {
  VF_CHECK(tiles.size() == seams.size());
  std::vector<TileCollider> out(tiles.size());
  parallel_for(out.size(), workers, [&](std::size_t i, unsigned) {
    const std::array<const MeshPiece*, 2> pieces{&tiles[i].inside, &seams[i]};
    out[i] = TileCollider(pieces);
  });
  return out;
}

Ground make_ground(const RegionDensity& region, SimdLevel simd, unsigned workers) {
  Ground ground;
  ground.tiles = mesh_tiles(region, simd, workers);
  ground.seams = mesh_seams(region, ground.tiles, workers);
  ground.colliders = make_colliders(ground.tiles, ground.seams, workers);
  return ground;
}

}  // namespace vf

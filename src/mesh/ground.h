// Tiles with their seams and colliders: what a body walks on.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/collider.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"

namespace vf {

struct GroundHit : RayHit {
  std::size_t tile = 0;
};

/// Immutable; any number of threads may ask. Moved, never copied: colliders point to the triangles beside
/// them.
struct Ground {
  Ground() = default;
  Ground(Ground&&) noexcept = default;
  Ground& operator=(Ground&&) noexcept = default;
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
  ~Ground() = default;

  RegionMesh mesh;
  std::vector<TileCollider> colliders;  ///< of each tile with its seams

  /// As TileCollider, over all tiles.
  [[nodiscard]] std::optional<GroundHit> ray(Vec3f origin, Vec3f direction, float most_m) const;
  /// Between the normals of the triangle's vertices, as a renderer shades it. Length 1.
  [[nodiscard]] Vec3f smooth_normal(const GroundHit& hit) const;
  void touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const;
};

/// One for each tile with its seams, which must outlive them.
[[nodiscard]] std::vector<TileCollider> make_colliders(const RegionMesh& mesh, unsigned workers);

/// From densities to what collides. `workers` 0: one a core.
[[nodiscard]] Ground make_ground(const RegionDensity& region, SimdLevel simd, unsigned workers);

}  // namespace vf

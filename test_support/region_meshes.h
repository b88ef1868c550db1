// Regions of fields as meshes, and their audit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/digest.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf::test {

struct Meshes {
  RegionDensity density;
  RegionMesh mesh;
  [[nodiscard]] Digest digest() const { return digest_of(mesh); }
};

inline Meshes mesh(const std::shared_ptr<const BoundField>& field, const std::vector<TileKey>& tiles,
                   const TileOptions& options, unsigned workers) {
  Meshes out;
  out.density = evaluate_for_mesh(field, tiles, options, workers);
  out.mesh = mesh_region(out.density, options.simd, workers);
  return out;
}

/// Open only within a cell of the region's sides, and where passages leave it above and below.
inline MeshAudit audit(const Meshes& m) {
  const std::vector<const MeshPiece*> pieces = m.mesh.pieces();
  std::int32_t low_x = m.density.tiles[0].tx, high_x = low_x, low_y = m.density.tiles[0].ty, high_y = low_y;
  std::int32_t low_z = m.density.tiles[0].tz, high_z = low_z;
  for (const TileKey& key : m.density.tiles) {
    low_x = std::min(low_x, key.tx), high_x = std::max(high_x, key.tx + 1);
    low_y = std::min(low_y, key.ty), high_y = std::max(high_y, key.ty + 1);
    low_z = std::min(low_z, key.tz), high_z = std::max(high_z, key.tz + 1);
  }
  const std::int64_t cell = std::int64_t{kVoxelUnits} << m.density.tiles[0].level;
  const auto side = [=](std::int64_t v, std::int32_t low, std::int32_t high) {
    return v <= low * kTileEdge * cell + cell || v >= high * kTileEdge * cell - cell;
  };
  return audit_mesh(pieces, [=](const MeshPoint& a, const MeshPoint& b) {
    const auto out = [&](const MeshPoint& p) {
      return side(p.x, low_x, high_x) || side(p.y, low_y, high_y) || side(p.z, low_z, high_z);
    };
    return out(a) && out(b);
  });
}

}  // namespace vf::test

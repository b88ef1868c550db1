// Tiles of several levels -> their meshes, and the seams between them, which close them to one surface.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "math/box.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

struct ViewMesh {
  std::vector<TileMesh> tiles;  ///< as asked for
  // Sorted; only those that may have triangles.
  std::vector<SeamKey> seam_keys;
  std::vector<MeshPiece> seams;

  /// Tiles, then seams. All of them make a closed 2-manifold but for where tiles are missing.
  [[nodiscard]] std::vector<const MeshPiece*> pieces() const;
  [[nodiscard]] std::size_t triangle_count() const;
};

/// The part of plan that the mesh of the tiles reads.
[[nodiscard]] Box2f view_window(std::span<const TileKey> tiles);

/// `tiles`: a balanced view, each once (see seam_key.h); the field's window holds their view_window.
/// `workers` 0: one a core; the result does not depend on it.
[[nodiscard]] ViewMesh mesh_view(const std::shared_ptr<const BoundField>& field,
                                 std::span<const TileKey> tiles, const TileOptions& options,
                                 unsigned workers);

/// Makes the seams of a view whose tiles are there.
void mesh_seams(ViewMesh& view, unsigned workers);

}  // namespace vf

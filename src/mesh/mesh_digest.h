// The canonical digest of a mesh: positions, normals, triangles, in order.
#pragma once

#include <string>

#include "base/digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "mesh/view_mesh.h"

namespace vf {

[[nodiscard]] Digest digest_of(const MeshPiece& piece);
[[nodiscard]] Digest digest_of(const RegionMesh& mesh);
[[nodiscard]] Digest digest_of(const ViewMesh& mesh);

/// The same as text: a line a tile, a vertex, a triangle. For first_difference.
[[nodiscard]] std::string mesh_dump(const RegionMesh& mesh);

}  // namespace vf

// The canonical digest of a mesh: positions, normals, triangles, in order.
#pragma once

#include <span>
#include <string>

#include "base/digest.h"
#include "mesh/tile_mesh.h"

namespace vf {

[[nodiscard]] Digest digest_of(const MeshPiece& piece);
/// Of tiles and seams in the order given.
[[nodiscard]] Digest digest_of(std::span<const TileMesh> tiles, std::span<const MeshPiece> seams);

/// The same as text: a line a tile, a vertex, a triangle. For first_difference.
[[nodiscard]] std::string mesh_dump(std::span<const TileMesh> tiles, std::span<const MeshPiece> seams);

}  // namespace vf

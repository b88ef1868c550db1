// Is a mesh closed, manifold, consistently oriented and free of degenerate triangles?
//
// Sees triangles only: pieces are joined by the positions of their vertices, as a program that loads them
// would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

struct MeshAudit {
  std::uint64_t triangles = 0, vertices = 0;  ///< vertices after joining
  std::uint64_t open_edges = 0;               ///< one triangle, and not on the outer boundary
  std::uint64_t boundary_edges = 0;           ///< one triangle, on the outer boundary
  std::uint64_t non_manifold_edges = 0;       ///< more than two triangles
  std::uint64_t non_manifold_vertices = 0;    ///< the triangles around it are not one fan
  std::uint64_t misoriented_edges = 0;        ///< both triangles pass it in the same direction
  std::uint64_t degenerate_triangles = 0;     ///< no area
  std::uint64_t strays = 0;  ///< triangles whose corners do not lie in cells around one lattice edge
  std::uint64_t backward_normals = 0;  ///< a corner's normal against its triangle's side
  std::string first;                   ///< the first fault, with its place

  [[nodiscard]] std::uint64_t faults() const {
    return open_edges + non_manifold_edges + non_manifold_vertices + misoriented_edges +
           degenerate_triangles + strays;
  }
};

/// Position in units of the finest level's voxel / 512, in the frame.
struct MeshPoint {
  std::int64_t x = 0, y = 0, z = 0;
  friend auto operator<=>(const MeshPoint&, const MeshPoint&) = default;
};
[[nodiscard]] MeshPoint point_of(const MeshPiece& piece, const MeshVertex& vertex);

/// `on_boundary(a, b)`: an edge with one triangle may lie here. Without it the mesh must be closed.
[[nodiscard]] MeshAudit audit_mesh(
    std::span<const MeshPiece* const> pieces,
    const std::function<bool(const MeshPoint&, const MeshPoint&)>& on_boundary = {});

}  // namespace vf

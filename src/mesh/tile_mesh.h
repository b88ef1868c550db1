// In: the densities of a tile and of its neighbours. Out: its triangles, and what seams to other tiles need.
//
// Product header of mesh/. Immutable once made.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "mesh/cell_table.h"
#include "proof/certificate.h"

namespace vf {

/// Positions are whole numbers of voxel / 512: the same point has the same numbers from whichever tile it is
/// seen, and is exact as a float.
inline constexpr int kVoxelUnits = 512;

/// A direction as two numbers on the unfolded octahedron (Cigolle et al. 2014), each in [-32767, 32767].
struct OctNormal {
  std::int16_t u = 0, v = 0;
  friend bool operator==(const OctNormal&, const OctNormal&) = default;
};
inline constexpr float kOctScale = 32767;
[[nodiscard]] OctNormal encode_normal(Vec3f n);
[[nodiscard]] Vec3f decode_normal(OctNormal n);  ///< length 1

struct MeshVertex {
  std::int16_t x = 0, y = 0, z = 0;  ///< from the tile's sample 0, 0, 0. [voxel / 512, see MeshPiece::level]
  OctNormal normal;                  ///< out of the rock
  friend bool operator==(const MeshVertex&, const MeshVertex&) = default;
};

struct Triangle {
  std::array<std::uint32_t, 3> at{};  ///< vertices, anticlockwise seen from the air
  friend bool operator==(const Triangle&, const Triangle&) = default;
};

/// Triangles with vertices of their own. A vertex that stands on a sharp edge is there once for each smooth
/// side, with equal positions.
struct MeshPiece {
  TileKey anchor;           ///< positions count from this tile's sample 0, 0, 0, in its voxels
  bool two_levels = false;  ///< a seam to a coarser tile: some vertices stand in cells twice as large
  std::vector<MeshVertex> vertices;
  std::vector<Triangle> triangles;
};

/// The vertices of one cell that the surface passes.
struct CellVertices {
  std::uint32_t first = 0;  ///< vertex
  std::uint8_t x = 0, y = 0, z = 0;
  CornerMask mask = 0;
  /// For each crossed edge: which vertex, counted from `first`, the polygon around that edge uses.
  std::array<std::uint8_t, kCellEdges> of_edge{};
};

/// One of the two segments on an ambiguous face: cuts off a solid corner. It has a vertex of its own, which
/// keeps the mesh manifold where both segments lie between the same two sheets.
struct FaceSegment {
  std::uint8_t axis = 0;             ///< the face is across it,
  std::uint8_t x = 0, y = 0, z = 0;  ///< on the low side of this cell (0 ... 32 on `axis`)
  std::uint8_t u = 0, v = 0;         ///< its solid corner, on the next two axes
  /// Vertices of the segment for the polygons around its ends: the crossed edge along u, and that along v.
  std::array<std::uint32_t, 2> vertex{};
  /// Vertices at the crossings of these edges: what the polygons are fanned from.
  std::array<std::uint32_t, 2> crossing{};
};

/// A lattice edge in one of the tile's six sides that the surface crosses: what seams to a coarser tile are
/// made of, whose vertices stand in the side itself.
struct BorderCrossing {
  std::uint8_t axis = 0, x = 0, y = 0, z = 0;  ///< from that sample one further on the axis
  bool solid_low_end = false;
  MeshVertex point;  ///< of the surface near by; see Crossings
};

/// What lies on the tile's border: where seams start from. Empty in a tile without surface.
struct TileBorder {
  /// First of the cells of row y of layer z, at 32 z + y; the last entry is their number.
  std::array<std::uint16_t, kTileEdge * kTileEdge + 1> row{};
  std::vector<CellVertices> cells;        ///< cells with a coordinate 0 or 31. Sorted by z, y, x
  std::vector<FaceSegment> segments;      ///< on faces that touch the border. Sorted by z, y, x
  std::vector<BorderCrossing> crossings;  ///< in no order that means anything
};

/// The polygons around the lattice edges strictly inside a tile (samples 0 ... 32).
struct TileMesh {
  MeshPiece inside;
  TileBorder border;  ///< speaks of vertices of `inside`

  /// Else it has no seams either, but for those to finer tiles.
  [[nodiscard]] bool has_surface() const { return !inside.vertices.empty(); }
};

}  // namespace vf

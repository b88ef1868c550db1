// In: pieces of meshes and the floor line of a route. Out: the ground that a walker of the route needs, and
// it as a file for walkers that know nothing of us (docs/formats/corridor.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

/// Pieces of one frame: those of a sector, or of one stratum that a passage leads through.
struct CorridorPieces {
  std::span<const MeshPiece* const> pieces;
  Vec3d origin_m;  ///< of their frame; whole voxels. [world metres]
};

struct CorridorSettings {
  double reach_m = 6;  ///< triangles this near to the line in plan are kept. [metres] [> 0]
  /// ... and this near to its floor in height: no walker is taller, and one that has left the floor by less
  /// is already lost. [metres] [> 0]
  double height_m = 6;
};

/// The tiles of the finest level to mesh for a corridor: all that come near to the line, within a stratum
/// whose content is `height_m` high. `frame_origin_m`: of the tiles' frame. [world metres] Sorted by column.
[[nodiscard]] std::vector<TileKey> corridor_tiles(std::span<const Vec3d> line_m, const Vec3d& frame_origin_m,
                                                  float height_m, const CorridorSettings& settings = {});

struct Corridor {
  Vec3d origin_m;           ///< of all below; whole metres. [world metres]
  std::vector<Vec3f> line;  ///< points on the floor, in the order of the walk. [metres from the origin, z up]
  std::vector<Vec3f> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< anticlockwise seen from the air
};

/// `line_m`: points on the floor in the order of the walk, at least two. [world metres]
/// A triangle is kept when one of its corners is near: meshes are to be fine against the reach. Vertices of
/// different pieces stay apart.
[[nodiscard]] Corridor make_corridor(std::span<const CorridorPieces> ground, std::span<const Vec3d> line_m,
                                     const CorridorSettings& settings = {});

/// Wavefront OBJ, y up, with the line as an `l` element. The same corridor gives the same bytes.
[[nodiscard]] std::string encode_corridor(const Corridor& corridor);

}  // namespace vf

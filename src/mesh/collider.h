// In: the triangles of a tile. Out: what a ray hits and what a capsule touches.
//
// A bounding volume hierarchy without pointers: triangles keep the order in which they were meshed, which
// goes brick by brick along a Morton curve, so that neighbours in the list are neighbours in space; a
// complete binary tree of boxes stands over groups of eight. Building it is one pass, cheaper than any sort.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "math/box.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

struct RayHit {
  float distance_m = 0;
  Vec3f at;                        ///< [metres, frame]
  Vec3f normal;                    ///< of the triangle, out of the rock; length 1
  std::uint32_t triangle = 0;      ///< in the order of the pieces
  std::array<float, 3> weights{};  ///< of its corners; their sum is 1
};

/// A line segment with a thickness; a sphere when both ends are one.
struct Capsule {
  Vec3f from, to;  ///< [metres, frame]
  float radius_m = 0;
};

struct CapsuleContact {
  Vec3f at;           ///< nearest point of the triangle. [metres, frame]
  Vec3f normal;       ///< out of the rock, towards the capsule; length 1
  float depth_m = 0;  ///< how far the capsule must move along the normal. [> 0]
};

/// Triangles of one tile, its seams to the tiles before it among them. Immutable; any number of threads may
/// ask.
class TileCollider {
 public:
  TileCollider() = default;
  /// All pieces count from the same tile.
  explicit TileCollider(std::span<const MeshPiece* const> pieces);

  /// The nearest hit along `direction` (length 1) within `most_m`; from the air or from within the rock. No
  /// ray slips through between two triangles that share a side.
  [[nodiscard]] std::optional<RayHit> ray(Vec3f origin, Vec3f direction, float most_m) const;

  /// Appends a contact for each triangle that the capsule touches.
  void touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const;

  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  [[nodiscard]] std::size_t size() const { return triangles_.size(); }
  [[nodiscard]] Box3f box() const;  ///< of all triangles. [metres, frame]
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Point {
    std::int16_t x = 0, y = 0, z = 0;
  };
  struct Node {
    Point min{32767, 32767, 32767}, max{-32768, -32768, -32768};
  };
  [[nodiscard]] std::array<Vec3d, 3> corners(
      std::size_t triangle) const;  ///< [metres from the tile's corner]
  [[nodiscard]] Node box_of(std::size_t triangle) const;
  /// Calls visit(triangle) in every leaf whose boxes, and all above it, `meets(node)`.
  template <class Meets, class Visit>
  void walk(const Meets& meets, const Visit& visit) const;

  Vec3f origin_;
  float unit_m_ = 0;
  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;  ///< node i stands over 2i and 2i + 1; the second half are the leaves
};

}  // namespace vf

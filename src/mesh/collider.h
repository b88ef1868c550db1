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

/// A tree over the triangles of one tile, its seams to the tiles before it among them. Immutable; any number
/// of threads may ask.
class TileCollider {
 public:
  TileCollider() = default;
  /// One piece or two, counting from the same tile. They are read by every query: they must outlive the
  /// collider, and stay as they are. (Copies were four fifths of its memory and most of its time.)
  explicit TileCollider(std::span<const MeshPiece* const> pieces);

  /// The nearest hit along `direction` (length 1) within `most_m`; from the air or from within the rock. No
  /// ray slips through between two triangles that share a side.
  [[nodiscard]] std::optional<RayHit> ray(Vec3f origin, Vec3f direction, float most_m) const;

  /// Whether a question may have an answer, from the box of all triangles: worth asking first where there are
  /// many colliders.
  [[nodiscard]] bool may_hit(Vec3f origin, Vec3f direction, float most_m) const;
  [[nodiscard]] bool may_touch(const Capsule& capsule) const;

  /// Appends a contact for each triangle that the capsule touches.
  void touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const;

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }  ///< triangles
  [[nodiscard]] Box3f box() const;                          ///< of all triangles. [metres, frame]
  [[nodiscard]] std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

 private:
  struct Point {
    std::int16_t x = 0, y = 0, z = 0;
  };
  using Corners = std::array<const MeshVertex*, 3>;
  struct Node {
    Point min{32767, 32767, 32767}, max{-32768, -32768, -32768};
  };
  [[nodiscard]] Corners vertices(std::size_t triangle) const;
  [[nodiscard]] std::array<Vec3d, 3> corners(
      std::size_t triangle) const;                                       ///< [metres from the tile's corner]
  [[nodiscard]] Node box_of(std::size_t first, std::size_t last) const;  ///< of triangles first ... last - 1
  /// Calls visit(triangle) in every leaf whose boxes, and all above it, `meets(node)`.
  template <class Meets, class Visit>
  void walk(const Meets& meets, const Visit& visit) const;

  Vec3f origin_;
  float unit_m_ = 0;
  std::array<const MeshPiece*, 2> pieces_{};
  std::size_t size_ = 0, first_size_ = 0;  ///< triangles of all, of the first piece
  std::vector<Node> nodes_;  ///< node i stands over 2i and 2i + 1; the second half are the leaves
};

}  // namespace vf

// The triangles about a viewer, to stand on.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "view/view_source.h"

namespace vf {

struct ViewHit {
  double distance_m = 0;
  Vec3d at;      ///< [metres, world]
  Vec3f normal;  ///< of the triangle, out of the rock; length 1
};

struct ViewContact {
  Vec3d at;           ///< nearest point of a triangle. [metres, world]
  Vec3f normal;       ///< out of the rock, towards the capsule; length 1
  float depth_m = 0;  ///< how far the capsule must move along the normal. [> 0]
};

/// The pieces of one stratum.
struct CollisionLayer {
  Vec3d origin_m;  ///< world place of the frame's corner
  std::vector<std::shared_ptr<const ViewProduct>> pieces;
};

/// Immutable; any number of threads may ask.
class ViewCollision {
 public:
  explicit ViewCollision(std::vector<CollisionLayer> layers) : layers_(std::move(layers)) {}

  /// As TileCollider, over all pieces. `direction`: length 1.
  [[nodiscard]] std::optional<ViewHit> ray(const Vec3d& from, Vec3f direction, float most_m) const;
  void touch(const Vec3d& from, const Vec3d& to, float radius_m, std::vector<ViewContact>& out) const;
  [[nodiscard]] std::size_t triangle_count() const;

 private:
  std::vector<CollisionLayer> layers_;
};

}  // namespace vf

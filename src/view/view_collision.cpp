#include "view/view_collision.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "math/vec.h"
#include "mesh/collider.h"

namespace vf {

namespace {

Vec3f local(const Vec3d& p, const Vec3d& origin) {
  return {static_cast<float>(p.x - origin.x), static_cast<float>(p.y - origin.y),
          static_cast<float>(p.z - origin.z)};
}
Vec3d world(Vec3f p, const Vec3d& origin) {
  return {origin.x + static_cast<double>(p.x), origin.y + static_cast<double>(p.y),
          origin.z + static_cast<double>(p.z)};
}

}  // namespace

std::optional<ViewHit> ViewCollision::ray(const Vec3d& from, Vec3f direction, float most_m) const {
  std::optional<ViewHit> nearest;
  for (const CollisionLayer& layer : layers_) {
    const Vec3f start = local(from, layer.origin_m);
    for (const auto& piece : layer.pieces) {
      if (!piece->collider.may_hit(start, direction, most_m)) continue;
      const std::optional<RayHit> hit = piece->collider.ray(start, direction, most_m);
      if (!hit) continue;
      most_m = hit->distance_m;
      nearest = ViewHit{static_cast<double>(hit->distance_m), world(hit->at, layer.origin_m), hit->normal};
    }
  }
  return nearest;
}

void ViewCollision::touch(const Vec3d& from, const Vec3d& to, float radius_m,
                          std::vector<ViewContact>& out) const {
  std::vector<CapsuleContact> found;
  for (const CollisionLayer& layer : layers_) {
    const Capsule capsule{local(from, layer.origin_m), local(to, layer.origin_m), radius_m};
    found.clear();
    for (const auto& piece : layer.pieces)
      if (piece->collider.may_touch(capsule)) piece->collider.touch(capsule, found);
    for (const CapsuleContact& c : found) out.push_back({world(c.at, layer.origin_m), c.normal, c.depth_m});
  }
}

std::size_t ViewCollision::triangle_count() const {
  std::size_t count = 0;
  for (const CollisionLayer& layer : layers_)
    for (const auto& piece : layer.pieces) count += piece->collider.size();
  return count;
}

}  // namespace vf

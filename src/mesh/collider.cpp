#include "mesh/collider.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/check.h"
#include "math/box.h"
#include "math/ray_box.h"
#include "math/vec.h"
#include "mesh/closest_points.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

constexpr std::size_t kLeaf = 8;

/// x, y and z of a vertex, and more: least and most of all of them are one instruction. By way of a whole
/// word: words written in parts to memory and read back as one wait for each other.
using Short8 = std::int16_t __attribute__((vector_size(16)));
using Long2 = std::int64_t __attribute__((vector_size(16)));
Short8 first_words(const MeshVertex& vertex) {
  std::int64_t word = 0;
  static_assert(sizeof vertex >= sizeof word && offsetof(MeshVertex, x) == 0 && offsetof(MeshVertex, z) == 4);
  std::memcpy(&word, &vertex, sizeof word);
  return std::bit_cast<Short8>(Long2{word, 0});
}

Vec3d to_double(Vec3f v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Vec3f to_float(Vec3d v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

}  // namespace

TileCollider::TileCollider(std::span<const MeshPiece* const> pieces) {
  if (pieces.empty()) return;
  const TileKey& key = pieces[0]->anchor;
  origin_ = tile_origin(key);
  unit_m_ = voxel_m(key.level) / kVoxelUnits;
  VF_CHECK(pieces.size() <= pieces_.size());
  std::copy(pieces.begin(), pieces.end(), pieces_.begin());
  first_size_ = pieces[0]->triangles.size();
  for (const MeshPiece* piece : pieces) {
    VF_CHECK(piece->anchor == key);
    size_ += piece->triangles.size();
  }
  if (size_ == 0) return;
  const std::size_t leaves = std::bit_ceil((size_ + kLeaf - 1) / kLeaf);
  nodes_.resize(2 * leaves);
  const auto join = [](Node& a, const Node& b) {
    a.min = {std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)};
    a.max = {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)};
  };
  for (std::size_t t = 0; t < size_; t += kLeaf)
    nodes_[leaves + t / kLeaf] = box_of(t, std::min(t + kLeaf, size_));
  for (std::size_t i = leaves; i-- > 1;) {
    nodes_[i] = nodes_[2 * i];
    join(nodes_[i], nodes_[2 * i + 1]);
  }
}

TileCollider::Corners TileCollider::vertices(std::size_t triangle) const {
  const bool first = triangle < first_size_;
  const MeshPiece& piece = *pieces_[first ? 0 : 1];
  const Triangle& t = piece.triangles[first ? triangle : triangle - first_size_];
  return {&piece.vertices[t.at[0]], &piece.vertices[t.at[1]], &piece.vertices[t.at[2]]};
}

TileCollider::Node TileCollider::box_of(std::size_t first, std::size_t last) const {
  const Node none;
  Short8 low{none.min.x, none.min.y, none.min.z}, high{none.max.x, none.max.y, none.max.z};
  for (std::size_t t = first; t < last; ++t) {
    for (const MeshVertex* vertex : vertices(t)) {
      const Short8 p = first_words(*vertex);
      low = p < low ? p : low;
      high = p > high ? p : high;
    }
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

std::array<Vec3d, 3> TileCollider::corners(std::size_t triangle) const {
  std::array<Vec3d, 3> out;
  const double unit = static_cast<double>(unit_m_);
  const Corners at = vertices(triangle);
  for (std::size_t i = 0; i < 3; ++i) out[i] = {unit * at[i]->x, unit * at[i]->y, unit * at[i]->z};
  return out;
}

Box3f TileCollider::box() const {
  if (nodes_.empty()) return {origin_, origin_};
  const Node& root = nodes_[1];
  const auto at = [this](const Point& p) {
    return Vec3f{origin_.x + unit_m_ * p.x, origin_.y + unit_m_ * p.y, origin_.z + unit_m_ * p.z};
  };
  return {at(root.min), at(root.max)};
}

template <class Meets, class Visit>
void TileCollider::walk(const Meets& meets, const Visit& visit) const {
  if (nodes_.empty()) return;
  const std::size_t leaves = nodes_.size() / 2;
  std::array<std::size_t, 64> stack{1};
  std::size_t depth = 1;
  while (depth > 0) {
    const std::size_t i = stack[--depth];
    if (nodes_[i].min.x > nodes_[i].max.x || !meets(nodes_[i])) continue;
    if (i < leaves) {
      stack[depth++] = 2 * i + 1;
      stack[depth++] = 2 * i;
      continue;
    }
    const std::size_t first = (i - leaves) * kLeaf;
    for (std::size_t t = first; t < std::min(first + kLeaf, size_); ++t) visit(t);
  }
}

std::optional<RayHit> TileCollider::ray(Vec3f origin, Vec3f direction, float most_m) const {
  const Vec3d o = to_double(origin - origin_), d = to_double(direction);
  const double unit = static_cast<double>(unit_m_);
  double best = static_cast<double>(most_m);
  std::optional<std::size_t> hit;
  std::array<double, 3> weights{};
  const auto meets = [&](const Node& n) {
    double low = 0, high = best;
    const auto slab = [&](double from, double along, std::int16_t min, std::int16_t max) {
      const double a = unit * min - from, b = unit * max - from;
      if (along == 0) return a <= 0 && b >= 0;
      const double ta = a / along, tb = b / along;
      low = std::max(low, std::min(ta, tb));
      high = std::min(high, std::max(ta, tb));
      // Rounding of the division must not lose a hit on the box's face.
      return low <= high + 1e-9 * (1 + std::fabs(high));
    };
    return slab(o.x, d.x, n.min.x, n.max.x) && slab(o.y, d.y, n.min.y, n.max.y) &&
           slab(o.z, d.z, n.min.z, n.max.z);
  };
  walk(meets, [&](std::size_t t) {
    const std::optional<TriangleHit> at = ray_triangle(o, d, corners(t));
    if (!at || at->t > best) return;
    best = at->t;
    weights = at->weights;
    hit = t;
  });
  if (!hit) return std::nullopt;
  RayHit out;
  out.distance_m = static_cast<float>(best);
  out.at = origin_ + to_float({o.x + d.x * best, o.y + d.y * best, o.z + d.z * best});
  out.normal = to_float(triangle_normal(corners(*hit)));
  out.triangle = static_cast<std::uint32_t>(*hit);
  for (std::size_t i = 0; i < 3; ++i) out.weights[i] = static_cast<float>(weights[i]);
  return out;
}

void TileCollider::touch(const Capsule& capsule, std::vector<CapsuleContact>& out) const {
  const Vec3d a = to_double(capsule.from - origin_), b = to_double(capsule.to - origin_);
  const double r = static_cast<double>(capsule.radius_m), unit = static_cast<double>(unit_m_);
  const auto meets = [&](const Node& n) {
    const auto apart = [&](double p, double q, std::int16_t min, std::int16_t max) {
      return std::max(p, q) + r < unit * min || std::min(p, q) - r > unit * max;
    };
    return !apart(a.x, b.x, n.min.x, n.max.x) && !apart(a.y, b.y, n.min.y, n.max.y) &&
           !apart(a.z, b.z, n.min.z, n.max.z);
  };
  walk(meets, [&](std::size_t t) {
    const std::array<Vec3d, 3> triangle = corners(t);
    const ClosestPoints near = closest_points(a, b, triangle);
    if (near.distance >= r) return;
    Vec3d n = triangle_normal(triangle);
    double depth = r - near.distance;
    // The direction that leads out: from the surface to the capsule's axis. Where the axis pierces the
    // triangle, or lies behind it, only the triangle's side tells, and the far end must come out too.
    const Vec3d away{near.on_segment.x - near.on_triangle.x, near.on_segment.y - near.on_triangle.y,
                     near.on_segment.z - near.on_triangle.z};
    const double facing = away.x * n.x + away.y * n.y + away.z * n.z;
    if (near.distance > 1e-9 && facing > 0) {
      n = {away.x / near.distance, away.y / near.distance, away.z / near.distance};
    } else {
      const auto height = [&](const Vec3d& p) {
        return (p.x - triangle[0].x) * n.x + (p.y - triangle[0].y) * n.y + (p.z - triangle[0].z) * n.z;
      };
      depth = r - std::min(height(a), height(b));
    }
    out.push_back({origin_ + to_float(near.on_triangle), to_float(n), static_cast<float>(depth)});
  });
}

bool TileCollider::may_hit(Vec3f origin, Vec3f direction, float most_m) const {
  constexpr float kSlackM = 1e-3F;  // against the rounding of the way to the box
  return !empty() && !clip_ray(box().grown(kSlackM), origin, direction, {0, most_m}).empty();
}

bool TileCollider::may_touch(const Capsule& capsule) const {
  const Vec3f a = capsule.from, b = capsule.to;
  const Box3f around = Box3f{
      {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
      {std::max(a.x, b.x), std::max(a.y, b.y),
       std::max(a.z, b.z)}}.grown(capsule.radius_m);
  return !empty() && box().intersects(around);
}

}  // namespace vf

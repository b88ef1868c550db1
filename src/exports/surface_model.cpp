#include "exports/surface_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/tasks.h"
#include "math/vec.h"
#include "mesh/material_borders.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

/// A side of the box that textures are projected from: right and up of the picture, as seen from the air.
/// right x up points out of the rock, so that no texture is mirrored.
struct Side {
  Vec3i right, up;
};
constexpr std::array<Side, 6> kSides{{{{0, 1, 0}, {0, 0, 1}},     // faces +x
                                      {{0, -1, 0}, {0, 0, 1}},    // -x
                                      {{-1, 0, 0}, {0, 0, 1}},    // +y
                                      {{1, 0, 0}, {0, 0, 1}},     // -y
                                      {{1, 0, 0}, {0, 1, 0}},     // +z
                                      {{1, 0, 0}, {0, -1, 0}}}};  // -z
constexpr std::size_t kFirstLevelSide = 4;

float along(Vec3i axis, Vec3f p) {
  return static_cast<float>(axis.x) * p.x + static_cast<float>(axis.y) * p.y +
         static_cast<float>(axis.z) * p.z;
}

/// Which side a triangle faces most; whole numbers, so that it is no matter of rounding. Of equals, the
/// first.
std::size_t side_of(const MeshPiece& piece, const Triangle& t) {
  const MeshVertex &a = piece.vertices[t.at[0]], &b = piece.vertices[t.at[1]], &c = piece.vertices[t.at[2]];
  using Whole = std::int64_t;
  const std::array<Whole, 3> u{Whole{b.x} - a.x, Whole{b.y} - a.y, Whole{b.z} - a.z};
  const std::array<Whole, 3> v{Whole{c.x} - a.x, Whole{c.y} - a.y, Whole{c.z} - a.z};
  std::size_t best = kFirstLevelSide;
  Whole most = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const Whole n = u[i] * v[j] - u[j] * v[i];
    if (std::abs(n) > most) most = std::abs(n), best = 2 * k + (n < 0 ? 1 : 0);
  }
  return best;
}

/// A triangle of a piece and how it is textured.
struct Placed {
  std::uint32_t triangle = 0;
  std::uint32_t part = 0;  ///< 2 * material + level face
  std::uint8_t side = 0;
};

std::vector<Placed> place_triangles(const PaintedPiece& piece, std::span<const MaterialTile> materials) {
  std::vector<Placed> out;
  out.reserve(piece.triangles.size());
  for (std::uint32_t i = 0; i < piece.triangles.size(); ++i) {
    const PaintedTriangle& t = piece.triangles[i];
    const std::size_t side = side_of(*piece.from, piece.from->triangles[t.from]);
    const bool level = side >= kFirstLevelSide && materials[t.material].own_level_face;
    out.push_back({i, 2 * t.material + (level ? 1U : 0U), static_cast<std::uint8_t>(side)});
  }
  return out;
}

struct VertexHash {
  std::size_t operator()(const ModelVertex& v) const {
    const auto two = [](float a, float b) {
      return std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32 | std::bit_cast<std::uint32_t>(b);
    };
    return hash_words({two(v.position.x, v.position.y), two(v.position.z, v.normal.x),
                       two(v.normal.y, v.normal.z), two(v.u, v.v)});
  }
};

/// Makes the part of one material.
class PartBuilder {
 public:
  PartBuilder(const SurfacePieces& input, std::size_t material, bool level_face)
      : input_(input), tile_(input.materials[material]) {
    part_.material = material;
    part_.level_face = level_face;
  }

  void add(const PaintedPiece& piece, const Placed& placed) {
    std::array<std::uint32_t, 3> at{};
    const PaintedTriangle& t = piece.triangles[placed.triangle];
    for (std::size_t k = 0; k < 3; ++k) at[k] = index_of(vertex(piece.vertices[t.at[k]], placed.side));
    part_.triangles.push_back(at);
  }
  SurfacePart finish() { return std::move(part_); }

 private:
  std::uint32_t index_of(const ModelVertex& v) {
    const auto next = static_cast<std::uint32_t>(part_.vertices.size());
    const auto [it, fresh] = known_.emplace(v, next);
    if (fresh) part_.vertices.push_back(v);
    return it->second;
  }

  [[nodiscard]] ModelVertex vertex(const PaintedVertex& from, std::uint8_t side_index) const {
    const Side& side = kSides[side_index];
    const Vec3f p = from.at, n = decode_normal(from.normal), at = p - input_.origin;
    ModelVertex out;
    // + 0 turns -0 into 0: equal places must be equal bits.
    out.position = {at.x, at.z, 0 - at.y};
    out.normal = {n.x + 0, n.z + 0, 0 - n.y};
    // Repeats are counted from the frame's corner, so that neighbouring exports meet; whole ones are left
    // out, so that no bits are lost to them.
    const auto repeats = [&](Vec3i axis) {
      return along(axis, p) / tile_.edge_m - std::floor(along(axis, input_.origin) / tile_.edge_m);
    };
    out.u = repeats(side.right);
    out.v = repeats({-side.up.x, -side.up.y, -side.up.z});
    out.side = side_index;
    out.tint = tint_of(from.blend);
    out.glow = glow_of(from.blend);
    return out;
  }

  [[nodiscard]] std::array<std::uint8_t, 3> tint_of(const MaterialBlend& blend) const {
    Vec3f mean;
    for (std::size_t k = 0; k < kBlendedMaterials; ++k)
      mean = mean + input_.materials[blend.material[k]].mean * (static_cast<float>(blend.weight[k]) / 255);
    const auto factor = [&](float want, float have) {
      const float f = have > 0 ? want / (have * tile_.headroom) : 1 / tile_.headroom;
      return static_cast<std::uint8_t>(std::lround(std::clamp(f, 0.0F, 1.0F) * 255));
    };
    return {factor(mean.x, tile_.mean.x), factor(mean.y, tile_.mean.y), factor(mean.z, tile_.mean.z)};
  }

  [[nodiscard]] std::uint8_t glow_of(const MaterialBlend& blend) const {
    for (std::size_t k = 0; k < kBlendedMaterials; ++k)
      if (blend.material[k] == part_.material && blend.weight[k] > 0)
        return static_cast<std::uint8_t>(blend.weight[k] * blend.glow[k] / 255);
    return 0;
  }

  const SurfacePieces& input_;
  const MaterialTile& tile_;
  SurfacePart part_;
  std::unordered_map<ModelVertex, std::uint32_t, VertexHash> known_;  // only looked up
};

}  // namespace

Vec3f texture_right(std::uint8_t side) {
  const Vec3i right = kSides[side].right;
  return {static_cast<float>(right.x), static_cast<float>(right.z), 0 - static_cast<float>(right.y)};
}

std::vector<SurfacePart> surface_parts(const SurfacePieces& input, unsigned workers) {
  VF_CHECK(!input.materials.empty());
  std::vector<std::vector<Placed>> placed(input.pieces.size());
  parallel_for(placed.size(), workers, [&](std::size_t i, unsigned) {
    placed[i] = place_triangles(input.pieces[i], input.materials);
  });
  std::vector<SurfacePart> parts(2 * input.materials.size());
  parallel_for(parts.size(), workers, [&](std::size_t p, unsigned) {
    PartBuilder builder(input, p / 2, p % 2 == 1);
    for (std::size_t i = 0; i < placed.size(); ++i)
      for (const Placed& t : placed[i])
        if (t.part == p) builder.add(input.pieces[i], t);
    parts[p] = builder.finish();
  });
  std::erase_if(parts, [](const SurfacePart& part) { return part.triangles.empty(); });
  return parts;
}

}  // namespace vf

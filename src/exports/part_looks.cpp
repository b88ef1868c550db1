#include "exports/part_looks.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "math/vec.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr float kMostHeadroom = 4;

Vec3f vec(const Color& c) {
  return {c[0], c[1], c[2]};
}

/// What covers a recipe without materials.
const Material& plain_rock() {
  static const Material rock = [] {
    Material m;
    m.name = "rock";
    return m;
  }();
  return rock;
}

const Material& material_of(const Recipe& recipe, std::size_t index) {
  return recipe.materials.empty() ? plain_rock() : recipe.materials[index];
}

/// How much brighter than its own colour a material may have to appear where it meets the others.
float wanted_headroom(std::span<const MaterialTile> tiles, const MaterialTile& own) {
  float most = 1;
  const auto offer = [&](float other, float mine) {
    if (mine > 0) most = std::max(most, other / mine);
  };
  for (const MaterialTile& t : tiles) {
    offer(t.mean.x, own.mean.x);
    offer(t.mean.y, own.mean.y);
    offer(t.mean.z, own.mean.z);
  }
  const float brightest = std::max({own.mean.x, own.mean.y, own.mean.z, 1e-3F});
  return std::clamp(most, 1.0F, std::max(1.0F, std::min(kMostHeadroom, 1 / brightest)));
}

}  // namespace

std::vector<MaterialTile> material_tiles(const Recipe& recipe) {
  std::vector<MaterialTile> tiles(std::max<std::size_t>(recipe.materials.size(), 1));
  for (std::size_t m = 0; m < tiles.size(); ++m) {
    const Material& material = material_of(recipe, m);
    tiles[m].mean = vec(material.color) * 0.65F + vec(material.color2) * 0.35F;
  }
  for (MaterialTile& tile : tiles) tile.headroom = wanted_headroom(tiles, tile);
  return tiles;
}

PartLook part_look(const Recipe& recipe, std::span<const MaterialTile> tiles, const SurfacePart& part) {
  const Material& material = material_of(recipe, part.material);
  PartLook look;
  look.name = material.name;
  look.color = tiles[part.material].mean * tiles[part.material].headroom;
  look.roughness = material.roughness;
  look.metallic = material.metallic;
  look.emission = vec(material.emission);
  look.emission_strength = material.emission_strength;
  return look;
}

}  // namespace vf

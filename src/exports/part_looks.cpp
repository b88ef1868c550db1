#include "exports/part_looks.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/tasks.h"
#include "exports/png.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "exports/textures.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/image.h"
#include "render/material_look.h"
#include "render/vec_ops.h"

namespace vf {

namespace {

constexpr float kMostHeadroom = 2;  // more, and the texture alone would look like another material

using render::to_vec;

Material material_of(const Recipe& recipe, std::size_t index) {
  return recipe.materials[index];
}

/// How much brighter than its own colour a material may have to appear where it meets the others.
float wanted_headroom(std::span<const MaterialTile> tiles, const MaterialTile& own, float brightest) {
  float most = 1;
  for (const MaterialTile& t : tiles) {
    const auto ratio = [](float other, float mine) { return mine > 0 ? other / mine : 1.0F; };
    most = std::max(
        {most, ratio(t.mean.x, own.mean.x), ratio(t.mean.y, own.mean.y), ratio(t.mean.z, own.mean.z)});
  }
  const float room = brightest > 0 ? 1 / brightest : kMostHeadroom;
  return std::clamp(most, 1.0F, std::clamp(room, 1.0F, kMostHeadroom));
}

PartLook plain_look(const Material& material, const MaterialTile& tile, bool level_face) {
  PartLook look;
  look.name = level_face ? material.name + ", level" : material.name;
  look.color = tile.mean * tile.headroom;
  look.roughness = material.roughness;
  look.metallic = material.metallic;
  look.emission = to_vec(material.emission);
  look.emission_strength = material.emission_strength;
  return look;
}

/// Level faces keep the mean of the upright ones, so that tints hold for both.
Vec3f gain_of(const TextureValues& texture, const MaterialTile& tile) {
  Vec3f sum;
  for (const Vec3f& c : texture.color) sum = sum + c;
  const auto count = static_cast<float>(texture.color.size());
  const auto gain = [&](float want, float have) {
    return have > 0 ? tile.headroom * want * count / have : tile.headroom;
  };
  return {gain(tile.mean.x, sum.x), gain(tile.mean.y, sum.y), gain(tile.mean.z, sum.z)};
}

/// One picture of one part.
struct Job {
  std::size_t part = 0;
  Image image;
  PngValues values = PngValues::kPlain;
  std::vector<std::byte> PartLook::* target = nullptr;
};

void draw_part(const Material& material, const MaterialTile& tile, const SurfacePart& part, std::size_t index,
               const LookOptions& options, std::vector<Job>& jobs) {
  const TextureFace face = part.level_face ? TextureFace::kLevel : TextureFace::kUpright;
  const TextureValues texture = draw_texture(material, face, options.texture_px, options.workers);
  jobs.push_back(
      {index, albedo_image(texture, gain_of(texture, tile)), PngValues::kSrgb, &PartLook::albedo_png});
  jobs.push_back({index, normal_image(texture, tile.edge_m), PngValues::kPlain, &PartLook::normal_png});
  jobs.push_back({index, surface_image(texture, tile.edge_m), PngValues::kPlain, &PartLook::surface_png});
}

}  // namespace

std::vector<MaterialTile> material_tiles(const Recipe& recipe) {
  std::vector<MaterialTile> tiles(std::max<std::size_t>(recipe.materials.size(), 1));
  std::vector<float> brightest(tiles.size());
  for (std::size_t m = 0; m < tiles.size(); ++m) {
    const Material material = material_of(recipe, m);
    const ColorRange colors = color_range(material);
    tiles[m].mean = colors.mean;
    brightest[m] = colors.brightest;
    tiles[m].edge_m = texture_edge_m(material);
    tiles[m].own_level_face = has_own_level_face(material);
  }
  for (std::size_t m = 0; m < tiles.size(); ++m)
    tiles[m].headroom = wanted_headroom(tiles, tiles[m], brightest[m]);
  return tiles;
}

Result<std::vector<PartLook>> part_looks(const Recipe& recipe, std::span<const MaterialTile> tiles,
                                         std::span<const SurfacePart> parts, const LookOptions& options) {
  std::vector<PartLook> looks;
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Material material = material_of(recipe, parts[i].material);
    const MaterialTile& tile = tiles[parts[i].material];
    looks.push_back(plain_look(material, tile, parts[i].level_face));
    if (options.texture_px > 0 && has_texture(material))
      draw_part(material, tile, parts[i], i, options, jobs);
  }
  std::vector<std::optional<Error>> errors(jobs.size());
  parallel_for(jobs.size(), options.workers, [&](std::size_t j, unsigned) {
    Result<std::vector<std::byte>> png = encode_png(jobs[j].image, jobs[j].values);
    if (png)
      looks[jobs[j].part].*jobs[j].target = *std::move(png);
    else
      errors[j] = png.error();
  });
  for (const std::optional<Error>& error : errors)
    if (error) return *error;
  return looks;
}

}  // namespace vf

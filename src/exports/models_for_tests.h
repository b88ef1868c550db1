// A small model with every kind of part: for the tests of the writers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "exports/part_looks.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "mesh/material_borders.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "recipe/recipe.h"

namespace vf::test {

/// Moss, and lamps that glow more than white.
inline std::shared_ptr<const Recipe> two_materials() {
  auto recipe = std::make_shared<Recipe>();
  recipe->id = "hall";
  recipe->version = 3;
  Material moss, lamp;
  moss.name = "moss \"wet\"";
  moss.color = {0.1F, 0.2F, 0.05F}, moss.color2 = {0.2F, 0.3F, 0.1F};
  moss.detail = DetailPattern::kNoise;
  moss.bump_m = 0.03F;
  lamp.name = "lamp";
  lamp.color = lamp.color2 = {0.8F, 0.8F, 0.7F};
  lamp.emission = {1, 0.5F, 0.25F};
  lamp.emission_strength = 4;
  recipe->materials = {moss, lamp};
  return recipe;
}

/// A square floor of two triangles at z = 1 m and a step up behind it, sharing the edge's places but not its
/// normals. One vertex is used by no triangle.
inline MeshPiece floor_and_step() {
  const OctNormal up = encode_normal({0, 0, 1}), back = encode_normal({0, -1, 0});
  MeshPiece piece;
  piece.anchor = {0, 1, 0, 0};
  piece.vertices = {{0, 0, 2048, up},         {2048, 0, 2048, up},   {2048, 2048, 2048, up},
                    {0, 2048, 2048, up},      {0, 2048, 2048, back}, {2048, 2048, 2048, back},
                    {2048, 2048, 4096, back}, {0, 2048, 4096, back}, {9, 9, 9, up}};
  piece.triangles = {{{0, 1, 2}}, {{0, 2, 3}}, {{4, 5, 6}}, {{4, 6, 7}}};
  return piece;
}

/// The floor is of material 0, the step of material 1.
inline std::vector<MaterialBlend> floor_and_step_blends() {
  MaterialBlend lamp;
  lamp.material = {1, 0, 0, 0}, lamp.weight = {255, 0, 0, 0}, lamp.glow = {128, 0, 0, 0};
  std::vector<MaterialBlend> out(9, kFirstMaterial);
  for (std::size_t v = 4; v < 8; ++v) out[v] = lamp;
  return out;
}

/// Where the material changes it does so half way.
inline std::vector<PaintedPiece> painted(const std::vector<MeshPiece>& meshes,
                                         const std::vector<std::vector<MaterialBlend>>& blends) {
  std::vector<const MeshPiece*> pieces;
  for (const MeshPiece& m : meshes) pieces.push_back(&m);
  const auto first = [](std::span<const Vec3f>, std::span<const Vec3f>, std::span<MaterialBlend> out) {
    std::fill(out.begin(), out.end(), kFirstMaterial);
  };
  return cut_borders(pieces, blends, first, 1);
}

inline SceneModel small_scene(int texture_px = 0) {
  SceneModel scene;
  scene.engine = "VoxelForge test";
  scene.world = "Hall";
  scene.seed = {18446744073709551615ULL};
  scene.origin_m = {1e10 + 8, 0, -40};
  StratumModel stratum;
  stratum.index = 2;
  stratum.recipe = two_materials();
  stratum.origin_m = {1e10 + 8, 0, -96};
  const std::vector<MeshPiece> meshes{floor_and_step()};
  const std::vector<PaintedPiece> pieces = painted(meshes, {floor_and_step_blends()});
  const std::vector<MaterialTile> tiles = material_tiles(*stratum.recipe);
  stratum.parts = surface_parts({pieces, tiles, {8, 0, 0}}, 1);
  stratum.looks = part_looks(*stratum.recipe, tiles, stratum.parts, {texture_px, 1}).value();
  scene.strata.push_back(std::move(stratum));
  return scene;
}

}  // namespace vf::test

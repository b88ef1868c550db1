// In: pieces of a stratum's mesh, cut by material. Out: triangles by material, in the model's metres.
//
// Coordinates are those of glTF: x east, y up, z south (the engine's x, z, -y). Deterministic: the same bytes
// for any number of workers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"
#include "mesh/material_borders.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// What the shape of the model must know of a material's texture.
struct MaterialTile {
  Vec3f mean{0.5F, 0.5F, 0.5F};  ///< linear colour, averaged over the texture
  /// The texture holds this many times the colour, so that a vertex can also brighten it. [>= 1]
  float headroom = 1;
  float edge_m = 1;             ///< one repeat of the texture. [metres] [> 0]
  bool own_level_face = false;  ///< surfaces that face up or down have a texture of their own
};

struct ModelVertex {
  Vec3f position;                      ///< [metres, y up, from the model's origin]
  Vec3f normal;                        ///< out of the rock; unit
  float u = 0, v = 0;                  ///< [repeats of the texture], v downward
  std::array<std::uint8_t, 3> tint{};  ///< factor on the texture, linear. [1/255]
  std::uint8_t side = 0;               ///< of the box that the texture is projected from: see texture_right
  std::uint8_t glow = 0;               ///< share of the material's emission. [1/255]
  friend bool operator==(const ModelVertex&, const ModelVertex&) = default;
};

/// Which way the texture's rows run on surfaces projected from a side; its columns run up from there, so that
/// right, up and the normal are right-handed. [0..5]
[[nodiscard]] Vec3f texture_right(std::uint8_t side);

/// The triangles that show one material. Every vertex is used, and no two are the same.
struct SurfacePart {
  std::size_t material = 0;  ///< index in the recipe
  bool level_face = false;   ///< wears the texture for surfaces that face up or down
  std::vector<ModelVertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< anticlockwise seen from the air
};

struct SurfacePieces {
  std::span<const PaintedPiece> pieces;
  std::span<const MaterialTile> materials;  ///< of the recipe; at least one
  Vec3f origin;                             ///< of the model; whole metres in the pieces' frame, z up
};

/// Vertices that are the same but for the piece they came from are welded; those of different smooth groups
/// have different normals and stay apart. Textures are projected along the axis that each triangle of the
/// mesh faces most, whatever it was cut into.
[[nodiscard]] std::vector<SurfacePart> surface_parts(const SurfacePieces& input, unsigned workers);

}  // namespace vf

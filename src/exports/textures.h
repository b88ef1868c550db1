// In: a material. Out: pictures of it that tile: colour, normals, roughness and occlusion.
//
// From the same patterns and the same look as the engine's own pictures (render/patterns.h,
// render/material_look.h), on a torus. Deterministic on one machine; like all pictures they use the
// platform's math library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/image.h"

namespace vf {

/// Patterns that lie in level layers look different from the side and from above.
enum class TextureFace : std::uint8_t { kUpright, kLevel };

/// Whether the material shows more than one even colour.
[[nodiscard]] bool has_texture(const Material& material);
[[nodiscard]] bool has_own_level_face(const Material& material);
/// One repeat. [metres]
[[nodiscard]] float texture_edge_m(const Material& material);

/// A texture before it becomes bytes; rows from the top.
struct TextureValues {
  int edge_px = 0;
  std::vector<Vec3f> color;      ///< linear
  std::vector<float> height_m;   ///< relief
  std::vector<float> roughness;  ///< [0..1]
};
[[nodiscard]] TextureValues draw_texture(const Material& material, TextureFace face, int edge_px,
                                         unsigned workers);

/// Linear colours of a small upright texture.
struct ColorRange {
  Vec3f mean;
  float brightest = 0;  ///< of all channels
};
[[nodiscard]] ColorRange color_range(const Material& material);

/// The colour times `gain` for each channel.
[[nodiscard]] Image albedo_image(const TextureValues& texture, Vec3f gain);
/// Tangent space as in glTF: red along the picture, green up it, blue out of it.
[[nodiscard]] Image normal_image(const TextureValues& texture, float edge_m);
/// Red: how open the sky is (1 - occlusion by the relief about a point), green: roughness, blue: 1.
[[nodiscard]] Image surface_image(const TextureValues& texture, float edge_m);

/// From dark to full light in 256 columns, sRGB.
[[nodiscard]] Result<std::vector<std::byte>> glow_ramp_png();

}  // namespace vf

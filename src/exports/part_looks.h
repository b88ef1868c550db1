// In: a recipe's materials. Out: what parts of a model look like.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "recipe/recipe.h"

namespace vf {

inline constexpr int kMinTexturePx = 16, kMaxTexturePx = 4096;

/// One for each material of the recipe; one when it has none.
[[nodiscard]] std::vector<MaterialTile> material_tiles(const Recipe& recipe);

struct LookOptions {
  int texture_px = 512;  ///< edge of every texture; 0: no textures. [0, kMinTexturePx..kMaxTexturePx]
  unsigned workers = 0;  ///< 0: one a core
};

/// One for each part. Errors: kResource when there is no memory for a picture.
[[nodiscard]] Result<std::vector<PartLook>> part_looks(const Recipe& recipe,
                                                       std::span<const MaterialTile> tiles,
                                                       std::span<const SurfacePart> parts,
                                                       const LookOptions& options);

}  // namespace vf

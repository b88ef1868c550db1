// In: a recipe's materials. Out: what parts of a model look like.
#pragma once

#include <span>
#include <vector>

#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "recipe/recipe.h"

namespace vf {

/// One for each material of the recipe; one when it has none.
[[nodiscard]] std::vector<MaterialTile> material_tiles(const Recipe& recipe);

/// The plain look of a part, without pictures.
[[nodiscard]] PartLook part_look(const Recipe& recipe, std::span<const MaterialTile> tiles,
                                 const SurfacePart& part);

}  // namespace vf

// In: a recipe as read. Out: the recipe with a look for what its author left out.
#pragma once

#include "recipe/recipe.h"

namespace vf {

/// Materials where there are none: earth on floors, stone elsewhere; cool light from above and a warm glow
/// where there is no [ambient]. A first formula should already make a picture that shows its shapes.
void apply_default_look(Recipe& recipe);

}  // namespace vf

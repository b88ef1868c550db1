// In: a recipe with all its sections. Out: every name looked up, every call's arguments counted, or errors
// with places.
#pragma once

#include "base/notes.h"
#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

/// Checks names, calls, options and the size of formulas with all functions written out. Nothing is
/// evaluated: ranges of formulas are the field builder's.
void check_names(const Recipe& recipe, ErrorList& errors, Notes& notes);

}  // namespace vf

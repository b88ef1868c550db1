// In: a name. Out: the text of a recipe with every section, commented, ready to be changed.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace vf {

/// `name` becomes the id. With `from`, the text is that shipped type's, and sections that it lacks follow as
/// comments; with an empty `from` it is a small complete world. The text parses without a warning. Errors: a
/// name that is no id, an unknown type.
[[nodiscard]] Result<std::string> scaffold_recipe(std::string_view name, std::string_view from);

}  // namespace vf

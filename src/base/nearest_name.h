// "did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vf {

/// The known name closest to `name` by edit distance, or "" when none is close (distance > max(2, length /
/// 3)). Ties go to the earlier name.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> known);

}  // namespace vf

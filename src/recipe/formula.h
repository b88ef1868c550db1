// In: the text of one formula and where each of its characters stands. Out: its syntax tree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recipe/recipe.h"

namespace vf {

/// Line and column in the author's file, counted from 1.
struct TextPosition {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// `positions[i]` is where byte i of `text` stands; one more entry tells where the text ends. The tree is at
/// most kRecipeLimits.nesting deep, whatever the text. Names are not looked up here.
[[nodiscard]] Result<ExprPtr> parse_formula_at(std::string_view text, const std::string& file,
                                               std::span<const TextPosition> positions);

}  // namespace vf

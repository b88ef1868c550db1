// The words of the formula language: one table for the parser's checks, the builder, the docs and the errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vf {

/// Every callable word. The builder switches over these.
enum class Word : std::uint8_t {
#define VF_WORD(id, name, arguments, options, help) id,
#include "recipe/language.def"
#undef VF_WORD
};

struct WordInfo {
  Word word;
  std::string_view name;
  /// Comma-separated argument names; a trailing '?' marks an optional one.
  std::string_view arguments;
  /// Comma-separated `option` names that may follow as `option = value`.
  std::string_view options;
  std::string_view help;
};

/// All callable words, in the order of docs/recipes.md.
[[nodiscard]] std::span<const WordInfo> words();
/// Null when there is no such word.
[[nodiscard]] const WordInfo* find_word(std::string_view name);

/// A name that every formula knows: x, y, z, H, tau, ...
struct ContextName {
  std::string_view name;
  std::string_view where;  ///< "everywhere", "features", "materials"
  std::string_view help;
};
[[nodiscard]] std::span<const ContextName> context_names();

/// Known units: "m", "deg", "turns", "1/m", "s", "m/s", "K", "%", "" (pure number).
[[nodiscard]] std::span<const std::string_view> units();

/// Stated limits of a recipe; exceeding one is a clear error.
struct RecipeLimits {
  std::size_t file_bytes = 262144;    ///< size of one file
  std::size_t formula_bytes = 16384;  ///< length of one formula
  int nesting = 64;                   ///< depth of a formula, after functions are expanded
  int nodes = 20000;                  ///< nodes of one program, after expansion
  int features = 16;                  ///< feature sets of a recipe
  int instances_per_sector = 20000;   ///< places of one set in a sector
  int extends_depth = 8;              ///< length of a chain of `extends`
  int params = 128;
  int functions = 256;
  int fields = 256;              ///< names in [field]
  int points = 1024;             ///< places of a set of kind `list`
  int expanded_nodes = 1000000;  ///< operations of one formula with all functions written out
  std::size_t name_bytes = 48;
  int materials = 16;
  int lights = 16;
  int viewpoints = 16;
  int decor = 32;
  int strata = 64;  ///< of a world file
  int octaves = 10;
};
inline constexpr RecipeLimits kRecipeLimits{};

}  // namespace vf

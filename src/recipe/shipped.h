// The recipes and worlds that ship inside the library (from worlds/, embedded at build time).
#pragma once

#include <span>
#include <string_view>

namespace vf {

struct ShippedFile {
  std::string_view name;  ///< "types/pool_rooms.toml", "showcase.toml"
  std::string_view text;
};

/// Sorted by name.
[[nodiscard]] std::span<const ShippedFile> shipped_files();
/// The recipe `worlds/types/ID.toml`, or null.
[[nodiscard]] const ShippedFile* find_shipped_type(std::string_view id);

}  // namespace vf

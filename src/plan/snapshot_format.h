// The layout of a snapshot that its writer and its reader share: docs/formats/snapshot.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "plan/sector_plan.h"
#include "recipe/recipe.h"

namespace vf::snapshot_format {

inline constexpr std::string_view kMagic = "VFSECTOR";
inline constexpr std::size_t kTableHeaderBytes = 16;

/// Tables stand in this order; a new kind goes to the end, so that no other moves.
enum class TableKind : std::uint8_t { kFeatures, kLights, kNodes, kLegs, kPieces };

struct TableFormat {
  std::string_view tag;          ///< four characters
  std::size_t record_bytes = 0;  ///< without the values of a feature
  std::string_view name;         ///< in messages
};
inline constexpr std::array<TableFormat, 5> kTables{{
    {"FEAT", 60 + 4 * static_cast<std::size_t>(kFeatureRandoms), "features"},
    {"LITE", 36, "lights"},
    {"NODE", 36, "path nodes"},
    {"LEGS", 44, "path legs"},
    {"PIEC", 92, "path pieces"},
}};

}  // namespace vf::snapshot_format

// Integer arithmetic of lattices that know nothing of sectors: cells have global indices.
//
// All lengths in 1/64 m. A cell belongs to the sector that holds its min corner.
#pragma once

#include <cstdint>

namespace vf {

inline constexpr std::int64_t kSector64 = 1024 * 64;             ///< edge of a sector. [1/64 m]
inline constexpr std::int64_t kUmPer64 = 15625;                  ///< micrometres in 1/64 m
inline constexpr std::int64_t kSectorUm = kSector64 * kUmPer64;  ///< edge of a sector. [micrometres]
/// Sectors beyond are refused: positions in micrometres still fit 64 bits twice over.
inline constexpr std::int64_t kMaxSector = std::int64_t{1} << 31;

/// Rounds towards minus infinity; b > 0.
[[nodiscard]] constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && a < 0) ? 1 : 0);
}
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return -floor_div(-a, b);
}

/// Cells or sectors first ... last on both axes, both included; empty when first > last.
struct CellRange {
  std::int64_t first_x = 0, first_y = 0, last_x = -1, last_y = -1;
  [[nodiscard]] constexpr bool empty() const { return first_x > last_x || first_y > last_y; }
  [[nodiscard]] constexpr std::int64_t count() const {
    return empty() ? 0 : (last_x - first_x + 1) * (last_y - first_y + 1);
  }
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

[[nodiscard]] constexpr CellRange intersection(const CellRange& a, const CellRange& b) {
  return {a.first_x > b.first_x ? a.first_x : b.first_x, a.first_y > b.first_y ? a.first_y : b.first_y,
          a.last_x < b.last_x ? a.last_x : b.last_x, a.last_y < b.last_y ? a.last_y : b.last_y};
}

/// A square lattice over the whole stratum.
struct Lattice {
  std::int64_t pitch = 64;  ///< [> 0]
  std::int64_t offset_x = 0, offset_y = 0;

  [[nodiscard]] constexpr std::int64_t corner_x(std::int64_t cell) const { return cell * pitch + offset_x; }
  [[nodiscard]] constexpr std::int64_t corner_y(std::int64_t cell) const { return cell * pitch + offset_y; }
  /// Cells whose min corner lies in the sector.
  [[nodiscard]] constexpr CellRange cells_of_sector(std::int64_t sx, std::int64_t sy) const {
    return {ceil_div(sx * kSector64 - offset_x, pitch), ceil_div(sy * kSector64 - offset_y, pitch),
            ceil_div((sx + 1) * kSector64 - offset_x, pitch) - 1,
            ceil_div((sy + 1) * kSector64 - offset_y, pitch) - 1};
  }
  /// Sectors that own one of the cells.
  [[nodiscard]] constexpr CellRange sectors_of_cells(const CellRange& cells) const {
    if (cells.empty()) return {};
    return {floor_div(corner_x(cells.first_x), kSector64), floor_div(corner_y(cells.first_y), kSector64),
            floor_div(corner_x(cells.last_x), kSector64), floor_div(corner_y(cells.last_y), kSector64)};
  }
  /// Cells that meet the closed rectangle [min, max] of global positions.
  [[nodiscard]] constexpr CellRange cells_meeting(std::int64_t min_x, std::int64_t min_y, std::int64_t max_x,
                                                  std::int64_t max_y) const {
    return {floor_div(min_x - offset_x - pitch, pitch), floor_div(min_y - offset_y - pitch, pitch),
            floor_div(max_x - offset_x, pitch), floor_div(max_y - offset_y, pitch)};
  }
};

}  // namespace vf

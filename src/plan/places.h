// A feature set + where -> the places there, as records. Lazily: only the cells asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "plan/cells.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"

namespace vf {

/// A record with the sector that its position counts from.
template <class Record>
struct Placed {
  std::int64_t sx = 0, sy = 0;
  Record record;
};
using PlacedFeatures = std::vector<Placed<FeatureRecord>>;

/// Global positions: a closed rectangle. [1/64 m]
struct Area64 {
  std::int64_t min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

/// No set may reach farther in plan than this. [metres]
inline constexpr float kMaxReachM = 1024;
/// No lattice may have more cells in a sector: candidates, before probability.
inline constexpr std::int64_t kMaxCellsPerSector = std::int64_t{1} << 20;

/// How far a set's places may reach in plan, whatever their random values: geometry + far + blend. [metres]
/// Proven for places in `where` (frame metres). An error tells the author when there is no bound.
[[nodiscard]] Result<float> feature_reach_m(const BuiltRecipe& built, std::size_t set, const Stratum& stratum,
                                            Frame frame, const Box2f& where);

/// All places that the sector owns, in order of their cells. An error when there are too many.
[[nodiscard]] Result<PlacedFeatures> places_of_sector(const BuiltRecipe& built, std::size_t set,
                                                      const Stratum& stratum, SectorPaths& paths,
                                                      std::int64_t sx, std::int64_t sy);

/// All places whose position is in `area`, and maybe some more. A place is the same record, bit for bit,
/// whatever the area.
[[nodiscard]] Result<PlacedFeatures> places_near(const BuiltRecipe& built, std::size_t set,
                                                 const Stratum& stratum, SectorPaths& paths,
                                                 const Area64& area);

/// The cells of a lattice that meet `area`, one sector after another: visit(sx, sy, cells of that sector).
/// An error of a visit ends the walk.
template <class Visit>
[[nodiscard]] Status visit_sectors_of_cells(const Lattice& lattice, const Area64& area, const Visit& visit) {
  const CellRange cells = lattice.cells_meeting(area.min_x, area.min_y, area.max_x, area.max_y);
  const CellRange sectors = lattice.sectors_of_cells(cells);
  for (std::int64_t sy = sectors.first_y; sy <= sectors.last_y; ++sy)
    for (std::int64_t sx = sectors.first_x; sx <= sectors.last_x; ++sx) {
      const CellRange own = intersection(cells, lattice.cells_of_sector(sx, sy));
      if (own.empty()) continue;
      if (Status status = visit(sx, sy, own); !status) return status;
    }
  return Unit{};
}

/// Where a place stands inside its cell, from the cell's corner. [1/64 m] `share` of the cell is used, about
/// its middle (scatter) or from its corner (lights).
[[nodiscard]] std::int64_t jittered_64(std::int64_t pitch_64, double start, double share, float unit);

/// Nearest multiple of 1/64 m. [1/64 m]
[[nodiscard]] std::int64_t snap_64(float metres);

}  // namespace vf

// Anchors: where passages and portals stand. Keyed by what two strata or two sectors share, so that both
// sides compute the same, whoever asks first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "plan/path_points.h"
#include "plan/stratum_scope.h"

namespace vf {

/// Floors of paths keep so far from the ends of the content interval. [metres]
inline constexpr double kLeastFloorM = 1.25;
inline constexpr double kHeadRoomM = 4.5;
/// Content intervals below this hold no route. [metres]
inline constexpr double kLeastContentM = 6;

/// Where the passage from stratum `upper` to the one below it stands, in one sector.
struct PassageAnchor {
  PlanPoint axis;
  bool leftward = true;  ///< which way it winds, going down
  PlanPoint in;          ///< unit vector: heading where it leaves the floor of the upper stratum
};
[[nodiscard]] PassageAnchor passage_anchor(const Stratum& upper, std::int64_t sx, std::int64_t sy);
/// Where the boundary `upper | upper + 1` has its axis; also for upper = -1, where one begins.
[[nodiscard]] PlanPoint passage_axis(Seed seed, std::int64_t upper, std::int64_t sx, std::int64_t sy);

enum class Side : std::uint8_t { kWest, kEast, kSouth, kNorth };
struct Portal {
  Side side = Side::kWest;
  PlanPoint at;        ///< on the border
  PlanPoint inward;    ///< unit vector
  double floor_m = 0;  ///< multiple of 1/64 m
};
/// The four portals of a sector, in the order of Side.
[[nodiscard]] Result<std::array<Portal, 4>> portals_of(const BuiltStratum& here, std::int64_t sx,
                                                       std::int64_t sy);

/// The floor that a recipe's anchor wishes for at points of a sector, kept off the bands. [metres]
[[nodiscard]] Result<std::vector<float>> wished_floor(const BuiltStratum& here, std::int64_t sx,
                                                      std::int64_t sy, const std::vector<PlanPoint>& at);

}  // namespace vf

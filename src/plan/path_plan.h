// What one walks on in a sector: nodes, the legs between them, and the pieces of floor that legs are made of.
//
// Plain data; part of the SectorPlan. Positions are in micrometres from the sector's corner, z from the
// content floor. All values are integers, so that a snapshot is exact.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace vf {

/// World position relative to the sector's corner, z from the content floor. [micrometres]
struct PositionUm {
  std::int64_t x = 0, y = 0, z = 0;
  friend bool operator==(const PositionUm&, const PositionUm&) = default;
};

enum class PathNodeKind : std::uint8_t {
  kArrival,    ///< where the passage from the stratum above ends
  kDeparture,  ///< where the passage to the stratum below begins
  kPortalWest,
  kPortalEast,
  kPortalSouth,
  kPortalNorth,
  kJunction,
};
inline constexpr int kPathNodeKinds = 7;
/// "portal west": for tables and messages.
[[nodiscard]] std::string_view name_of(PathNodeKind kind);

/// Where legs meet. Its floor is level; but for portals it is a place of 12 x 12 m.
struct PathNode {
  Id<struct PathNodeTag> id;
  PathNodeKind kind = PathNodeKind::kJunction;
  PositionUm at;  ///< on the floor
  friend bool operator==(const PathNode&, const PathNode&) = default;
};

enum class PathLegKind : std::uint8_t {
  kSpine,    ///< part of the way from arrival to departure
  kPortal,   ///< joins a portal to the spine
  kPassage,  ///< leads to the stratum below (from its departure), or from the one above (to its arrival)
};
inline constexpr int kPathLegKinds = 3;
[[nodiscard]] std::string_view name_of(PathLegKind kind);

/// A way without branches. Pieces of a leg follow each other: the end of one is the start of the next.
struct PathLeg {
  Id<struct PathLegTag> id;
  PathLegKind kind = PathLegKind::kSpine;
  Id<PathNodeTag> from, to;  ///< a passage has a node at one end only; the other id is 0
  std::uint32_t first = 0;   ///< of its pieces in PathPlan::pieces
  std::uint32_t count = 0;   ///< [> 0]
  std::int64_t length_um = 0;
  friend bool operator==(const PathLeg&, const PathLeg&) = default;
};

enum class PathShape : std::uint8_t {
  kWay,    ///< corridor
  kPlace,  ///< level ground to turn, meet and fight on
  /// Not walked on: what a passage winds about. `from` and `to` are the ends of its axis at the foot, half
  /// its width is its radius, the clear height its own, and the kerb what its radius has lost half-way up.
  kSupport,
};
inline constexpr int kPathShapes = 3;
[[nodiscard]] std::string_view name_of(PathShape shape);

/// A strip of floor: straight or an arc, level across, with one grade along its middle line.
struct PathPiece {
  Id<struct PathPieceTag> id;
  PathShape shape = PathShape::kWay;
  PositionUm from, to;  ///< ends of the middle line, on the floor
  std::int64_t curvature_nano =
      0;                      ///< 1e-9 / m; 0 straight, > 0 turns left. An arc turns by 60 degrees at most
  std::int64_t along_um = 0;  ///< from the start of its leg to `from`
  std::int32_t half_width_mm = 1750;  ///< of the clear way
  std::int32_t clear_mm = 3250;       ///< height of the clear way
  std::int32_t kerb_mm = 0;           ///< height of the kerbs at both sides, over the floor
  bool banked = false;                ///< the land is cut and filled beside it
  friend bool operator==(const PathPiece&, const PathPiece&) = default;
};

/// Nodes and legs are sorted by id; pieces by leg, then along it, its places and supports after its ways;
/// places of no leg last.
struct PathPlan {
  std::vector<PathNode> nodes;
  std::vector<PathLeg> legs;
  std::vector<PathPiece> pieces;
  friend bool operator==(const PathPlan&, const PathPlan&) = default;
};

}  // namespace vf

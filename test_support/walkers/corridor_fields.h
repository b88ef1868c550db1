// Corridors for controls of walkers: fields from recipe text, meshed by our own mesher at the finest level.
#pragma once

#include <string>

#include "exports/corridor_file.h"

namespace vf::test {

/// A corridor in rock along a line that starts at its first end. In formulas u runs along the line from
/// there, v across it to the left, w up from the floor, in metres. The defaults are what the planner builds,
/// on level ground.
struct CorridorShape {
  std::string name;
  double length_m = 40;      ///< the walk begins 2 m from one end and ends 2 m before the other
  double grade_deg = 0;      ///< of the floor, up or down
  double steeper_deg = 0;    ///< its grade within 4 m of the middle; 0: as the rest
  double heading_deg = 0;    ///< of the line in plan
  double arc_radius_m = 0;   ///< the line is an arc to the left of less than half a turn; 0: straight
  bool coil = false;         ///< the arc goes on, one turn above the other; u has jumps then
  std::string solid = "-9";  ///< what stands in the way: rock where > 0
  std::string air = "-9";    ///< what is dug out besides: air where > 0, before `solid` stands in it
};

/// Its mesh along its line. The recipe must be sound (VF_CHECK).
[[nodiscard]] Corridor mesh_corridor(const CorridorShape& shape);

}  // namespace vf::test

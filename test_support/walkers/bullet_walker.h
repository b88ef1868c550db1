// A body of the Bullet engine walks a corridor under gravity: what the player will feel, by a solver that
// nobody here wrote.
#pragma once

#include <cstdint>
#include <ostream>

#include "exports/corridor_file.h"
#include "math/vec.h"

namespace vf::test {

enum class WalkEnd : std::uint8_t {
  kArrived,
  kFell,   ///< far below the route's floor: a hole, or through the mesh
  kStuck,  ///< came no further
};
std::ostream& operator<<(std::ostream& out, WalkEnd end);

struct BulletSettings {
  double radius_m = 0.34, height_m = 1.76;  ///< of the player's capsule
  double speed_mps = 3;
  double step_s = 1.0 / 60;  ///< of the simulation; it moves 5 cm
  double arrival_m = 0.5;    ///< this near to the end in plan is there
  double fall_m = 1.5;       ///< this far below the route's floor is fallen
  double patience_s = 3;     ///< without progress
};

struct BulletWalk {
  WalkEnd end = WalkEnd::kStuck;
  double reached_m = 0;  ///< along the route
  double length_m = 0;   ///< of the route
  Vec3d at_m;            ///< where the capsule's foot is at the end. [world metres]
  double simulated_s = 0;
};

/// A capsule that stays upright is driven towards the line a metre ahead, with what a friction of 1 would
/// give it: it slides along walls, over ripples, and not up what is steeper than 45 degrees. One thread,
/// fixed steps: the same corridor gives the same walk on one machine. About 1 ms a metre of route.
[[nodiscard]] BulletWalk walk_with_bullet(const Corridor& corridor, const BulletSettings& settings = {});

}  // namespace vf::test

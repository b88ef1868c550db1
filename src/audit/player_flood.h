// Where the player fits and stands, and where he comes to from a place, on the lattice of 0.25 m, by steps to
// the six neighbours.
//
// A place counts when the lattice points of a capsule (radius 0.34 m, height 1.76 m) are air and there is
// rock at most half a metre below: he climbs that much at once. Steps hold both ways.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "audit/air_lattice.h"
#include "field/sampler.h"
#include "math/vec.h"

namespace vf {

/// One a thread.
class PlayerFlood {
 public:
  explicit PlayerFlood(FieldSampler& field) : lattice_(field) {}

  /// Opens a box to the flood. [metres, frame] Before the first question.
  void open(const Vec3d& low, const Vec3d& high);
  void close_opening();

  /// The flood starts here, too: on the floor.
  void from(const Vec3d& p);
  /// Whether it came to this place on a floor, or next to it.
  [[nodiscard]] bool came_to(const Vec3d& p) const;

 private:
  using Neighbour = std::optional<std::size_t>;
  struct Brick {
    bool known = false;  ///< `stand` and `beside` are filled
    bool open = false;   ///< waits for `spread`
    BrickBits stand{}, reached{};
    std::array<Neighbour, 6> beside;  ///< west, east, south, north, below, above
  };
  /// Slices of a brick from its lowest, and of the one above; 0 for bricks that are not open.
  using Tower = std::array<std::uint64_t, 16>;

  [[nodiscard]] Neighbour beside(std::size_t brick, int dx, int dy, int dz) const;
  Tower tower(const Neighbour& low, const Neighbour& high);
  void find_stands(std::size_t brick);
  void pour(std::size_t brick, int slice, std::uint64_t points);
  void spread(std::size_t brick);

  AirLattice lattice_;
  std::vector<Brick> bricks_;
  std::vector<std::size_t> open_;
};

}  // namespace vf

#include "audit/player_flood.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "audit/air_lattice.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr int kReachDown = 2, kReachUp = 3;  ///< of a place's lattice points about its floor

LatticeCell cell_at(const Vec3d& p) {
  const auto nearest = [](double v) {
    return static_cast<int>(std::floor(v / static_cast<double>(AirLattice::kStepM) + 0.5));
  };
  return {nearest(p.x), nearest(p.y), nearest(p.z)};
}

LatticeCell brick_of(const LatticeCell& c) {
  return {c.x >> 3, c.y >> 3, c.z >> 3};
}

/// Every point's neighbour to the east, where `beyond` is the same slice of the brick to the east; and so on.
constexpr std::uint64_t kFirstX = 0x0101010101010101, kLastX = kFirstX << 7;
constexpr std::uint64_t from_east(std::uint64_t slice, std::uint64_t beyond) {
  return (slice >> 1 & ~kLastX) | (beyond << 7 & kLastX);
}
constexpr std::uint64_t from_west(std::uint64_t slice, std::uint64_t beyond) {
  return (slice << 1 & ~kFirstX) | (beyond >> 7 & kFirstX);
}
constexpr std::uint64_t from_north(std::uint64_t slice, std::uint64_t beyond) {
  return slice >> 8 | beyond << 56;
}
constexpr std::uint64_t from_south(std::uint64_t slice, std::uint64_t beyond) {
  return slice << 8 | beyond >> 56;
}

}  // namespace

void PlayerFlood::open(const Vec3d& low, const Vec3d& high) {
  lattice_.open(cell_at(low), cell_at(high));
}

void PlayerFlood::close_opening() {
  lattice_.close_opening();
  bricks_.resize(lattice_.size());
}

void PlayerFlood::from(const Vec3d& p) {
  const LatticeCell start = cell_at(p);
  for (int dz = -kReachDown; dz <= kReachUp; ++dz) {
    const LatticeCell c{start.x, start.y, start.z + dz};
    if (const auto brick = lattice_.find(brick_of(c)))
      pour(*brick, c.z & 7, std::uint64_t{1} << (8 * (c.y & 7) + (c.x & 7)));
  }
  while (!open_.empty()) {
    const std::size_t brick = open_.back();
    open_.pop_back();
    spread(brick);
  }
}

bool PlayerFlood::came_to(const Vec3d& p) const {
  const LatticeCell at = cell_at(p);
  for (int dz = -kReachDown; dz <= kReachUp; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const LatticeCell c{at.x + dx, at.y + dy, at.z + dz};
        const auto brick = lattice_.find(brick_of(c));
        if (brick &&
            (bricks_[*brick].reached.at(static_cast<std::size_t>(c.z & 7)) >> (8 * (c.y & 7) + (c.x & 7)) &
             1U) != 0)
          return true;
      }
  return false;
}

PlayerFlood::Neighbour PlayerFlood::beside(std::size_t brick, int dx, int dy, int dz) const {
  const LatticeCell at = lattice_.at(brick);
  return lattice_.find({at.x + dx, at.y + dy, at.z + dz});
}

PlayerFlood::Tower PlayerFlood::tower(const Neighbour& low, const Neighbour& high) {
  Tower out{};
  for (std::size_t k = 0; k < 8; ++k) {
    if (low) out.at(k) = lattice_.air(*low).at(k);
    if (high) out.at(k + 8) = lattice_.air(*high).at(k);
  }
  return out;
}

/// The points where the lattice points of a capsule of radius 0.34 m and height 1.76 m are air, with rock
/// at most half a metre below. What is not open is neither.
void PlayerFlood::find_stands(std::size_t number) {
  Brick& b = bricks_[number];
  b.known = true;
  b.beside = {beside(number, -1, 0, 0), beside(number, 1, 0, 0),  beside(number, 0, -1, 0),
              beside(number, 0, 1, 0),  beside(number, 0, 0, -1), beside(number, 0, 0, 1)};
  const Tower here = tower(number, b.beside[5]);
  // Slice k of these lies two under slice k of the brick.
  std::array<std::uint64_t, 10> rock{};
  for (std::size_t k = 0; k < 2; ++k)
    if (b.beside[4]) rock.at(k) = ~lattice_.air(*b.beside[4]).at(k + 6);
  for (std::size_t k = 0; k < 8; ++k) rock.at(k + 2) = ~here.at(k);
  std::uint64_t any = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    std::uint64_t fits = rock.at(k + 1) | rock.at(k);
    for (std::size_t up = 0; up <= 7; ++up) fits &= here.at(k + up);
    b.stand.at(k) = fits;
    any |= fits;
  }
  if (any == 0) return;
  const Tower west = tower(b.beside[0], beside(number, -1, 0, 1)),
              east = tower(b.beside[1], beside(number, 1, 0, 1)),
              south = tower(b.beside[2], beside(number, 0, -1, 1)),
              north = tower(b.beside[3], beside(number, 0, 1, 1));
  Tower wide{};  // air there and at all four sides
  for (std::size_t k = 0; k < 16; ++k)
    wide.at(k) = here.at(k) & from_west(here.at(k), west.at(k)) & from_east(here.at(k), east.at(k)) &
                 from_south(here.at(k), south.at(k)) & from_north(here.at(k), north.at(k));
  for (std::size_t k = 0; k < 8; ++k)
    for (std::size_t up = 1; up <= 6; ++up) b.stand.at(k) &= wide.at(k + up);
}

/// The flood comes to points of a slice.
void PlayerFlood::pour(std::size_t number, int slice, std::uint64_t points) {
  if (points == 0) return;
  Brick& b = bricks_[number];
  if (!b.known) find_stands(number);
  const auto k = static_cast<std::size_t>(slice);
  points &= b.stand.at(k) & ~b.reached.at(k);
  if (points == 0) return;
  b.reached.at(k) |= points;
  if (b.open) return;
  b.open = true;
  open_.push_back(number);
}

/// To all points that are connected within the brick, then over its six faces.
void PlayerFlood::spread(std::size_t number) {
  Brick& b = bricks_[number];
  b.open = false;
  BrickBits& r = b.reached;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < 8; ++k) {
      std::uint64_t next = r.at(k) | from_west(r.at(k), 0) | from_east(r.at(k), 0) | from_south(r.at(k), 0) |
                           from_north(r.at(k), 0);
      if (k > 0) next |= r.at(k - 1);
      if (k < 7) next |= r.at(k + 1);
      next &= b.stand.at(k);
      more = more || next != r.at(k);
      r.at(k) = next;
    }
  }
  const BrickBits reached = r;
  const std::array<Neighbour, 6> beside = b.beside;
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t slice = reached.at(static_cast<std::size_t>(k));
    if (beside[0]) pour(*beside[0], k, from_east(0, slice));
    if (beside[1]) pour(*beside[1], k, from_west(0, slice));
    if (beside[2]) pour(*beside[2], k, from_north(0, slice));
    if (beside[3]) pour(*beside[3], k, from_south(0, slice));
  }
  if (beside[4]) pour(*beside[4], 7, reached.front());
  if (beside[5]) pour(*beside[5], 0, reached.back());
}

}  // namespace vf

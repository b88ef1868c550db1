#include "audit/flood_audit.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "audit/air_lattice.h"
#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr double kBesideM = 2.5, kUnderM = 1.5, kOverM = 4.5;
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

/// Where the player stands, and where the flood came, on the lattice near the ways.
class Flood {
 public:
  Flood(const AuditedSector& sector, FieldSampler& field) : lattice_(field) {
    for (const PathLeg& leg : sector.plan.legs)
      for (const WalkPoint& w : walk_leg(sector.plan, leg, 1))
        lattice_.open(cell_at({w.at.x - kBesideM, w.at.y - kBesideM, w.floor - kUnderM}),
                      cell_at({w.at.x + kBesideM, w.at.y + kBesideM, w.floor + kOverM}));
    lattice_.close_opening();
    bricks_.resize(lattice_.size());
  }

  void from(const Vec3d& p) {
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

  [[nodiscard]] bool came_to(const Vec3d& p) const {
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

 private:
  using Neighbour = std::optional<std::size_t>;
  struct Brick {
    bool known = false;  ///< `stand` and `beside` are filled
    bool open = false;   ///< waits for `spread`
    BrickBits stand{}, reached{};
    std::array<Neighbour, 6> beside;  ///< west, east, south, north, below, above
  };

  [[nodiscard]] Neighbour beside(std::size_t brick, int dx, int dy, int dz) const {
    const LatticeCell at = lattice_.at(brick);
    return lattice_.find({at.x + dx, at.y + dy, at.z + dz});
  }

  /// Slices of a brick from its lowest, and of the one above; 0 for bricks that are not open.
  using Tower = std::array<std::uint64_t, 16>;
  Tower tower(const Neighbour& low, const Neighbour& high) {
    Tower out{};
    for (std::size_t k = 0; k < 8; ++k) {
      if (low) out.at(k) = lattice_.air(*low).at(k);
      if (high) out.at(k + 8) = lattice_.air(*high).at(k);
    }
    return out;
  }

  /// The points where the lattice points of a capsule of radius 0.34 m and height 1.76 m are air, with rock
  /// at most half a metre below. What is not open is neither.
  void find_stands(std::size_t number) {
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
  void pour(std::size_t number, int slice, std::uint64_t points) {
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
  void spread(std::size_t number) {
    Brick& b = bricks_[number];
    b.open = false;
    BrickBits& r = b.reached;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t k = 0; k < 8; ++k) {
        std::uint64_t next = r.at(k) | from_west(r.at(k), 0) | from_east(r.at(k), 0) |
                             from_south(r.at(k), 0) | from_north(r.at(k), 0);
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

  AirLattice lattice_;
  std::vector<Brick> bricks_;
  std::vector<std::size_t> open_;
};

}  // namespace

AuditReport audit_flood(const AuditedSector& sector) {
  Finding finding("flood", 7, "unreached", Keeps::kAtMost, 0);
  AuditReport out;
  const PathNode* arrival = find_node(sector.plan, PathNodeKind::kArrival);
  if (arrival != nullptr) {
    FieldSampler field(sector.field, sector.simd);
    Flood flood(sector, field);
    const auto place = [](const PositionUm& p) { return Vec3d{metres(p.x), metres(p.y), metres(p.z)}; };
    flood.from(place(arrival->at));
    const auto look = [&](std::string_view name, const Vec3d& p) {
      if (!finding.keeps(flood.came_to(p) ? 0 : 1))
        finding.broken(fmt::format("the player's flood from the arrival does not come to the {}", name),
                       sector.world(p), sector.world({p.x - 4, p.y, p.z + 1.7}));
    };
    for (const PathNode& node : sector.plan.nodes) look(name_of(node.kind), place(node.at));
    for (const PathLeg* leg : {passage_down(sector.plan), passage_from_above(sector.plan)}) {
      if (leg == nullptr) continue;
      std::vector<WalkPoint> walk = walk_leg(sector.plan, *leg, 1);
      std::erase_if(walk, [&](const WalkPoint& p) {
        return p.floor < sector.bottom_m() + 1 || p.floor > sector.top_m() - kOverM;
      });
      if (walk.empty()) continue;
      const bool down = leg == passage_down(sector.plan);
      const WalkPoint& end = down ? walk.back() : walk.front();
      look(down ? "end of the passage down" : "start of the passage from above",
           {end.at.x, end.at.y, end.floor});
    }
  }
  finding.add_to(out);
  return out;
}

}  // namespace vf

#include "audit/flood_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "field/sampler.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr int kWide = 16, kTall = 8;  ///< lattice points of a block
constexpr float kStepM = 0.25F;
constexpr int kSupport = 2;  ///< steps down to rock, at most
constexpr double kBesideM = 2.5, kUnderM = 1.5, kOverM = 4.5;

struct Cell {
  int x = 0, y = 0, z = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

Cell block_of(const Cell& c) {
  return {c.x >> 4, c.y >> 4, c.z >> 3};
}
std::size_t inside(const Cell& c) {
  return static_cast<std::size_t>((c.x & 15) + kWide * ((c.y & 15) + kWide * (c.z & 7)));
}
Cell cell_at(const Vec3d& p) {
  const auto nearest = [](double v) {
    return static_cast<int>(std::floor(v / static_cast<double>(kStepM) + 0.5));
  };
  return {nearest(p.x), nearest(p.y), nearest(p.z)};
}

using Bits = std::bitset<std::size_t{kWide} * kWide * kTall>;
struct Block {
  bool sampled = false;
  Bits air, looked_at, reached;
};

/// The lattice near the ways; sampled where the flood comes.
class Flood {
 public:
  Flood(const AuditedSector& sector, FieldSampler& field) : field_(field) {
    for (const PathLeg& leg : sector.plan.legs)
      for (const WalkPoint& p : walk_leg(sector.plan, leg, 1)) open_around({p.at.x, p.at.y, p.floor});
  }

  void from(const Vec3d& p) {
    std::vector<Cell> open;
    const Cell start = cell_at(p);
    for (int dz = -2; dz <= 3; ++dz) reach({start.x, start.y, start.z + dz}, open);
    while (!open.empty()) {
      const Cell c = open.back();
      open.pop_back();
      for (const auto& d : {Cell{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}})
        reach({c.x + d.x, c.y + d.y, c.z + d.z}, open);
    }
  }

  [[nodiscard]] bool came_to(const Vec3d& p) const {
    const Cell at = cell_at(p);
    for (int dz = -2; dz <= 3; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Cell c{at.x + dx, at.y + dy, at.z + dz};
          const auto found = blocks_.find(block_of(c));
          if (found != blocks_.end() && found->second.reached[inside(c)]) return true;
        }
    return false;
  }

 private:
  void open_around(const Vec3d& p) {
    const Cell low = block_of(cell_at({p.x - kBesideM, p.y - kBesideM, p.z - kUnderM})),
               high = block_of(cell_at({p.x + kBesideM, p.y + kBesideM, p.z + kOverM}));
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) blocks_[{x, y, z}];
  }

  Block* block_at(const Cell& c) {
    const Cell key = block_of(c);
    if (last_ != nullptr && key == last_key_) return last_;
    const auto found = blocks_.find(key);
    if (found == blocks_.end()) return nullptr;
    if (!found->second.sampled) sample(found->second, key);
    last_ = &found->second;
    last_key_ = key;
    return last_;
  }

  void sample(Block& block, const Cell& key) {
    block.sampled = true;
    const Vec3f low{kWide * kStepM * static_cast<float>(key.x), kWide * kStepM * static_cast<float>(key.y),
                    kTall * kStepM * static_cast<float>(key.z)};
    constexpr float kAcross = (kWide - 1) * kStepM, kUp = (kTall - 1) * kStepM;
    Interval bound;
    const Tape tape = field_.tape_for({low, {low.x + kAcross, low.y + kAcross, low.z + kUp}}, &bound);
    if (bound.hi < 0) return;
    if (bound.lo > 0) {
      block.air.set();
      return;
    }
    constexpr std::size_t kCount = Bits().size();
    std::array<float, kCount> x{}, y{}, z{}, phi{};
    for (std::size_t i = 0; i < kCount; ++i) {
      x.at(i) = low.x + kStepM * static_cast<float>(i % kWide);
      y.at(i) = low.y + kStepM * static_cast<float>(i / kWide % kWide);
      z.at(i) = low.z + kStepM * static_cast<float>(i / (kWide * kWide));
    }
    field_.values(tape, kCount, x.data(), y.data(), z.data(), phi.data());
    for (std::size_t i = 0; i < kCount; ++i) block.air[i] = phi.at(i) > 0;
  }

  bool air(const Cell& c) {
    const Block* block = block_at(c);
    return block != nullptr && block->air[inside(c)];
  }
  bool rock(const Cell& c) {
    const Block* block = block_at(c);
    return block != nullptr && !block->air[inside(c)];
  }

  /// The lattice points of a capsule of radius 0.34 m and height 1.76 m whose foot is here.
  bool fits(const Cell& c) {
    for (int z = 0; z <= 7; ++z) {
      if (!air({c.x, c.y, c.z + z})) return false;
      if (z < 1 || z > 6) continue;
      for (const auto& d : {Cell{1, 0, z}, {-1, 0, z}, {0, 1, z}, {0, -1, z}})
        if (!air({c.x + d.x, c.y + d.y, c.z + d.z})) return false;
    }
    for (int down = 1; down <= kSupport; ++down)
      if (rock({c.x, c.y, c.z - down})) return true;
    return false;
  }

  void reach(const Cell& c, std::vector<Cell>& open) {
    Block* block = block_at(c);
    if (block == nullptr || block->looked_at[inside(c)]) return;
    block->looked_at.set(inside(c));
    if (!fits(c)) return;
    block_at(c)->reached.set(inside(c));
    open.push_back(c);
  }

  FieldSampler& field_;
  std::map<Cell, Block> blocks_;
  Block* last_ = nullptr;
  Cell last_key_;
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

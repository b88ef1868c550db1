#include "audit/air_lattice.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr int kEdge = 8;  ///< points of a brick
constexpr int kRegionBits = 6, kAxisBits = 18;
constexpr int kHalf = 1 << (kAxisBits - 1);  ///< regions on either side of the origin

/// Of a brick's points.
Box3f box_of(const LatticeCell& brick) {
  constexpr float kBrickM = kEdge * AirLattice::kStepM, kAcrossM = (kEdge - 1) * AirLattice::kStepM;
  const Vec3f low{kBrickM * static_cast<float>(brick.x), kBrickM * static_cast<float>(brick.y),
                  kBrickM * static_cast<float>(brick.z)};
  return {low, {low.x + kAcrossM, low.y + kAcrossM, low.z + kAcrossM}};
}

}  // namespace

/// Region first, 18 bits an axis, then the brick in it.
std::uint64_t AirLattice::key_of(const LatticeCell& b) {
  const auto region = [](int v) { return static_cast<std::uint64_t>((v >> 2) + kHalf); };
  const auto local = static_cast<std::uint64_t>((b.z & 3) * 16 + (b.y & 3) * 4 + (b.x & 3));
  return (((region(b.z) << kAxisBits | region(b.y)) << kAxisBits | region(b.x)) << kRegionBits) | local;
}

LatticeCell AirLattice::brick_of(std::uint64_t key) {
  const auto axis = [key](int number) {
    const std::uint64_t region = key >> (kRegionBits + number * kAxisBits) & ((1U << kAxisBits) - 1);
    return 4 * (static_cast<int>(region) - kHalf) + static_cast<int>(key >> (2 * number) & 3);
  };
  return {axis(0), axis(1), axis(2)};
}

void AirLattice::open(const LatticeCell& low, const LatticeCell& high) {
  for (int z = low.z >> 3; z <= high.z >> 3; ++z)
    for (int y = low.y >> 3; y <= high.y >> 3; ++y)
      for (int x = low.x >> 3; x <= high.x >> 3; ++x) opened_.push_back(key_of({x, y, z}));
}

void AirLattice::close_opening() {
  std::sort(opened_.begin(), opened_.end());
  opened_.erase(std::unique(opened_.begin(), opened_.end()), opened_.end());
  bricks_.reserve(opened_.size());
  for (const std::uint64_t key : opened_) {
    bricks_.emplace_back();
    bricks_.back().key = key;
    bricks_.back().at = brick_of(key);
  }
  opened_ = {};
}

std::optional<std::size_t> AirLattice::find(const LatticeCell& brick) const {
  const std::uint64_t key = key_of(brick);
  const auto found = std::lower_bound(bricks_.begin(), bricks_.end(), key,
                                      [](const Brick& b, std::uint64_t k) { return b.key < k; });
  if (found == bricks_.end() || found->key != key) return std::nullopt;
  return static_cast<std::size_t>(found - bricks_.begin());
}

const BrickBits& AirLattice::air(std::size_t brick) {
  if (!bricks_[brick].sampled) sample(brick);
  return bricks_[brick].air;
}

void AirLattice::bound_region(std::size_t brick) {
  const std::uint64_t number = bricks_[brick].key >> kRegionBits;
  const auto outside = [&](std::size_t i) { return bricks_[i].key >> kRegionBits != number; };
  std::size_t first = brick, end = brick + 1;
  while (first > 0 && !outside(first - 1)) --first;
  while (end < bricks_.size() && !outside(end)) ++end;

  regions_.push_back(std::make_unique<Region>());
  Region& region = *regions_.back();
  region.first = first;
  std::vector<Box3f> boxes;
  Box3f around = box_of(bricks_[first].at);
  for (std::size_t i = first; i < end; ++i) {
    const Box3f box = box_of(bricks_[i].at);
    boxes.push_back(box);
    around.min = {std::min(around.min.x, box.min.x), std::min(around.min.y, box.min.y),
                  std::min(around.min.z, box.min.z)};
    around.max = {std::max(around.max.x, box.max.x), std::max(around.max.y, box.max.y),
                  std::max(around.max.z, box.max.z)};
    bricks_[i].region = &region;
  }
  region.tape = field_.tape_for(around);
  field_.cut(region.tape, boxes, region.cuts);
}

void AirLattice::sample(std::size_t brick) {
  if (bricks_[brick].region == nullptr) bound_region(brick);
  Brick& b = bricks_[brick];
  b.sampled = true;
  const BoxCuts& cuts = b.region->cuts;
  const std::size_t box = brick - b.region->first;
  if (cuts.hi.at(box) < 0) return;
  if (cuts.lo.at(box) > 0) {
    b.air.fill(~std::uint64_t{0});
    return;
  }
  const Tape own = field_.tape_of(cuts, static_cast<int>(box));
  alignas(64) std::array<float, std::size_t{kEdge} * kEdge * kEdge> phi{};
  field_.brick(own, {box_of(b.at).min, kStepM}, phi.data());
  for (std::size_t k = 0; k < phi.size(); ++k)
    b.air.at(k / 64) |= static_cast<std::uint64_t>(phi.at(k) > 0 ? 1 : 0) << (k % 64);
}

}  // namespace vf

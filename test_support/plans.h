// Plans for tests, made up: small, with every kind of record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"

namespace vf::test {

/// Numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t word() { return hash_words({seed_, next_++}); }
  float unit() { return unit_float(word()); }
  /// In [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(word() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

inline PositionUm some_position(Dice& dice) {
  return {dice.whole(-1000, 66000) * 15625, dice.whole(-1000, 66000) * 15625, dice.whole(-64, 6400) * 15625};
}

inline FeatureRecord some_feature(Dice& dice, std::size_t values) {
  FeatureRecord r;
  r.id = {dice.word()};
  r.at = some_position(dice);
  r.yaw_turns = dice.unit();
  r.extent_min = {-1 - 3 * dice.unit(), -2 * dice.unit(), -dice.unit()};
  r.extent_max = {dice.unit(), 1 + 4 * dice.unit(), 5 * dice.unit()};
  for (std::size_t i = 0; i < values; ++i) r.values[i] = 10 * dice.unit() - 4;
  for (float& u : r.random) u = dice.unit();
  return r;
}

/// A chain of straight and bent pieces between two nodes.
inline void add_leg(Dice& dice, PathLegKind kind, Id<PathNodeTag> from, Id<PathNodeTag> to,
                    std::uint32_t pieces, PathPlan& paths) {
  PathLeg leg;
  leg.id = {dice.word()};
  leg.kind = kind;
  leg.from = from;
  leg.to = to;
  leg.count = pieces;
  PositionUm at = some_position(dice);
  for (std::uint32_t i = 0; i < pieces; ++i) {
    PathPiece p;
    p.id = {dice.word()};
    p.from = at;
    p.to = {at.x + dice.whole(1, 4'000'000), at.y + dice.whole(-4'000'000, 4'000'000),
            at.z + dice.whole(-9, 9)};
    p.curvature_nano = i % 2 == 0 ? 0 : dice.whole(-100'000'000, 100'000'000);
    p.along_um = leg.length_um;
    p.kerb_mm = i % 3 == 0 ? 300 : 0;
    p.banked = i % 2 == 0;
    leg.length_um += 4'500'000;
    at = p.to;
    paths.pieces.push_back(p);
  }
  paths.legs.push_back(leg);
}

template <class Record>
void sort_by_id(std::vector<Record>& records) {
  std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.id < b.id; });
}

inline PathPlan some_paths(Dice& dice) {
  PathPlan paths;
  for (int kind = 0; kind < kPathNodeKinds; ++kind)
    paths.nodes.push_back({{dice.word()}, static_cast<PathNodeKind>(kind), some_position(dice)});
  const std::vector<PathNode> nodes = paths.nodes;
  sort_by_id(paths.nodes);
  PathPlan legs;
  add_leg(dice, PathLegKind::kSpine, nodes[0].id, nodes[6].id, 3, legs);
  add_leg(dice, PathLegKind::kSpine, nodes[6].id, nodes[1].id, 2, legs);
  add_leg(dice, PathLegKind::kPortal, nodes[2].id, nodes[6].id, 1, legs);
  add_leg(dice, PathLegKind::kPassage, nodes[1].id, {}, 4, legs);
  std::vector<PathPiece> pieces = legs.pieces;
  std::size_t first = 0;
  std::vector<std::vector<PathPiece>> of_leg;
  for (const PathLeg& leg : legs.legs) {
    const auto begin = pieces.begin() + static_cast<std::ptrdiff_t>(first);
    of_leg.emplace_back(begin, begin + leg.count);
    first += leg.count;
  }
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return legs.legs[a].id < legs.legs[b].id; });
  for (const std::size_t i : order) {
    PathLeg leg = legs.legs[i];
    leg.first = static_cast<std::uint32_t>(paths.pieces.size());
    paths.legs.push_back(leg);
    paths.pieces.insert(paths.pieces.end(), of_leg[i].begin(), of_leg[i].end());
  }
  std::vector<PathPiece> places;
  for (const PathNode& node : paths.nodes) {
    PathPiece p;
    p.id = {dice.word()};
    p.shape = PathShape::kPlace;
    p.from = {node.at.x - 6'000'000, node.at.y, node.at.z};
    p.to = {node.at.x + 6'000'000, node.at.y, node.at.z};
    p.half_width_mm = 6000;
    places.push_back(p);
  }
  sort_by_id(places);
  paths.pieces.insert(paths.pieces.end(), places.begin(), places.end());
  return paths;
}

/// Three feature sets of which one is empty, lights, and paths when asked for.
inline SectorSnapshot some_snapshot(std::uint64_t seed, bool with_paths = true) {
  Dice dice(seed);
  SectorSnapshot s;
  s.origin.world_seed = {dice.word()};
  s.origin.recipe_id = "some_type";
  s.origin.recipe_version = 3;
  s.origin.parameters = {dice.word(), dice.word()};
  s.plan.stratum = dice.whole(-5, 1'000'000);
  s.plan.sx = dice.whole(-40'000, 40'000);
  s.plan.sy = dice.whole(-70'000, 70'000);
  s.plan.features.resize(3);
  for (int i = 0; i < 5; ++i) s.plan.features[0].push_back(some_feature(dice, 2));
  for (int i = 0; i < 3; ++i) s.plan.features[2].push_back(some_feature(dice, kMaxFeatureValues));
  for (int i = 0; i < 4; ++i)
    s.plan.lights.push_back({{dice.word()}, some_position(dice), static_cast<std::uint32_t>(i % 2)});
  for (auto& set : s.plan.features) sort_by_id(set);
  sort_by_id(s.plan.lights);
  if (with_paths) s.plan.paths = some_paths(dice);
  return s;
}

}  // namespace vf::test

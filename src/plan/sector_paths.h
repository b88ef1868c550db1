// Paths of the sectors around a place, each planned once, when first asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/path_geometry.h"
#include "plan/path_plan.h"
#include "plan/stratum_scope.h"

namespace vf {

/// Which room paths take: an index over the pieces of one sector.
class PathRoom {
 public:
  explicit PathRoom(const PathPlan& plan);

  /// Whether something round of `radius` about (x, y), from z_min to z_max, keeps `margin` from every clear
  /// way. [metres, sector]
  [[nodiscard]] bool keeps_off(double x, double y, double radius, double z_min, double z_max,
                               double margin) const;

 private:
  struct Entry {
    PieceGeometry geometry;
    double half_width = 0, clear = 0, reach = 0;  ///< reach: of the clear way about the middle, in plan
  };
  std::vector<Entry> entries_;
};

/// Of one stratum; not thread-safe. Whoever resolves several windows near each other keeps one, so that every
/// sector is planned once. Forgets all when it holds many.
class SectorPaths {
 public:
  explicit SectorPaths(StratumScope scope) : scope_(std::move(scope)) {}

  [[nodiscard]] const StratumScope& scope() const { return scope_; }
  /// The answers hold until the next question.
  [[nodiscard]] Result<const PathPlan*> plan(std::int64_t sx, std::int64_t sy);
  [[nodiscard]] Result<const PathRoom*> room(std::int64_t sx, std::int64_t sy);

 private:
  struct Known {
    PathPlan plan;
    std::unique_ptr<PathRoom> room;
  };
  static constexpr std::size_t kMostKept = 64;

  StratumScope scope_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<Known>> known_;
};

}  // namespace vf

#include "audit/audited_sector.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_walk.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "plan/stratum_scope.h"

namespace vf {

namespace {

constexpr float kBesidePassageM = 24;  ///< what is looked at beside its middle line, in plan

Result<std::shared_ptr<const BoundField>> field_of(SectorPaths& paths, Frame frame, const Box2f& window) {
  Result<BoundField> field = field_in_window(paths, frame, window);
  if (!field) return field.error();
  return std::make_shared<const BoundField>(*std::move(field));
}

}  // namespace

Vec3d AuditedSector::world(const Vec3d& p) const {
  return {p.x + 1024.0 * static_cast<double>(sx), p.y + 1024.0 * static_cast<double>(sy),
          p.z + scope.stratum.content_floor_z_m};
}

Result<AuditedSector> open_audited_sector(const World& world,
                                          const std::vector<std::shared_ptr<const BuiltRecipe>>& built,
                                          std::int64_t stratum, std::int64_t sx, std::int64_t sy,
                                          SimdLevel simd) {
  AuditedSector out;
  out.scope = stratum_scope(world, built, stratum);
  out.sx = sx;
  out.sy = sy;
  out.simd = simd;
  SectorPaths paths(out.scope);
  const Result<const PathPlan*> plan = paths.plan(sx, sy);
  if (!plan) return plan.error();
  out.plan = **plan;
  constexpr std::array<std::array<std::int64_t, 2>, 4> kBeside{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
  for (std::size_t i = 0; i < kBeside.size(); ++i) {
    const Result<const PathPlan*> beside = paths.plan(sx + kBeside.at(i)[0], sy + kBeside.at(i)[1]);
    if (!beside) return beside.error();
    out.beside.at(i) = **beside;
  }
  constexpr float kEdge = 1024 + kAuditMarginM;
  auto field = field_of(paths, {sx, sy}, {-kAuditMarginM, -kAuditMarginM, kEdge, kEdge});
  if (!field) return field.error();
  out.field = *std::move(field);

  SectorPaths lower(stratum_scope(world, built, stratum + 1));
  const Result<const PathPlan*> below = lower.plan(sx, sy);
  if (!below) return below.error();
  out.below = **below;
  out.below_floor_m = lower.scope().stratum.content_floor_z_m - out.scope.stratum.content_floor_z_m;
  if (const PathLeg* arriving = passage_from_above(**below); arriving != nullptr) {
    auto beyond = field_of(lower, {sx, sy}, extent_of(walk_leg(**below, *arriving, 1), kBesidePassageM));
    if (!beyond) return beyond.error();
    out.beyond = *std::move(beyond);
  }
  return out;
}

}  // namespace vf

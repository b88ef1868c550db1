#include "audit/product_audits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/gradient_audit.h"
#include "audit/identity_audit.h"
#include "audit/mesh_audit.h"
#include "base/ids.h"
#include "field/sampler.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "plan/origin.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"
#include "plan/resolve.h"
#include "proof/certificate.h"
#include "proof/verify.h"

namespace vf {

namespace {

constexpr std::uint64_t kBoxes = 200;
constexpr int kPointsPerBox = 16;
constexpr std::uint64_t kPairs = 400;  ///< around each of the places below

Vec3d place(const PositionUm& p) {
  return {metres(p.x), metres(p.y), metres(p.z)};
}

/// Where routes, passages and sectors meet.
std::vector<Vec3d> meeting_places(const PathPlan& plan) {
  std::vector<Vec3d> out;
  for (const PathNodeKind kind :
       {PathNodeKind::kArrival, PathNodeKind::kDeparture, PathNodeKind::kPortalWest})
    if (const PathNode* node = find_node(plan, kind); node != nullptr) out.push_back(place(node->at));
  return out;
}

Box3f box_around(const AuditedSector& sector, const Vec3d& p, double reach) {
  const auto f = [](double v) { return static_cast<float>(v); };
  return {{f(p.x - reach), f(p.y - reach), f(std::max(p.z - reach, sector.bottom_m()))},
          {f(p.x + reach), f(p.y + reach), f(std::min(p.z + reach, sector.top_m()))}};
}

Vec3d eye_at(const Vec3d& p) {
  return {p.x - 4, p.y, p.z + 1.7};
}

/// Tiles of the finest level that touch the box.
std::vector<TileKey> tiles_in(const Box3f& box) {
  const double edge = 0.25 * kTileEdge;
  const auto tile = [&](float v) {
    return static_cast<std::int32_t>(std::floor(static_cast<double>(v) / edge));
  };
  std::vector<TileKey> out;
  for (std::int32_t z = tile(box.min.z); z <= tile(box.max.z); ++z)
    for (std::int32_t y = tile(box.min.y); y <= tile(box.max.y); ++y)
      for (std::int32_t x = tile(box.min.x); x <= tile(box.max.x); ++x) out.push_back({0, x, y, z});
  return out;
}

AuditReport report_of(const Finding& finding) {
  AuditReport out;
  finding.add_to(out);
  return out;
}

}  // namespace

AuditReport audit_proof(const AuditedSector& sector) {
  Finding finding("proof", 10, "wrong", Keeps::kAtMost, 0);
  for (const Vec3d& p : meeting_places(sector.plan)) {
    const BoundReport bounds = verify_bounds(*sector.field, box_around(sector, p, 12), kBoxes, kPointsPerBox,
                                             sector.scope.stratum.world_seed.value, sector.simd);
    if (!finding.keeps(static_cast<double>(bounds.wrong)))
      finding.broken(bounds.first, sector.world(p), sector.world(eye_at(p)));
    const VerifyReport tiles =
        verify_region(sector.field, tiles_in(box_around(sector, p, 0.5)), {sector.simd, true}, 1);
    if (!finding.keeps(static_cast<double>(tiles.wrong + tiles.different)))
      finding.broken(to_string(tiles.first.front()), sector.world(p), sector.world(eye_at(p)));
  }
  return report_of(finding);
}

AuditReport audit_ground(const AuditedSector& sector) {
  Finding finding("mesh", 11, "faults", Keeps::kAtMost, 0);
  for (const Vec3d& p : meeting_places(sector.plan)) {
    const std::vector<TileKey> tiles = tiles_in(box_around(sector, p, 6));
    const Box2f window = mesh_window(tiles), &held = sector.field->window;
    if (window.min_x < held.min_x || window.max_x > held.max_x || window.min_y < held.min_y ||
        window.max_y > held.max_y)
      continue;
    const RegionDensity density = evaluate_for_mesh(sector.field, tiles, {sector.simd, true}, 1);
    const RegionMesh mesh = mesh_region(density, sector.simd, 1);
    const std::int64_t tile = std::int64_t{kTileEdge} * kVoxelUnits, cell = kVoxelUnits;
    const auto outside = [&](const MeshPoint& m) {
      const auto at_side = [&](std::int64_t v, std::int32_t low, std::int32_t high) {
        return v <= low * tile + cell || v >= (high + 1) * tile - cell;
      };
      return at_side(m.x, tiles.front().tx, tiles.back().tx) ||
             at_side(m.y, tiles.front().ty, tiles.back().ty) ||
             at_side(m.z, tiles.front().tz, tiles.back().tz);
    };
    const MeshAudit audit = audit_mesh(
        mesh.pieces(), [&](const MeshPoint& a, const MeshPoint& b) { return outside(a) && outside(b); });
    if (!finding.keeps(static_cast<double>(audit.faults())))
      finding.broken(audit.first, sector.world(p), sector.world(eye_at(p)));
  }
  return report_of(finding);
}

AuditReport audit_order(const AuditedSector& sector) {
  Finding finding("identity", 12, "differences", Keeps::kAtMost, 0);
  const std::vector<std::string> wrong = audit_identity(
      origin_of(sector.scope.stratum),
      [&](std::int64_t x, std::int64_t y) { return resolve_sector(sector.scope, x, y); }, sector.sx,
      sector.sy, 2);
  if (!finding.keeps(static_cast<double>(wrong.size())))
    finding.broken(wrong.front(), sector.world({512, 512, 0}), sector.world({508, 512, 0}));
  return report_of(finding);
}

AuditReport audit_slopes(const AuditedSector& sector) {
  const float declared = sector.scope.built->facts.declared_bound;
  // Paths are 1-Lipschitz; the steeper of the two holds for what they are composed to.
  const float bound = std::max(declared, 1.0F);
  Finding finding("gradient", 13, "m/m", Keeps::kAtMost, static_cast<double>(bound));
  FieldSampler field(sector.field, sector.simd);
  for (const Vec3d& p : meeting_places(sector.plan)) {
    const GradientReport found =
        audit_gradient(field, box_around(sector, p, 12), bound, kPairs,
                       hash_words({sector.scope.stratum.world_seed.value, sector.plan.nodes.size()}));
    // Differences of close points carry rounding; the audit knows how much.
    (void)finding.keeps(std::min(static_cast<double>(found.steepest), static_cast<double>(bound)));
    if (found.wrong > 0 && !finding.keeps(static_cast<double>(found.steepest) + 1e-9))
      finding.broken(found.first, sector.world(p), sector.world(eye_at(p)));
  }
  return report_of(finding);
}

}  // namespace vf

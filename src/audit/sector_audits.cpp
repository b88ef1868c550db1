#include "audit/sector_audits.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/capsule_audit.h"
#include "audit/fall_audit.h"
#include "audit/flood_audit.h"
#include "audit/mouth_audit.h"
#include "audit/path_sections.h"
#include "audit/place_audit.h"
#include "audit/product_audits.h"
#include "audit/route_prover.h"
#include "audit/route_verifier.h"
#include "audit/seal_audit.h"
#include "audit/walk_audits.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {

namespace {

/// What audits read; sections are measured once for all that need them.
struct Inputs {
  const AuditedSector& sector;
  const std::vector<LegSections>& legs;
  FieldSampler& field;
};

struct NamedAudit {
  AuditName name;
  bool reads_sections = false;
  std::function<AuditReport(const Inputs&)> run;
};

const std::vector<NamedAudit>& audits() {
  static const std::vector<NamedAudit> kAudits{
      {{"capsule", 1, "the player's capsule fits along every way, over its full width"},
       true,
       [](const Inputs& in) { return audit_capsule(in.sector, in.legs, in.field); }},
      {{"floor", 2, "a floor on half a metre of rock"},
       true,
       [](const Inputs& in) { return audit_floor(in.sector, in.legs); }},
      {{"grade", 3, "at most 15 degrees over 1 m, in the middle and at both edges"},
       true,
       [](const Inputs& in) { return audit_grade(in.sector, in.legs); }},
      {{"width", 4, "3 m of clear width"},
       true,
       [](const Inputs& in) { return audit_clear_width(in.sector, in.legs); }},
      {{"height", 4, "3 m of clear height"},
       true,
       [](const Inputs& in) { return audit_clear_height(in.sector, in.legs); }},
      {{"ripple", 5, "the floor within 0.06 m of the planned one"},
       true,
       [](const Inputs& in) { return audit_ripple(in.sector, in.legs); }},
      {{"mouths", 6, "portals and passages meet from both sides"},
       false,
       [](const Inputs& in) { return audit_mouths(in.sector); }},
      {{"flood", 7, "a flood of where the player stands comes everywhere"},
       false,
       [](const Inputs& in) { return audit_flood(in.sector); }},
      {{"seals", 8, "bands are rock but for the passages"},
       false,
       [](const Inputs& in) { return audit_seals(in.sector); }},
      {{"proof", 10, "brute force never contradicts a proof"},
       false,
       [](const Inputs& in) { return audit_proof(in.sector); }},
      {{"mesh", 11, "meshes are closed, manifold and oriented"},
       false,
       [](const Inputs& in) { return audit_ground(in.sector); }},
      {{"identity", 12, "the same bytes in every order"},
       false,
       [](const Inputs& in) { return audit_order(in.sector); }},
      {{"gradient", 13, "no steeper than declared"},
       false,
       [](const Inputs& in) { return audit_slopes(in.sector); }},
      {{"places", 14, "12 x 12 x 3 m at least every 80 m"},
       true,
       [](const Inputs& in) { return audit_places(in.sector, in.legs, in.field); }},
      {{"sight", 14, "eyes see 8 m along the way"},
       true,
       [](const Inputs& in) { return audit_sight(in.sector, in.legs, in.field); }},
      {{"falls", 15, "no fall of more than 1 m beside the way without a kerb or a way back"},
       true,
       [](const Inputs& in) { return audit_falls(in.sector, in.legs, in.field); }},
      {{"certificate", 17, "bounds prove all of every way's corridor to be air, and its floor rock"},
       false,
       [](const Inputs& in) { return verify_routes(in.sector, prove_routes(in.sector)); }},
  };
  return kAudits;
}

}  // namespace

const std::vector<AuditName>& audit_names() {
  static const std::vector<AuditName> kNames = [] {
    std::vector<AuditName> out;
    for (const NamedAudit& a : audits()) out.push_back(a.name);
    return out;
  }();
  return kNames;
}

AuditReport audit_sector(const AuditedSector& sector, const std::set<std::string>& names) {
  const auto wanted = [&](const NamedAudit& a) { return names.contains(a.name.name); };
  FieldSampler field(sector.field, sector.simd);
  std::vector<LegSections> legs;
  if (std::any_of(audits().begin(), audits().end(),
                  [&](const NamedAudit& a) { return a.reads_sections && wanted(a); }))
    legs = measure_legs(sector, field);
  AuditReport out;
  for (const NamedAudit& a : audits())
    if (wanted(a)) out += a.run({sector, legs, field});
  return out;
}

AuditReport audit_sector_of(const World& world, const std::vector<std::shared_ptr<const BuiltRecipe>>& built,
                            std::int64_t stratum, std::int64_t sx, std::int64_t sy, SimdLevel simd,
                            const std::set<std::string>& names) {
  Finding plan("plan", 0, "errors", Keeps::kAtMost, 0);
  const Result<AuditedSector> sector = open_audited_sector(world, built, stratum, sx, sy, simd);
  if (!plan.keeps(sector ? 0 : 1)) {
    const Vec3d middle{1024.0 * static_cast<double>(sx) + 512, 1024.0 * static_cast<double>(sy) + 512,
                       stratum_at(world, stratum).content_floor_z_m};
    plan.broken(sector.error().message, middle, {middle.x - 4, middle.y, middle.z});
  }
  AuditReport out;
  plan.add_to(out);
  if (sector) out += audit_sector(*sector, names);
  return out;
}

}  // namespace vf

// All audits of a sector by name, and what they say of it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "field/simd_level.h"

namespace vf {

struct AuditName {
  std::string name;
  int number = 0;
  std::string what;  ///< in a few words
};
/// In the order of their numbers.
[[nodiscard]] const std::vector<AuditName>& audit_names();

/// The named audits on an opened sector. One thread.
[[nodiscard]] AuditReport audit_sector(const AuditedSector& sector, const std::set<std::string>& names);

/// Opens it first. That no plan can be made is a violation of "plan", number 0, which is always asked.
[[nodiscard]] AuditReport audit_sector_of(const World& world,
                                          const std::vector<std::shared_ptr<const BuiltRecipe>>& built,
                                          std::int64_t stratum, std::int64_t sx, std::int64_t sy,
                                          SimdLevel simd, const std::set<std::string>& names);

}  // namespace vf

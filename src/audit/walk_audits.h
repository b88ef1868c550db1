// Audits 2 to 5 of ways: floor, grade, clear width and height, ripple. They read measured sections only.
#pragma once

#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/path_sections.h"

namespace vf {

/// 2: under every column there is a floor where it is planned, on half a metre of rock.
[[nodiscard]] AuditReport audit_floor(const AuditedSector& sector, const std::vector<LegSections>& legs);

/// 3: over 1 m, the middle and both edges climb by at most 15 degrees.
[[nodiscard]] AuditReport audit_grade(const AuditedSector& sector, const std::vector<LegSections>& legs);

/// 4: side by side there are 3 m of columns in which a body fits, and each of these is 3 m high.
[[nodiscard]] AuditReport audit_clear_width(const AuditedSector& sector,
                                            const std::vector<LegSections>& legs);
[[nodiscard]] AuditReport audit_clear_height(const AuditedSector& sector,
                                             const std::vector<LegSections>& legs);

/// 5: the floor is where it is planned, within 6 cm.
[[nodiscard]] AuditReport audit_ripple(const AuditedSector& sector, const std::vector<LegSections>& legs);

}  // namespace vf

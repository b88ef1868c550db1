#include "audit/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "math/vec.h"

namespace vf {

namespace {

constexpr double kSamePlaceM = 4;

double distance(const Vec3d& a, const Vec3d& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

double worse(const AuditRow& row, double a, double b) {
  return row.keeps == Keeps::kAtMost ? std::max(a, b) : std::min(a, b);
}

}  // namespace

AuditRow& AuditRow::operator+=(const AuditRow& o) {
  if (o.checked > 0) worst = checked > 0 ? worse(*this, worst, o.worst) : o.worst;
  checked += o.checked;
  violations += o.violations;
  return *this;
}

AuditReport& AuditReport::operator+=(const AuditReport& o) {
  for (const AuditRow& row : o.rows) {
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const AuditRow& r) { return r.audit == row.audit; });
    if (same == rows.end())
      rows.push_back(row);
    else
      *same += row;
  }
  violations.insert(violations.end(), o.violations.begin(), o.violations.end());
  return *this;
}

Finding::Finding(std::string_view audit, int number, std::string_view unit, Keeps keeps, double limit) {
  row_.audit = audit;
  row_.number = number;
  row_.unit = unit;
  row_.keeps = keeps;
  row_.limit = limit;
}

bool Finding::keeps(double value) {
  // What is no number is beyond every limit.
  if (std::isnan(value))
    value = row_.keeps == Keeps::kAtMost ? std::numeric_limits<double>::max()
                                         : std::numeric_limits<double>::lowest();
  row_.worst = row_.checked++ == 0 ? value : worse(row_, row_.worst, value);
  return row_.keeps == Keeps::kAtMost ? value <= row_.limit : value >= row_.limit;
}

void Finding::broken(std::string message, const Vec3d& at_m, const Vec3d& from_m) {
  for (const Violation& v : violations_)
    if (distance(v.at_m, at_m) < kSamePlaceM) return;
  violations_.push_back({row_.audit, row_.number, std::move(message), at_m, from_m});
  ++row_.violations;
}

void Finding::measure(double value, std::string_view what, const Vec3d& at_m, const Vec3d& from_m) {
  if (keeps(value)) return;
  const std::string unit = row_.unit.empty() ? std::string() : " " + row_.unit;
  broken(fmt::format("{}: {:.3g}{}; at {} {:g}{}", what, value, unit,
                     row_.keeps == Keeps::kAtMost ? "most" : "least", row_.limit, unit),
         at_m, from_m);
}

void Finding::add_to(AuditReport& report) const {
  AuditReport mine;
  mine.rows.push_back(row_);
  mine.violations = violations_;
  report += mine;
}

std::string camera_arguments(const Violation& v) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const double dx = v.at_m.x - v.from_m.x, dy = v.at_m.y - v.from_m.y, dz = v.at_m.z - v.from_m.z;
  return fmt::format("--camera {:.2f},{:.2f},{:.2f},{:.0f},{:.0f},80", v.from_m.x, v.from_m.y, v.from_m.z,
                     std::atan2(dy, dx) * kDegrees, std::atan2(dz, std::hypot(dx, dy)) * kDegrees);
}

}  // namespace vf

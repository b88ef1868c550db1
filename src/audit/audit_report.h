// What the audits of a sector say: a row of the table each, and the places where a contract is broken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec.h"

namespace vf {

/// One place where a contract is broken.
struct Violation {
  std::string audit;
  int number = 0;  ///< of the audit, in the design's list
  std::string message;
  Vec3d at_m;    ///< [world metres]
  Vec3d from_m;  ///< where to stand to see it. [world metres]
};

/// Which side of its limit a measured value has to keep.
enum class Keeps : std::uint8_t { kAtMost, kAtLeast };

/// One line of the table. Rows of the same audit from several sectors add up.
struct AuditRow {
  std::string audit;
  int number = 0;
  std::string unit;  ///< of the values, "" for a pure number
  Keeps keeps = Keeps::kAtMost;
  double limit = 0;
  double worst = 0;              ///< nearest to the limit, or farthest beyond; only when `checked` > 0
  std::uint64_t checked = 0;     ///< values measured
  std::uint64_t violations = 0;  ///< places, not values
  AuditRow& operator+=(const AuditRow& o);
};

struct AuditReport {
  std::vector<AuditRow> rows;
  std::vector<Violation> violations;
  /// Joins rows by audit; the order of the first is kept.
  AuditReport& operator+=(const AuditReport& o);
};

/// Collects what one audit finds. Values beyond the limit within 4 m of an earlier place of the same audit
/// are that place.
class Finding {
 public:
  Finding(std::string_view audit, int number, std::string_view unit, Keeps keeps, double limit);

  /// True when the value keeps the limit. Otherwise `broken` has to follow.
  [[nodiscard]] bool keeps(double value);
  void broken(std::string message, const Vec3d& at_m, const Vec3d& from_m);
  /// Both, when the message needs no more than the value: "grade of 16.2 degrees; at most 15 degrees".
  void measure(double value, std::string_view what, const Vec3d& at_m, const Vec3d& from_m);

  void add_to(AuditReport& report) const;

 private:
  AuditRow row_;
  std::vector<Violation> violations_;
};

/// "--camera X,Y,Z,YAW,PITCH,FOV": a picture of the place, for `voxelforge shot`.
[[nodiscard]] std::string camera_arguments(const Violation& violation);

}  // namespace vf

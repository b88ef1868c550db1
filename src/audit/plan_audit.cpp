#include "audit/plan_audit.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/sector_plan.h"

namespace vf {

namespace {

constexpr std::int64_t kGridUm = 15625;
constexpr std::int64_t kSectorUm = 1024'000'000;

class Auditor {
 public:
  void check(bool good, const std::string& what) {
    if (!good) wrong_.push_back(what);
  }
  /// Ids of one list rise; no id is used twice in the plan.
  void id(std::uint64_t value, std::uint64_t& last, bool first, const std::string& what) {
    check(first || value > last, what + ": not sorted by id");
    last = value;
    check(ids_.insert(value).second, what + ": its id is taken");
  }
  void position(const PositionUm& at, const std::string& what) {
    check(at.x % kGridUm == 0 && at.y % kGridUm == 0 && at.z % kGridUm == 0,
          what + ": not on the 1/64 m grid");
    check(at.x >= -kSectorUm && at.x <= 2 * kSectorUm && at.y >= -kSectorUm && at.y <= 2 * kSectorUm,
          what + ": far outside its sector");
  }
  std::vector<std::string> take() { return std::move(wrong_); }

 private:
  std::vector<std::string> wrong_;
  std::set<std::uint64_t> ids_;
};

void audit_feature(const FeatureRecord& r, const std::string& what, Auditor& auditor) {
  auditor.position(r.at, what);
  auditor.check(r.extent_min.x <= r.extent_max.x && r.extent_min.y <= r.extent_max.y &&
                    r.extent_min.z <= r.extent_max.z,
                what + ": its extent is inside out");
  bool finite = std::isfinite(r.yaw_turns);
  for (const float v :
       {r.extent_min.x, r.extent_min.y, r.extent_min.z, r.extent_max.x, r.extent_max.y, r.extent_max.z})
    finite = finite && std::isfinite(v);
  for (const float v : r.values) finite = finite && std::isfinite(v);
  auditor.check(finite, what + ": a value is not finite");
  for (const float u : r.random) auditor.check(u >= 0 && u < 1, what + ": a random value is not in [0, 1)");
}

}  // namespace

std::vector<std::string> audit_plan(const SectorPlan& plan) {
  Auditor auditor;
  for (std::size_t set = 0; set < plan.features.size(); ++set) {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < plan.features[set].size(); ++i) {
      const FeatureRecord& r = plan.features[set][i];
      const std::string what = "feature " + std::to_string(i) + " of set " + std::to_string(set);
      auditor.id(r.id.value, last, i == 0, what);
      audit_feature(r, what, auditor);
    }
  }
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < plan.lights.size(); ++i) {
    const std::string what = "light " + std::to_string(i);
    auditor.id(plan.lights[i].id.value, last, i == 0, what);
    auditor.position(plan.lights[i].at, what);
  }
  return auditor.take();
}

}  // namespace vf

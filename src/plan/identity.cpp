#include "plan/identity.h"

#include <cstdint>
#include <span>

#include "base/digest.h"
#include "math/vec.h"
#include "plan/sector_plan.h"

namespace vf {

namespace {

void add(Digester& d, const PositionUm& p) {
  for (const std::int64_t v : {p.x, p.y, p.z}) d.add(static_cast<std::uint64_t>(v));
}
void add(Digester& d, const Vec3f& v) {
  d.add(v.x);
  d.add(v.y);
  d.add(v.z);
}

}  // namespace

Digest identity_of(const SectorPlan& plan) {
  Digester d;
  for (const std::int64_t v : {plan.stratum, plan.sx, plan.sy}) d.add(static_cast<std::uint64_t>(v));
  d.add(std::uint64_t{plan.features.size()});
  for (const auto& set : plan.features) {
    d.add(std::uint64_t{set.size()});
    for (const FeatureRecord& r : set) {
      d.add(r.id.value);
      add(d, r.at);
      d.add(r.yaw_turns);
      add(d, r.extent_min);
      add(d, r.extent_max);
      d.add(std::span<const float>(r.values));
      d.add(std::span<const float>(r.random));
    }
  }
  d.add(std::uint64_t{plan.lights.size()});
  for (const LightRecord& r : plan.lights) {
    d.add(r.id.value);
    add(d, r.at);
    d.add(std::uint64_t{r.light});
  }
  return d.finish();
}

}  // namespace vf

#include "audit/seal_audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/probe.h"
#include "field/sampler.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr float kFinestM = 0.25F, kSampledM = 2;

class SealScan {
 public:
  explicit SealScan(const AuditedSector& sector) : sector_(sector), field_(sector.field, sector.simd) {
    for (const PathLeg* leg : {passage_down(sector.plan), passage_from_above(sector.plan)}) {
      if (leg == nullptr) continue;
      const std::vector<WalkPoint> walk = walk_leg(sector.plan, *leg, 0.25);
      bores_.insert(bores_.end(), walk.begin(), walk.end());
    }
  }

  AuditReport run() {
    const auto content = static_cast<float>(sector_.content_m());
    // Their faces towards the content are surfaces: a hand's breadth off.
    scan({{0, 0, static_cast<float>(sector_.bottom_m())}, {1024, 1024, -0.05F}});
    scan({{0, 0, content + 0.05F}, {1024, 1024, static_cast<float>(sector_.top_m())}});
    AuditReport out;
    finding_.add_to(out);
    return out;
  }

 private:
  void scan(const Box3f& box) {
    if (field_.bound(box).hi < 0) {
      (void)finding_.keeps(0);
      return;
    }
    const Vec3f size = box.max - box.min;
    const float longest = std::max({size.x, size.y, size.z});
    if (longest <= kSampledM) {
      sample(box);
      return;
    }
    Box3f low = box, high = box;
    float Vec3f::* axis = size.x == longest ? &Vec3f::x : size.y == longest ? &Vec3f::y : &Vec3f::z;
    low.max.*axis = high.min.*axis = (box.min.*axis + box.max.*axis) / 2;
    scan(low);
    scan(high);
  }

  void sample(const Box3f& box) {
    probe_.clear();
    std::vector<Vec3d> points;
    const auto along = [](float low, float high, int i, int count) {
      return static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * i / count;
    };
    const auto steps = [](float low, float high) {
      return std::max(1, static_cast<int>(std::ceil((high - low) / kFinestM)));
    };
    const int nx = steps(box.min.x, box.max.x), ny = steps(box.min.y, box.max.y),
              nz = steps(box.min.z, box.max.z);
    for (int k = 0; k <= nz; ++k)
      for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
          points.push_back({along(box.min.x, box.max.x, i, nx), along(box.min.y, box.max.y, j, ny),
                            along(box.min.z, box.max.z, k, nz)});
          probe_.add(points.back().x, points.back().y, points.back().z);
        }
    probe_.ask(field_);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3d& at = points[i];
      finding_.measure(probe_.air(i) && !in_bore(at) ? 1 : 0, "air in a band that no passage leads through",
                       sector_.world(at), sector_.world({at.x - 4, at.y, at.z}));
    }
  }

  [[nodiscard]] bool in_bore(const Vec3d& p) const {
    return std::any_of(bores_.begin(), bores_.end(), [&](const WalkPoint& w) {
      const double beside = std::hypot(p.x - w.at.x, p.y - w.at.y), over = p.z - w.floor;
      return beside <= w.half_width + 0.3 && over >= -0.3 && over <= w.clear + 0.5;
    });
  }

  const AuditedSector& sector_;
  FieldSampler field_;
  Probe probe_;
  std::vector<WalkPoint> bores_;
  Finding finding_{"seals", 8, "air", Keeps::kAtMost, 0};
};

}  // namespace

AuditReport audit_seals(const AuditedSector& sector) {
  return SealScan(sector).run();
}

}  // namespace vf

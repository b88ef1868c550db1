#include "audit/seal_audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/probe.h"
#include "field/interval_evaluator.h"
#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr float kFinestM = 0.25F, kSampledM = 2;
constexpr double kBesideM = 0.3;  ///< a bore's own points lie so far beside its clear way

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
    scan_band({{0, 0, static_cast<float>(sector_.bottom_m())}, {1024, 1024, -0.05F}});
    scan_band({{0, 0, content + 0.05F}, {1024, 1024, static_cast<float>(sector_.top_m())}});
    AuditReport out;
    finding_.add_to(out);
    return out;
  }

 private:
  void scan_band(const Box3f& band) {
    const Tape tape = field_.tape_for(band.grown(kGridM));
    scan(band, tape);
  }

  /// Looks at the parts of a box together. `tape`: of the box, its points moved to the sample grid.
  void scan(const Box3f& box, const Tape& tape) {
    const std::vector<Box3f> parts = parts_of(box);
    std::vector<Box3f> grown;
    for (const Box3f& part : parts) grown.push_back(part.grown(kGridM));
    BoxCuts cuts;
    field_.cut(tape, grown, cuts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (cuts.hi.at(i) < 0) {
        (void)finding_.keeps(0);
        continue;
      }
      const Tape own = field_.tape_of(cuts, static_cast<int>(i));
      if (longest(parts[i]) <= kSampledM) {
        sample(parts[i], own);
      } else {
        scan(parts[i], own);
      }
    }
  }

  static float longest(const Box3f& box) {
    const Vec3f size = box.max - box.min;
    return std::max({size.x, size.y, size.z});
  }

  /// Halved, and halved again, across the longest side.
  static std::vector<Box3f> parts_of(const Box3f& box) {
    std::vector<Box3f> parts{box};
    while (2 * parts.size() <= kMaxBoxes && longest(parts.front()) > kSampledM) {
      std::vector<Box3f> halves;
      for (const Box3f& part : parts) {
        const Vec3f size = part.max - part.min;
        const float most = longest(part);
        float Vec3f::* axis = size.x == most ? &Vec3f::x : size.y == most ? &Vec3f::y : &Vec3f::z;
        Box3f low = part, high = part;
        low.max.*axis = high.min.*axis = (part.min.*axis + part.max.*axis) / 2;
        halves.push_back(low);
        halves.push_back(high);
      }
      parts = std::move(halves);
    }
    return parts;
  }

  void sample(const Box3f& box, const Tape& tape) {
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
    probe_.ask(field_, tape);
    const std::vector<WalkPoint> bores = bores_at(box);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3d& at = points[i];
      finding_.measure(probe_.air(i) && !in_bore(at, bores) ? 1 : 0,
                       "air in a band that no passage leads through", sector_.world(at),
                       sector_.world({at.x - 4, at.y, at.z}));
    }
  }

  /// The bores' points that can hold points of the box.
  [[nodiscard]] std::vector<WalkPoint> bores_at(const Box3f& box) const {
    const auto off = [](double v, float low, float high) {
      return std::max({static_cast<double>(low) - v, v - static_cast<double>(high), 0.0});
    };
    std::vector<WalkPoint> out;
    for (const WalkPoint& w : bores_)
      if (std::max(off(w.at.x, box.min.x, box.max.x), off(w.at.y, box.min.y, box.max.y)) <=
          w.half_width + kBesideM)
        out.push_back(w);
    return out;
  }

  [[nodiscard]] static bool in_bore(const Vec3d& p, const std::vector<WalkPoint>& bores) {
    return std::any_of(bores.begin(), bores.end(), [&](const WalkPoint& w) {
      const double beside = std::hypot(p.x - w.at.x, p.y - w.at.y), over = p.z - w.floor;
      return beside <= w.half_width + kBesideM && over >= -0.3 && over <= w.clear + 0.5;
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

#include "audit/path_sections.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "audit/audited_sector.h"
#include "audit/probe.h"
#include "field/sampler.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"

namespace vf {

namespace {

constexpr double kRungM = 0.125;
constexpr int kRungs = 9;     // from half a metre below the planned floor to half a metre above
constexpr int kHalvings = 6;  // down to 2 mm
constexpr int kClearSteps = static_cast<int>(kContractHeightM / kClearStepM);
constexpr double kHeldM = 0.5;  // of rock under a floor
constexpr std::size_t kTogether = 16;

/// Measures sections that lie near each other: one tape for all.
class SectionMeter {
 public:
  SectionMeter(std::span<PathSection> sections, FieldSampler& field) : sections_(sections), field_(field) {}

  void measure() {
    aim();
    find_floors();
    sharpen();
    look_up_and_down();
  }

 private:
  template <class Use>
  void each_column(const Use& use) {
    for (PathSection& s : sections_)
      for (std::size_t c = 0; c < kSectionColumns; ++c)
        use(s, s.columns.at(c), s.point(PathSection::side_m(c)));
  }

  void aim() {
    Vec3d low = sections_.front().point(0), high = low;
    each_column([&](const PathSection&, const SectionColumn&, const Vec3d& p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    });
    const auto f = [](double v) { return static_cast<float>(v); };
    constexpr double kDown = kFloorReachM + kHeldM, kUp = kFloorReachM + kContractHeightM;
    probe_.aim(field_, {{f(low.x), f(low.y), f(low.z - kDown)}, {f(high.x), f(high.y), f(high.z + kUp)}});
  }

  /// The change from rock to air that is nearest to the planned floor; its lower end.
  void find_floors() {
    probe_.clear();
    each_column([&](const PathSection&, const SectionColumn&, const Vec3d& p) {
      for (int r = 0; r < kRungs; ++r) probe_.add(p.x, p.y, p.z - kFloorReachM + kRungM * r);
    });
    probe_.ask(field_);
    std::size_t at = 0;
    each_column([&](const PathSection&, SectionColumn& column, const Vec3d& p) {
      int best = -1;
      for (int r = 0; r + 1 < kRungs; ++r) {
        const auto rung = at + static_cast<std::size_t>(r);
        if (probe_.air(rung) || !probe_.air(rung + 1)) continue;
        if (best < 0 || std::abs(2 * r + 1 - (kRungs - 1)) < std::abs(2 * best + 1 - (kRungs - 1))) best = r;
      }
      column.floor_m =
          best < 0 ? std::numeric_limits<double>::quiet_NaN() : p.z - kFloorReachM + kRungM * best;
      column.rock = best < 0 && !probe_.air(at + kRungs - 1);
      at += kRungs;
    });
  }

  void sharpen() {
    double step = kRungM;
    for (int i = 0; i < kHalvings; ++i) {
      step /= 2;
      probe_.clear();
      each_column([&](const PathSection&, const SectionColumn& column, const Vec3d& p) {
        if (!std::isnan(column.floor_m)) probe_.add(p.x, p.y, column.floor_m + step);
      });
      probe_.ask(field_);
      std::size_t at = 0;
      each_column([&](const PathSection&, SectionColumn& column, const Vec3d&) {
        if (!std::isnan(column.floor_m) && !probe_.air(at++)) column.floor_m += step;
      });
    }
    each_column([&](const PathSection&, SectionColumn& column, const Vec3d&) { column.floor_m += step / 2; });
  }

  void look_up_and_down() {
    probe_.clear();
    each_column([&](const PathSection&, const SectionColumn& column, const Vec3d& p) {
      const double floor = std::isnan(column.floor_m) ? p.z : column.floor_m;
      for (int i = 1; i <= kClearSteps; ++i) probe_.add(p.x, p.y, floor + kClearStepM * i);
      probe_.add(p.x, p.y, floor - kHeldM / 2);
      probe_.add(p.x, p.y, floor - kHeldM);
    });
    probe_.ask(field_);
    std::size_t at = 0;
    each_column([&](const PathSection&, SectionColumn& column, const Vec3d&) {
      int clear = 0;
      while (clear < kClearSteps && probe_.air(at + static_cast<std::size_t>(clear))) ++clear;
      column.clear_m = column.rock ? 0 : kClearStepM * clear;
      at += kClearSteps;
      column.held = !std::isnan(column.floor_m) && !probe_.air(at) && !probe_.air(at + 1);
      at += 2;
    });
  }

  std::span<PathSection> sections_;
  FieldSampler& field_;
  Probe probe_;
};

}  // namespace

Vec3d PathSection::point(double side_m) const {
  const PlanPoint p = walk.at + side_m * left_of(walk.heading);
  return {p.x, p.y, walk.floor};
}

Vec3d LegSections::eye(std::size_t i) const {
  constexpr std::size_t kBack = 16;
  const std::size_t from = i >= kBack ? i - kBack : std::min(i + kBack, sections.size() - 1);
  Vec3d eye = sections[from].point(0);
  eye.z += 1.7;
  return eye;
}

std::optional<double> grade_deg(const std::vector<PathSection>& sections, std::size_t i, std::size_t column) {
  const double side = PathSection::side_m(column);
  const Vec3d a = sections[i].point(side);
  for (std::size_t j = i + 1; j < sections.size(); ++j) {
    const Vec3d b = sections[j].point(side);
    const double run = std::hypot(b.x - a.x, b.y - a.y);
    if (run < 1 && j + 1 < sections.size()) continue;
    const double rise = sections[j].columns.at(column).floor_m - sections[i].columns.at(column).floor_m;
    if (std::isnan(rise) || run < 0.5) return std::nullopt;
    return std::atan(std::fabs(rise) / run) * 180 / std::numbers::pi;
  }
  return std::nullopt;
}

std::vector<PathSection> measure_walk(const std::vector<WalkPoint>& walk, FieldSampler& field) {
  std::vector<PathSection> out(walk.size());
  for (std::size_t i = 0; i < walk.size(); ++i) out[i].walk = walk[i];
  for (std::size_t i = 0; i < out.size(); i += kTogether)
    SectionMeter(std::span(out).subspan(i, std::min(kTogether, out.size() - i)), field).measure();
  return out;
}

std::vector<LegSections> measure_legs(const AuditedSector& sector, FieldSampler& field) {
  std::vector<LegSections> out;
  for (const PathLeg& leg : sector.plan.legs) {
    std::vector<WalkPoint> walk = walk_leg(sector.plan, leg, kSectionStepM);
    std::erase_if(
        walk, [&](const WalkPoint& p) { return p.floor < sector.bottom_m() || p.floor > sector.top_m(); });
    LegSections legs;
    legs.leg = &leg;
    legs.sections = measure_walk(walk, field);
    out.push_back(std::move(legs));
  }
  return out;
}

}  // namespace vf

#include "cli/route_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audit/path_sections.h"
#include "base/result.h"
#include "cli/world_input.h"
#include "compose/world.h"
#include "exports/route_chart.h"
#include "field/bound_field.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "render/chart.h"

namespace vf::cli {

namespace {

constexpr double kStepM = 0.5;
constexpr float kBesideM = 8;  ///< of land that is bound beside the ways
constexpr double kLookUpM = 20, kUpStepM = 0.25;

/// Only what lies in this stratum: its field knows nothing of the others.
std::vector<WalkPoint> inside(std::vector<WalkPoint> walk, const InputStratum& where) {
  const double top = where.built->recipe->height_m + kBandM,
               bottom = -(where.stratum.height_m - where.built->recipe->height_m - kBandM);
  std::erase_if(walk, [&](const WalkPoint& p) { return p.floor + 3.25 > top || p.floor < bottom; });
  return walk;
}

/// Heights where rock begins over each floor; NaN where none does within reach.
std::vector<double> ceilings(const std::vector<PathSection>& sections, FieldSampler& field) {
  constexpr int kSteps = static_cast<int>(kLookUpM / kUpStepM);
  std::vector<double> out;
  std::vector<float> x(kSteps), y(kSteps), z(kSteps), phi(kSteps);
  for (const PathSection& s : sections) {
    const Vec3d at = s.point(0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(at.x), y[i] = static_cast<float>(at.y);
      z[i] = static_cast<float>(at.z + kUpStepM * static_cast<double>(i + 1));
    }
    field.values(x.size(), x.data(), y.data(), z.data(), phi.data());
    const auto rock = static_cast<std::size_t>(
        std::find_if(phi.begin(), phi.end(), [](float v) { return v < 0; }) - phi.begin());
    if (rock == phi.size()) {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    // Between two samples the density is all but linear.
    const double back = rock == 0 ? 0 : static_cast<double>(phi[rock] / (phi[rock] - phi[rock - 1]));
    out.push_back(at.z + kUpStepM * (static_cast<double>(rock + 1) - back));
  }
  return out;
}

/// Over 1 m of the way, in the middle and at both edges of the contract's width.
double steepest_deg(const std::vector<PathSection>& sections) {
  double worst = 0;
  for (std::size_t i = 0; i < sections.size(); ++i)
    for (const std::size_t column : {std::size_t{0}, kSectionColumns / 2, kSectionColumns - 1})
      worst = std::max(worst, grade_deg(sections, i, column).value_or(0));
  return worst;
}

class RouteMeter {
 public:
  RouteMeter(FieldSampler& field, const InputStratum& where, MeasuredRoute& out)
      : field_(field), where_(where), out_(out) {}

  void measure(std::string name, const std::vector<WalkPoint>& whole, bool in_profile) {
    const std::vector<WalkPoint> walk = inside(whole, where_);
    if (walk.size() < 2) return;
    const std::vector<PathSection> sections = measure_walk(walk, field_);
    ReportWay way;
    way.name = std::move(name);
    way.length_m = walk.back().along - walk.front().along;
    way.steepest_deg = steepest_deg(sections);
    way.sections = sections.size();
    way.clear =
        static_cast<std::size_t>(std::count_if(sections.begin(), sections.end(), [](const PathSection& s) {
          return std::all_of(s.columns.begin(), s.columns.end(),
                             [](const SectionColumn& c) { return c.clear_m >= kContractHeightM; });
        }));
    out_.report.ways.push_back(std::move(way));
    ChartPath line;
    for (const WalkPoint& p : walk)
      line.points.push_back(
          {static_cast<float>(p.at.x), static_cast<float>(p.at.y), static_cast<float>(p.floor)});
    out_.lines.push_back(std::move(line));
    if (in_profile) add_profile(sections);
  }

  void mark(std::string name) { out_.report.marks.push_back({along_, std::move(name)}); }

 private:
  void add_profile(const std::vector<PathSection>& sections) {
    const std::vector<double> top = ceilings(sections, field_);
    const double start = along_ - sections.front().walk.along;
    for (std::size_t i = 0; i < sections.size(); i += 2) {
      const double floor = sections[i].columns.at(kSectionColumns / 2).floor_m;
      out_.report.points.push_back(
          {start + sections[i].walk.along, std::isnan(floor) ? sections[i].walk.floor : floor, top[i]});
    }
    along_ = start + sections.back().walk.along;
  }

  FieldSampler& field_;
  const InputStratum& where_;
  MeasuredRoute& out_;
  double along_ = 0;
};

}  // namespace

Result<MeasuredRoute> measure_route(const InputStratum& where, std::int64_t sx, std::int64_t sy,
                                    SimdLevel simd) {
  MeasuredRoute out;
  SectorPaths paths(where);
  const Result<const PathPlan*> found = paths.plan(sx, sy);
  if (!found) return found.error();
  const PathPlan plan = **found;
  const std::vector<WalkPoint> spine = walk_spine(plan, kStepM);
  if (spine.size() < 2) return out;
  const PathLeg *above = passage_from_above(plan), *below = passage_down(plan);
  const std::vector<WalkPoint> from = above == nullptr ? std::vector<WalkPoint>()
                                                       : walk_leg(plan, *above, kStepM),
                               down = below == nullptr ? std::vector<WalkPoint>()
                                                       : walk_leg(plan, *below, kStepM);
  std::vector<std::pair<std::string, std::vector<WalkPoint>>> others;
  std::vector<WalkPoint> all(from);
  all.insert(all.end(), spine.begin(), spine.end());
  all.insert(all.end(), down.begin(), down.end());
  for (const PathLeg& leg : plan.legs) {
    if (leg.kind != PathLegKind::kPortal) continue;
    const auto node = std::find_if(plan.nodes.begin(), plan.nodes.end(),
                                   [&](const PathNode& n) { return n.id == leg.from; });
    const bool is_portal = node != plan.nodes.end() && node->kind != PathNodeKind::kJunction;
    others.emplace_back(is_portal ? fmt::format("From the {}", name_of(node->kind)) : "Between junctions",
                        walk_leg(plan, leg, kStepM));
    all.insert(all.end(), others.back().second.begin(), others.back().second.end());
  }
  const Box2f extent = extent_of(spine, kBesideM);
  out.middle = {0.5 * static_cast<double>(extent.min_x + extent.max_x),
                0.5 * static_cast<double>(extent.min_y + extent.max_y)};
  out.extent_m = static_cast<double>(std::max(extent.max_x - extent.min_x, extent.max_y - extent.min_y));
  Result<BoundField> bound = field_in_window(paths, Frame{sx, sy}, extent_of(all, kBesideM));
  if (!bound) return bound.error();
  FieldSampler field(std::make_shared<const BoundField>(*std::move(bound)), simd);
  out.report.content_m = where.built->recipe->height_m;
  RouteMeter meter(field, where, out);
  const auto at = [](const WalkPoint& p) {
    return Vec3f{static_cast<float>(p.at.x), static_cast<float>(p.at.y), static_cast<float>(p.floor)};
  };
  out.marks = {{at(spine.front()), "arrival"}, {at(spine.back()), "departure"}};
  meter.measure("Down from above", from, true);
  meter.mark("arrival");
  meter.measure("Arrival to departure", spine, true);
  meter.mark("departure");
  meter.measure("On down", down, true);
  for (const auto& [name, walk] : others) meter.measure(name, walk, false);
  return out;
}

}  // namespace vf::cli

#include "plan/places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/program.h"
#include "math/box.h"
#include "math/interval.h"
#include "plan/cells.h"
#include "plan/path_points.h"
#include "plan/place_formulas.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"
#include "plan/seeds.h"
#include "recipe/language.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

/// A place before its formulas are evaluated.
struct Candidate {
  std::uint64_t id = 0;
  std::int64_t x = 0, y = 0, z = 0;  ///< relative to the sector. [1/64 m]
};

/// Heights beyond are refused: they would not be exact in 1/64 m. [metres]
constexpr float kMaxHeightM = 65536;

Error trouble(const BuiltRecipe& built, std::size_t set, const std::string& what) {
  const FeatureSet& s = built.recipe->features[set];
  return {ErrorCode::kBadInput, s.place, "features." + s.name + ": " + what};
}

float metres_of(std::int64_t v64) {
  return static_cast<float>(v64) / 64.0F;
}

Lattice lattice_of(const PlaceFormulas& f) {
  return {f.pitch_64, f.offset_x_64, f.offset_y_64};
}

std::vector<Candidate> candidates_of_cells(const BuiltRecipe& built, std::size_t set, const Stratum& stratum,
                                           std::int64_t sx, std::int64_t sy, const CellRange& cells) {
  const PlaceFormulas& f = built.places[set];
  const FeatureSet& s = built.recipe->features[set];
  const Lattice lattice = lattice_of(f);
  const bool scatter = s.kind == FeatureKind::kScatter;
  const double start = 0.5 * (1.0 - static_cast<double>(f.jitter));
  const PlanIds ids(stratum, sx, sy, "feature", s.name);
  std::vector<Candidate> out;
  out.reserve(static_cast<std::size_t>(cells.count()));
  for (std::int64_t cy = cells.first_y; cy <= cells.last_y; ++cy)
    for (std::int64_t cx = cells.first_x; cx <= cells.last_x; ++cx) {
      Candidate c;
      c.id = ids.id(cx, cy);
      c.x = lattice.corner_x(cx) - sx * kSector64;
      c.y = lattice.corner_y(cy) - sy * kSector64;
      if (scatter) {
        const double share = static_cast<double>(f.jitter);
        c.x += jittered_64(f.pitch_64, start, share, draw(c.id, Draw::kJitterX));
        c.y += jittered_64(f.pitch_64, start, share, draw(c.id, Draw::kJitterY));
      }
      out.push_back(c);
    }
  return out;
}

Candidate candidate_of_point(const BuiltRecipe& built, std::size_t set, const Stratum& stratum,
                             std::int64_t sx, std::int64_t sy, std::size_t point) {
  const auto& p = built.places[set].points_64[point];
  const auto index = static_cast<std::int64_t>(point);
  return {plan_id(stratum, sx, sy, "feature", built.recipe->features[set].name, index, 0), p[0], p[1], p[2]};
}

/// Evaluates the formulas of the places of one sector and drops those that are not accepted.
class Resolver {
 public:
  Resolver(const BuiltRecipe& built, std::size_t set, const Stratum& stratum, SectorPaths& paths,
           std::int64_t sx, std::int64_t sy)
      : built_(&built),
        paths_(&paths),
        set_(set),
        formulas_(&built.places[set]),
        sx_(sx),
        sy_(sy),
        evaluator_(formulas_->program, Frame{sx, sy}, stratum_seed_mix(stratum)) {}

  /// Appends to `out`, in the order of the candidates.
  Status resolve(std::vector<Candidate> candidates, PlacedFeatures& out) {
    candidates_ = std::move(candidates);
    inputs_ = {};
    for (const Candidate& c : candidates_) inputs_.add(metres_of(c.x), metres_of(c.y), draw_randoms(c.id));
    if (Status status = find_ground(); !status) return status;
    keep_accepted();
    if (candidates_.size() > static_cast<std::size_t>(kRecipeLimits.instances_per_sector))
      return trouble(*built_, set_,
                     "more than " + std::to_string(kRecipeLimits.instances_per_sector) +
                         " places in a sector; expected a larger pitch or a smaller probability");
    const std::size_t first = out.size();
    if (Status status = write_records(out); !status) return status;
    return drop_those_on_paths(first, out);
  }

 private:
  Status find_ground() {
    if (formulas_->ground >= 0) {
      const auto ground = evaluator_.evaluate(std::array{formulas_->ground}, inputs_);
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const float g = ground[0][i];
        if (!(std::fabs(g) <= kMaxHeightM))
          return trouble(*built_, set_, "the ground of a place is not finite");
        candidates_[i].z += snap_64(g);
      }
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) inputs_.ground[i] = metres_of(candidates_[i].z);
    return Unit{};
  }

  void keep_accepted() {
    if (formulas_->probability < 0 && formulas_->accept < 0) return;
    std::vector<int> outputs;
    if (formulas_->probability >= 0) outputs.push_back(formulas_->probability);
    if (formulas_->accept >= 0) outputs.push_back(formulas_->accept);
    const auto values = evaluator_.evaluate(outputs, inputs_);
    std::vector<std::uint8_t> flags(candidates_.size(), 1);
    for (std::size_t i = 0; i < flags.size(); ++i) {
      bool kept = true;
      if (formulas_->probability >= 0) kept = draw(candidates_[i].id, Draw::kKeep) < values[0][i];
      if (formulas_->accept >= 0) kept = kept && values.back()[i] > 0;
      flags[i] = kept ? 1 : 0;
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i] != 0) candidates_[n++] = candidates_[i];
    candidates_.resize(n);
    inputs_.keep(flags);
  }

  Status write_records(PlacedFeatures& out) {
    std::vector<int> outputs{formulas_->extent_x, formulas_->extent_y, formulas_->extent_z_min,
                             formulas_->extent_z_max};
    outputs.insert(outputs.end(), formulas_->values.begin(), formulas_->values.end());
    if (formulas_->yaw >= 0) outputs.push_back(formulas_->yaw);
    const auto values = evaluator_.evaluate(outputs, inputs_);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& c = candidates_[i];
      for (const auto& column : values)
        if (!std::isfinite(column[i])) return trouble(*built_, set_, "a value of a place is not finite");
      Placed<FeatureRecord> placed{sx_, sy_, {}};
      FeatureRecord& r = placed.record;
      r.id = {c.id};
      r.at = {c.x * kUmPer64, c.y * kUmPer64, c.z * kUmPer64};
      const float ex = std::max(values[0][i], 0.0F), ey = std::max(values[1][i], 0.0F);
      r.extent_min = {-ex, -ey, values[2][i]};
      r.extent_max = {ex, ey, std::max(values[2][i], values[3][i])};
      for (std::size_t v = 0; v < formulas_->values.size(); ++v) r.values[v] = values[4 + v][i];
      if (formulas_->yaw >= 0) r.yaw_turns = values.back()[i];
      for (std::size_t u = 0; u < r.random.size(); ++u) r.random[u] = inputs_.random[u][i];
      out.push_back(placed);
    }
    return Unit{};
  }

  /// Stands in no one's way.
  Status drop_those_on_paths(std::size_t first, PlacedFeatures& out) {
    if (formulas_->off_paths < 0 || built_->anchor == nullptr || out.size() == first) return Unit{};
    const Result<const PathRoom*> room = paths_->room(sx_, sy_);
    if (!room) return room.error();
    const auto on_path = [&](const Placed<FeatureRecord>& placed) {
      const FeatureRecord& r = placed.record;
      const double radius = static_cast<double>(std::max(r.extent_max.x, r.extent_max.y)), z = metres(r.at.z);
      return !(*room)->keeps_off(
          metres(r.at.x), metres(r.at.y), radius, z + static_cast<double>(r.extent_min.z),
          z + static_cast<double>(r.extent_max.z), static_cast<double>(formulas_->off_paths));
    };
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), on_path),
              out.end());
    return Unit{};
  }

  const BuiltRecipe* built_;
  SectorPaths* paths_;
  std::size_t set_;
  const PlaceFormulas* formulas_;
  std::int64_t sx_, sy_;
  PlaceEvaluator evaluator_;
  std::vector<Candidate> candidates_;
  PlaceInputs inputs_;
};

Status resolve_cells(const BuiltRecipe& built, std::size_t set, const Stratum& stratum, SectorPaths& paths,
                     std::int64_t sx, std::int64_t sy, const CellRange& cells, PlacedFeatures& out) {
  if (lattice_of(built.places[set]).cells_of_sector(sx, sy).count() > kMaxCellsPerSector)
    return trouble(built, set, "too many cells in a sector; expected a pitch of at least 1 m");
  Resolver resolver(built, set, stratum, paths, sx, sy);
  return resolver.resolve(candidates_of_cells(built, set, stratum, sx, sy, cells), out);
}

bool is_list(const BuiltRecipe& built, std::size_t set) {
  return built.recipe->features[set].kind == FeatureKind::kList;
}

Status list_near(const BuiltRecipe& built, std::size_t set, const Stratum& stratum, SectorPaths& paths,
                 const Area64& area, PlacedFeatures& out) {
  const auto& points = built.places[set].points_64;
  const CellRange sectors{floor_div(area.min_x, kSector64) - 1, floor_div(area.min_y, kSector64) - 1,
                          floor_div(area.max_x, kSector64), floor_div(area.max_y, kSector64)};
  for (std::int64_t sy = sectors.first_y; sy <= sectors.last_y; ++sy)
    for (std::int64_t sx = sectors.first_x; sx <= sectors.last_x; ++sx) {
      std::vector<Candidate> near;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const std::int64_t x = sx * kSector64 + points[p][0], y = sy * kSector64 + points[p][1];
        if (x < area.min_x || x > area.max_x || y < area.min_y || y > area.max_y) continue;
        near.push_back(candidate_of_point(built, set, stratum, sx, sy, p));
      }
      if (near.empty()) continue;
      Resolver resolver(built, set, stratum, paths, sx, sy);
      if (Status status = resolver.resolve(std::move(near), out); !status) return status;
    }
  return Unit{};
}

}  // namespace

std::int64_t jittered_64(std::int64_t pitch_64, double start, double share, float unit) {
  const double at = static_cast<double>(pitch_64) * (start + share * static_cast<double>(unit));
  return std::clamp(static_cast<std::int64_t>(std::floor(at + 0.5)), std::int64_t{0}, pitch_64);
}

std::int64_t snap_64(float metres) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(metres) * 64.0 + 0.5));
}

Result<float> feature_reach_m(const BuiltRecipe& built, std::size_t set, const Stratum& stratum, Frame frame,
                              const Box2f& where) {
  const PlaceFormulas& f = built.places[set];
  const FeatureSetProgram& s = built.density->feature_sets[set];
  const PlaceEvaluator evaluator(f.program, frame, stratum_seed_mix(stratum));
  Interval ground{0, 0};
  if (f.ground >= 0) ground = evaluator.range(f.ground, where, ground);
  for (const auto& p : f.points_64) {
    ground.lo = std::min(ground.lo, ground.lo + metres_of(p[2]));
    ground.hi = std::max(ground.hi, ground.hi + metres_of(p[2]));
  }
  ground = {ground.lo - 1, ground.hi + 1};  // snapping moves it by 1/128 m
  const float ex = evaluator.range(f.extent_x, where, ground).hi;
  const float ey = evaluator.range(f.extent_y, where, ground).hi;
  // The half-diagonal of the extents grown in their own axes: as far as any turn takes them.
  const double grow = static_cast<double>(s.far) + static_cast<double>(s.blend) + 1;
  const double hx = static_cast<double>(ex) + grow, hy = static_cast<double>(ey) + grow;
  const double reach = std::sqrt(hx * hx + hy * hy);
  if (!(reach <= static_cast<double>(kMaxReachM)))
    return trouble(built, set,
                   "no bound on how far a place reaches; expected an extent proven below " +
                       std::to_string(static_cast<int>(kMaxReachM)) + " m");
  return static_cast<float>(reach) + 1.0F;
}

Result<PlacedFeatures> places_of_sector(const BuiltRecipe& built, std::size_t set, const Stratum& stratum,
                                        SectorPaths& paths, std::int64_t sx, std::int64_t sy) {
  PlacedFeatures out;
  Status status = Unit{};
  if (is_list(built, set)) {
    std::vector<Candidate> all;
    for (std::size_t p = 0; p < built.places[set].points_64.size(); ++p)
      all.push_back(candidate_of_point(built, set, stratum, sx, sy, p));
    status = Resolver(built, set, stratum, paths, sx, sy).resolve(std::move(all), out);
  } else {
    const CellRange cells = lattice_of(built.places[set]).cells_of_sector(sx, sy);
    if (!cells.empty()) status = resolve_cells(built, set, stratum, paths, sx, sy, cells, out);
  }
  if (!status) return status.error();
  return out;
}

Result<PlacedFeatures> places_near(const BuiltRecipe& built, std::size_t set, const Stratum& stratum,
                                   SectorPaths& paths, const Area64& area) {
  PlacedFeatures out;
  const Status status =
      is_list(built, set)
          ? list_near(built, set, stratum, paths, area, out)
          : visit_sectors_of_cells(lattice_of(built.places[set]), area,
                                   [&](std::int64_t sx, std::int64_t sy, const CellRange& cells) {
                                     return resolve_cells(built, set, stratum, paths, sx, sy, cells, out);
                                   });
  if (!status) return status.error();
  return out;
}

}  // namespace vf

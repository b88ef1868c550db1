#include "plan/lights.h"

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
#include "math/box.h"
#include "math/interval.h"
#include "math/trig.h"
#include "plan/cells.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"
#include "plan/place_formulas.h"
#include "plan/places.h"
#include "plan/sector_paths.h"
#include "plan/sector_plan.h"
#include "plan/seeds.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

/// Where a light hangs, before its offset.
struct Post {
  std::uint64_t id = 0;
  std::int64_t x = 0, y = 0, z = 0;  ///< relative to the sector. [1/64 m]
  SinCos turn;
  std::array<float, kFeatureRandoms> random{};
};

Error trouble(const BuiltRecipe& built, std::size_t light, const std::string& what) {
  const Light& l = built.recipe->lights[light];
  return {ErrorCode::kBadInput, l.place, "light \"" + l.name + "\": " + what};
}

float metres_of(std::int64_t v64) {
  return static_cast<float>(v64) / 64.0F;
}

/// Posts of one sector -> lights, in order.
class LightResolver {
 public:
  LightResolver(const BuiltRecipe& built, std::size_t light, const Stratum& stratum, std::int64_t sx,
                std::int64_t sy)
      : built_(&built),
        light_(light),
        formulas_(&built.lights[light]),
        sx_(sx),
        sy_(sy),
        evaluator_(formulas_->program, Frame{sx, sy}, stratum_seed_mix(stratum)) {}

  Status resolve(std::vector<Post> posts, PlacedLights& out) {
    PlaceInputs inputs;
    for (const Post& p : posts) inputs.add(metres_of(p.x), metres_of(p.y), p.random);
    if (formulas_->ground >= 0) {
      const auto ground = evaluator_.evaluate(std::array{formulas_->ground}, inputs);
      for (std::size_t i = 0; i < posts.size(); ++i) {
        if (!(std::fabs(ground[0][i]) <= 65536.0F))
          return trouble(*built_, light_, "its ground is not finite");
        posts[i].z += snap_64(ground[0][i]);
      }
    }
    for (std::size_t i = 0; i < posts.size(); ++i) inputs.ground[i] = metres_of(posts[i].z);
    keep_some(posts, inputs);
    return hang(posts, inputs, out);
  }

 private:
  void keep_some(std::vector<Post>& posts, PlaceInputs& inputs) {
    if (formulas_->probability < 0) return;
    const auto share = evaluator_.evaluate(std::array{formulas_->probability}, inputs);
    std::vector<std::uint8_t> flags(posts.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < posts.size(); ++i) {
      flags[i] = draw(posts[i].id, Draw::kKeep) < share[0][i] ? 1 : 0;
      if (flags[i] != 0) posts[n++] = posts[i];
    }
    posts.resize(n);
    inputs.keep(flags);
  }

  Status hang(const std::vector<Post>& posts, const PlaceInputs& inputs, PlacedLights& out) {
    std::array<std::vector<float>, 3> offset;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      offset[axis].assign(posts.size(), 0.0F);
      if (formulas_->offset[axis] >= 0)
        offset[axis] = evaluator_.evaluate(std::array{formulas_->offset[axis]}, inputs).front();
    }
    for (std::size_t i = 0; i < posts.size(); ++i) {
      for (const auto& o : offset)
        if (!(std::fabs(o[i]) <= 65536.0F)) return trouble(*built_, light_, "its offset is not finite");
      const SinCos turn = posts[i].turn;
      const auto ox = static_cast<double>(offset[0][i]), oy = static_cast<double>(offset[1][i]);
      LightRecord r;
      r.id = {posts[i].id};
      r.light = static_cast<std::uint32_t>(light_);
      r.at.x = (posts[i].x + snap_64(static_cast<float>(turn.cos * ox - turn.sin * oy))) * kUmPer64;
      r.at.y = (posts[i].y + snap_64(static_cast<float>(turn.sin * ox + turn.cos * oy))) * kUmPer64;
      r.at.z = (posts[i].z + snap_64(offset[2][i])) * kUmPer64;
      out.push_back({sx_, sy_, r});
    }
    return Unit{};
  }

  const BuiltRecipe* built_;
  std::size_t light_;
  const LightFormulas* formulas_;
  std::int64_t sx_, sy_;
  PlaceEvaluator evaluator_;
};

PlanIds light_ids(const BuiltRecipe& built, std::size_t light, const Stratum& stratum, std::int64_t sx,
                  std::int64_t sy) {
  return {stratum, sx, sy, "light", built.recipe->lights[light].name};
}

Lattice lattice_of(const LightFormulas& f) {
  return {f.pitch_64, 0, 0};
}

Status resolve_cells(const BuiltRecipe& built, std::size_t light, const Stratum& stratum, std::int64_t sx,
                     std::int64_t sy, const CellRange& cells, PlacedLights& out) {
  const LightFormulas& f = built.lights[light];
  const Lattice lattice = lattice_of(f);
  if (lattice.cells_of_sector(sx, sy).count() > kMaxCellsPerSector)
    return trouble(built, light, "too many lights in a sector; expected a pitch of at least 1 m");
  const PlanIds ids = light_ids(built, light, stratum, sx, sy);
  std::vector<Post> posts;
  posts.reserve(static_cast<std::size_t>(cells.count()));
  for (std::int64_t cy = cells.first_y; cy <= cells.last_y; ++cy)
    for (std::int64_t cx = cells.first_x; cx <= cells.last_x; ++cx) {
      Post p;
      p.id = ids.id(cx, cy);
      const auto share = static_cast<double>(f.jitter);
      p.x = lattice.corner_x(cx) - sx * kSector64 +
            jittered_64(f.pitch_64, 0, share, draw(p.id, Draw::kJitterX));
      p.y = lattice.corner_y(cy) - sy * kSector64 +
            jittered_64(f.pitch_64, 0, share, draw(p.id, Draw::kJitterY));
      p.random = draw_randoms(p.id);
      posts.push_back(p);
    }
  return LightResolver(built, light, stratum, sx, sy).resolve(std::move(posts), out);
}

Status resolve_point(const BuiltRecipe& built, std::size_t light, const Stratum& stratum, std::int64_t sx,
                     std::int64_t sy, PlacedLights& out) {
  Post p;
  p.id = light_ids(built, light, stratum, sx, sy).id(0, 0);
  p.random = draw_randoms(p.id);
  return LightResolver(built, light, stratum, sx, sy).resolve({p}, out);
}

/// Along every way of the sector, from half a pitch after its start. Their x axis is the way's heading.
Status resolve_on_paths(const BuiltRecipe& built, std::size_t light, const Stratum& stratum,
                        SectorPaths& paths, std::int64_t sx, std::int64_t sy, PlacedLights& out) {
  if (built.anchor == nullptr) return Unit{};
  const Result<const PathPlan*> plan = paths.plan(sx, sy);
  if (!plan) return plan.error();
  const double pitch = static_cast<double>(built.lights[light].pitch_64) / 64;
  const PlanIds ids = light_ids(built, light, stratum, sx, sy);
  std::vector<Post> posts;
  for (const PathLeg& leg : (*plan)->legs) {
    std::int64_t index = 0;
    for (const WalkPoint& p : walk_leg(**plan, leg, 1)) {
      if (p.along < (static_cast<double>(index) + 0.5) * pitch) continue;
      Post post;
      post.id = ids.id(static_cast<std::int64_t>(leg.id.value), index++);
      const PositionUm at = position_um(p.at, p.floor);
      post.x = floor_div(at.x, kUmPer64), post.y = floor_div(at.y, kUmPer64),
      post.z = floor_div(at.z, kUmPer64);
      post.turn = {p.heading.y, p.heading.x};
      post.random = draw_randoms(post.id);
      posts.push_back(post);
    }
  }
  return LightResolver(built, light, stratum, sx, sy).resolve(std::move(posts), out);
}

/// Lights on features: `features` may come from several sectors, one after another.
Status resolve_on_features(const BuiltRecipe& built, std::size_t light, const Stratum& stratum,
                           const PlacedFeatures& features, PlacedLights& out) {
  for (std::size_t i = 0; i < features.size();) {
    const std::int64_t sx = features[i].sx, sy = features[i].sy;
    const PlanIds ids = light_ids(built, light, stratum, sx, sy);
    std::vector<Post> posts;
    for (; i < features.size() && features[i].sx == sx && features[i].sy == sy; ++i) {
      const FeatureRecord& r = features[i].record;
      const auto key = static_cast<std::int64_t>(r.id.value);
      posts.push_back({ids.id(key, 0), r.at.x / kUmPer64, r.at.y / kUmPer64, r.at.z / kUmPer64,
                       sincos_turns(static_cast<double>(r.yaw_turns)), r.random});
    }
    LightResolver resolver(built, light, stratum, sx, sy);
    if (Status status = resolver.resolve(std::move(posts), out); !status) return status;
  }
  return Unit{};
}

}  // namespace

Result<PlacedLights> lights_of_sector(const BuiltRecipe& built, const Stratum& stratum, SectorPaths& paths,
                                      std::int64_t sx, std::int64_t sy,
                                      const std::vector<PlacedFeatures>& features) {
  PlacedLights out;
  for (std::size_t light = 0; light < built.lights.size(); ++light) {
    const LightFormulas& f = built.lights[light];
    Status status = Unit{};
    switch (built.recipe->lights[light].placement) {
      case LightPlacement::kLattice:
        if (const CellRange cells = lattice_of(f).cells_of_sector(sx, sy); !cells.empty())
          status = resolve_cells(built, light, stratum, sx, sy, cells, out);
        break;
      case LightPlacement::kFeatures:
        status = resolve_on_features(built, light, stratum, features[static_cast<std::size_t>(f.feature_set)],
                                     out);
        break;
      case LightPlacement::kPoint:
        status = resolve_point(built, light, stratum, sx, sy, out);
        break;
      case LightPlacement::kPaths:
        status = resolve_on_paths(built, light, stratum, paths, sx, sy, out);
        break;
    }
    if (!status) return status.error();
  }
  return out;
}

Result<PlacedLights> lights_near(const BuiltRecipe& built, std::size_t light, const Stratum& stratum,
                                 SectorPaths& paths, const Area64& area) {
  PlacedLights out;
  const LightFormulas& f = built.lights[light];
  Status status = Unit{};
  switch (built.recipe->lights[light].placement) {
    case LightPlacement::kLattice:
      status = visit_sectors_of_cells(lattice_of(f), area,
                                      [&](std::int64_t sx, std::int64_t sy, const CellRange& cells) {
                                        return resolve_cells(built, light, stratum, sx, sy, cells, out);
                                      });
      break;
    case LightPlacement::kFeatures: {
      auto features = places_near(built, static_cast<std::size_t>(f.feature_set), stratum, paths, area);
      if (!features) return features.error();
      status = resolve_on_features(built, light, stratum, *features, out);
      break;
    }
    case LightPlacement::kPaths:
      for (std::int64_t sy = floor_div(area.min_y, kSector64); sy <= floor_div(area.max_y, kSector64); ++sy)
        for (std::int64_t sx = floor_div(area.min_x, kSector64); sx <= floor_div(area.max_x, kSector64); ++sx)
          if (status) status = resolve_on_paths(built, light, stratum, paths, sx, sy, out);
      break;
    case LightPlacement::kPoint:
      // The light of a sector stands in it: its neighbours cover offsets to just beyond the border.
      for (std::int64_t sy = floor_div(area.min_y, kSector64) - 1; sy <= floor_div(area.max_y, kSector64);
           ++sy)
        for (std::int64_t sx = floor_div(area.min_x, kSector64) - 1; sx <= floor_div(area.max_x, kSector64);
             ++sx)
          if (status) status = resolve_point(built, light, stratum, sx, sy, out);
      break;
  }
  if (!status) return status.error();
  return out;
}

Result<float> light_offset_m(const BuiltRecipe& built, std::size_t light, const Stratum& stratum, Frame frame,
                             const Box2f& where) {
  // A point's offset is its place in the sector: lights_near looks at whole sectors.
  if (built.recipe->lights[light].placement == LightPlacement::kPoint) return 0.0F;
  const LightFormulas& f = built.lights[light];
  const PlaceEvaluator evaluator(f.program, frame, stratum_seed_mix(stratum));
  double sum = 0;
  for (const int axis : {0, 1}) {
    const int output = f.offset[static_cast<std::size_t>(axis)];
    if (output < 0) continue;
    const Interval bound = evaluator.range(output, where, Interval{-65536, 65536});
    sum += static_cast<double>(std::max(std::fabs(bound.lo), std::fabs(bound.hi)));
  }
  if (!(sum <= static_cast<double>(kMaxReachM)))
    return trouble(built, light,
                   "no bound on its offset; expected one proven below " +
                       std::to_string(static_cast<int>(kMaxReachM)) + " m");
  return static_cast<float>(sum) + 1.0F;
}

}  // namespace vf

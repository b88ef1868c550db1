#include "plan/mouths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "math/trig.h"
#include "plan/cells.h"
#include "plan/path_points.h"
#include "plan/place_formulas.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

// Boundaries lie in turn on either side of the sector's middle, so that arrival and departure are always a
// walk apart: 190 m, give or take.
constexpr double kMiddleM = 512, kMiddleShiftM = 64, kAsideM = 95, kShiftM = 28;

double unit_of(std::uint64_t key, std::uint64_t stream) {
  return static_cast<double>(unit_float(hash_words({key, stream})));
}
double within(std::uint64_t key, std::uint64_t stream, double reach) {
  return (2 * unit_of(key, stream) - 1) * reach;
}
std::uint64_t word(std::int64_t v) {
  return static_cast<std::uint64_t>(v);
}
/// On the grid of 1/64 m: exact in floats.
double snapped(double metres) {
  return std::floor(metres * 64 + 0.5) / 64;
}

}  // namespace

PlanPoint passage_axis(Seed seed, std::int64_t upper, std::int64_t sx, std::int64_t sy) {
  const std::uint64_t sector = hash_words({seed.value, word(sx), word(sy), hash_text("passages")});
  const std::uint64_t own = hash_words({sector, word(upper)});
  const SinCos along = sincos_turns(unit_of(sector, 0));
  const double side = (upper & 1) != 0 ? -kAsideM : kAsideM;
  return {snapped(kMiddleM + within(sector, 1, kMiddleShiftM) + side * along.cos + within(own, 0, kShiftM)),
          snapped(kMiddleM + within(sector, 2, kMiddleShiftM) + side * along.sin + within(own, 1, kShiftM))};
}

PassageAnchor passage_anchor(const Stratum& upper, std::int64_t sx, std::int64_t sy) {
  PassageAnchor anchor;
  anchor.axis = passage_axis(upper.world_seed, upper.index, sx, sy);
  anchor.in = unit(anchor.axis - passage_axis(upper.world_seed, upper.index - 1, sx, sy));
  anchor.leftward =
      (hash_words({upper.world_seed.value, word(upper.index), word(sx), word(sy), hash_text("winding")}) &
       1) != 0;
  return anchor;
}

Result<std::vector<float>> wished_floor(const BuiltStratum& here, std::int64_t sx, std::int64_t sy,
                                        const std::vector<PlanPoint>& at) {
  PlaceEvaluator evaluator(*here.built->anchor, Frame{sx, sy}, stratum_seed_mix(here.stratum));
  PlaceInputs inputs;
  for (const PlanPoint& p : at)
    inputs.add(static_cast<float>(snapped(p.x)), static_cast<float>(snapped(p.y)), {});
  std::vector<float> floor = evaluator.evaluate(std::array{0}, inputs)[0];
  const double height = here.built->recipe->height_m;
  const auto low = static_cast<float>(kLeastFloorM), high = static_cast<float>(height - kHeadRoomM);
  for (float& z : floor) {
    if (!std::isfinite(z))
      return Error{ErrorCode::kBadInput, here.built->recipe->route.place,
                   "the route's anchor is not finite everywhere"};
    z = std::clamp(z, low, high);
  }
  return floor;
}

Result<std::array<Portal, 4>> portals_of(const BuiltStratum& here, std::int64_t sx, std::int64_t sy) {
  std::array<Portal, 4> out;
  for (const Side side : {Side::kWest, Side::kEast, Side::kSouth, Side::kNorth}) {
    const bool upright = side == Side::kWest || side == Side::kEast;
    const bool far_side = side == Side::kEast || side == Side::kNorth;
    // The edge belongs to the sector that has it in the west or south.
    const std::int64_t ex = sx + (side == Side::kEast ? 1 : 0), ey = sy + (side == Side::kNorth ? 1 : 0);
    const std::uint64_t key =
        hash_words({here.stratum.world_seed.value, word(here.stratum.index), word(ex), word(ey),
                    hash_text(upright ? "portal x" : "portal y"), here.stratum.recipe->layout_version});
    // In the middle of a cell of the planner.
    const double along = 16 * std::floor(12 + 40 * unit_of(key, 0)) + 8;
    const PlanPoint on_edge = upright ? PlanPoint{0, along} : PlanPoint{along, 0};
    const Result<std::vector<float>> floor = wished_floor(here, ex, ey, {on_edge});
    if (!floor) return floor.error();
    Portal& p = out.at(static_cast<std::size_t>(side));
    p.side = side;
    p.at = on_edge + (far_side ? 1024.0 : 0.0) * (upright ? PlanPoint{1, 0} : PlanPoint{0, 1});
    p.inward = (far_side ? -1.0 : 1.0) * (upright ? PlanPoint{1, 0} : PlanPoint{0, 1});
    p.floor_m = snapped(static_cast<double>((*floor)[0]));
  }
  return out;
}

}  // namespace vf

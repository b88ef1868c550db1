#include "plan/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "plan/mouths.h"
#include "plan/passage_styles.h"
#include "plan/passages.h"
#include "plan/path_grid.h"
#include "plan/path_line.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_profile.h"
#include "plan/seeds.h"
#include "plan/stratum_scope.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr double kCornerRadiusM = 32;
constexpr double kTightestM = 9;  ///< bends of ways: the inner edge of 0.2 climbs 0.25 there
constexpr double kPlaceHalfM = 6;
/// Ways are level so far about a node: until they have left its place, also over a corner, which is 8.5 m
/// off.
constexpr double kNodeLevelM = 9;
constexpr double kRestEveryM = 72;   ///< from one level place to the next, along a way
constexpr double kPortalRestM = 30;  ///< of the first from a border: the other side has one as near
constexpr double kRestHalfM = 8.5;   ///< half of its level stretch: out of its place in the tightest bend
constexpr double kPieceM = 14;       ///< longest piece with one grade
constexpr double kArcTurn = 0.6;     ///< most turn of one piece. [radians]
constexpr double kBankedM = 4;       ///< land farther from the floor than this is bridged or tunnelled
constexpr double kFallM = 0.75;      ///< floors higher over the land than this get a kerb
/// The finest tiles of a stratum reach so far under its content floor and over its top, for their lattice
/// begins anew at every floor (stratum_tiles).
constexpr double kMeshedUnderM = 16, kMeshedOverM = 8;
constexpr std::int32_t kParapetMm = 900;
constexpr double kLeastSpineM = 112;   ///< leaves room for a junction between the places at its ends
constexpr double kPassageClearM = 16;  ///< ways keep so far from the bends and flights of a passage

/// A way under construction: cells, then corners, then a line with heights.
struct Way {
  PathLegKind kind = PathLegKind::kSpine;
  std::vector<PathCell> cells;    ///< from start to end
  PlanPoint start;                ///< instead of the first cell's centre
  std::vector<std::size_t> kept;  ///< rising indices of cells that became junctions
  double start_m = 0;             ///< floor there
};

struct NodeAt {
  PathNode node;
  PlanPoint at;
  double floor_m = 0;
};

class PathPlanner {
 public:
  PathPlanner(const StratumScope& scope, std::int64_t sx, std::int64_t sy)
      : scope_(scope), sx_(sx), sy_(sy) {}

  Result<PathPlan> plan() {
    if (scope_.built->recipe->height_m < kLeastContentM) return no_room();
    Result<std::array<Portal, 4>> portals = portals_of(scope_, sx_, sy_);
    if (!portals) return portals.error();
    portals_ = *portals;
    if (Status status = find_mouths(); !status) return status.error();
    if (Status status = read_land(); !status) return status.error();
    if (Status status = search_spine(); !status) return status.error();
    for (const Portal& p : portals_)
      if (Status status = search_portal(p); !status) return status.error();
    for (const Way& way : ways_)
      if (Status status = build_way(way); !status) return status.error();
    for (const auto& [index, node] : nodes_) add_place_of(node);
    return finish();
  }

 private:
  [[nodiscard]] Error no_room() const {
    return {
        ErrorCode::kBadInput, scope_.built->recipe->id_place,
        fmt::format(
            "no route fits: the contract asks for 3 m of clear height on every route (built 3.25 m, over a "
            "floor of 1 m, off the seals), which needs height_m >= {:g}; here {:g}",
            kLeastContentM, scope_.built->recipe->height_m)};
  }

  [[nodiscard]] std::uint64_t id(std::string_view kind, std::int64_t a, std::int64_t b) const {
    return plan_id(scope_.stratum, sx_, sy_, kind, "", a, b);
  }

  NodeAt& add_node(PathNodeKind kind, const PathCell& cell, const PlanPoint& at, double floor_m) {
    NodeAt& n = nodes_[cell.index()];
    n.node.id = {
        id("path node", static_cast<std::int64_t>(kind), kind == PathNodeKind::kJunction ? cell.index() : 0)};
    n.node.kind = kind;
    n.node.at = position_um(at, floor_m);
    n.at = at;
    n.floor_m = floor_m;
    return n;
  }

  Status find_mouths() {
    if (scope_.above) {
      Result<Passage> down = passage_between(*scope_.above, scope_, sx_, sy_, true);
      if (!down) return down.error();
      arrival_ = plan_point(down->bottom);
      arrival_floor_ = metres(down->bottom.z);
      from_above_ = *std::move(down);
    } else {
      arrival_ = passage_axis(scope_.stratum.world_seed, scope_.stratum.index - 1, sx_, sy_);
      const Result<std::vector<float>> floor = wished_floor(scope_, sx_, sy_, {arrival_});
      if (!floor) return floor.error();
      arrival_floor_ = static_cast<double>((*floor)[0]);
    }
    if (!scope_.below) return Error{ErrorCode::kBadInput, {}, "no stratum lies below the last one"};
    Result<Passage> down = passage_between(scope_, *scope_.below, sx_, sy_, false);
    if (!down) return down.error();
    departure_ = plan_point(down->top);
    departure_floor_ = metres(down->top.z);
    to_below_ = *std::move(down);
    return Unit{};
  }

  Status read_land() {
    std::vector<PlanPoint> centres;
    for (int y = 0; y < kPathCells; ++y)
      for (int x = 0; x < kPathCells; ++x) centres.push_back(PathCell{x, y}.centre());
    Result<std::vector<float>> heights = wished_floor(scope_, sx_, sy_, centres);
    if (!heights) return heights.error();
    grid_.emplace(*heights);
    if (from_above_) block(*from_above_, from_above_->bottom, from_above_->pieces.back().from);
    block(*to_below_, to_below_->top, to_below_->pieces.front().to);
    return Unit{};
  }

  /// Cells beside a passage, but for a strip that leads straight out of its mouth, away from `inside`.
  void block(const Passage& passage, const PositionUm& mouth, const PositionUm& inside) {
    constexpr double kStripM = 14;  // half of it: wide enough for a chain of cells in any direction
    const PlanPoint at = plan_point(mouth), out = unit(at - plan_point(inside));
    for (const PathPiece& piece : passage.pieces) {
      const PlanPoint from = plan_point(piece.from), to = plan_point(piece.to), middle = 0.5 * (from + to);
      const double reach = kPassageClearM + 0.5 * length(to - from);
      const PathCell low = cell_at(middle - PlanPoint{reach, reach}),
                     high = cell_at(middle + PlanPoint{reach, reach});
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
          const PlanPoint centre = PathCell{x, y}.centre(), off = centre - at;
          const bool leads_out = dot(off, out) > -kPathCellM / 2 && std::fabs(cross(off, out)) < kStripM;
          if (length(centre - middle) < reach && !leads_out) grid_->block({x, y});
        }
    }
  }

  /// The cheapest way, made longer by a detour where the climb needs it, or where it is shorter than
  /// `least_m`.
  std::vector<PathCell> search(const PathCell& start, int heading, double start_m,
                               const std::vector<std::uint8_t>& goal, std::optional<double> end_m,
                               double least_m) {
    std::vector<PathCell> direct = grid_->search(start, heading, goal);
    if (direct.empty()) return direct;
    const double climb = std::fabs((end_m ? *end_m : grid_->height(direct.back())) - start_m);
    if (enough(direct, climb, least_m)) return direct;
    const PlanPoint middle = 0.5 * (start.centre() + direct.back().centre());
    const PlanPoint aside = left_of(unit(direct.back().centre() - start.centre()));
    for (const double reach : {48.0, -48.0, 96.0, -96.0, 144.0, -144.0, 208.0, -208.0, 272.0, -272.0}) {
      const PathCell by = cell_at(middle + reach * aside);
      if (grid_->blocked(by) || by == start) continue;
      std::vector<std::uint8_t> there(goal.size(), 0);
      there[static_cast<std::size_t>(by.index())] = 1;
      std::vector<PathCell> way = grid_->search(start, heading, there);
      if (way.size() < 2) continue;
      const std::vector<PathCell> rest = grid_->search(by, heading_of(way), goal);
      if (rest.empty()) continue;
      way.insert(way.end(), rest.begin() + 1, rest.end());
      if (!has_loop(way) && enough(way, climb, least_m)) return way;
    }
    return direct;
  }

  /// Of the last step, in eighths of a turn from east.
  static int heading_of(const std::vector<PathCell>& way) {
    const PathCell &a = way[way.size() - 2], &b = way.back();
    constexpr std::array<std::array<int, 3>, 3> kHeading{{{5, 6, 7}, {4, 0, 0}, {3, 2, 1}}};
    return kHeading.at(static_cast<std::size_t>(b.y - a.y + 1)).at(static_cast<std::size_t>(b.x - a.x + 1));
  }

  static bool has_loop(const std::vector<PathCell>& way) {
    for (std::size_t i = 0; i < way.size(); ++i)
      for (std::size_t j = i + 2; j < way.size(); ++j)
        if (std::max(std::abs(way[i].x - way[j].x), std::abs(way[i].y - way[j].y)) <= 1 && j - i > 2)
          return true;
    return false;
  }

  /// Junctions, places and rounded corners take a share of the run.
  static bool enough(const std::vector<PathCell>& way, double climb, double least_m) {
    double run = 0;
    for (std::size_t i = 1; i < way.size(); ++i) run += length(way[i].centre() - way[i - 1].centre());
    return run >= least_m && climb <= kBuiltGrade * (0.75 * run - 5 * kNodeLevelM);
  }

  Status search_spine() {
    const PathCell from = cell_at(arrival_), to = cell_at(departure_);
    std::vector<std::uint8_t> goal(std::size_t{kPathCells} * kPathCells, 0);
    goal[static_cast<std::size_t>(to.index())] = 1;
    Way way;
    const auto wished = static_cast<double>(scope_.built->recipe->route.length_min_m);
    way.cells = search(from, -1, arrival_floor_, goal, departure_floor_, std::max(wished, kLeastSpineM));
    if (way.cells.size() < 2) return no_way("departure", departure_);
    way.start = arrival_;
    way.start_m = arrival_floor_;
    add_node(PathNodeKind::kArrival, from, arrival_, arrival_floor_);
    add_node(PathNodeKind::kDeparture, to, departure_, departure_floor_);
    settle(std::move(way));
    return Unit{};
  }

  Status search_portal(const Portal& portal) {
    const PlanPoint pocket = portal.at + 24.0 * portal.inward;
    const int inward = portal.inward.x != 0 ? (portal.inward.x > 0 ? 0 : 4) : (portal.inward.y > 0 ? 2 : 6);
    Way way;
    way.kind = PathLegKind::kPortal;
    way.cells = search(cell_at(pocket), inward, portal.floor_m, goals(), std::nullopt, 0);
    if (way.cells.size() < 2) return no_way("portal", portal.at);
    way.start = portal.at;
    way.start_m = portal.floor_m;
    const auto kind = static_cast<PathNodeKind>(static_cast<int>(PathNodeKind::kPortalWest) +
                                                static_cast<int>(portal.side));
    add_node(kind, cell_at(portal.at - 0.5 * portal.inward + portal.inward), portal.at, portal.floor_m);
    join(way.cells.back());
    settle(std::move(way));
    return Unit{};
  }

  /// Cells of ways, but for those beside a node: there the floor is level already.
  [[nodiscard]] std::vector<std::uint8_t> goals() const {
    std::vector<std::uint8_t> goal(std::size_t{kPathCells} * kPathCells, 0);
    for (const Way& way : ways_)
      for (std::size_t i = 0; i < way.cells.size(); ++i) {
        if (way.kind == PathLegKind::kPortal && i < 3) continue;  // the pocket
        const PathCell& c = way.cells[i];
        if (!beside_node(c)) goal[static_cast<std::size_t>(c.index())] = 1;
      }
    return goal;
  }

  [[nodiscard]] bool beside_node(const PathCell& c) const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const auto& node) {
      const int dx = std::abs(node.first % kPathCells - c.x), dy = std::abs(node.first / kPathCells - c.y);
      return std::max(dx, dy) > 0 && std::max(dx, dy) <= 2;
    });
  }

  /// Makes the cell of an older way a junction.
  void join(const PathCell& cell) {
    if (nodes_.contains(cell.index())) return;
    for (Way& way : ways_) {
      const auto found = std::find(way.cells.begin(), way.cells.end(), cell);
      if (found == way.cells.end()) continue;
      way.kept.push_back(static_cast<std::size_t>(found - way.cells.begin()));
      std::sort(way.kept.begin(), way.kept.end());
      add_node(PathNodeKind::kJunction, cell, cell.centre(), 0);
      return;
    }
  }

  void settle(Way way) {
    for (const PathCell& c : way.cells) grid_->shun_around(c);
    ways_.push_back(std::move(way));
    // Whoever comes to a node later comes from another side: two floors on one strip would cut steps into
    // each other where the level about the node ends.
    for (const Way& w : ways_)
      for (const PathCell& c : w.cells)
        if (!nodes_.contains(c.index()) && beside_node(c)) grid_->block(c);
  }

  [[nodiscard]] Error no_way(std::string_view to, const PlanPoint& at) const {
    return {
        ErrorCode::kBadInput, scope_.built->recipe->route.place,
        fmt::format("no route reaches the {} at {:.0f}, {:.0f} of sector {}, {}", to, at.x, at.y, sx_, sy_)};
  }

  // ---------------------------------------------------------------- geometry

  struct Corners {
    std::vector<PlanPoint> at;
    std::vector<std::size_t> kept;
    std::vector<int> node_cells;  ///< of the first, the kept and the last corner
  };

  [[nodiscard]] Corners corners_of(const Way& way, bool pulled) const {
    Corners out;
    std::vector<std::size_t> stops{0};
    stops.insert(stops.end(), way.kept.begin(), way.kept.end());
    stops.push_back(way.cells.size() - 1);
    const auto position = [&](std::size_t i) {
      if (i == 0) return way.start;
      const auto node = nodes_.find(way.cells[i].index());
      return node != nodes_.end() ? node->second.at : way.cells[i].centre();
    };
    out.at.push_back(way.start);
    out.node_cells.push_back(way.cells.front().index());
    for (std::size_t k = 1; k < stops.size(); ++k) {
      std::size_t i = stops[k - 1];
      if (way.kind == PathLegKind::kPortal && i == 0)
        out.at.push_back(way.cells[0].centre());  // out of the pocket
      while (i < stops[k]) {
        i = pulled ? farthest_seen(way, i, stops[k]) : i + 1;
        const PlanPoint p = position(i);
        // A corner right beside a node would leave no room to bend.
        if (i < stops[k] && (length(p - out.at.back()) < 12 || length(p - position(stops[k])) < 12)) continue;
        out.at.push_back(p);
      }
      if (k + 1 < stops.size()) out.kept.push_back(out.at.size() - 1);
      out.node_cells.push_back(way.cells[stops[k]].index());
    }
    return out;
  }

  /// The last cell that a straight reaches at no more cost than the cells between.
  [[nodiscard]] std::size_t farthest_seen(const Way& way, std::size_t from, std::size_t to) const {
    std::size_t best = from + 1;
    double climb = std::fabs(grid_->height(way.cells[from + 1]) - grid_->height(way.cells[from]));
    double run = length(way.cells[from + 1].centre() - way.cells[from].centre());
    for (std::size_t j = from + 2; j <= to && j <= from + 9; ++j) {
      climb += std::fabs(grid_->height(way.cells[j]) - grid_->height(way.cells[j - 1]));
      run += length(way.cells[j].centre() - way.cells[j - 1].centre());
      if (straight_is_good(way, way.cells[from], way.cells[j], run + 40 * climb)) best = j;
    }
    return best;
  }

  [[nodiscard]] bool straight_is_good(const Way& way, const PathCell& a, const PathCell& b,
                                      double most) const {
    const PlanPoint step = b.centre() - a.centre();
    const int count = static_cast<int>(std::ceil(length(step) / 8));
    double climb = 0, before = grid_->height(a);
    for (int i = 1; i <= count; ++i) {
      const PathCell c = cell_at(a.centre() + (static_cast<double>(i) / count) * step);
      if (grid_->blocked(c) && std::find(way.cells.begin(), way.cells.end(), c) == way.cells.end())
        return false;
      climb += std::fabs(grid_->height(c) - before);
      before = grid_->height(c);
    }
    return length(step) + 40 * climb <= 1.02 * most;
  }

  /// Whether it leaves a junction nearly where it came from, on one strip: a straight has cut a bend short.
  static bool doubles_back(const Corners& corners) {
    constexpr double kLeastCosine = -0.71;  // cells turn by 45 degrees, straights between them by 135 at most
    return std::any_of(corners.kept.begin(), corners.kept.end(), [&](std::size_t i) {
      return dot(unit(corners.at[i] - corners.at[i - 1]), unit(corners.at[i + 1] - corners.at[i])) <
             kLeastCosine;
    });
  }

  /// Lines of a way: straightened where bends and junctions allow.
  [[nodiscard]] std::pair<RoundedLine, Corners> line_of(const Way& way) const {
    Corners corners = corners_of(way, true);
    RoundedLine line = round_corners(corners.at, corners.kept, kCornerRadiusM);
    if (line.least_radius >= kTightestM && !doubles_back(corners))
      return {std::move(line), std::move(corners)};
    corners = corners_of(way, false);
    line = round_corners(corners.at, corners.kept, kCornerRadiusM);
    return {std::move(line), std::move(corners)};
  }

  Status build_way(const Way& way) {
    auto [line, corners] = line_of(way);
    ProfileInput profile;
    profile.grade = kBuiltGrade;
    profile.start = way.start_m;
    const NodeAt& last = nodes_.at(way.cells.back().index());
    profile.end = last.floor_m;
    std::vector<double> rests;
    lay_levels(line, way.kind == PathLegKind::kPortal, profile.level, rests);
    std::vector<LineSegment> parts = cut_line(line, profile);
    std::vector<PlanPoint> joints;
    for (const LineSegment& part : parts) joints.push_back(part.from);
    joints.push_back(parts.back().to);
    Result<std::vector<float>> land = wished_floor(scope_, sx_, sy_, joints);
    if (!land) return land.error();
    profile.land.assign(land->begin(), land->end());
    if (std::fabs(profile.end - profile.start) > profile.grade * climbing_run(profile) + 1e-9)
      return too_steep(way, profile);
    const std::vector<double> floor = fit_profile(profile);
    for (std::size_t i = 0; i < corners.kept.size(); ++i) {
      NodeAt& node = nodes_.at(corners.node_cells[i + 1]);
      node.floor_m = height_at(profile, floor, line.corners_at[i + 1]);
      node.node.at = position_um(node.at, node.floor_m);
    }
    add_legs(way, line, corners, parts, profile, floor, rests);
    return Unit{};
  }

  [[nodiscard]] Error too_steep(const Way& way, const ProfileInput& profile) const {
    return {ErrorCode::kBadInput, scope_.built->recipe->route.place,
            fmt::format("no route keeps the contract's grade of 15 degrees (built 11.3): from {:.0f}, {:.0f} "
                        "of sector {}, {} "
                        "it must climb {:.1f} m on {:.0f} m",
                        way.start.x, way.start.y, sx_, sy_, std::fabs(profile.end - profile.start),
                        climbing_run(profile))};
  }

  static double height_at(const ProfileInput& profile, const std::vector<double>& floor, double s) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < profile.at.size(); ++i)
      if (std::fabs(profile.at[i] - s) < std::fabs(profile.at[best] - s)) best = i;
    return floor[best];
  }

  /// Level stretches about the nodes, and places to rest between them.
  static void lay_levels(const RoundedLine& line, bool from_portal, std::vector<LevelStretch>& level,
                         std::vector<double>& rests) {
    const auto rest_at = [&](double s) {
      rests.push_back(s);
      level.push_back({s - kRestHalfM, s + kRestHalfM});
    };
    for (std::size_t i = 0; i < line.corners_at.size(); ++i) {
      const double at = line.corners_at[i];
      const LevelStretch here{std::max(at - kNodeLevelM, 0.0), std::min(at + kNodeLevelM, line.length)};
      if (i == 1 && from_portal && here.from - kPortalRestM > kRestHalfM) rest_at(kPortalRestM);
      if (i > 0) {
        const double free = here.from - level.back().to;
        const int count = static_cast<int>(std::floor(free / kRestEveryM));
        const double start = level.back().to;
        for (int r = 1; r <= count; ++r) {
          rest_at(start + free * r / (count + 1));
        }
      }
      if (!level.empty() && here.from < level.back().to)
        level.back().to = here.to;
      else
        level.push_back(here);
    }
  }

  /// Cuts the line at ends of level stretches, at nodes, and so that no piece is too long or turns too far.
  static std::vector<LineSegment> cut_line(const RoundedLine& line, ProfileInput& profile) {
    std::vector<double> cuts(line.corners_at);
    for (const LevelStretch& l : profile.level) {
      cuts.push_back(l.from);
      cuts.push_back(l.to);
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<LineSegment> parts;
    double s = 0;
    profile.at.push_back(0);
    for (const LineSegment& segment : line.segments) {
      std::vector<double> marks{0};
      for (const double c : cuts)
        if (c > s + marks.back() + 0.25 && c < s + segment.length - 0.25) marks.push_back(c - s);
      marks.push_back(segment.length);
      for (std::size_t m = 1; m < marks.size(); ++m) {
        const double piece = marks[m] - marks[m - 1];
        const double most =
            std::min(kPieceM, segment.curvature == 0 ? kPieceM : kArcTurn / std::fabs(segment.curvature));
        const int count = std::max(1, static_cast<int>(std::ceil(piece / most)));
        for (int i = 0; i < count; ++i) {
          const double from = marks[m - 1] + piece * i / count, to = marks[m - 1] + piece * (i + 1) / count;
          parts.push_back(part_of(segment, from / segment.length,
                                  i + 1 == count && m + 1 == marks.size() ? 1.0 : to / segment.length));
          profile.at.push_back(s + to);
        }
      }
      s += segment.length;
    }
    // A cut too near a segment's end was left out: its level stretch begins or ends there.
    for (LevelStretch& l : profile.level)
      for (double* end : {&l.from, &l.to})
        for (const double at : profile.at)
          if (std::fabs(at - *end) <= 0.25) *end = at;
    return parts;
  }

  void add_legs(const Way& way, const RoundedLine& line, const Corners& corners,
                const std::vector<LineSegment>& parts, const ProfileInput& profile,
                const std::vector<double>& floor, const std::vector<double>& rests) {
    std::size_t leg_index = 0;
    PathLeg leg = new_leg(way, corners, leg_index);
    double leg_start = 0;
    std::vector<PathPiece> pieces, places;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      PathPiece piece = way_piece(parts[i], floor[i], floor[i + 1], profile.land[i], profile.land[i + 1]);
      piece.along_um = micrometres(profile.at[i] - leg_start);
      pieces.push_back(piece);
      for (const double r : rests)
        if (r >= profile.at[i] && r < profile.at[i + 1])
          places.push_back(place_on(parts[i], (r - profile.at[i]) / (profile.at[i + 1] - profile.at[i]),
                                    floor[i], profile.land[i]));
      if (profile.at[i + 1] + 0.3 < line.corners_at[leg_index + 1]) continue;
      leg.length_um = micrometres(profile.at[i + 1] - leg_start);
      close_leg(leg, std::move(pieces), std::move(places));
      pieces.clear();
      places.clear();
      leg_start = profile.at[i + 1];
      if (++leg_index + 1 < line.corners_at.size()) leg = new_leg(way, corners, leg_index);
    }
  }

  [[nodiscard]] PathLeg new_leg(const Way& way, const Corners& corners, std::size_t index) const {
    PathLeg leg;
    leg.kind = way.kind;
    leg.from = start_node(way, corners, index);
    leg.to = nodes_.at(corners.node_cells[index + 1]).node.id;
    leg.id = {hash_words({leg.from.value, leg.to.value, hash_text("path leg")})};
    return leg;
  }

  [[nodiscard]] Id<PathNodeTag> start_node(const Way& way, const Corners& corners, std::size_t index) const {
    if (index > 0 || way.kind == PathLegKind::kSpine) return nodes_.at(corners.node_cells[index]).node.id;
    return nodes_.at(cell_at(way.start + 0.25 * (way.cells[0].centre() - way.start)).index()).node.id;
  }

  [[nodiscard]] PathPiece way_piece(const LineSegment& part, double from_m, double to_m, double land_from,
                                    double land_to) const {
    PathPiece piece;
    piece.from = position_um(part.from, from_m);
    piece.to = position_um(part.to, to_m);
    piece.curvature_nano = static_cast<std::int64_t>(std::floor(part.curvature * 1e9 + 0.5));
    dress(piece, std::max(from_m - land_from, to_m - land_to), std::max(land_from - from_m, land_to - to_m));
    return piece;
  }

  /// Kerbs and banks by how far the floor lies over and under the land.
  void dress(PathPiece& piece, double over, double under) const {
    const RouteSettings& route = scope_.built->recipe->route;
    const bool on_land = route.from == "ground";
    piece.banked = on_land && route.banks && over <= kBankedM && under <= kBankedM;
    if (route.kerb_m >= 0)
      piece.kerb_mm = static_cast<std::int32_t>(std::floor(static_cast<double>(route.kerb_m) * 1000 + 0.5));
    else if (on_land && over > (piece.banked ? 2.5 : kFallM))
      piece.kerb_mm = kParapetMm;
  }

  [[nodiscard]] PathPiece place_at(const PlanPoint& at, const PlanPoint& along, double floor_m,
                                   double land) const {
    PathPiece piece;
    piece.shape = PathShape::kPlace;
    piece.from = position_um(at - kPlaceHalfM * along, floor_m);
    piece.to = position_um(at + kPlaceHalfM * along, floor_m);
    piece.half_width_mm = static_cast<std::int32_t>(kPlaceHalfM * 1000);
    dress(piece, floor_m - land, land - floor_m);
    return piece;
  }

  /// Turned as the way runs there.
  [[nodiscard]] PathPiece place_on(const LineSegment& part, double share, double floor_m, double land) const {
    constexpr double kNear = 1.0 / 64;
    const PlanPoint before = part.at(std::max(share - kNear, 0.0)),
                    after = part.at(std::min(share + kNear, 1.0));
    return place_at(part.at(share), unit(after - before), floor_m, land);
  }

  void add_place_of(const NodeAt& n) {
    if (n.node.kind >= PathNodeKind::kPortalWest && n.node.kind <= PathNodeKind::kPortalNorth) return;
    PlanPoint along{1, 0};
    const PathPiece* beside = nullptr;
    if (n.node.kind == PathNodeKind::kDeparture) beside = &to_below_->pieces.front();
    if (n.node.kind == PathNodeKind::kArrival && from_above_) beside = &from_above_->pieces.back();
    if (beside != nullptr) along = unit(plan_point(beside->to) - plan_point(beside->from));
    const Result<std::vector<float>> land = wished_floor(scope_, sx_, sy_, {n.at});
    PathPiece place = place_at(n.at, along, n.floor_m, land ? static_cast<double>((*land)[0]) : n.floor_m);
    place.id = {hash_words({n.node.id.value, hash_text("place")})};
    node_places_.push_back(place);
  }

  void close_leg(PathLeg& leg, std::vector<PathPiece> pieces, std::vector<PathPiece> places) {
    pieces.insert(pieces.end(), places.begin(), places.end());
    for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].id = {hash_words({leg.id.value, i})};
    leg.count = static_cast<std::uint32_t>(pieces.size());
    legs_.emplace_back(leg, std::move(pieces));
  }

  /// The part of a passage that lies in this stratum, bands included, and where its meshes reach into the
  /// next: there they must not end the clear way.
  void add_passage(const Passage& passage, bool down) {
    constexpr double kEndM = 4;  // beyond what is meshed
    const double low = -kMeshedUnderM - kEndM,
                 high = scope_.built->recipe->height_m + kBandM + kMeshedOverM + kEndM;
    PathLeg leg;
    leg.kind = PathLegKind::kPassage;
    const auto mouth = [&](PathNodeKind kind) {
      return Id<PathNodeTag>{id("path node", static_cast<std::int64_t>(kind), 0)};
    };
    (down ? leg.from : leg.to) = mouth(down ? PathNodeKind::kDeparture : PathNodeKind::kArrival);
    leg.id = {hash_words({leg.from.value, leg.to.value, hash_text("path leg")})};
    leg.length_um = passage.length_um;
    std::vector<PathPiece> pieces;
    for (const PathPiece& p : passage.pieces) {
      const double top = metres(std::max(p.from.z, p.to.z)) + 4,
                   bottom = metres(std::min(p.from.z, p.to.z)) - 1;
      if (top > low && bottom < high) pieces.push_back(p);
    }
    close_leg(leg, std::move(pieces), passage.supports);
  }

  PathPlan finish() {
    if (from_above_) add_passage(*from_above_, false);
    add_passage(*to_below_, true);
    PathPlan plan;
    for (const auto& [index, node] : nodes_) plan.nodes.push_back(node.node);
    std::sort(plan.nodes.begin(), plan.nodes.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::sort(legs_.begin(), legs_.end(),
              [](const auto& a, const auto& b) { return a.first.id < b.first.id; });
    for (auto& [leg, pieces] : legs_) {
      leg.first = static_cast<std::uint32_t>(plan.pieces.size());
      plan.pieces.insert(plan.pieces.end(), pieces.begin(), pieces.end());
      plan.legs.push_back(leg);
    }
    std::sort(node_places_.begin(), node_places_.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    plan.pieces.insert(plan.pieces.end(), node_places_.begin(), node_places_.end());
    return plan;
  }

  const StratumScope& scope_;
  std::int64_t sx_, sy_;
  std::array<Portal, 4> portals_;
  PlanPoint arrival_, departure_;
  double arrival_floor_ = 0, departure_floor_ = 0;
  std::optional<Passage> from_above_, to_below_;
  std::optional<PathGrid> grid_;
  std::vector<Way> ways_;
  std::map<int, NodeAt> nodes_;  ///< by cell
  std::vector<std::pair<PathLeg, std::vector<PathPiece>>> legs_;
  std::vector<PathPiece> node_places_;
};

}  // namespace

Result<PathPlan> plan_paths(const StratumScope& scope, std::int64_t sx, std::int64_t sy) {
  if (scope.built->anchor == nullptr) return PathPlan{};
  return PathPlanner(scope, sx, sy).plan();
}

}  // namespace vf

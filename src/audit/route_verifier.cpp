#include "audit/route_verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/route_certificate.h"
#include "audit/swept_floor.h"
#include "base/ids.h"
#include "field/interval_evaluator.h"
#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {

namespace {

constexpr SweptCorridor kContract;
constexpr double kUnitM = 1.0 / kCertificateUnits;
constexpr double kRoundingM = 1e-6;         ///< of the geometry here, in double precision
constexpr std::uint64_t kOneSampledOf = 8;  ///< boxes
constexpr std::int32_t kCoarse = 16;        ///< [1/256 m] parts of a gap, once it is known to be one
constexpr double kEyesM = 1.7;

/// Checks the boxes of one kind about one strip of floor.
class StripCheck {
 public:
  StripCheck(const AuditedSector& sector, const SweptFloor& floor, bool air, FieldSampler& field)
      : stratum_{sector.bottom_m(), sector.top_m()}, floor_(floor), air_(air), field_(field) {}

  /// Share of the floor that is proven, 0 .. 1.
  double run(std::span<const CertifiedBox> boxes) {
    if (!floor_.sound()) {
      refuse("its record describes no floor");
      return 0;
    }
    bound(boxes);
    sample();
    std::erase_if(good_, [&](const CertifiedBox& b) {
      const bool low = !reaches(b);
      if (low)
        refuse(fmt::format("a box from {:.3f} m to {:.3f} m reaches not far enough", b.z0 * kUnitM,
                           b.z1 * kUnitM));
      return low;
    });
    std::vector<PlanRect> rects;
    for (const CertifiedBox& b : good_) rects.push_back(plan_of(b));
    cover(floor_.around(), rects);
    return covered_ + open_ > 0 ? covered_ / (covered_ + open_) : 1;
  }

  /// What is wrong with the boxes that did not count, and a place without one.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] const Vec3d& place() const { return place_; }

 private:
  static PlanRect plan_of(const CertifiedBox& b) { return {b.x0, b.y0, b.x1, b.y1}; }
  static Box3f box_of(const CertifiedBox& b) {
    const auto f = [](std::int32_t v) { return static_cast<float>(v) * static_cast<float>(kUnitM); };
    return {{f(b.x0), f(b.y0), f(b.z0)}, {f(b.x1), f(b.y1), f(b.z1)}};
  }

  /// What has to be air, or rock, over what is swept of a rectangle: as far as this stratum reaches.
  [[nodiscard]] std::optional<HeightRange> wanted(const PlanRect& r) const {
    const std::optional<HeightRange> floor = floor_.heights(r);
    if (!floor) return std::nullopt;
    const double low = floor->low + (air_ ? kContract.skin : -kContract.slab) * kUnitM,
                 high = floor->high + (air_ ? kContract.height : -kContract.skin) * kUnitM;
    const HeightRange z{std::max(low, stratum_.low), std::min(high, stratum_.high)};
    return z.low < z.high ? std::optional(z) : std::nullopt;
  }

  [[nodiscard]] bool reaches(const CertifiedBox& b) const {
    const std::optional<HeightRange> z = wanted(plan_of(b));
    return !z || (b.z0 * kUnitM <= z->low + kRoundingM && b.z1 * kUnitM >= z->high - kRoundingM);
  }

  void refuse(std::string why) {
    if (reason_.empty()) reason_ = std::move(why);
  }

  /// A box of some size about the strip: bounds are asked where the field holds, and whole numbers stay
  /// small.
  [[nodiscard]] bool is_near(const CertifiedBox& b) const {
    constexpr std::int32_t kBesideUnits = 4 * kCertificateUnits, kHighUnits = 1 << 20;
    const PlanRect a = floor_.around();
    const PlanRect room{a.x0 - kBesideUnits, a.y0 - kBesideUnits, a.x1 + kBesideUnits, a.y1 + kBesideUnits};
    return b.x0 < b.x1 && b.y0 < b.y1 && b.z0 < b.z1 && room.holds(plan_of(b)) && b.z0 > -kHighUnits &&
           b.z1 < kHighUnits;
  }

  /// Keeps the boxes whose claims are what they have to be, and hold.
  void bound(std::span<const CertifiedBox> boxes) {
    std::vector<CertifiedBox> fit;
    for (const CertifiedBox& b : boxes) {
      const bool finite = std::isfinite(b.least) && std::isfinite(b.most);
      if (is_near(b) && finite && (air_ ? b.least > 0 : b.most < 0) && b.least <= b.most)
        fit.push_back(b);
      else
        refuse(fmt::format("a box lies elsewhere or says nothing of use: {} to {}", b.least, b.most));
    }
    if (fit.empty()) return;
    Box3f hull = box_of(fit.front());
    std::vector<Box3f> asked;
    for (const CertifiedBox& b : fit) {
      const Box3f& a = asked.emplace_back(box_of(b));
      hull = {{std::min(hull.min.x, a.min.x), std::min(hull.min.y, a.min.y), std::min(hull.min.z, a.min.z)},
              {std::max(hull.max.x, a.max.x), std::max(hull.max.y, a.max.y), std::max(hull.max.z, a.max.z)}};
    }
    const Tape tape = field_.tape_for(hull);
    for (std::size_t first = 0; first < fit.size(); first += kMaxBoxes) {
      const std::size_t count = std::min(std::size_t{kMaxBoxes}, fit.size() - first);
      field_.cut(tape, std::span(asked).subspan(first, count), cuts_);
      for (std::size_t i = 0; i < count; ++i) {
        const CertifiedBox& b = fit[first + i];
        if (cuts_.lo.at(i) >= b.least && cuts_.hi.at(i) <= b.most)
          good_.push_back(b);
        else
          refuse(fmt::format("a box claims the density is from {} to {}; its bound is {} to {}", b.least,
                             b.most, cuts_.lo.at(i), cuts_.hi.at(i)));
      }
    }
  }

  /// Two corners and a point inside of some boxes, on the whole program.
  void sample() {
    std::vector<float> x, y, z;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < good_.size(); ++i) {
      const CertifiedBox& b = good_[i];
      const std::uint64_t key =
          hash_words({static_cast<std::uint64_t>(b.x0), static_cast<std::uint64_t>(b.y0),
                      static_cast<std::uint64_t>(b.z0)});
      if (key % kOneSampledOf != 0) continue;
      const Box3f box = box_of(b);
      const auto add = [&](float s, float t, float h) {
        asked.push_back(i);
        x.push_back(box.min.x + s * (box.max.x - box.min.x));
        y.push_back(box.min.y + t * (box.max.y - box.min.y));
        z.push_back(box.min.z + h * (box.max.z - box.min.z));
      };
      const auto end = [&](int bit) { return (key >> bit & 1) != 0 ? 1.0F : 0.0F; };
      add(end(8), end(9), end(10));
      add(1 - end(8), 1 - end(9), 1 - end(10));
      add(unit_float(mix64(key)), unit_float(mix64(key + 1)), unit_float(mix64(key + 2)));
    }
    std::vector<float> phi(x.size());
    if (!x.empty()) field_.values(x.size(), x.data(), y.data(), z.data(), phi.data());
    std::vector<bool> wrong(good_.size());
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const CertifiedBox& b = good_[asked[i]];
      if (b.least <= phi[i] && phi[i] <= b.most) continue;
      wrong[asked[i]] = true;
      refuse(fmt::format("a box claims the density is from {} to {}; at a point in it it is {}", b.least,
                         b.most, phi[i]));
    }
    std::size_t at = 0;
    std::erase_if(good_, [&](const CertifiedBox&) { return wrong[at++]; });
  }

  /// Cut at edges of boxes until each part lies in one, or meets none.
  void cover(const PlanRect& r, std::span<const PlanRect> boxes) {
    std::vector<PlanRect> near;
    for (const PlanRect& b : boxes) {
      if (b.holds(r)) {
        covered_ += r.area();
        return;
      }
      if (b.overlaps(r)) near.push_back(b);
    }
    if (near.empty()) return look_at_gap(r);
    PlanRect a = r, b = r;
    std::int32_t best = -1;  // room on the smaller side of the cut
    for (const PlanRect& n : near) {
      for (const std::int32_t x : {n.x0, n.x1})
        if (const std::int32_t room = std::min(x - r.x0, r.x1 - x); room > 0 && room > best) {
          best = room;
          a = {r.x0, r.y0, x, r.y1}, b = {x, r.y0, r.x1, r.y1};
        }
      for (const std::int32_t y : {n.y0, n.y1})
        if (const std::int32_t room = std::min(y - r.y0, r.y1 - y); room > 0 && room > best) {
          best = room;
          a = {r.x0, r.y0, r.x1, y}, b = {r.x0, y, r.x1, r.y1};
        }
    }
    cover(a, near);
    cover(b, near);
  }

  /// Nothing holds this part. Some of it may lie beside the way, and some over the stratum: halves tell.
  void look_at_gap(const PlanRect& r) {
    const std::optional<HeightRange> z = wanted(r);
    if (!z) return;
    const std::int32_t width = r.x1 - r.x0, height = r.y1 - r.y0, least = open_ == 0 ? 1 : kCoarse;
    if (std::max(width, height) > least) {
      const std::int32_t x = (r.x0 + r.x1) / 2, y = (r.y0 + r.y1) / 2;
      look_at_gap(width >= height ? PlanRect{r.x0, r.y0, x, r.y1} : PlanRect{r.x0, r.y0, r.x1, y});
      look_at_gap(width >= height ? PlanRect{x, r.y0, r.x1, r.y1} : PlanRect{r.x0, y, r.x1, r.y1});
      return;
    }
    if (open_ == 0) place_ = {(r.x0 + r.x1) * kUnitM / 2, (r.y0 + r.y1) * kUnitM / 2, z->low};
    open_ += r.area();
  }

  HeightRange stratum_;
  const SweptFloor& floor_;
  bool air_;
  FieldSampler& field_;
  BoxCuts cuts_;
  std::vector<CertifiedBox> good_;
  double covered_ = 0, open_ = 0;  ///< [m2]
  std::string reason_;
  Vec3d place_;
};

Vec3d place_of(const PositionUm& p) {
  return {metres(p.x), metres(p.y), metres(p.z)};
}

/// The corridors of a leg, in order; places have no line.
std::vector<PathPiece> ways_of(const PathPlan& plan, const PathLeg& leg) {
  std::vector<PathPiece> out;
  for (const PathPiece& piece : std::span(plan.pieces).subspan(leg.first, leg.count))
    if (piece.shape == PathShape::kWay) out.push_back(piece);
  return out;
}

/// Whether they follow each other without a gap, from node to node.
bool is_chain(const PathPlan& plan, const PathLeg& leg, const std::vector<PathPiece>& ways) {
  const auto node_at = [&](Id<PathNodeTag> id, const PositionUm& at) {
    return id.value == 0 || std::any_of(plan.nodes.begin(), plan.nodes.end(),
                                        [&](const PathNode& n) { return n.id == id && n.at == at; });
  };
  for (std::size_t i = 0; i + 1 < ways.size(); ++i)
    if (ways[i].to != ways[i + 1].from) return false;
  return !ways.empty() && node_at(leg.from, ways.front().from) && node_at(leg.to, ways.back().to);
}

/// All strips of floor of a sector against one certificate.
class RouteCheck {
 public:
  RouteCheck(const AuditedSector& sector, const RouteCertificate& certificate)
      : sector_(sector), field_(sector.field, sector.simd) {
    for (const CertifiedStrip& strip : certificate.strips) strips_.emplace(strip.id, &strip);
  }

  AuditReport run(bool of_this_sector) {
    if (!finding_.keeps(of_this_sector ? 100 : 0))
      broken("the certificate is of another sector, of another evaluator or recipe, or of another contract",
             {512, 512, 0}, {508, 512, kEyesM});
    if (of_this_sector) {
      for (const PathLeg& leg : sector_.plan.legs) check(leg);
      for (const PathNode& node : sector_.plan.nodes)
        if (joins_ways(node)) check(node.id.value, SweptFloor(node), name_of(node.kind));
    }
    AuditReport out;
    finding_.add_to(out);
    return out;
  }

 private:
  /// One turns on it from way to way.
  [[nodiscard]] bool joins_ways(const PathNode& node) const {
    const auto& legs = sector_.plan.legs;
    return std::count_if(legs.begin(), legs.end(),
                         [&](const PathLeg& leg) { return leg.from == node.id || leg.to == node.id; }) > 1;
  }

  void check(const PathLeg& leg) {
    const std::vector<PathPiece> ways = ways_of(sector_.plan, leg);
    if (!finding_.keeps(is_chain(sector_.plan, leg, ways) ? 100 : 0)) {
      const Vec3d at = ways.empty() ? Vec3d{512, 512, 0} : place_of(ways.front().from);
      broken(fmt::format("the {} has a gap between its pieces, or to its nodes", name_of(leg.kind)), at,
             {at.x - 4, at.y, at.z + kEyesM});
    }
    for (const PathPiece& way : ways) check(way.id.value, SweptFloor(way), name_of(leg.kind));
  }

  void check(std::uint64_t id, const SweptFloor& floor, std::string_view what) {
    const auto found = strips_.find(id);
    for (const bool air : {true, false}) {
      StripCheck strip(sector_, floor, air, field_);
      std::span<const CertifiedBox> boxes;
      if (found != strips_.end()) boxes = air ? found->second->air : found->second->rock;
      const double share = 100 * strip.run(boxes);
      if (finding_.keeps(share)) continue;
      broken(fmt::format("{} of the {}: {:.2f} % of its plan are proven; {}",
                         air ? "3 m of air over the floor" : "rock under the floor", what, share,
                         strip.reason().empty() ? "no box about this place" : strip.reason()),
             strip.place(), floor.eye(strip.place()));
    }
  }

  void broken(std::string message, const Vec3d& at, const Vec3d& from) {
    finding_.broken(std::move(message), sector_.world(at), sector_.world(from));
  }

  const AuditedSector& sector_;
  FieldSampler field_;
  std::map<std::uint64_t, const CertifiedStrip*> strips_;
  Finding finding_{"certificate", 17, "%", Keeps::kAtLeast, 100};
};

}  // namespace

AuditReport verify_routes(const AuditedSector& sector, const RouteCertificate& certificate) {
  return RouteCheck(sector, certificate)
      .run(certificate.names == route_names(sector) && certificate.corridor == kContract);
}

}  // namespace vf

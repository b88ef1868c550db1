#include "audit/swept_floor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "audit/route_certificate.h"
#include "math/vec.h"
#include "plan/path_plan.h"

namespace vf {

namespace {

constexpr double kUnitM = 1.0 / kCertificateUnits;
constexpr double kHalfWidthM = SweptCorridor{}.half_width * kUnitM;
constexpr double kLessM = 1e-6;  ///< all sides
constexpr double kEyesM = 1.7;

Vec3d metres_of(const PositionUm& p) {
  return {static_cast<double>(p.x) / 1e6, static_cast<double>(p.y) / 1e6, static_cast<double>(p.z) / 1e6};
}

double dot(const Vec3d& a, const Vec3d& b) {
  return a.x * b.x + a.y * b.y;
}

}  // namespace

/// A convex polygon in plan, in order.
struct SweptFloor::Polygon {
  std::array<Vec3d, 8> corners{};  ///< a rectangle, cut four times
  std::size_t count = 0;

  explicit Polygon(const PlanRect& r) : count(4) {
    const double x0 = r.x0 * kUnitM, y0 = r.y0 * kUnitM, x1 = r.x1 * kUnitM, y1 = r.y1 * kUnitM;
    corners = {{{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y1, 0}}};
  }

  /// Keeps the part where the linear function is positive (Sutherland and Hodgman).
  template <class Linear>
  void cut(const Linear& f) {
    const Polygon old = *this;
    count = 0;
    for (std::size_t i = 0; i < old.count; ++i) {
      const Vec3d &a = old.corners.at(i), &b = old.corners.at((i + 1) % old.count);
      const double fa = f(a), fb = f(b), t = fa / (fa - fb);
      if (fa > 0) corners.at(count++) = a;
      if ((fa > 0) != (fb > 0)) corners.at(count++) = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), 0};
    }
  }
};

SweptFloor::SweptFloor(const PathPiece& piece)
    : from_(metres_of(piece.from)), to_(metres_of(piece.to)), half_rise_((to_.z - from_.z) / 2) {
  const double chord = std::hypot(to_.x - from_.x, to_.y - from_.y),
               curvature = static_cast<double>(piece.curvature_nano) / 1e9;
  sound_ = chord > 0 && std::fabs(curvature) * chord < 2;
  if (!sound_) return;
  u_ = {(to_.x - from_.x) / chord, (to_.y - from_.y) / chord, 0};
  v_ = {-u_.y, u_.x, 0};
  half_chord_ = chord / 2;
  middle_ = {(from_.x + to_.x) / 2, (from_.y + to_.y) / 2, (from_.z + to_.z) / 2};
  if (curvature == 0) return;
  radius_ = 1 / std::fabs(curvature);
  if (curvature > 0) v_ = {-v_.x, -v_.y, 0};
  const double back = std::sqrt(radius_ * radius_ - half_chord_ * half_chord_);
  middle_ = {middle_.x - back * v_.x, middle_.y - back * v_.y, middle_.z};
  tangent_ = half_chord_ / back;
  sagitta_ = radius_ - back;
}

SweptFloor::SweptFloor(const PathNode& node)
    : from_(metres_of(node.at)), to_(from_), middle_(from_), disc_(true) {}

/// How far along the chord the lines across the ends are.
double SweptFloor::end_at(const Vec3d& seen) const {
  return radius_ == 0 ? half_chord_ : dot(seen, v_) * tangent_;
}

/// Between the ends, and of a straight between its sides.
SweptFloor::Polygon SweptFloor::swept_part(const PlanRect& rect) const {
  Polygon part(rect);
  if (disc_) return part;
  part.cut([this](const Vec3d& p) { return end_at(seen(p)) - dot(seen(p), u_) - kLessM; });
  part.cut([this](const Vec3d& p) { return end_at(seen(p)) + dot(seen(p), u_) - kLessM; });
  if (radius_ != 0) return part;
  part.cut([this](const Vec3d& p) { return kHalfWidthM - dot(seen(p), v_) - kLessM; });
  part.cut([this](const Vec3d& p) { return kHalfWidthM + dot(seen(p), v_) - kLessM; });
  return part;
}

/// Whether a disc, or the ring that an arc lies in, has a point of the polygon. Distances from its centre
/// take all values between the least and the greatest one.
bool SweptFloor::in_ring(const Polygon& part) const {
  double least = 1e18, greatest = 0;  // squares
  bool inside = true;
  for (std::size_t i = 0; i < part.count; ++i) {
    const Vec3d a = seen(part.corners.at(i)), b = seen(part.corners.at((i + 1) % part.count));
    const Vec3d side{b.x - a.x, b.y - a.y, 0};
    const double t = std::clamp(-dot(a, side) / std::max(dot(side, side), 1e-18), 0.0, 1.0);
    const Vec3d nearest{a.x + t * side.x, a.y + t * side.y, 0};
    least = std::min(least, dot(nearest, nearest));
    greatest = std::max(greatest, dot(a, a));
    inside = inside && a.x * side.y - a.y * side.x >= 0;
  }
  const double inner = radius_ - kHalfWidthM + kLessM, outer = radius_ + kHalfWidthM - kLessM;
  return (inside || least < outer * outer) && (inner < 0 || greatest > inner * inner);
}

/// On a straight the floor is linear, on an arc linear in the tangent of the angle from its middle: between
/// the ends both are extreme in corners.
std::optional<HeightRange> SweptFloor::heights(const PlanRect& rect) const {
  const Polygon part = swept_part(rect);
  if (part.count == 0 || ((disc_ || radius_ != 0) && !in_ring(part))) return std::nullopt;
  if (half_rise_ == 0) return HeightRange{middle_.z, middle_.z};
  HeightRange z{1e18, -1e18};
  for (std::size_t i = 0; i < part.count; ++i) {
    const Vec3d d = seen(part.corners.at(i));
    const double height = middle_.z + half_rise_ * dot(d, u_) / end_at(d);
    z = {std::min(z.low, height), std::max(z.high, height)};
  }
  return z;
}

PlanRect SweptFloor::around() const {
  const double beside = kHalfWidthM + sagitta_;
  const auto low = [&](double a, double b) {
    return static_cast<std::int32_t>(std::floor((std::min(a, b) - beside) / kUnitM));
  };
  const auto high = [&](double a, double b) {
    return static_cast<std::int32_t>(std::ceil((std::max(a, b) + beside) / kUnitM));
  };
  return {low(from_.x, to_.x), low(from_.y, to_.y), high(from_.x, to_.x), high(from_.y, to_.y)};
}

Vec3d SweptFloor::eye(const Vec3d& at) const {
  const auto off = [&](const Vec3d& p) { return std::hypot(p.x - at.x, p.y - at.y); };
  Vec3d p = off(from_) > off(to_) ? from_ : to_;
  if (off(p) < 1) p.x -= 4;
  return {p.x, p.y, p.z + kEyesM};
}

}  // namespace vf

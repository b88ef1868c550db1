// The floor of a planned way as the contract sweeps it: for the verifier of route certificates, by formulas
// of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "audit/route_certificate.h"
#include "math/vec.h"
#include "plan/path_plan.h"

namespace vf {

/// Heights. [metres]
struct HeightRange {
  double low = 0, high = 0;
};

/// A rectangle in plan. [1/256 m]
struct PlanRect {
  std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  [[nodiscard]] bool holds(const PlanRect& r) const {
    return x0 <= r.x0 && y0 <= r.y0 && r.x1 <= x1 && r.y1 <= y1;
  }
  [[nodiscard]] bool overlaps(const PlanRect& r) const {
    return x0 < r.x1 && r.x0 < x1 && y0 < r.y1 && r.y0 < y1;
  }
  /// [m2]
  [[nodiscard]] double area() const {
    constexpr double kUnit = 1.0 / kCertificateUnits;
    return static_cast<double>(x1 - x0) * static_cast<double>(y1 - y0) * kUnit * kUnit;
  }
};

/// What lies within 1.5 m of a middle line, up to the lines across its ends, less a micrometre. Plain double
/// precision: a micrometre is far more than its rounding. Seen from `middle`, the middle of a straight or the
/// centre of an arc, `u` runs along the chord and `v` across it, on an arc from the centre to its middle.
class SweptFloor {
 public:
  explicit SweptFloor(const PathPiece& piece);
  /// The turn on a node: a disc.
  explicit SweptFloor(const PathNode& node);

  /// False when the record describes no line, or an arc of half a circle or more.
  [[nodiscard]] bool sound() const { return sound_; }

  /// Heights of the planned floor over what is swept of the rectangle; none where nothing is.
  [[nodiscard]] std::optional<HeightRange> heights(const PlanRect& rect) const;

  /// Holds all that is swept.
  [[nodiscard]] PlanRect around() const;

  /// Where to stand to see a place on it. [metres, sector]
  [[nodiscard]] Vec3d eye(const Vec3d& at) const;

 private:
  struct Polygon;
  [[nodiscard]] Polygon swept_part(const PlanRect& rect) const;
  [[nodiscard]] bool in_ring(const Polygon& part) const;
  [[nodiscard]] Vec3d seen(const Vec3d& p) const { return {p.x - middle_.x, p.y - middle_.y, 0}; }
  [[nodiscard]] double end_at(const Vec3d& seen) const;

  Vec3d from_, to_, u_, v_, middle_;
  double half_chord_ = 0, half_rise_ = 0, radius_ = 0, tangent_ = 0, sagitta_ = 0;
  bool disc_ = false, sound_ = true;
};

}  // namespace vf

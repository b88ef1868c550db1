#include "test_support/walkers/corridor_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "base/check.h"
#include "exports/corridor_file.h"
#include "field/bound_field.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf::test {

namespace {

constexpr double kFloorM = 6;                          // where the floor is lowest
constexpr double kHalfWidthM = 1.75, kHeightM = 3.25;  // of the corridor, as the planner builds it
constexpr double kSteepM = 4;                          // half of the steeper part
constexpr double kStartX = 9.5, kStartY = 20.75;       // of u = 0; off the lattice of tiles

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}
std::string number(double v) {
  return "(" + std::to_string(v) + ")";
}

/// The floor rises by the grade, and between `first` and first + 2 kSteepM by `more` besides.
struct Floor {
  explicit Floor(const CorridorShape& shape)
      : low(kFloorM - std::min(0.0, std::tan(radians(shape.grade_deg)) * shape.length_m)),
        first(shape.length_m / 2 - kSteepM),
        rise(std::tan(radians(shape.grade_deg))),
        more(shape.steeper_deg > 0 ? std::tan(radians(shape.steeper_deg)) - rise : 0) {}
  [[nodiscard]] double at(double u) const {
    return low + rise * u + more * std::min(std::max(u - first, 0.0), 2 * kSteepM);
  }
  [[nodiscard]] std::string formula() const {
    return number(low) + " + " + number(rise) + "*u + " + number(more) + "*clamp(u - " + number(first) +
           ", 0, " + number(2 * kSteepM) + ")";
  }
  double low, first, rise, more;
};

std::string formulas(const CorridorShape& shape) {
  const std::string x = "(x - " + number(kStartX) + ")", y = "(y - " + number(kStartY) + ")";
  std::string out;
  const auto define = [&](const std::string& name, const std::string& formula) {
    out += name + " = \"" + formula + "\"\n";
  };
  if (shape.arc_radius_m > 0) {
    const std::string r = number(shape.arc_radius_m);
    define("u", r + " * angle(" + r + " - " + y + ", " + x + ")");
    define("v", r + " - length(" + x + ", " + y + " - " + r + ")");
  } else {
    const std::string c = number(std::cos(radians(shape.heading_deg))),
                      s = number(std::sin(radians(shape.heading_deg)));
    define("u", x + "*" + c + " + " + y + "*" + s);
    define("v", y + "*" + c + " - " + x + "*" + s);
  }
  const Floor floor(shape);
  const std::string height = number(kHeightM), over = "z - (" + floor.formula() + ")";
  // In a coil w starts anew half-way through the rock between two turns.
  const double turn_m = floor.rise * 2 * std::numbers::pi * shape.arc_radius_m;
  const std::string below = number((turn_m - kHeightM) / 2);
  define("w", shape.coil ? "mod(" + over + " + " + below + ", " + number(turn_m) + ") - " + below : over);
  define("corridor", "min(" + number(kHalfWidthM) + " - abs(v), w, " + height + " - w)");
  const std::string ends = shape.coil ? "" : ", u, " + number(shape.length_m) + " - u";
  define("phi", "min(max(corridor, " + shape.air + "), -(" + shape.solid + ")" + ends + ")");
  return out;
}

/// The line's point at u, on the floor.
Vec3d line_point(const CorridorShape& shape, double u) {
  const double z = Floor(shape).at(u);
  if (const double r = shape.arc_radius_m; r > 0)
    return {kStartX + r * std::sin(u / r), kStartY + r - r * std::cos(u / r), z};
  const double a = radians(shape.heading_deg);
  return {kStartX + u * std::cos(a), kStartY + u * std::sin(a), z};
}

}  // namespace

Corridor mesh_corridor(const CorridorShape& shape) {
  const Built built(formulas(shape), "", "gradient_bound = 16\n");
  if (!built.error.empty()) check_failed(built.error.c_str(), __FILE__, __LINE__);
  std::vector<Vec3d> line;
  for (double u = 2; u < shape.length_m - 2.25; u += 0.5) line.push_back(line_point(shape, u));
  line.push_back(line_point(shape, shape.length_m - 2));
  const std::vector<TileKey> tiles = corridor_tiles(line, {}, built.density().height_m);
  const auto field =
      std::make_shared<const BoundField>(bind_field(built.value.density, {0, 0}, mesh_window(tiles), {}, 1));
  const SimdLevel simd = best_simd_level();
  const RegionMesh mesh = mesh_region(evaluate_for_mesh(field, tiles, {simd, true}, 1), simd, 1);
  const std::vector<const MeshPiece*> pieces = mesh.pieces();
  const std::array<CorridorPieces, 1> ground{{{pieces, {}}}};
  return make_corridor(ground, line);
}

}  // namespace vf::test

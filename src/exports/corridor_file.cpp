#include "exports/corridor_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

namespace {

/// Which places are near a line; a grid over the plan holds the stretches that come near each cell.
class NearLine {
 public:
  NearLine(std::span<const Vec3d> line, const CorridorSettings& settings) : line_(line), settings_(settings) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const Vec3d &a = line[i], &b = line[i + 1];
      const std::int64_t y1 = cell(std::max(a.y, b.y) + settings.reach_m);
      const std::int64_t x1 = cell(std::max(a.x, b.x) + settings.reach_m);
      for (std::int64_t y = cell(std::min(a.y, b.y) - settings.reach_m); y <= y1; ++y)
        for (std::int64_t x = cell(std::min(a.x, b.x) - settings.reach_m); x <= x1; ++x)
          cells_[{x, y}].push_back(i);
    }
  }

  [[nodiscard]] bool holds(const Vec3d& p) const {
    const auto found = cells_.find({cell(p.x), cell(p.y)});
    return found != cells_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                [&](std::size_t stretch) { return near(stretch, p); });
  }

 private:
  static constexpr double kCellM = 8;
  static std::int64_t cell(double v) { return static_cast<std::int64_t>(std::floor(v / kCellM)); }

  [[nodiscard]] bool near(std::size_t stretch, const Vec3d& p) const {
    const Vec3d &a = line_[stretch], &b = line_[stretch + 1];
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy) <= settings_.reach_m &&
           std::abs(p.z - a.z - t * (b.z - a.z)) <= settings_.height_m;
  }

  std::span<const Vec3d> line_;
  CorridorSettings settings_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> cells_;
};

Vec3d place_of(const MeshPiece& piece, const MeshVertex& v, const Vec3d& origin_m) {
  const double unit_m = std::ldexp(0.25 / kVoxelUnits, piece.anchor.level);
  const auto at = [&](std::int32_t tile, std::int16_t units) {
    return (static_cast<double>(tile) * kTileEdge * kVoxelUnits + units) * unit_m;
  };
  return {origin_m.x + at(piece.anchor.tx, v.x), origin_m.y + at(piece.anchor.ty, v.y),
          origin_m.z + at(piece.anchor.tz, v.z)};
}

Vec3f relative(const Vec3d& p, const Vec3d& origin_m) {
  return {static_cast<float>(p.x - origin_m.x), static_cast<float>(p.y - origin_m.y),
          static_cast<float>(p.z - origin_m.z)};
}

void add_piece(const MeshPiece& piece, const Vec3d& frame_m, const NearLine& near, Corridor& out) {
  constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();
  std::vector<Vec3d> places;
  std::vector<char> is_near;
  for (const MeshVertex& v : piece.vertices) {
    places.push_back(place_of(piece, v, frame_m));
    is_near.push_back(near.holds(places.back()) ? 1 : 0);
  }
  std::vector<std::uint32_t> index(places.size(), kUnused);
  for (const Triangle& t : piece.triangles) {
    if (std::none_of(t.at.begin(), t.at.end(), [&](std::uint32_t v) { return is_near[v] != 0; })) continue;
    std::array<std::uint32_t, 3>& triangle = out.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& at = index[t.at[k]];
      if (at == kUnused) {
        at = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.push_back(relative(places[t.at[k]], out.origin_m));
      }
      triangle[k] = at;
    }
  }
}

/// y up, as in every file of ours. 0 - y and not -y: no file says -0.
void add_point(const Vec3f& p, std::string& out) {
  fmt::format_to(std::back_inserter(out), "v {} {} {}\n", p.x, p.z, 0 - p.y);
}

}  // namespace

Corridor make_corridor(std::span<const CorridorPieces> ground, std::span<const Vec3d> line_m,
                       const CorridorSettings& settings) {
  VF_CHECK(line_m.size() >= 2);
  Corridor out;
  out.origin_m = {std::floor(line_m[0].x), std::floor(line_m[0].y), std::floor(line_m[0].z)};
  for (const Vec3d& p : line_m) out.line.push_back(relative(p, out.origin_m));
  const NearLine near(line_m, settings);
  for (const CorridorPieces& part : ground)
    for (const MeshPiece* piece : part.pieces) add_piece(*piece, part.origin_m, near, out);
  return out;
}

std::string encode_corridor(const Corridor& corridor) {
  std::string out = "# voxelforge corridor 1\n# metres, y up\n";
  const auto to_out = std::back_inserter(out);
  fmt::format_to(to_out, "# origin_m {} {} {}\no ground\n", corridor.origin_m.x, corridor.origin_m.y,
                 corridor.origin_m.z);
  for (const Vec3f& p : corridor.vertices) add_point(p, out);
  for (const auto& t : corridor.triangles)
    fmt::format_to(to_out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  out += "o route\n";
  for (const Vec3f& p : corridor.line) add_point(p, out);
  out += "l";
  for (std::size_t i = 0; i < corridor.line.size(); ++i)
    fmt::format_to(to_out, " {}", corridor.vertices.size() + i + 1);
  out += "\n";
  return out;
}

}  // namespace vf

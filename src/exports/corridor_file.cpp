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
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

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

  /// Asked for one place after another: neighbours mostly lie in one cell, which is kept.
  [[nodiscard]] bool holds(const Vec3d& p) {
    if (const Cell at{cell(p.x), cell(p.y)}; stretches_ == nullptr || at != at_) {
      static const std::vector<std::size_t> kNone;
      const auto found = cells_.find(at);
      at_ = at;
      stretches_ = found == cells_.end() ? &kNone : &found->second;
    }
    return std::any_of(stretches_->begin(), stretches_->end(),
                       [&](std::size_t stretch) { return near(stretch, p); });
  }

 private:
  using Cell = std::pair<std::int64_t, std::int64_t>;
  static constexpr double kCellM = 8;
  static std::int64_t cell(double v) { return static_cast<std::int64_t>(std::floor(v / kCellM)); }

  [[nodiscard]] bool near(std::size_t stretch, const Vec3d& p) const {
    const Vec3d &a = line_[stretch], &b = line_[stretch + 1];
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    const double t = std::clamp(along, 0.0, 1.0);
    const double off_x = p.x - a.x - t * dx, off_y = p.y - a.y - t * dy;
    return off_x * off_x + off_y * off_y <= settings_.reach_m * settings_.reach_m &&
           std::abs(p.z - a.z - t * (b.z - a.z)) <= settings_.height_m;
  }

  std::span<const Vec3d> line_;
  CorridorSettings settings_;
  std::map<Cell, std::vector<std::size_t>> cells_;
  Cell at_;
  const std::vector<std::size_t>* stretches_ = nullptr;  ///< near the cell `at_`
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

void add_piece(const MeshPiece& piece, const Vec3d& frame_m, NearLine& near, Corridor& out) {
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

std::vector<TileKey> corridor_tiles(std::span<const Vec3d> line_m, const Vec3d& frame_origin_m,
                                    float height_m, const CorridorSettings& settings) {
  VF_CHECK(line_m.size() >= 2);
  const double edge = static_cast<double>(tile_m(0));
  const TileSpan span = stratum_tiles(0, height_m);
  const auto tile = [&](double v) { return static_cast<std::int32_t>(std::floor(v / edge)); };
  std::set<std::array<std::int32_t, 3>> found;  // x, y, z
  const auto add_around = [&](const Vec3d& p) {
    const double x = p.x - frame_origin_m.x, y = p.y - frame_origin_m.y, z = p.z - frame_origin_m.z;
    const std::int32_t low = std::max(span.first, tile(z - settings.height_m));
    const std::int32_t high = std::min(span.last, tile(z + settings.height_m));
    for (std::int32_t tx = tile(x - settings.reach_m); tx <= tile(x + settings.reach_m); ++tx)
      for (std::int32_t ty = tile(y - settings.reach_m); ty <= tile(y + settings.reach_m); ++ty)
        for (std::int32_t tz = low; tz <= high; ++tz) found.insert({tx, ty, tz});
  };
  constexpr double kStepM =
      0.5;  // a tile that is touched by less between two of them has no floor of the line
  for (std::size_t i = 0; i + 1 < line_m.size(); ++i) {
    const Vec3d &a = line_m[i], &b = line_m[i + 1];
    const double parts = std::ceil(std::hypot(b.x - a.x, b.y - a.y, b.z - a.z) / kStepM);
    for (double k = 0; k <= parts; ++k) {
      const double t = parts > 0 ? k / parts : 0;
      add_around({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)});
    }
  }
  std::vector<TileKey> out;
  for (const auto& [tx, ty, tz] : found) out.push_back({0, tx, ty, tz});
  return out;
}

Corridor make_corridor(std::span<const CorridorPieces> ground, std::span<const Vec3d> line_m,
                       const CorridorSettings& settings) {
  VF_CHECK(line_m.size() >= 2);
  Corridor out;
  out.origin_m = {std::floor(line_m[0].x), std::floor(line_m[0].y), std::floor(line_m[0].z)};
  for (const Vec3d& p : line_m) out.line.push_back(relative(p, out.origin_m));
  NearLine near(line_m, settings);
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

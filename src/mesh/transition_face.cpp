#include "mesh/transition_face.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/lanes.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/transition_table.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

namespace {

constexpr std::size_t kAcross = std::size_t{kTileEdge} + 1;

using FacePlace = std::array<std::int32_t, 2>;

std::size_t index_of(int direction, int along, int across) {
  return (static_cast<std::size_t>(direction) * kAcross + static_cast<std::size_t>(across)) * kTileEdge +
         static_cast<std::size_t>(along);
}

std::int16_t part(const MeshVertex& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

float part(Vec3f v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Float4 lanes_of(Vec3f n) {
  return Float4{n.x, n.y, n.z, 1};
}

Vec3f vector_of(Float4 n) {
  return {n[0], n[1], n[2]};
}

}  // namespace

/// Gives each vertex of a transition cell a place of its own, on no line of the fine lattice: audits, and
/// whoever else joins vertices by position, must not take two for one.
class FacePlaces {
 public:
  /// `at`, or the next free one along u; within [low, low + edge] with a margin.
  FacePlace take(FacePlace at, const FacePlace& low, std::int32_t edge) {
    const auto line = [](std::int32_t v) { return v % kVoxelUnits == 0; };
    if (line(at[1])) ++at[1];
    const auto taken = [&] { return std::find(std::as_const(taken_).data(), end(), at) != end(); };
    while (line(at[0]) || taken())
      at[0] = at[0] >= low[0] + edge - kCellMargin ? low[0] + kCellMargin : at[0] + 1;
    VF_CHECK(count_ < taken_.size());
    return taken_[count_++] = at;
  }

 private:
  [[nodiscard]] const FacePlace* end() const { return taken_.data() + count_; }
  std::array<FacePlace, std::size_t{2} * kTransitionSquares + kMaxTransitionCycles> taken_{};
  std::size_t count_ = 0;
};

struct TransitionFace::Around {
  int u = 0, v = 0;  ///< of the cell's first sample. [voxels]
  std::array<const BorderCrossing*, kFineTransitionEdges> crossing{};
  std::array<FacePoint, kFineTransitionEdges> point{};  ///< from the cell's first sample
  std::array<Vec3f, kFineTransitionEdges> normal{};
  TransitionMask mask = 0;
};

TransitionFace::TransitionFace()
    : at_(2 * kAcross * kTileEdge), cells_(kCells * kCells), made_(kCells * kCells) {}

void TransitionFace::load(const TileMesh& fine, int axis, bool high) {
  tile_ = &fine;
  axis_ = axis;
  iu_ = (axis + 1) % 3;
  iv_ = (axis + 2) % 3;
  high_ = high;
  std::fill(at_.begin(), at_.end(), std::uint16_t{0});
  std::fill(made_.begin(), made_.end(), std::uint8_t{0});
  for (auto& lines : lines_) lines.fill(0);
  vertices_.clear();
  const int plane = high ? kTileEdge : 0;
  for (std::size_t n = 0; n < fine.border.crossings.size(); ++n) {
    const BorderCrossing& c = fine.border.crossings[n];
    const std::array<int, 3> from{c.x, c.y, c.z};
    if (c.axis == axis || from[static_cast<std::size_t>(axis)] != plane) continue;
    const int u = from[static_cast<std::size_t>(iu_)], v = from[static_cast<std::size_t>(iv_)];
    const int direction = c.axis == iu_ ? 0 : 1, along = direction == 0 ? u : v,
              across = direction == 0 ? v : u;
    at_[index_of(direction, along, across)] = static_cast<std::uint16_t>(n + 1);
    lines_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(across)] |= 1U << along;
  }
}

const BorderCrossing* TransitionFace::crossing_at(int direction, int along, int across) const {
  const std::uint16_t n = at_[index_of(direction, along, across)];
  return n == 0 ? nullptr : &tile_->border.crossings[n - std::size_t{1}];
}

const BorderCrossing* TransitionFace::crossing(int axis, const std::array<int, 3>& from) const {
  const int u = from[static_cast<std::size_t>(iu_)], v = from[static_cast<std::size_t>(iv_)];
  return axis == iu_ ? crossing_at(0, u, v) : crossing_at(1, v, u);
}

/// The signs follow from the crossings: each changes them, and knows which of its ends is solid.
TransitionFace::Around TransitionFace::around(int i, int j) const {
  Around a;
  a.u = 2 * i;
  a.v = 2 * j;
  for (int direction = 0; direction < 2; ++direction)
    for (int across = 0; across < 3; ++across)
      for (int along = 0; along < 2; ++along)
        a.crossing[static_cast<std::size_t>(transition_edge(direction, along, across))] =
            direction == 0 ? crossing_at(0, a.u + along, a.v + across)
                           : crossing_at(1, a.v + along, a.u + across);
  const auto is_crossed = [&](int direction, int along, int across) {
    return a.crossing[static_cast<std::size_t>(transition_edge(direction, along, across))] != nullptr;
  };
  std::array<bool, 9> differs{};  // from the first sample
  for (std::size_t y = 0; y < 3; ++y) {
    if (y > 0) differs[3 * y] = differs[3 * y - 3] != is_crossed(1, static_cast<int>(y) - 1, 0);
    for (std::size_t x = 1; x < 3; ++x)
      differs[3 * y + x] =
          differs[3 * y + x - 1] != is_crossed(0, static_cast<int>(x) - 1, static_cast<int>(y));
  }
  bool first_solid = false;
  for (std::size_t e = 0; e < a.crossing.size(); ++e) {
    const BorderCrossing* c = a.crossing[e];
    if (c == nullptr) continue;
    const std::array<int, 3> from{c->x, c->y, c->z};
    const int x = from[static_cast<std::size_t>(iu_)] - a.u, y = from[static_cast<std::size_t>(iv_)] - a.v;
    first_solid = c->solid_low_end != differs[static_cast<std::size_t>(x + 3 * y)];
    const auto local = [&](int axis, int corner) {
      return static_cast<float>(part(c->point, axis)) / kVoxelUnits - static_cast<float>(corner);
    };
    a.normal[e] = decode_normal(c->point.normal);
    a.point[e] = {{local(iu_, a.u), local(iv_, a.v)}, {part(a.normal[e], iu_), part(a.normal[e], iv_)}};
  }
  for (std::size_t s = 0; s < differs.size(); ++s)
    if (first_solid != differs[s]) a.mask = static_cast<TransitionMask>(a.mask | 1U << s);
  return a;
}

/// `at`: from the cell's first sample. [voxel / 512]
std::uint32_t TransitionFace::add_vertex(const Around& a, const FacePlace& at, Vec3f normal) {
  std::array<std::int32_t, 3> place{};
  place[static_cast<std::size_t>(axis_)] = high_ ? kTileEdge * kVoxelUnits : 0;
  place[static_cast<std::size_t>(iu_)] = a.u * kVoxelUnits + at[0];
  place[static_cast<std::size_t>(iv_)] = a.v * kVoxelUnits + at[1];
  const auto unit = [&](std::size_t axis) { return static_cast<std::int16_t>(place[axis]); };
  vertices_.push_back({unit(0), unit(1), unit(2), encode_normal(normal)});
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

/// Two on each ambiguous square, as TileVertices makes them on faces within a tile. A coarse edge is crossed
/// where one of its halves is.
void TransitionFace::make_segments(const Around& a, FacePlaces& places, TransitionCell& cell) {
  const unsigned ambiguous = kTransitionShapes[a.mask].ambiguous;
  for (int q = 0; q < kTransitionSquares; ++q) {
    if ((ambiguous >> q & 1) == 0) continue;
    const int edge = q == kCoarseSquare ? 2 : 1;
    const int x0 = q == kCoarseSquare ? 0 : q & 1, y0 = q == kCoarseSquare ? 0 : q >> 1;
    const auto crossed = [&](int direction, int along, int across) {
      auto e = static_cast<std::size_t>(transition_edge(direction, along, across));
      if (q == kCoarseSquare && a.crossing[e] == nullptr) ++e;  // the other half
      return e;
    };
    const bool diagonal = (a.mask >> (x0 + 3 * y0) & 1) != 0;  // solid corners at 00 and 11, or 10 and 01
    for (int v = 0; v < 2; ++v) {
      const int u = diagonal ? v : 1 - v;
      const std::size_t along_u = crossed(0, x0, y0 + v * edge), along_v = crossed(1, y0, x0 + u * edge);
      const std::array<FacePoint, 2> ends{a.point[along_u], a.point[along_v]};
      // In the square itself, so that a vertex stays in it.
      std::array<FacePoint, 2> local = ends;
      for (FacePoint& p : local) p.at = {p.at[0] - static_cast<float>(x0), p.at[1] - static_cast<float>(y0)};
      const FacePlace low{x0 * kVoxelUnits, y0 * kVoxelUnits};
      const FacePlace fitted = fit_on_face(local, edge * kVoxelUnits);
      const FacePlace at = places.take({low[0] + fitted[0], low[1] + fitted[1]}, low, edge * kVoxelUnits);
      SmoothGroups groups;
      groups.add(lanes_of(a.normal[along_u]));
      groups.add(lanes_of(a.normal[along_v]));
      groups.finish(2);
      const SmoothGroups::Group side = groups.first_of(3);
      const std::uint32_t first = add_vertex(a, at, vector_of(side.sum));
      cell.segment[static_cast<std::size_t>(q)][static_cast<std::size_t>(v)] = {
          first, side.members == 3 ? first : add_vertex(a, at, a.normal[along_v])};
    }
  }
}

/// One vertex for each smooth side of each cycle.
void TransitionFace::make_cycles(const Around& a, FacePlaces& places, TransitionCell& cell) {
  const TransitionShape& shape = kTransitionShapes[a.mask];
  for (std::size_t c = 0; c < shape.cycles; ++c) {
    std::array<FacePoint, kFineTransitionEdges> points;
    std::array<std::size_t, kFineTransitionEdges> edge_of{};
    SmoothGroups groups;
    std::size_t size = 0;
    for (std::size_t e = 0; e < kFineTransitionEdges; ++e) {
      if (shape.cycle[e] != c) continue;
      points[size] = a.point[e];
      groups.add(lanes_of(a.normal[e]));
      edge_of[size++] = e;
    }
    groups.finish(size);
    constexpr std::int32_t kEdge = 2 * kVoxelUnits;
    const FacePlace at = places.take(fit_on_face({points.data(), size}, kEdge), {0, 0}, kEdge);
    for (unsigned rest = groups.all(); rest != 0;) {
      const SmoothGroups::Group group = groups.first_of(rest);
      const std::uint32_t vertex = add_vertex(a, at, vector_of(group.sum));
      for (unsigned m = group.members; m != 0; m &= m - 1)
        cell.vertex[edge_of[static_cast<std::size_t>(std::countr_zero(m))]] = vertex;
      rest &= ~group.members;
    }
  }
  for (std::size_t side = 0; side < kTransitionHalves.size(); ++side) {
    const auto& halves = kTransitionHalves[side];
    cell.vertex[kFineTransitionEdges + side] = cell.vertex[halves[a.crossing[halves[0]] != nullptr ? 0 : 1]];
  }
}

const TransitionCell& TransitionFace::cell(int i, int j) {
  const std::size_t n = static_cast<std::size_t>(j) * kCells + static_cast<std::size_t>(i);
  TransitionCell& cell = cells_[n];
  if (made_[n] != 0) return cell;
  made_[n] = 1;
  const Around a = around(i, j);
  cell.mask = a.mask;
  FacePlaces places;
  make_segments(a, places, cell);
  make_cycles(a, places, cell);
  return cell;
}

}  // namespace vf

#include "mesh/mixed_seam.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/cell_table.h"
#include "mesh/edge_polygon.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/seam_vertices.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/transition_face.h"
#include "mesh/transition_table.h"
#include "mesh/vertex_fit.h"

namespace vf {

/// A crossed edge of either level on a line.
struct MixedSeam::Edge {
  std::array<int, 3> from{};  ///< [voxels of the seam]
  bool coarse = false;
  bool solid_low_end = false;
};

/// Quadrants of one level that follow each other.
struct MixedSeam::Run {
  std::size_t first = 0, count = 0;
  bool coarse = false;
};

namespace {

constexpr std::uint32_t kOtherHub = 0xFFFFFFFFU;

std::size_t after(std::size_t k) {
  return (k + 1) & 3;
}
std::size_t ahead_of(std::size_t k) {
  return (k + 3) & 3;
}

std::size_t index(int axis) {
  return static_cast<std::size_t>(axis);
}

int along(const MeshVertex& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

void add(SeamPolygon& polygon, std::uint32_t vertex) {
  VF_CHECK(polygon.count < polygon.corners.size());
  polygon.corners[polygon.count++] = vertex;
}

/// An edge as a transition cell beside it counts; see transition_edge.
struct TransitionPlace {
  const TransitionCell* cell = nullptr;
  int direction = 0, along = 0, across = 0;
};

/// `from`: where the edge starts. [voxels of the seam]
TransitionPlace place_of(const SeamSide& side, int axis, const std::array<int, 3>& from) {
  const int at = from[index(axis)] - side.origin[index(axis)],
            across = from[index(side.across)] - side.origin[index(side.across)];
  // Odd: between the halves of a coarse square, whichever side of the line is meant.
  const int i = at >> 1, j = (across >> 1) - (side.low && (across & 1) == 0 ? 1 : 0);
  const int direction = side.face->direction(axis);
  const TransitionCell& cell = direction == 0 ? side.face->cell(i, j) : side.face->cell(j, i);
  return {&cell, direction, at & 1, across - 2 * j};
}

/// Cell k around an edge, in its tile.
const CellVertices& cell_around(const SeamLine& line, std::size_t k, const std::array<int, 3>& from) {
  const SeamTile& tile = *line.quadrant[k];
  std::array<int, 3> cell{};
  for (std::size_t i = 0; i < 3; ++i) cell[i] = (from[i] - tile.origin[i]) / tile.scale;
  cell[index((line.axis + 1) % 3)] += kAroundEdge[k][0];
  cell[index((line.axis + 2) % 3)] += kAroundEdge[k][1];
  return cell_in(tile.mesh->border, cell);
}

MeshVertex vertex_on(const SeamLine& line, int at, Float4 normal) {
  std::array<int, 3> place{};
  for (std::size_t i = 0; i < 3; ++i) place[i] = line.at[i] * kVoxelUnits;
  place[index(line.axis)] = at;
  const auto unit = [&](std::size_t i) { return static_cast<std::int16_t>(place[i]); };
  return {unit(0), unit(1), unit(2), encode_normal({normal[0], normal[1], normal[2]})};
}

LineCrossings crossings_on(const SeamLine& line, int from) {
  const auto side =
      std::find_if(line.side.begin(), line.side.end(), [](const SeamSide& s) { return s.face != nullptr; });
  VF_CHECK(side != line.side.end());
  std::array<int, 3> in_tile{};
  for (std::size_t i = 0; i < 3; ++i) in_tile[i] = line.at[i] - side->origin[i];
  const int origin = side->origin[index(line.axis)];
  LineCrossings c;
  for (std::size_t half = 0; half < 2; ++half) {
    const int start = from + static_cast<int>(half);
    in_tile[index(line.axis)] = start - origin;
    c.half[half] = side->face->crossing(line.axis, in_tile);
    if (c.half[half] == nullptr) continue;
    const int low = start * kVoxelUnits;
    c.at[half] = std::clamp(origin * kVoxelUnits + along(c.half[half]->point, line.axis), low + kCellMargin,
                            low + kVoxelUnits - kCellMargin);
  }
  return c;
}

/// The nearest to `at` within [low, high] that is good. There must be one.
template <class Good>
int nearest_good(int at, int low, int high, const Good& good) {
  for (int step = 0;; ++step) {
    VF_CHECK(step <= high - low);
    for (const int place : {at + step, at - step})
      if (place >= low && place <= high && good(place)) return place;
  }
}

}  // namespace

// ---- corners

/// The transition cell after quadrant k.
void MixedSeam::add_side(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon) {
  const SeamSide& side = line.side[k];
  const TransitionPlace p = place_of(side, line.axis, edge.from);
  const int e = edge.coarse ? coarse_transition_edge(p.direction, p.across)
                            : transition_edge(p.direction, p.along, p.across);
  add(polygon, vertices_->copy(side.source, p.cell->vertex[index(e)]));
}

/// The segment, where their square is ambiguous, between the transition cell after quadrant k and the cell
/// of the edge's own level beside it.
void MixedSeam::add_side_segment(const SeamLine& line, std::size_t k, const Edge& edge,
                                 SeamPolygon& polygon) {
  const SeamSide& side = line.side[k];
  const TransitionPlace p = place_of(side, line.axis, edge.from);
  int square = kCoarseSquare, corner_across = p.across / 2;
  if (!edge.coarse) {
    const int low = side.low ? p.across - 1 : p.across;
    corner_across = p.across - low;
    square = p.direction == 0 ? p.along + 2 * low : low + 2 * p.along;
  }
  if ((kTransitionShapes[p.cell->mask].ambiguous >> square & 1) == 0) return;
  const int corner_v = p.direction == 0 ? corner_across : edge.solid_low_end ? 0 : 1;
  add(polygon,
      vertices_->copy(side.source, p.cell->segment[index(square)][index(corner_v)][index(p.direction)]));
}

void MixedSeam::add_quadrant(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon) {
  const CellVertices& cell = cell_around(line, k, edge.from);
  VF_CHECK(cell.of_edge[edge_in_cell(line.axis, k)] != kNotCrossed);
  add(polygon, vertices_->copy(line.quadrant[k]->source, vertex_of(cell, line.axis, k)));
}

/// The segment, where their face is ambiguous, between the cells of quadrants k and k + 1.
void MixedSeam::add_quadrant_segment(const SeamLine& line, std::size_t k, const Edge& edge,
                                     SeamPolygon& polygon) {
  const std::size_t owner = owner_of_face_after(k);
  const FaceEnd face = face_after(line.axis, k, cell_around(line, owner, edge.from), !edge.solid_low_end);
  if (!face.ambiguous) return;
  const SeamTile& tile = *line.quadrant[owner];
  const FaceSegment* segment = find_segment(tile.mesh->border.segments, face.key);
  VF_CHECK(segment != nullptr);
  add(polygon, vertices_->copy(tile.source, segment->vertex[face.end]));
}

/// From the transition cell before a run to the one after it.
void MixedSeam::add_run(const SeamLine& line, const Run& run, const Edge& edge, SeamPolygon& polygon) {
  const std::size_t before = ahead_of(run.first), last = (run.first + run.count - 1) & 3;
  add_side(line, before, edge, polygon);
  add_side_segment(line, before, edge, polygon);
  for (std::size_t k = run.first; k != last; k = after(k)) {
    add_quadrant(line, k, edge, polygon);
    add_quadrant_segment(line, k, edge, polygon);
  }
  add_quadrant(line, last, edge, polygon);
  add_side_segment(line, last, edge, polygon);
  add_side(line, last, edge, polygon);
}

// ---- fans

bool MixedSeam::has_area(std::uint32_t a, std::uint32_t b, const MeshVertex& c) const {
  const MeshVertex &p = out_->vertices[a], &q = out_->vertices[b];
  const std::int64_t px = p.x - c.x, py = p.y - c.y, pz = p.z - c.z, qx = q.x - c.x, qy = q.y - c.y,
                     qz = q.z - c.z;
  return py * qz != pz * qy || pz * qx != px * qz || px * qy != py * qx;
}

bool MixedSeam::fan_has_area(const SeamPolygon& polygon, const MeshVertex& hub) const {
  for (std::size_t i = 0; i + (polygon.closed ? 0 : 1) < polygon.count; ++i) {
    const std::uint32_t a = polygon.corners[i], b = polygon.corners[(i + 1) % polygon.count];
    if (a == kOtherHub || b == kOtherHub) continue;  // both hubs lie on the line, and the third off it
    if (!has_area(a, b, hub)) return false;
  }
  return true;
}

void MixedSeam::write(const SeamPolygon& polygon, std::uint32_t hub) {
  const std::size_t count = polygon.count - (polygon.closed ? 0 : 1);
  Triangle* const out = vertices_->more_triangles(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t a = polygon.corners[i], b = polygon.corners[(i + 1) % polygon.count];
    if (polygon.flip) std::swap(a, b);
    out[i] = {{hub, a, b}};
  }
}

/// Puts the hubs where they are needed: on the crossing, or between the two; moved as little as leaves no
/// triangle without area. That is a matter of triangles that lie in a side, between the line and two vertices
/// of one transition cell: each forbids one place.
void MixedSeam::add_hubs(const SeamLine& line, int low, int high, const LineCrossings& crossings,
                         std::size_t hubs, std::span<SeamPolygon> polygons) {
  SmoothGroups groups;
  std::array<std::size_t, 2> half_of{};
  std::size_t size = 0;
  int middle = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    if (crossings.half[half] == nullptr) continue;
    const Vec3f n = decode_normal(crossings.half[half]->point.normal);
    groups.add(Float4{n.x, n.y, n.z, 1});
    middle += crossings.at[half];
    half_of[size++] = half;
  }
  groups.finish(size);
  if (size == 2) middle >>= 1;
  std::array<std::array<std::uint32_t, 2>, 2> vertex{};  // of each hub, by half
  std::array<int, 2> place{};
  for (std::size_t h = 0; h < hubs; ++h) {
    place[h] = nearest_good(middle, low + kCellMargin, high - kCellMargin, [&](int at) {
      if (h > 0 && at == place[0]) return false;
      const MeshVertex hub = vertex_on(line, at, Float4{0, 0, 1, 0});
      return std::all_of(polygons.begin(), polygons.end(),
                         [&](const SeamPolygon& p) { return p.hub != h || fan_has_area(p, hub); });
    });
    for (unsigned rest = groups.all(); rest != 0;) {
      const SmoothGroups::Group group = groups.first_of(rest);
      const std::uint32_t v = vertices_->add(vertex_on(line, place[h], group.sum));
      for (unsigned m = group.members; m != 0; m &= m - 1)
        vertex[h][half_of[static_cast<std::size_t>(std::countr_zero(m))]] = v;
      rest &= ~group.members;
    }
  }
  for (SeamPolygon& polygon : polygons) {
    std::replace(polygon.corners.begin(),
                 polygon.corners.begin() + static_cast<std::ptrdiff_t>(polygon.count), kOtherHub,
                 vertex[1][polygon.half]);
    write(polygon, vertex[polygon.hub][polygon.half]);
  }
}

// ---- lines

void MixedSeam::edges_on_coarse_line(const SeamLine& line, int from) {
  const LineCrossings crossings = crossings_on(line, from);
  if (!crossings.any()) return;
  const auto is_coarse = [&](std::size_t k) { return line.quadrant[k]->scale != 1; };
  std::size_t first = 0;
  while (is_coarse(first) || !is_coarse(ahead_of(first))) VF_CHECK(++first < 4);
  // Fine and coarse in turn, anticlockwise: two runs, or four where the levels are crosswise.
  std::array<Run, 4> runs;
  std::size_t run_count = 0;
  for (std::size_t n = 0, k = first; n < 4; ++n, k = after(k)) {
    if (is_coarse(k) != is_coarse(ahead_of(k))) runs[run_count++] = {k, 0, is_coarse(k)};
    ++runs[run_count - 1].count;
  }
  std::array<SeamPolygon, 5> polygons;
  std::size_t count = 0;
  std::array<int, 3> at = line.at;
  for (std::size_t half = 0; half < 2; ++half) {
    const BorderCrossing* crossing = crossings.half[half];
    if (crossing == nullptr) continue;
    at[index(line.axis)] = from + static_cast<int>(half);
    // One for each fine run: transition cells are paired around the fine tiles.
    for (std::size_t r = 0; r < run_count; r += 2) {
      SeamPolygon& polygon = polygons[count++];
      polygon.flip = !crossing->solid_low_end;
      polygon.hub = r / 2;
      polygon.half = half;
      add_run(line, runs[r], {at, false, crossing->solid_low_end}, polygon);
    }
  }
  if (!crossings.both()) {
    // The coarse edge has one, through all coarse runs and the hubs between them.
    SeamPolygon& polygon = polygons[count++];
    polygon.half = crossings.half[0] != nullptr ? 0 : 1;
    const bool solid_low_end = crossings.half[polygon.half]->solid_low_end;
    polygon.flip = !solid_low_end;
    at[index(line.axis)] = from;
    for (std::size_t r = 1; r < run_count; r += 2) {
      if (r > 1) add(polygon, kOtherHub);
      add_run(line, runs[r], {at, true, solid_low_end}, polygon);
    }
  }
  constexpr int kEdge = 2 * kVoxelUnits;
  const int low = from * kVoxelUnits;
  add_hubs(line, low, low + kEdge, crossings, run_count / 2, {polygons.data(), count});
}

void MixedSeam::edges_between(const SeamLine& line, int from) {
  const LineCrossings crossings = crossings_on(line, from);
  std::size_t k = 0;  // the fine quadrants: k and the next
  while (line.quadrant[k]->scale != 1 || line.quadrant[after(k)]->scale != 1) VF_CHECK(++k < 4);
  std::array<int, 3> at = line.at;
  for (std::size_t half = 0; half < 2; ++half) {
    const BorderCrossing* crossing = crossings.half[half];
    if (crossing == nullptr) continue;
    const int start = from + static_cast<int>(half);
    at[index(line.axis)] = start;
    const Edge edge{at, false, crossing->solid_low_end};
    SeamPolygon polygon;
    polygon.closed = true;
    polygon.flip = !crossing->solid_low_end;
    polygon.half = half;
    add_quadrant(line, k, edge, polygon);
    add_quadrant_segment(line, k, edge, polygon);
    add_quadrant(line, after(k), edge, polygon);
    add_side_segment(line, after(k), edge, polygon);
    add_side(line, after(k), edge, polygon);
    add_side_segment(line, ahead_of(k), edge, polygon);
    if (polygon.count == 3 &&
        has_area(polygon.corners[1], polygon.corners[2], out_->vertices[polygon.corners[0]])) {
      std::array<std::uint32_t, 3> v{polygon.corners[0], polygon.corners[1], polygon.corners[2]};
      if (polygon.flip) std::swap(v[1], v[2]);
      *vertices_->more_triangles(1) = {v};
      continue;
    }
    LineCrossings own;
    own.half[half] = crossing;
    own.at[half] = crossings.at[half];
    const int low = start * kVoxelUnits;
    add_hubs(line, low, low + kVoxelUnits, own, 1, {&polygon, 1});
  }
}

}  // namespace vf

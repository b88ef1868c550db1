// Three passes: crossings of lattice edges, with the field's gradient there; a vertex for each cycle of each
// cell; a polygon for each crossing inside the tile. All in the order of bricks, so that neighbours lie close
// in memory.
#include "mesh/tile_mesher.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "math/rounding.h"
#include "math/vec.h"
#include "mesh/cell_table.h"
#include "mesh/crossings.h"
#include "mesh/edge_polygon.h"
#include "mesh/gradient_source.h"
#include "mesh/polygon.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr int kCells = kTileEdge * kTileEdge * kTileEdge;

constexpr std::size_t cell_index(int x, int y, int z) {
  return static_cast<std::size_t>((z * kTileEdge + y) * kTileEdge + x);
}

/// From a cell's sample to the sample where its edge starts.
constexpr std::array<std::size_t, kCellEdges> kEdgeOffset = [] {
  std::array<std::size_t, kCellEdges> offsets{};
  for (int e = 0; e < kCellEdges; ++e) {
    const CellEdge edge = cell_edge(e);
    offsets[static_cast<std::size_t>(e)] =
        Crossings::lattice_index(edge.axis, edge.from & 1, edge.from >> 1 & 1, edge.from >> 2);
  }
  return offsets;
}();

float component(Vec3f v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

struct TileMesher::Impl {
  TileSamples samples;
  Crossings crossings;
  std::vector<std::uint32_t> centre_at;  ///< of each crossing: the vertex that its polygon is fanned from
  std::vector<CellVertices> cells;
  std::vector<std::uint32_t> cell_at;  ///< by cell_index; set where there is one
  std::vector<FaceSegment> segments;   ///< sorted
  std::vector<Vec3f> normals;          ///< of each vertex
  TileKey key;
  TileMesh* out = nullptr;

  Impl() : cell_at(kCells) {}

  void make_cells();
  void make_cell(int x, int y, int z, unsigned mask);
  void make_cycle(CellVertices& cell, unsigned edges);
  [[nodiscard]] Vec3i free_place(const CellVertices& cell, Vec3i at) const;
  void make_segments();
  void make_segment(const CellVertices& cell, int axis, int u, int v);
  std::uint32_t add_vertex(const Vec3i& at, Vec3f normal);
  std::uint32_t centre_of(std::uint32_t crossing);
  void make_polygons();
  void fan_around(const Crossing& c, const std::array<const CellVertices*, 4>& around, bool flip);
  void copy_border();
};

// ---- vertices

std::uint32_t TileMesher::Impl::add_vertex(const Vec3i& at, Vec3f normal) {
  std::vector<MeshVertex>& vertices = out->inside.vertices;
  vertices.push_back({static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y),
                      static_cast<std::int16_t>(at.z), encode_normal(normal)});
  normals.push_back(normal);
  return static_cast<std::uint32_t>(vertices.size() - 1);
}

/// One vertex, or one for each smooth side where the surface has a crease.
void TileMesher::Impl::make_cycle(CellVertices& cell, unsigned edges) {
  const std::size_t base = Crossings::lattice_index(0, cell.x, cell.y, cell.z);
  std::array<const SurfacePoint*, kCellEdges> around;  // not set: `n` of them are
  VertexFit fit(
      Float4{static_cast<float>(cell.x), static_cast<float>(cell.y), static_cast<float>(cell.z), 0});
  std::size_t n = 0;
  for (unsigned rest = edges; rest != 0; rest &= rest - 1) {
    const auto e = static_cast<std::size_t>(std::countr_zero(rest));
    const SurfacePoint& p = crossings.point(crossings.at(base + kEdgeOffset[e]));
    around[n++] = &p;
    fit.add(p);
  }
  const Vec3i units = free_place(cell, fit.solve());
  const auto first = static_cast<std::uint32_t>(out->inside.vertices.size());
  Vec3f mean;
  if (is_smooth({around.data(), n}, fit.normal_sum(), mean)) {
    add_vertex(units, mean);
    for (unsigned rest = edges; rest != 0; rest &= rest - 1)
      cell.of_edge[static_cast<std::size_t>(std::countr_zero(rest))] =
          static_cast<std::uint8_t>(first - cell.first);
    return;
  }
  SmoothGroups groups;
  for (std::size_t i = 0; i < n; ++i) groups.add(around[i]->normal);
  for (int g = 0; g < groups.count(); ++g) add_vertex(units, groups.normal(g));
  int k = 0;
  for (unsigned rest = edges; rest != 0; rest &= rest - 1, ++k)
    cell.of_edge[static_cast<std::size_t>(std::countr_zero(rest))] =
        static_cast<std::uint8_t>(first - cell.first + static_cast<std::uint32_t>(groups.group_of(k)));
}

/// The place in the tile, one aside when another sheet of the same cell has it: the two must not be welded.
Vec3i TileMesher::Impl::free_place(const CellVertices& cell, Vec3i at) const {
  const Vec3i base{cell.x * kVoxelUnits, cell.y * kVoxelUnits, cell.z * kVoxelUnits};
  const std::vector<MeshVertex>& vertices = out->inside.vertices;
  const auto taken = [&] {
    for (std::size_t v = cell.first; v < vertices.size(); ++v)
      if (vertices[v].x == base.x + at.x && vertices[v].y == base.y + at.y && vertices[v].z == base.z + at.z)
        return true;
    return false;
  };
  while (taken()) at.x = at.x == kVoxelUnits - kCellMargin ? kCellMargin : at.x + 1;
  return {base.x + at.x, base.y + at.y, base.z + at.z};
}

void TileMesher::Impl::make_cell(int x, int y, int z, unsigned mask) {
  CellVertices cell;
  cell.of_edge.fill(kNotCrossed);
  cell.first = static_cast<std::uint32_t>(out->inside.vertices.size());
  cell.x = static_cast<std::uint8_t>(x);
  cell.y = static_cast<std::uint8_t>(y);
  cell.z = static_cast<std::uint8_t>(z);
  cell.mask = static_cast<CornerMask>(mask);
  const CellShape& shape = kCellShapes[mask];
  for (std::size_t c = 0; c < shape.cycles; ++c) make_cycle(cell, shape.edges[c]);
  cell_at[cell_index(x, y, z)] = static_cast<std::uint32_t>(cells.size());
  cells.push_back(cell);
}

void TileMesher::Impl::make_cells() {
  cells.clear();
  normals.clear();
  for (int z = 0; z < kTileEdge; ++z) {
    for (int y = 0; y < kTileEdge; ++y) {
      const std::uint64_t a = samples.row(y, z), b = samples.row(y + 1, z), c = samples.row(y, z + 1),
                          d = samples.row(y + 1, z + 1);
      const std::uint64_t any = a | b | c | d, all = a & b & c & d;
      std::uint64_t active = ((any | any >> 1) & ~(all & all >> 1)) & ((std::uint64_t{1} << kTileEdge) - 1);
      for (; active != 0; active &= active - 1) {
        const int x = std::countr_zero(active);
        const auto pair = [&](std::uint64_t row) { return static_cast<unsigned>(row >> x & 3); };
        make_cell(x, y, z, pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6);
      }
    }
  }
}

// ---- ambiguous faces

std::uint32_t TileMesher::Impl::centre_of(std::uint32_t crossing) {
  std::uint32_t& vertex = centre_at[crossing];
  if (vertex != kNone) return vertex;
  const Crossing& c = crossings.list()[crossing];
  std::array<std::int32_t, 3> at{c.x * kVoxelUnits, c.y * kVoxelUnits, c.z * kVoxelUnits};
  std::int32_t& along = at[c.axis];
  const auto units = round_to_int(component(crossings.point(crossing).at, c.axis) * kVoxelUnits);
  along = std::clamp(units, along + kCellMargin, along + kVoxelUnits - kCellMargin);
  vertex = add_vertex({at[0], at[1], at[2]}, crossings.point(crossing).normal);
  return vertex;
}

void TileMesher::Impl::make_segment(const CellVertices& cell, int axis, int u, int v) {
  const int iu = (axis + 1) % 3, iv = (axis + 2) % 3;
  const std::array<int, 3> corner{cell.x, cell.y, cell.z};
  std::array<int, 3> along_u = corner, along_v = corner;  // where the crossed edges start
  along_u[static_cast<std::size_t>(iv)] += v;
  along_v[static_cast<std::size_t>(iu)] += u;
  const std::uint32_t a = crossings.at(Crossings::lattice_index(iu, along_u[0], along_u[1], along_u[2]));
  const std::uint32_t b = crossings.at(Crossings::lattice_index(iv, along_v[0], along_v[1], along_v[2]));
  const auto on_face = [&](Vec3f p) { return std::array<float, 2>{component(p, iu), component(p, iv)}; };
  const auto local = [&](Vec3f p) {
    const std::array<float, 2> f = on_face(p);
    return std::array<float, 2>{f[0] - static_cast<float>(corner[static_cast<std::size_t>(iu)]),
                                f[1] - static_cast<float>(corner[static_cast<std::size_t>(iv)])};
  };
  std::array<std::int32_t, 2> place =
      fit_on_face(local(crossings.point(a).at), on_face(crossings.point(a).normal),
                  local(crossings.point(b).at), on_face(crossings.point(b).normal));
  // The other segment of the face was made just before, if it stands at the same place.
  if (!segments.empty() && segments.back().axis == axis && segments.back().x == cell.x &&
      segments.back().y == cell.y && segments.back().z == cell.z) {
    const MeshVertex& other = out->inside.vertices[segments.back().vertex[0]];
    const std::array<std::int32_t, 3> o{other.x, other.y, other.z};
    const auto same = [&](int i, std::int32_t at) {
      const auto k = static_cast<std::size_t>(i);
      return o[k] == corner[k] * kVoxelUnits + at;
    };
    if (same(iu, place[0]) && same(iv, place[1])) place[0] += place[0] < kVoxelUnits / 2 ? 1 : -1;
  }
  std::array<std::int32_t, 3> at{corner[0] * kVoxelUnits, corner[1] * kVoxelUnits, corner[2] * kVoxelUnits};
  at[static_cast<std::size_t>(iu)] += place[0];
  at[static_cast<std::size_t>(iv)] += place[1];
  SmoothGroups groups;
  groups.add(crossings.point(a).normal);
  groups.add(crossings.point(b).normal);
  FaceSegment segment;
  segment.axis = static_cast<std::uint8_t>(axis);
  segment.x = cell.x;
  segment.y = cell.y;
  segment.z = cell.z;
  segment.u = static_cast<std::uint8_t>(u);
  segment.v = static_cast<std::uint8_t>(v);
  const std::uint32_t first = add_vertex({at[0], at[1], at[2]}, groups.normal(0));
  if (groups.count() == 2) add_vertex({at[0], at[1], at[2]}, groups.normal(1));
  segment.vertex = {first, first + static_cast<std::uint32_t>(groups.count() - 1)};
  segment.crossing = {centre_of(a), centre_of(b)};
  segments.push_back(segment);
}

/// On the low faces of each cell. Those on the tile's high side are the next tile's low faces.
void TileMesher::Impl::make_segments() {
  segments.clear();
  centre_at.assign(crossings.list().size(), kNone);
  for (const CellVertices& cell : cells) {
    const unsigned ambiguous = kCellShapes[cell.mask].ambiguous;
    for (int axis = 0; axis < 3; ++axis) {
      if ((ambiguous >> (2 * axis) & 1) == 0) continue;
      // Solid corners lie on one diagonal: 00 and 11, or 10 and 01.
      const int low = (cell.mask & 1) != 0 ? 0 : 1;
      make_segment(cell, axis, low, 0);
      make_segment(cell, axis, 1 - low, 1);
    }
  }
}

// ---- polygons

void TileMesher::Impl::fan_around(const Crossing& c, const std::array<const CellVertices*, 4>& around,
                                  bool flip) {
  const auto find = [this](std::size_t, const FaceKey& face) { return find_segment(segments, face); };
  const auto vertex = [](std::size_t, std::uint32_t v) { return v; };
  const EdgeFan fan = fan_of_edge(c.axis, around, flip, find, vertex);
  triangulate_fan(fan.centre, fan.corners.data(), fan.count, flip, out->inside.triangles);
}

void TileMesher::Impl::make_polygons() {
  for (const Crossing& c : crossings.list()) {
    const std::array<int, 3> at{c.x, c.y, c.z};
    const auto axis = static_cast<std::size_t>(c.axis), iu = (axis + 1) % 3, iv = (axis + 2) % 3;
    if (at[iu] == 0 || at[iu] == kTileEdge || at[iv] == 0 || at[iv] == kTileEdge) continue;  // a seam's
    std::array<const CellVertices*, 4> around{};
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<int, 3> cell = at;
      cell[iu] += kAroundEdge[k][0];
      cell[iv] += kAroundEdge[k][1];
      around[k] = &cells[cell_at[cell_index(cell[0], cell[1], cell[2])]];
    }
    const bool flip = c.low >= 0;
    if (has_ambiguous_face(c.axis, around)) {
      fan_around(c, around, flip);
      continue;
    }
    std::array<PolygonCorner, 4> corners;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t v = vertex_of(*around[k], c.axis, k);
      const MeshVertex& m = out->inside.vertices[v];
      corners[k] = {v, {m.x, m.y, m.z}, normals[v]};
    }
    triangulate_quad(c.axis, corners, flip, out->inside.triangles);
  }
}

void TileMesher::Impl::copy_border() {
  const auto outer = [](std::uint8_t v) { return v == 0 || v == kTileEdge - 1; };
  TileBorder& border = out->border;
  std::size_t row = 0;
  for (const CellVertices& cell : cells) {
    if (!outer(cell.x) && !outer(cell.y) && !outer(cell.z)) continue;
    const std::size_t own = static_cast<std::size_t>(cell.z) * kTileEdge + cell.y;
    for (; row <= own; ++row) border.row[row] = static_cast<std::uint16_t>(border.cells.size());
    border.cells.push_back(cell);
  }
  for (; row < border.row.size(); ++row) border.row[row] = static_cast<std::uint16_t>(border.cells.size());
  for (const FaceSegment& s : segments)
    if (outer(s.x) || outer(s.y) || outer(s.z)) border.segments.push_back(s);
}

TileMesher::TileMesher() : impl_(std::make_unique<Impl>()) {}
TileMesher::~TileMesher() = default;
TileMesher::TileMesher(TileMesher&&) noexcept = default;
TileMesher& TileMesher::operator=(TileMesher&&) noexcept = default;

void TileMesher::mesh(const TileNeighbours& tiles, GradientSource& source, TileMesh& out) {
  Impl& s = *impl_;
  s.key = tiles.at[0]->key;
  s.out = &out;
  out.inside.anchor = s.key;
  out.inside.vertices.clear();
  out.inside.triangles.clear();
  out.border.cells.clear();
  out.border.row.fill(0);
  out.border.segments.clear();
  s.samples.load(tiles);
  if (s.samples.uniform()) return;
  s.crossings.find(s.key, s.samples, source);
  if (s.crossings.list().empty()) return;
  // About one vertex and two triangles for each crossing.
  out.inside.vertices.reserve(s.crossings.list().size() * 9 / 8);
  out.inside.triangles.reserve(s.crossings.list().size() * 2);
  s.make_cells();
  s.make_segments();
  s.make_polygons();
  s.copy_border();
}

}  // namespace vf

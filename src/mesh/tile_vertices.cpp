// Three passes over the cells: sums over the crossings of each cycle; all vertices solved, four at a time;
// vertices and cells written out, the few that need more than that looked at one by one.
#include "mesh/tile_vertices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/rounding.h"
#include "mesh/cell_table.h"
#include "mesh/crossings.h"
#include "mesh/grow.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kRows = std::size_t{kTileEdge} * kTileEdge;

/// From a cell's sample to the sample where its edge starts.
constexpr std::array<std::uint32_t, kCellEdges> kEdgeOffset = [] {
  std::array<std::uint32_t, kCellEdges> offsets{};
  for (int e = 0; e < kCellEdges; ++e) {
    const CellEdge edge = cell_edge(e);
    offsets[static_cast<std::size_t>(e)] = static_cast<std::uint32_t>(
        Crossings::lattice_index(edge.axis, edge.from & 1, edge.from >> 1 & 1, edge.from >> 2));
  }
  return offsets;
}();

template <class Visit>
void for_edges(unsigned edges, const Visit& visit) {
  for (; edges != 0; edges &= edges - 1) visit(static_cast<std::size_t>(std::countr_zero(edges)));
}

}  // namespace

TileVertices::TileVertices() : row_(kRows + 1), cell_at_(kRows * kTileEdge) {}

void TileVertices::make(const TileSamples& samples, const Crossings& crossings) {
  crossings_ = &crossings;
  find_cells(samples);
  need(fits_, sum_count_ + 3);
  for (std::size_t i = sum_count_; i < sum_count_ + 3; ++i) sums_[i] = VertexSums{};
  fit_vertices(sums_.data(), sum_count_, fits_.data());
  place_cells();
  segments_.clear();
  if (any_ambiguous_) make_segments();
}

// ---- cells

void TileVertices::find_cells(const TileSamples& samples) {
  cell_count_ = 0;
  sum_count_ = 0;
  any_ambiguous_ = false;
  for (int z = 0; z < kTileEdge; ++z) {
    for (int y = 0; y < kTileEdge; ++y) {
      row_[static_cast<std::size_t>(z * kTileEdge + y)] = static_cast<std::uint32_t>(cell_count_);
      const std::uint64_t a = samples.row(y, z), b = samples.row(y + 1, z), c = samples.row(y, z + 1),
                          d = samples.row(y + 1, z + 1);
      const std::uint64_t any = a | b | c | d, all = a & b & c & d;
      std::uint64_t active = ((any | any >> 1) & ~(all & all >> 1)) & ((std::uint64_t{1} << kTileEdge) - 1);
      if (active == 0) continue;
      need(cells_, cell_count_ + kTileEdge);
      need(sums_, sum_count_ + std::size_t{kTileEdge} * kMaxCycles + 3);
      for (; active != 0; active &= active - 1) {
        const int x = std::countr_zero(active);
        const auto pair = [&](std::uint64_t row) { return static_cast<unsigned>(row >> x & 3); };
        add_cell(x, y, z, pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6);
      }
    }
  }
  row_[kRows] = static_cast<std::uint32_t>(cell_count_);
}

void TileVertices::add_cell(int x, int y, int z, unsigned mask) {
  CellVertices& cell = cells_[cell_count_];
  cell.x = static_cast<std::uint8_t>(x);
  cell.y = static_cast<std::uint8_t>(y);
  cell.z = static_cast<std::uint8_t>(z);
  cell.mask = static_cast<CornerMask>(mask);
  cell_at_[cell_index(x, y, z)] = static_cast<std::uint32_t>(cell_count_++);
  const CellShape& shape = kCellShapes[mask];
  any_ambiguous_ = any_ambiguous_ || shape.ambiguous != 0;
  const std::size_t base = Crossings::lattice_index(0, x, y, z);
  for (std::size_t c = 0; c < shape.cycles; ++c) {
    VertexSums sums;
    sums.corner = Float4{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
    for_edges(shape.edges[c],
              [&](std::size_t e) { sums.add(crossings_->point(crossings_->at(base + kEdgeOffset[e]))); });
    sums_[sum_count_++] = sums;
  }
}

// ---- vertices

std::uint32_t TileVertices::add_vertex(const MeshVertex& vertex, const PolygonCorner& corner) {
  need(vertices_, count_ + 1);
  need(corners_, count_ + 1);
  vertices_[count_] = vertex;
  corners_[count_] = corner;
  return static_cast<std::uint32_t>(count_++);
}

std::uint32_t TileVertices::add_vertex(const std::array<std::int32_t, 3>& at, Float4 normal) {
  const auto word = [](std::int32_t v) { return static_cast<std::int16_t>(v); };
  const Float4 place{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]), 0};
  return add_vertex({word(at[0]), word(at[1]), word(at[2]), encode_normal({normal[0], normal[1], normal[2]})},
                    {place, normal});
}

void TileVertices::place_cells() {
  count_ = 0;
  const FittedVertex* fit = fits_.data();
  for (std::size_t i = 0; i < cell_count_; ++i) {
    CellVertices& cell = cells_[i];
    const CellShape& shape = kCellShapes[cell.mask];
    cell.first = static_cast<std::uint32_t>(count_);
    cell.of_edge = shape.cycle;  // right when every cycle has one vertex
    if (shape.cycles == 1 && fit->smooth) {
      add_vertex(fit->vertex, {fit->at, fit->normal});
      ++fit;
      continue;
    }
    for (std::size_t c = 0; c < shape.cycles; ++c) {
      FittedVertex own = *fit++;
      if (c > 0) move_aside(cell, own);
      place_cycle(cell, shape.edges[c], own);
    }
  }
}

/// One vertex, or one for each smooth side where the surface has a crease.
void TileVertices::place_cycle(CellVertices& cell, unsigned edges, const FittedVertex& fit) {
  const auto offset = static_cast<std::uint8_t>(count_ - cell.first);
  const std::size_t base = Crossings::lattice_index(0, cell.x, cell.y, cell.z);
  std::array<const SurfacePoint*, kCellEdges> around;  // not set: `n` of them are
  std::size_t n = 0;
  Float4 sum{};
  for_edges(edges, [&](std::size_t e) {
    around[n] = &crossings_->point(crossings_->at(base + kEdgeOffset[e]));
    sum += around[n++]->normal;
    cell.of_edge[e] = offset;
  });
  if (fit.smooth || is_smooth({around.data(), n}, sum)) {
    add_vertex(fit.vertex, {fit.at, fit.normal});
    return;
  }
  SmoothGroups groups;
  for (std::size_t i = 0; i < n; ++i) groups.add(around[i]->normal);
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const Float4 normal = groups.normal(g);
    MeshVertex vertex = fit.vertex;
    vertex.normal = encode_normal({normal[0], normal[1], normal[2]});
    add_vertex(vertex, {fit.at, normal});
  }
  std::size_t k = 0;
  for_edges(edges, [&](std::size_t e) {
    cell.of_edge[e] = static_cast<std::uint8_t>(offset + groups.group_of(k++));
  });
}

/// One aside when another sheet of the same cell has the place: the two must not be welded.
void TileVertices::move_aside(const CellVertices& cell, FittedVertex& fit) const {
  MeshVertex& own = fit.vertex;
  const auto taken = [&] {
    return std::any_of(vertices_.begin() + cell.first,
                       vertices_.begin() + static_cast<std::ptrdiff_t>(count_),
                       [&](const MeshVertex& v) { return v.x == own.x && v.y == own.y && v.z == own.z; });
  };
  const std::int32_t low = cell.x * kVoxelUnits + kCellMargin, high = low + kVoxelUnits - 2 * kCellMargin;
  while (taken()) own.x = static_cast<std::int16_t>(own.x == high ? low : own.x + 1);
  fit.at[0] = own.x;
}

// ---- ambiguous faces

std::uint32_t TileVertices::centre_of(std::uint32_t crossing) {
  std::uint32_t& vertex = centre_at_[crossing];
  if (vertex != kNone) return vertex;
  const LatticeEdge edge = crossings_->edges()[crossing];
  const SurfacePoint& point = crossings_->point(crossing);
  std::array<std::int32_t, 3> at{edge.x() * kVoxelUnits, edge.y() * kVoxelUnits, edge.z() * kVoxelUnits};
  std::int32_t& along = at[static_cast<std::size_t>(edge.axis())];
  const std::int32_t units = round_to_int(point.at[edge.axis()] * kVoxelUnits);
  along = std::clamp(units, along + kCellMargin, along + kVoxelUnits - kCellMargin);
  vertex = add_vertex(at, point.normal);
  return vertex;
}

void TileVertices::make_segment(const CellVertices& cell, int axis, int u, int v) {
  const int iu = (axis + 1) % 3, iv = (axis + 2) % 3;
  const std::array<int, 3> corner{cell.x, cell.y, cell.z};
  std::array<int, 3> along_u = corner, along_v = corner;  // where the crossed edges start
  along_u[static_cast<std::size_t>(iv)] += v;
  along_v[static_cast<std::size_t>(iu)] += u;
  const std::uint32_t a = crossings_->at(Crossings::lattice_index(iu, along_u[0], along_u[1], along_u[2]));
  const std::uint32_t b = crossings_->at(Crossings::lattice_index(iv, along_v[0], along_v[1], along_v[2]));
  const SurfacePoint &pa = crossings_->point(a), &pb = crossings_->point(b);
  const auto on_face = [&](Float4 p) { return std::array<float, 2>{p[iu], p[iv]}; };
  const auto local = [&](Float4 p) {
    return std::array<float, 2>{p[iu] - static_cast<float>(corner[static_cast<std::size_t>(iu)]),
                                p[iv] - static_cast<float>(corner[static_cast<std::size_t>(iv)])};
  };
  std::array<std::int32_t, 2> place =
      fit_on_face(local(pa.at), on_face(pa.normal), local(pb.at), on_face(pb.normal));
  // The other segment of the face was made just before, if it stands at the same place.
  if (!segments_.empty() && segments_.back().axis == axis && segments_.back().x == cell.x &&
      segments_.back().y == cell.y && segments_.back().z == cell.z) {
    const MeshVertex& other = vertices_[segments_.back().vertex[0]];
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
  groups.add(pa.normal);
  groups.add(pb.normal);
  FaceSegment segment;
  segment.axis = static_cast<std::uint8_t>(axis);
  segment.x = cell.x;
  segment.y = cell.y;
  segment.z = cell.z;
  segment.u = static_cast<std::uint8_t>(u);
  segment.v = static_cast<std::uint8_t>(v);
  const std::uint32_t first = add_vertex(at, groups.normal(0));
  if (groups.count() == 2) add_vertex(at, groups.normal(1));
  segment.vertex = {first, first + static_cast<std::uint32_t>(groups.count() - 1)};
  segment.crossing = {centre_of(a), centre_of(b)};
  segments_.push_back(segment);
}

/// On the low faces of each cell. Those on the tile's high side are the next tile's low faces.
void TileVertices::make_segments() {
  centre_at_.assign(crossings_->size(), kNone);
  for (const CellVertices& cell : cells()) {
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

}  // namespace vf

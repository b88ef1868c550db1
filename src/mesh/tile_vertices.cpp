// Three passes: cells, with the place of each cycle's vertex, solved four at a time; vertices by their
// numbers, the few cells with a crease or two sheets looked at one by one; normals at length 1, and all
// packed, again four at a time.
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
#include "mesh/octahedron.h"
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

/// What a cycle's vertex is the sum of: where its edges start, counted from the cell's sample.
///
/// A loop over as many edges as there are ends where no branch guesses it: every other cell's cost as much as
/// the additions. So six are always added, and where there are fewer the point that adds nothing is.
struct CycleEdges {
  std::array<std::uint16_t, SmoothGroups::kFew> first{};
  std::array<std::uint8_t, SmoothGroups::kFew> edge{};  ///< which they are
  std::uint8_t size = 0;                                ///< how many they are
  std::uint16_t rest = 0;                               ///< bit e: edge e comes after those; seldom any
};

const std::array<std::array<CycleEdges, kMaxCycles>, 256> kCycleEdges = [] {
  std::array<std::array<CycleEdges, kMaxCycles>, 256> table;
  for (std::size_t mask = 0; mask < table.size(); ++mask) {
    for (std::size_t c = 0; c < kMaxCycles; ++c) {
      CycleEdges& edges = table[mask][c];
      edges.first.fill(Crossings::kNoEdge);
      edges.rest = kCellShapes[mask].edges[c];
      while (edges.size < edges.first.size() && edges.rest != 0) {
        const auto e = static_cast<std::size_t>(std::countr_zero(edges.rest));
        edges.first[edges.size] = static_cast<std::uint16_t>(kEdgeOffset[e]);
        edges.edge[edges.size++] = static_cast<std::uint8_t>(e);
        edges.rest &= static_cast<std::uint16_t>(edges.rest - 1);
      }
    }
  }
  return table;
}();

Float4 lanes_of(const std::array<std::int32_t, 3>& at) {
  return Float4{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]), 0};
}

template <class Visit>
void for_edges(unsigned edges, const Visit& visit) {
  for (; edges != 0; edges &= edges - 1) visit(static_cast<std::size_t>(std::countr_zero(edges)));
}

}  // namespace

TileVertices::TileVertices() : row_(kRows + 1), cell_at_(kRows * kTileEdge) {}

void TileVertices::make(const TileSamples& samples, const Crossings& crossings,
                        std::vector<MeshVertex>& out) {
  crossings_ = &crossings;
  find_cells(samples);
  place_cells();
  segments_.clear();
  if (any_ambiguous_) make_segments();
  pack(out);
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
      need(fits_, sum_count_ + std::size_t{kTileEdge} * kMaxCycles + 4);
      for (; active != 0; active &= active - 1) {
        const int x = std::countr_zero(active);
        const auto pair = [&](std::uint64_t row) { return static_cast<unsigned>(row >> x & 3); };
        add_cell(x, y, z, pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6);
      }
    }
  }
  row_[kRows] = static_cast<std::uint32_t>(cell_count_);
  fit_four(sums_.data(), &fits_[sum_count_ & ~std::size_t{3}]);  // those of the last four that are there
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
    const CycleEdges& edges = kCycleEdges[mask][c];
    SurfacePoint sum;
    for (const std::uint16_t edge : edges.first) sum.add(crossings_->point_at(base + edge));
    for_edges(edges.rest,
              [&](std::size_t e) { sum.add(crossings_->point_at(base + kEdgeOffset[e])); });
    sums_[sum_count_ & 3] = {sum, to_float(Int4{x, y, z, 0})};
    if ((++sum_count_ & 3) == 0) fit_four(sums_.data(), &fits_[sum_count_ - 4]);
  }
}

// ---- vertices

/// `normal`: of any length.
inline std::uint32_t TileVertices::add_vertex(Float4 at, Float4 normal) {
  if (corners_.size() < count_ + 4) need(corners_, count_ + 4);  // by whole lanes
  corners_[count_] = {at, normal};
  return static_cast<std::uint32_t>(count_++);
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
      add_vertex(fit->at, fit->normal);
      ++fit;
      continue;
    }
    for (std::size_t c = 0; c < shape.cycles; ++c, ++fit)
      place_creased(cell, c, c == 0 ? fit->at : free_place(cell, fit->at));
  }
}

/// One vertex for each smooth side.
void TileVertices::place_creased(CellVertices& cell, std::size_t cycle, Float4 at) {
  const std::size_t base = Crossings::lattice_index(0, cell.x, cell.y, cell.z);
  const CycleEdges& edges = kCycleEdges[cell.mask][cycle];
  SmoothGroups groups;
  for (const std::uint16_t first : edges.first) groups.add(crossings_->point_at(base + first).normal);
  std::array<std::uint8_t, kCellEdges> edge_of;  // not set: as many as there are edges
  std::copy(edges.edge.begin(), edges.edge.end(), edge_of.begin());
  std::size_t size = edges.size;
  for_edges(edges.rest, [&](std::size_t e) {
    edge_of[size++] = static_cast<std::uint8_t>(e);
    groups.add(crossings_->point_at(base + kEdgeOffset[e]).normal);
  });
  groups.finish(size);
  for (unsigned rest = groups.all(); rest != 0;) {
    const SmoothGroups::Group group = groups.first_of(rest);
    const std::uint32_t vertex = add_vertex(at, group.sum);
    for_edges(group.members, [&](std::size_t i) {
      cell.of_edge[edge_of[i]] = static_cast<std::uint8_t>(vertex - cell.first);
    });
    rest &= ~group.members;
  }
}

/// One aside when another sheet of the same cell has the place: the two must not be welded.
Float4 TileVertices::free_place(const CellVertices& cell, Float4 at) const {
  const auto taken = [&] {
    return std::any_of(
        corners_.begin() + cell.first, corners_.begin() + static_cast<std::ptrdiff_t>(count_),
        [&](const PolygonCorner& c) { return c.at[0] == at[0] && c.at[1] == at[1] && c.at[2] == at[2]; });
  };
  const auto low = static_cast<float>(cell.x * kVoxelUnits + kCellMargin),
             high = static_cast<float>((cell.x + 1) * kVoxelUnits - kCellMargin);
  while (taken()) at[0] = at[0] == high ? low : at[0] + 1;
  return at;
}

void TileVertices::pack(std::vector<MeshVertex>& out) {
  const auto word = [](std::int32_t w) { return static_cast<std::int16_t>(w); };
  out.resize(count_);
  for (std::size_t first = 0; first < count_; first += 4) {
    PolygonCorner* c = &corners_[first];
    Float4 x = c[0].at, y = c[1].at, z = c[2].at, none = c[3].at;
    transpose(x, y, z, none);
    Float4 nx = c[0].normal, ny = c[1].normal, nz = c[2].normal, count = c[3].normal;
    transpose(nx, ny, nz, count);
    const Float4 scale = 1 / sqrt_of(nx * nx + ny * ny + nz * nz);
    nx *= scale;
    ny *= scale;
    nz *= scale;
    Int4 u, v;
    encode_normals(nx, ny, nz, u, v);
    const Int4 ix = to_int(x), iy = to_int(y), iz = to_int(z);
    for (std::size_t i = 0; i < std::min<std::size_t>(4, count_ - first); ++i)
      out[first + i] = {word(ix[i]), word(iy[i]), word(iz[i]), {word(u[i]), word(v[i])}};
    transpose(nx, ny, nz, count);
    c[0].normal = nx;
    c[1].normal = ny;
    c[2].normal = nz;
    c[3].normal = count;
  }
}

// ---- ambiguous faces

std::uint32_t TileVertices::centre_of(std::uint32_t crossing) {
  std::uint32_t& vertex = centre_at_[crossing];
  if (vertex != kNone) return vertex;
  const LatticeEdge edge = crossings_->edges()[crossing];
  const SurfacePoint& point = crossings_->point(crossing);
  std::array<std::int32_t, 3> at{edge.x() * kVoxelUnits, edge.y() * kVoxelUnits, edge.z() * kVoxelUnits};
  std::int32_t& along = at[static_cast<std::size_t>(edge.axis())];
  const std::int32_t units = round_to_int(point.at()[edge.axis()] * kVoxelUnits);
  along = std::clamp(units, along + kCellMargin, along + kVoxelUnits - kCellMargin);
  vertex = add_vertex(lanes_of(at), point.normal);
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
      fit_on_face(local(pa.at()), on_face(pa.normal), local(pb.at()), on_face(pb.normal));
  // The other segment of the face was made just before, if it stands at the same place.
  if (!segments_.empty() && segments_.back().axis == axis && segments_.back().x == cell.x &&
      segments_.back().y == cell.y && segments_.back().z == cell.z) {
    const Float4 other = corners_[segments_.back().vertex[0]].at;
    const auto same = [&](int i, std::int32_t at) {
      return other[i] == static_cast<float>(corner[static_cast<std::size_t>(i)] * kVoxelUnits + at);
    };
    if (same(iu, place[0]) && same(iv, place[1])) place[0] += place[0] < kVoxelUnits / 2 ? 1 : -1;
  }
  std::array<std::int32_t, 3> at{corner[0] * kVoxelUnits, corner[1] * kVoxelUnits, corner[2] * kVoxelUnits};
  at[static_cast<std::size_t>(iu)] += place[0];
  at[static_cast<std::size_t>(iv)] += place[1];
  SmoothGroups groups;
  groups.add(pa.normal);
  groups.add(pb.normal);
  groups.finish(2);
  FaceSegment segment;
  segment.axis = static_cast<std::uint8_t>(axis);
  segment.x = cell.x;
  segment.y = cell.y;
  segment.z = cell.z;
  segment.u = static_cast<std::uint8_t>(u);
  segment.v = static_cast<std::uint8_t>(v);
  const SmoothGroups::Group side = groups.first_of(3);
  const std::uint32_t first = add_vertex(lanes_of(at), side.sum);
  segment.vertex = {first, side.members == 3 ? first : add_vertex(lanes_of(at), pb.normal)};
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

// Passes, lanes and single cells in turn: cells, with the sums of each cycle; the place of each cycle's
// vertex; which normals agree where there may be a crease; vertices by their numbers; normals at length 1,
// and all packed. Some rows of cells at a time, so that what one pass writes is near when the next one reads
// it.
#include "mesh/tile_vertices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "field/simd_level.h"
#include "math/rounding.h"
#include "mesh/cell_table.h"
#include "mesh/crossings.h"
#include "mesh/grow.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/simd/mesh_kernels.h"
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
  std::array<std::uint8_t, SmoothGroups::kFew> edge{};  ///< which they are; then the last of them again
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
      for (std::size_t n = edges.size; n > 0 && n < edges.edge.size(); ++n) edges.edge[n] = edges.edge[n - 1];
    }
  }
  return table;
}();

/// Of the first normal of a group: where its bits of `agree` start, and the normals they speak of.
constexpr std::array<unsigned, SmoothGroups::kFew> kFirstAgree{0, 5, 9, 12, 14, 15};
constexpr std::array<unsigned, SmoothGroups::kFew> kLaterNormals{0x3E, 0x3C, 0x38, 0x30, 0x20, 0};
static_assert(kFirstAgree[4] == agree_bit(4, 5) && kFirstAgree[2] == agree_bit(2, 3));

/// Of six bits: the k-th byte is the k-th bit.
constexpr std::array<std::uint64_t, 1U << SmoothGroups::kFew> kBytes = [] {
  std::array<std::uint64_t, 1U << SmoothGroups::kFew> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (std::size_t k = 0; k < SmoothGroups::kFew; ++k) bytes[i] |= std::uint64_t{i >> k & 1} << (8 * k);
  return bytes;
}();

Float4 lanes_of(const std::array<std::int32_t, 3>& at) {
  return Float4{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]), 0};
}

template <class Visit>
void for_edges(unsigned edges, const Visit& visit) {
  for (; edges != 0; edges &= edges - 1) visit(static_cast<std::size_t>(std::countr_zero(edges)));
}

}  // namespace

TileVertices::TileVertices(SimdLevel simd)
    : kernels_(&mesh_kernels(simd)), row_(kRows + 1), cell_at_(kRows * kTileEdge) {}

void TileVertices::make(const TileSamples& samples, const Crossings& crossings,
                        std::vector<MeshVertex>& out) {
  crossings_ = &crossings;
  count_ = packed_ = 0;
  find_cells(samples);
  place_chunk();
  segments_.clear();
  if (any_ambiguous_) make_segments();
  pack();
  out.assign(vertices_.begin(), vertices_.begin() + static_cast<std::ptrdiff_t>(count_));
}

void TileVertices::place_chunk() {
  fit_cycles();
  find_creases();
  place_cells();
  pack();
  cycle_count_ = 0;
  placed_ = cell_count_;
}

// ---- cells

void TileVertices::find_cells(const TileSamples& samples) {
  cell_count_ = placed_ = cycle_count_ = 0;
  unsigned ambiguous = 0;
  for (int z = 0; z < kTileEdge; ++z) {
    const auto any_at = [&](int y) { return samples.row(y, z) | samples.row(y, z + 1); };
    const auto all_at = [&](int y) { return samples.row(y, z) & samples.row(y, z + 1); };
    std::uint64_t any = any_at(0), all = all_at(0);
    for (int y = 0; y < kTileEdge; ++y) {
      row_[static_cast<std::size_t>(z * kTileEdge + y)] = static_cast<std::uint32_t>(cell_count_);
      const std::uint64_t next_any = any_at(y + 1), next_all = all_at(y + 1);
      any |= next_any;
      all &= next_all;
      const std::uint64_t active =
          ((any | any >> 1) & ~(all & all >> 1)) & ((std::uint64_t{1} << kTileEdge) - 1);
      any = next_any;
      all = next_all;
      if (active == 0) continue;
      ambiguous |= add_row(samples, y, z, active);
      if (cycle_count_ >= kChunk) place_chunk();
    }
  }
  any_ambiguous_ = ambiguous != 0;
  row_[kRows] = static_cast<std::uint32_t>(cell_count_);
}

/// The cells of a row that the surface passes; their ambiguous faces.
unsigned TileVertices::add_row(const TileSamples& samples, int y, int z, std::uint64_t active) {
  need(cells_, cell_count_ + kTileEdge);
  const std::uint64_t a = samples.row(y, z), b = samples.row(y + 1, z), c = samples.row(y, z + 1),
                      d = samples.row(y + 1, z + 1);
  unsigned ambiguous = 0;
  std::size_t n = cell_count_, cycle = cycle_count_;
  for (; active != 0; active &= active - 1, ++n) {
    const int x = std::countr_zero(active);
    const auto pair = [&](std::uint64_t row) { return static_cast<unsigned>(row >> x & 3); };
    const unsigned mask = pair(a) | pair(b) << 2 | pair(c) << 4 | pair(d) << 6;
    CellVertices& cell = cells_[n];
    cell.x = static_cast<std::uint8_t>(x);
    cell.y = static_cast<std::uint8_t>(y);
    cell.z = static_cast<std::uint8_t>(z);
    cell.mask = static_cast<CornerMask>(mask);
    cell_at_[cell_index(x, y, z)] = static_cast<std::uint32_t>(n);
    const CellShape& shape = kCellShapes[mask];
    ambiguous |= shape.ambiguous;
    const std::size_t base = Crossings::lattice_index(0, x, y, z);
    const auto place = static_cast<std::uint32_t>(x | y << 8 | z << 16);
    std::uint32_t number = 0;
    do {
      const CycleEdges& edges = kCycleEdges[mask][number];
      SurfacePoint sum = crossings_->point_at(base + edges.first[0]);
      for (std::size_t k = 1; k < edges.first.size(); ++k)
        sum.add(crossings_->point_at(base + edges.first[k]));
      for_edges(edges.rest, [&](std::size_t e) { sum.add(crossings_->point_at(base + kEdgeOffset[e])); });
      store4(sum.normal, &sums_.normal[4 * cycle]);
      store4(sum.place, &sums_.place[4 * cycle]);
      store4(sum.squares, &sums_.squares[4 * cycle]);
      store4(sum.mixed, &sums_.mixed[4 * cycle]);
      cycle_place_[cycle] = place | number << 24;
      cycle_cell_[cycle++] = static_cast<std::uint32_t>(n);
    } while (++number < shape.cycles);
  }
  cell_count_ = n;
  cycle_count_ = cycle;
  return ambiguous;
}

// ---- vertices

void TileVertices::fit_cycles() {
  kernels_->fit({cycle_count_, sums_.normal.data(), sums_.place.data(), sums_.squares.data(),
                 sums_.mixed.data(), cycle_place_.data()},
                {fit_at_.data(), crease_of_.data()});
}

/// The normals of the cycles that may have a crease, side by side, and which of them agree.
void TileVertices::find_creases() {
  std::size_t n = 0;
  for (std::size_t i = 0; i < cycle_count_; ++i) {  // written at once, kept when it is: no branch to guess
    creased_[n] = static_cast<std::uint32_t>(i);
    n += crease_of_[i] == 0 ? 1U : 0U;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t at = cycle_place_[creased_[i]];
    const CellVertices& cell = cells_[cycle_cell_[creased_[i]]];
    const std::size_t base = Crossings::lattice_index(0, cell.x, cell.y, cell.z);
    const CycleEdges& edges = kCycleEdges[cell.mask][at >> 24];
    for (std::size_t k = 0; k < SmoothGroups::kFew; ++k)
      store4(crossings_->point_at(base + edges.first[k]).normal, &crease_normals_[k][4 * i]);
    if (edges.rest != 0) store4(Float4{0, 0, 0, 1}, &crease_normals_[0][4 * i]);  // see place_many
  }
  kernels_->agree(n, crease_normals_[0].data(), crease_normals_[0].size(), agree_.data());
  for (std::size_t i = 0; i < n; ++i)
    crease_of_[creased_[i]] = (agree_[i] >> kAllAgreeBit & 1) != 0 ? kNone : static_cast<std::uint32_t>(i);
}

/// `normal`: of any length. There must be room.
inline std::uint32_t TileVertices::add_vertex(Float4 at, Float4 normal) {
  const std::size_t i = count_ - packed_;
  store4(at, &at_[4 * i]);
  store4(normal, &normal_[4 * i]);
  return static_cast<std::uint32_t>(count_++);
}

void TileVertices::place_cells() {
  need_vertices(kCellEdges * cycle_count_);  // one for each edge at most
  std::size_t cycle = 0;
  for (std::size_t i = placed_; i < cell_count_; ++i) {
    CellVertices& cell = cells_[i];
    const CellShape& shape = kCellShapes[cell.mask];
    cell.first = static_cast<std::uint32_t>(count_);
    cell.of_edge = shape.cycle;  // right when every cycle has one vertex
    if (shape.cycles == 1 && crease_of_[cycle] == kNone) {
      add_vertex(load4(&fit_at_[4 * cycle]), load4(&sums_.normal[4 * cycle]));
      ++cycle;
      continue;
    }
    for (std::size_t c = 0; c < shape.cycles; ++c, ++cycle) {
      const Float4 fitted = load4(&fit_at_[4 * cycle]);
      place_groups(cell, c, cycle, c == 0 ? fitted : free_place(cell, fitted));
    }
  }
}

/// One vertex for each smooth side of a cycle, which is cycle `c` of its cell.
void TileVertices::place_groups(CellVertices& cell, std::size_t c, std::size_t cycle, Float4 at) {
  const CycleEdges& edges = kCycleEdges[cell.mask][c];
  if (edges.rest != 0) return place_many(cell, c, at);
  const std::uint32_t crease = crease_of_[cycle];
  const unsigned all = (1U << edges.size) - 1;
  std::uint64_t vertices = 0;  // a byte for each edge
  for (unsigned rest = all; rest != 0;) {
    unsigned members = rest;
    Float4 sum = load4(&sums_.normal[4 * cycle]);
    if (crease != kNone) {
      const auto first = static_cast<unsigned>(std::countr_zero(rest));
      members &= 1U << first | ((agree_[crease] >> kFirstAgree[first]) << (first + 1) & kLaterNormals[first]);
      sum = crease_sum(crease, members);
    }
    const std::uint64_t vertex = add_vertex(at, sum) - cell.first;
    // What is beyond the last edge goes with it: it is written to the same place.
    const unsigned beyond = (members >> (edges.size - 1) & 1) != 0 ? ~all : 0;
    vertices |= vertex * kBytes[(members | beyond) & (kBytes.size() - 1)];
    rest &= ~members;
  }
  for (std::size_t k = 0; k < SmoothGroups::kFew; ++k)
    cell.of_edge[edges.edge[k]] = static_cast<std::uint8_t>(vertices >> (8 * k) & 255);
}

/// The sum of some of a creased cycle's normals.
inline Float4 TileVertices::crease_sum(std::uint32_t crease, unsigned members) const {
  const auto m = static_cast<std::int32_t>(members);
  const Int4 bits{m, m, m, m};
  Float4 sum{};
  for (std::size_t k = 0; k < SmoothGroups::kFew; ++k) {
    const auto b = static_cast<std::int32_t>(1U << k);
    sum += (bits & Int4{b, b, b, b}) != 0 ? load4(&crease_normals_[k][4 * std::size_t{crease}]) : Float4{};
  }
  return sum;
}

/// The same for a cycle of more edges than lanes look at; seldom any.
void TileVertices::place_many(CellVertices& cell, std::size_t c, Float4 at) {
  const std::size_t base = Crossings::lattice_index(0, cell.x, cell.y, cell.z);
  SmoothGroups groups;
  std::array<std::uint8_t, kCellEdges> edge_of{};
  std::size_t size = 0;
  for_edges(kCellShapes[cell.mask].edges[c], [&](std::size_t e) {
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
    for (std::size_t i = cell.first - packed_; i < count_ - packed_; ++i)
      if (at_[4 * i] == at[0] && at_[4 * i + 1] == at[1] && at_[4 * i + 2] == at[2]) return true;
    return false;
  };
  const auto low = static_cast<float>(cell.x * kVoxelUnits + kCellMargin),
             high = static_cast<float>((cell.x + 1) * kVoxelUnits - kCellMargin);
  while (taken()) at[0] = at[0] == high ? low : at[0] + 1;
  return at;
}

/// Room for `n` more.
void TileVertices::need_vertices(std::size_t n) {
  for (auto* rows : {&at_, &normal_}) need(*rows, 4 * (count_ - packed_ + n + kMostLanes));
}

/// The vertices since the last time.
void TileVertices::pack() {
  const std::size_t n = count_ - packed_;
  need_vertices(0);
  need(packed_xyzu_, 2 * (n + kMostLanes));
  need(packed_v_, n + kMostLanes);
  need(corners_, count_ + kMostLanes);
  need(vertices_, count_);
  static_assert(sizeof(PolygonCorner) == 8 * sizeof(float));
  kernels_->pack(n, at_.data(), normal_.data(), reinterpret_cast<float*>(corners_.data() + packed_),
                 packed_xyzu_.data(), packed_v_.data());
  // As its five numbers lie in memory: two words at once, where compilers would move each half by itself.
  static_assert(sizeof(MeshVertex) == 10 && std::endian::native == std::endian::little);
  auto* bytes = reinterpret_cast<std::byte*>(vertices_.data() + packed_);
  for (std::size_t i = 0; i < n; ++i, bytes += sizeof(MeshVertex)) {
    std::memcpy(bytes, &packed_xyzu_[2 * i], 8);
    std::memcpy(bytes + 8, &packed_v_[i], 2);
  }
  packed_ = count_;
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
  const std::array<FacePoint, 2> ends{
      {{local(pa.at()), on_face(pa.normal)}, {local(pb.at()), on_face(pb.normal)}}};
  std::array<std::int32_t, 2> place = fit_on_face(ends);
  // The other segment of the face was made just before, if it stands at the same place.
  if (!segments_.empty() && segments_.back().axis == axis && segments_.back().x == cell.x &&
      segments_.back().y == cell.y && segments_.back().z == cell.z) {
    const Float4 other = load4(&at_[4 * (segments_.back().vertex[0] - packed_)]);
    const auto same = [&](int i, std::int32_t at) {
      return other[i] == static_cast<float>(corner[static_cast<std::size_t>(i)] * kVoxelUnits + at);
    };
    if (same(iu, place[0]) && same(iv, place[1])) place[0] += place[0] < kVoxelUnits / 2 ? 1 : -1;
  }
  std::array<std::int32_t, 3> at{corner[0] * kVoxelUnits, corner[1] * kVoxelUnits, corner[2] * kVoxelUnits};
  at[static_cast<std::size_t>(iu)] += place[0];
  at[static_cast<std::size_t>(iv)] += place[1];
  need_vertices(4);  // two of the segment, two of crossings
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

// Three passes: crossings of lattice edges, with the field's gradient there; a vertex for each cycle of each
// cell; a polygon for each crossing inside the tile, in the order of bricks, so that neighbours lie close in
// memory.
#include "mesh/tile_mesher.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "field/simd_level.h"
#include "mesh/cell_table.h"
#include "mesh/crossings.h"
#include "mesh/edge_polygon.h"
#include "mesh/gradient_source.h"
#include "mesh/grow.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/simd/mesh_kernels.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"
#include "mesh/tile_vertices.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

namespace {

/// From the cell that starts at a lattice edge's sample to the four around the edge, by axis.
constexpr std::array<std::array<std::ptrdiff_t, 4>, 3> kCellOffset = [] {
  std::array<std::array<std::ptrdiff_t, 4>, 3> offsets{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr std::array<std::ptrdiff_t, 3> kStride{1, kTileEdge, kTileEdge * kTileEdge};
    for (std::size_t k = 0; k < 4; ++k)
      offsets[axis][k] =
          kAroundEdge[k][0] * kStride[(axis + 1) % 3] + kAroundEdge[k][1] * kStride[(axis + 2) % 3];
  }
  return offsets;
}();

/// By axis and cell around an edge: the edge in that cell's own numbers (see edge_in_cell).
constexpr std::array<std::array<std::uint8_t, 4>, 3> kEdgeInCell = [] {
  std::array<std::array<std::uint8_t, 4>, 3> edges{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < 4; ++k)
      edges[axis][k] =
          static_cast<std::uint8_t>(edge_at(static_cast<int>(axis), -kAroundEdge[k][0], -kAroundEdge[k][1]));
  return edges;
}();

constexpr std::size_t kMostTriangles = 8;  ///< of a polygon
constexpr std::size_t kMostQuads = 64;

/// The polygons of some crossings, as lanes look at them.
struct Quads {
  template <class T, std::size_t kEach>
  using Of = std::array<T, kEach*(kMostQuads + kMostLanes)>;
  std::array<Of<float, 4>, 4> at{}, normal{};  ///< of each corner, four floats side by side
  Of<std::uint32_t, 1> axis{}, split{};
  Of<std::uint32_t, 1> cell{};  ///< that starts where the edge does
  std::array<std::array<std::uint32_t, 4>, kMostQuads> vertex{};
  std::array<std::uint8_t, kMostQuads> flip{};  ///< the air is at the low end
  std::array<std::uint8_t, kMostQuads> fan{};   ///< it has an ambiguous face
};

}  // namespace

struct TileMesher::Impl {
  explicit Impl(SimdLevel simd) : kernels(&mesh_kernels(simd)), crossings(simd), vertices(simd) {}

  const MeshKernels* kernels;
  TileSamples samples;
  Crossings crossings;
  TileVertices vertices;
  Quads quads;
  std::vector<Triangle> triangles;          ///< longer than it is full
  std::vector<std::uint32_t> border_edges;  ///< crossings whose polygons are a seam's
  // The border's parts, before they get memory of their own.
  std::vector<CellVertices> border_cells;
  std::vector<BorderCrossing> border_crossings;

  std::size_t make_polygons();
  std::size_t find_quads(std::size_t first, std::size_t last);
  std::size_t write_quads(std::size_t count, std::size_t n);
  [[nodiscard]] std::array<const CellVertices*, 4> cells_around(int axis, std::size_t base) const {
    const TileVertices::CellLookup cell = vertices.lookup();
    const std::array<std::ptrdiff_t, 4>& offset = kCellOffset[static_cast<std::size_t>(axis)];
    std::array<const CellVertices*, 4> around{};
    for (std::size_t k = 0; k < 4; ++k) around[k] = &cell[base + static_cast<std::size_t>(offset[k])];
    return around;
  }
  std::size_t fan_around(int axis, const std::array<const CellVertices*, 4>& around, bool flip,
                         Triangle* out);
  void copy_border(TileBorder& border);
};

/// The number of its triangles.
std::size_t TileMesher::Impl::fan_around(int axis, const std::array<const CellVertices*, 4>& around,
                                         bool flip, Triangle* out) {
  const auto find = [this](std::size_t, const FaceKey& face) {
    return find_segment(vertices.segments(), face);
  };
  const auto vertex = [](std::size_t, std::uint32_t v) { return v; };
  const EdgeFan fan = fan_of_edge(axis, around, flip, find, vertex);
  write_fan(fan.centre, fan.corners.data(), fan.count, flip, out);
  return fan.count;
}

/// The number of triangles.
std::size_t TileMesher::Impl::make_polygons() {
  const std::size_t count = crossings.size();
  need(triangles, (vertices.any_ambiguous() ? kMostTriangles : 2) * count);
  std::size_t n = 0;
  border_edges.clear();
  for (std::size_t first = 0; first < count; first += kMostQuads)
    n = write_quads(find_quads(first, std::min(count, first + kMostQuads)), n);
  return n;
}

/// Those around the crossings whose cells all belong to the tile. Returns how many there are.
///
/// One loop for all axes: they change every few crossings, where no branch guesses it.
std::size_t TileMesher::Impl::find_quads(std::size_t first, std::size_t last) {
  const bool any_ambiguous = vertices.any_ambiguous();
  const PolygonCorner* const corners = vertices.corners();
  const LatticeEdge* const edges = crossings.edges().data();
  const TileVertices::CellLookup cell = vertices.lookup();
  const auto between = [](int v) { return static_cast<unsigned>(v - 1) < unsigned{kTileEdge - 1} ? 1U : 0U; };
  std::size_t n = 0;
  for (std::size_t i = first; i < last; ++i) {
    const LatticeEdge edge = edges[i];
    const int axis = edge.axis();
    const unsigned inside = between(edge.x()) | between(edge.y()) << 1 | between(edge.z()) << 2;
    if ((inside | 1U << axis) != 7) {
      border_edges.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    const std::size_t base = TileVertices::cell_index(edge.x(), edge.y(), edge.z());
    const auto a = static_cast<std::size_t>(axis);
    const auto at = [&](std::size_t k) -> const CellVertices& {
      return cell[base + static_cast<std::size_t>(kCellOffset[a][k])];
    };
    const CellVertices &c0 = at(0), &c1 = at(1), &c2 = at(2), &c3 = at(3);
    const auto vertex = [&](const CellVertices& c, std::size_t k) {
      return c.first + c.of_edge[kEdgeInCell[a][k]];
    };
    const std::array<std::uint32_t, 4> v{vertex(c0, 0), vertex(c1, 1), vertex(c2, 2), vertex(c3, 3)};
    for (std::size_t k = 0; k < 4; ++k) {
      store4(corners[v[k]].at, &quads.at[k][4 * n]);
      store4(corners[v[k]].normal, &quads.normal[k][4 * n]);
    }
    quads.vertex[n] = v;
    quads.axis[n] = static_cast<std::uint32_t>(axis);
    quads.flip[n] = crossings.solid_low_end(i) ? 0 : 1;
    // Cells 0 and 2 hold all faces that meet at the edge; few of them have an ambiguous one at all.
    const bool ambiguous =
        any_ambiguous && (kCellShapes[c0.mask].ambiguous | kCellShapes[c2.mask].ambiguous) != 0;
    quads.fan[n] = ambiguous && has_ambiguous_face(axis, {&c0, &c1, &c2, &c3}) ? 1 : 0;
    quads.cell[n] = static_cast<std::uint32_t>(base);
    ++n;
  }
  return n;
}

/// `n` triangles are there. Returns how many then.
std::size_t TileMesher::Impl::write_quads(std::size_t count, std::size_t n) {
  kernels->split(count, quads.axis.data(), quads.at[0].data(), quads.normal[0].data(), quads.at[0].size(),
                 quads.split.data());
  for (std::size_t i = 0; i < count; ++i) {
    const bool flip = quads.flip[i] != 0;
    if (quads.fan[i] != 0) {
      const auto axis = static_cast<int>(quads.axis[i]);
      n += fan_around(axis, cells_around(axis, quads.cell[i]), flip, &triangles[n]);
      continue;
    }
    write_quad(quads.split[i] != 0, quads.vertex[i], flip, &triangles[n]);
    n += 2;
  }
  return n;
}

void TileMesher::Impl::copy_border(TileBorder& border) {
  border_cells.clear();
  border_crossings.clear();
  const auto outer = [](int v) { return v == 0 || v == kTileEdge - 1; };
  for (int z = 0; z < kTileEdge; ++z) {
    for (int y = 0; y < kTileEdge; ++y) {
      border.row[static_cast<std::size_t>(z * kTileEdge + y)] =
          static_cast<std::uint16_t>(border_cells.size());
      const std::span<const CellVertices> row = vertices.row(y, z);
      if (row.empty()) continue;
      if (outer(y) || outer(z)) {
        border_cells.insert(border_cells.end(), row.begin(), row.end());
        continue;
      }
      if (row.front().x == 0) border_cells.push_back(row.front());
      if (row.back().x == kTileEdge - 1) border_cells.push_back(row.back());
    }
  }
  border.row.back() = static_cast<std::uint16_t>(border_cells.size());
  for (const FaceSegment& s : vertices.segments())
    if (outer(s.x) || outer(s.y) || outer(s.z)) border.segments.push_back(s);
  for (const std::uint32_t i : border_edges) {
    const LatticeEdge edge = crossings.edges()[i];
    const SurfacePoint& point = crossings.point(i);
    const Int4 at = round_to_int(point.at() * static_cast<float>(kVoxelUnits));
    const auto byte = [](int v) { return static_cast<std::uint8_t>(v); };
    const auto unit = [&](int axis) { return static_cast<std::int16_t>(at[axis]); };
    border_crossings.push_back(
        {byte(edge.axis()),
         byte(edge.x()),
         byte(edge.y()),
         byte(edge.z()),
         crossings.solid_low_end(i),
         {unit(0), unit(1), unit(2), encode_normal({point.normal[0], point.normal[1], point.normal[2]})}});
  }
  border.cells = border_cells;
  border.crossings = border_crossings;
}

TileMesher::TileMesher(SimdLevel simd) : impl_(std::make_unique<Impl>(simd)) {}
TileMesher::~TileMesher() = default;
TileMesher::TileMesher(TileMesher&&) noexcept = default;
TileMesher& TileMesher::operator=(TileMesher&&) noexcept = default;

void TileMesher::mesh(const TileNeighbours& tiles, GradientSource& source, TileMesh& out) {
  Impl& s = *impl_;
  const TileKey key = tiles.at[0]->key;
  out.inside.anchor = key;
  out.inside.vertices.clear();
  out.inside.triangles.clear();
  out.border.cells.clear();
  out.border.row.fill(0);
  out.border.segments.clear();
  out.border.crossings.clear();
  s.samples.load(tiles);
  if (s.samples.uniform()) return;
  s.crossings.find(key, s.samples, source);
  if (s.crossings.size() == 0) return;
  s.vertices.make(s.samples, s.crossings, out.inside.vertices);
  const std::size_t triangles = s.make_polygons();
  out.inside.triangles.assign(s.triangles.begin(),
                              s.triangles.begin() + static_cast<std::ptrdiff_t>(triangles));
  s.copy_border(out.border);
}

}  // namespace vf

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

constexpr std::size_t kMostTriangles = 8;  ///< of a polygon
constexpr std::size_t kMostQuads = 64;

/// The polygons of some crossings along one axis, as lanes look at them.
struct Quads {
  template <class T, std::size_t kEach>
  using Of = std::array<T, kEach*(kMostQuads + kMostLanes)>;
  std::array<Of<float, 4>, 4> at{}, normal{};  ///< of each corner, four floats side by side
  Of<std::uint32_t, 1> split{};
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
  std::vector<Triangle> triangles;  ///< longer than it is full

  std::size_t make_polygons();
  template <int kAxis>
  std::size_t find_quads(std::size_t first, std::size_t last);
  template <int kAxis>
  std::array<const CellVertices*, 4> cells_around(std::size_t base) const {
    std::array<const CellVertices*, 4> around{};
    for (std::size_t k = 0; k < 4; ++k)
      around[k] = &vertices.cell(base + static_cast<std::size_t>(kCellOffset[std::size_t{kAxis}][k]));
    return around;
  }
  template <int kAxis>
  std::size_t make_polygons(std::size_t first, std::size_t last, std::size_t n);
  std::size_t fan_around(int axis, const std::array<const CellVertices*, 4>& around, bool flip,
                         Triangle* out);
  void copy_border(TileBorder& border) const;
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

/// Around the crossings first ... last - 1, all along one axis; `n` triangles are there. Returns how many
/// then.
template <int kAxis>
std::size_t TileMesher::Impl::make_polygons(std::size_t first, std::size_t last, std::size_t n) {
  while (first < last) {
    const std::size_t end = std::min(last, first + kMostQuads);
    const std::size_t count = find_quads<kAxis>(first, end);
    kernels->split(kAxis, count, quads.at[0].data(), quads.normal[0].data(), quads.at[0].size(),
                   quads.split.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (quads.fan[i] != 0) {
        n += fan_around(kAxis, cells_around<kAxis>(quads.cell[i]), quads.flip[i] != 0, &triangles[n]);
        continue;
      }
      write_quad(quads.split[i] != 0, quads.vertex[i], quads.flip[i] != 0, &triangles[n]);
      n += 2;
    }
    first = end;
  }
  return n;
}

/// Those around the crossings whose cells all belong to the tile. Returns how many there are.
template <int kAxis>
std::size_t TileMesher::Impl::find_quads(std::size_t first, std::size_t last) {
  const bool any_ambiguous = vertices.any_ambiguous();
  const PolygonCorner* const corners = vertices.corners();
  const auto between = [](int v) { return static_cast<unsigned>(v - 1) < unsigned{kTileEdge - 1}; };
  std::size_t n = 0;
  for (std::size_t i = first; i < last; ++i) {
    const LatticeEdge edge = crossings.edges()[i];
    if ((kAxis != 0 && !between(edge.x())) || (kAxis != 1 && !between(edge.y())) ||
        (kAxis != 2 && !between(edge.z())))
      continue;  // a seam's
    const std::size_t base = TileVertices::cell_index(edge.x(), edge.y(), edge.z());
    const std::array<const CellVertices*, 4> around = cells_around<kAxis>(base);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t v = vertex_of(*around[k], kAxis, k);
      quads.vertex[n][k] = v;
      store4(corners[v].at, &quads.at[k][4 * n]);
      store4(corners[v].normal, &quads.normal[k][4 * n]);
    }
    quads.flip[n] = crossings.solid_low_end(i) ? 0 : 1;
    quads.fan[n] = any_ambiguous && has_ambiguous_face(kAxis, around) ? 1 : 0;
    quads.cell[n] = static_cast<std::uint32_t>(base);
    ++n;
  }
  return n;
}

/// The number of triangles.
std::size_t TileMesher::Impl::make_polygons() {
  const std::span<const LatticeEdge> edges = crossings.edges();
  need(triangles, (vertices.any_ambiguous() ? kMostTriangles : 2) * edges.size());
  std::size_t n = 0;
  for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
    const int axis = edges[first].axis();
    while (last < edges.size() && edges[last].axis() == axis) ++last;
    n = axis == 0   ? make_polygons<0>(first, last, n)
        : axis == 1 ? make_polygons<1>(first, last, n)
                    : make_polygons<2>(first, last, n);
  }
  return n;
}

void TileMesher::Impl::copy_border(TileBorder& border) const {
  const auto outer = [](int v) { return v == 0 || v == kTileEdge - 1; };
  for (int z = 0; z < kTileEdge; ++z) {
    for (int y = 0; y < kTileEdge; ++y) {
      border.row[static_cast<std::size_t>(z * kTileEdge + y)] =
          static_cast<std::uint16_t>(border.cells.size());
      const std::span<const CellVertices> row = vertices.row(y, z);
      if (row.empty()) continue;
      if (outer(y) || outer(z)) {
        border.cells.insert(border.cells.end(), row.begin(), row.end());
        continue;
      }
      if (row.front().x == 0) border.cells.push_back(row.front());
      if (row.back().x == kTileEdge - 1) border.cells.push_back(row.back());
    }
  }
  border.row.back() = static_cast<std::uint16_t>(border.cells.size());
  for (const FaceSegment& s : vertices.segments())
    if (outer(s.x) || outer(s.y) || outer(s.z)) border.segments.push_back(s);
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

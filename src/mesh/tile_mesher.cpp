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

#include "base/check.h"
#include "mesh/cell_table.h"
#include "mesh/edge_polygon.h"
#include "mesh/polygon.h"
#include "mesh/smooth_groups.h"
#include "mesh/vertex_fit.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr int kLattice = kTileSamples * kTileSamples * kTileSamples;
constexpr int kCells = kTileEdge * kTileEdge * kTileEdge;

/// A lattice edge with a change of sign: from sample x, y, z one further on the axis.
struct Crossing {
  std::uint8_t axis = 0, x = 0, y = 0, z = 0;
};

/// A part of a lattice edge that the surface crosses: places in [0, 1] and their values.
struct Bracket {
  float low = 0, low_value = 0, high = 1, high_value = 0;
};

/// A crossing this near to the surface stays where it is. [voxels]
constexpr float kNearSurface = 1.0F / 64;
constexpr int kRefinements = 3;

constexpr std::size_t lattice_index(int axis, int x, int y, int z) {
  return static_cast<std::size_t>(((axis * kTileSamples + z) * kTileSamples + y) * kTileSamples + x);
}

constexpr std::size_t cell_index(int x, int y, int z) {
  return static_cast<std::size_t>((z * kTileEdge + y) * kTileEdge + x);
}

/// From a cell's sample to the sample where its edge starts.
constexpr std::array<std::size_t, kCellEdges> kEdgeOffset = [] {
  std::array<std::size_t, kCellEdges> offsets{};
  for (int e = 0; e < kCellEdges; ++e) {
    const CellEdge edge = cell_edge(e);
    offsets[static_cast<std::size_t>(e)] =
        lattice_index(edge.axis, edge.from & 1, edge.from >> 1 & 1, edge.from >> 2);
  }
  return offsets;
}();

/// Points of the surface, in voxels from the tile's first sample.
struct Hermite {
  std::vector<float> x, y, z;  ///< [metres, frame]
  std::vector<float> value, gx, gy, gz;
  void resize(std::size_t n) {
    for (auto* v : {&x, &y, &z, &value, &gx, &gy, &gz}) v->resize(n);
  }
};

/// Where the crossings lie that start at a brick's samples; of the last bricks only sample 0 counts.
Box3f crossing_box(const TileKey& key, int bx, int by, int bz) {
  const Vec3f o = tile_origin(key);
  const float edge = voxel_m(key.level) * kBrickEdge;
  const auto at = [&](float from, int b) { return from + edge * static_cast<float>(b); };
  const auto end = [&](float from, int b) { return at(from, b < kBlockBricks - 1 ? b + 1 : b); };
  return {{at(o.x, bx), at(o.y, by), at(o.z, bz)}, {end(o.x, bx), end(o.y, by), end(o.z, bz)}};
}

float component(Vec3f v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

struct TileMesher::Impl {
  TileSamples samples;
  std::vector<Crossing> crossings;
  std::vector<Box3f> boxes;            ///< of each brick with crossings
  std::vector<BoxPoints> parts;        ///< its crossings
  std::vector<std::uint32_t> pending;  ///< crossings that are still off the surface
  std::vector<BoxPoints> pending_parts;
  std::vector<Bracket> brackets;  ///< of each crossing
  Hermite hermite, moved;
  std::vector<SurfacePoint> points;        ///< of each crossing
  std::vector<std::uint32_t> crossing_at;  ///< by lattice_index; set where there is one
  std::vector<std::uint32_t> centre_at;    ///< of each crossing: the vertex that its polygon is fanned from
  std::vector<CellVertices> cells;
  std::vector<std::uint32_t> cell_at;  ///< by cell_index; set where there is one
  std::vector<FaceSegment> segments;   ///< sorted
  std::vector<Vec3f> normals;          ///< of each vertex
  TileKey key;
  TileMesh* out = nullptr;

  Impl() : crossing_at(3 * kLattice), cell_at(kCells) {}

  void find_crossings();
  void find_in_brick(int bx, int by, int bz);
  void add_crossings(int axis, int x0, int y, int z, std::uint64_t bits);
  void evaluate_gradients(GradientSource& source);
  void guess_crossings();
  void place_crossing(std::size_t i, float t);
  void evaluate_pending(GradientSource& source);
  bool refine(std::uint32_t i);
  void set_points();
  void make_cells();
  void make_cell(int x, int y, int z, unsigned mask);
  void make_cycle(CellVertices& cell, unsigned edges, std::uint32_t first_of_cell);
  void make_segments();
  void make_segment(const CellVertices& cell, int axis, int u, int v);
  std::uint32_t add_vertex(const Vec3i& at, Vec3f normal);
  std::uint32_t centre_of(std::uint32_t crossing);
  void make_polygons();
  void fan_around(const Crossing& c, const std::array<const CellVertices*, 4>& around, bool flip);
  void copy_border();
  [[nodiscard]] bool solid(int x, int y, int z) const { return (samples.row(y, z) >> x & 1) != 0; }
};

// ---- crossings

void TileMesher::Impl::add_crossings(int axis, int x0, int y, int z, std::uint64_t bits) {
  for (; bits != 0; bits &= bits - 1) {
    const int x = x0 + std::countr_zero(bits);
    crossing_at[lattice_index(axis, x, y, z)] = static_cast<std::uint32_t>(crossings.size());
    crossings.push_back({static_cast<std::uint8_t>(axis), static_cast<std::uint8_t>(x),
                         static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(z)});
  }
}

/// Edges that start at a sample of the brick and end within the tile's 33 samples.
void TileMesher::Impl::find_in_brick(int bx, int by, int bz) {
  const int end_y = std::min(by * 8 + 8, kTileSamples), end_z = std::min(bz * 8 + 8, kTileSamples);
  const std::uint64_t width = bx < 4 ? 0xFF : 1;
  for (int z = bz * 8; z < end_z; ++z) {
    for (int y = by * 8; y < end_y; ++y) {
      const std::uint64_t row = samples.row(y, z);
      const std::uint64_t inner = (std::uint64_t{1} << kTileEdge) - 1;
      const int x0 = bx * 8;
      add_crossings(0, x0, y, z, ((row ^ row >> 1) & inner) >> x0 & width);
      if (y < kTileEdge) add_crossings(1, x0, y, z, (row ^ samples.row(y + 1, z)) >> x0 & width);
      if (z < kTileEdge) add_crossings(2, x0, y, z, (row ^ samples.row(y, z + 1)) >> x0 & width);
    }
  }
}

void TileMesher::Impl::find_crossings() {
  crossings.clear();
  parts.clear();
  boxes.clear();
  for (int bz = 0; bz < kBlockBricks; ++bz) {
    for (int by = 0; by < kBlockBricks; ++by) {
      for (int bx = 0; bx < kBlockBricks; ++bx) {
        // A proven brick's signs hold one sample further, so that no edge out of it is crossed.
        if (samples.brick(bx, by, bz) == nullptr) continue;
        const std::size_t begin = crossings.size();
        find_in_brick(bx, by, bz);
        if (crossings.size() == begin) continue;
        parts.push_back({boxes.size(), begin, crossings.size()});
        boxes.push_back(crossing_box(key, bx, by, bz));
      }
    }
  }
}

/// First guess of each crossing: where the line between its two samples meets zero.
void TileMesher::Impl::guess_crossings() {
  const std::size_t n = crossings.size();
  hermite.resize(n);
  moved.resize(n);
  brackets.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Crossing& c = crossings[i];
    const float a = samples.value(c.x, c.y, c.z);
    const float b =
        samples.value(c.x + (c.axis == 0 ? 1 : 0), c.y + (c.axis == 1 ? 1 : 0), c.z + (c.axis == 2 ? 1 : 0));
    brackets[i] = {0, a, 1, b};
    place_crossing(i, a / (a - b));
  }
}

void TileMesher::Impl::place_crossing(std::size_t i, float t) {
  const Vec3f origin = tile_origin(key);
  const float voxel = voxel_m(key.level);
  const Crossing& c = crossings[i];
  const Vec3f p = snap_to_grid({origin.x + voxel * (static_cast<float>(c.x) + (c.axis == 0 ? t : 0.0F)),
                                origin.y + voxel * (static_cast<float>(c.y) + (c.axis == 1 ? t : 0.0F)),
                                origin.z + voxel * (static_cast<float>(c.z) + (c.axis == 2 ? t : 0.0F))});
  hermite.x[i] = p.x;
  hermite.y[i] = p.y;
  hermite.z[i] = p.z;
}

void TileMesher::Impl::evaluate_gradients(GradientSource& source) {
  const float edge = tile_m(key.level);
  const Vec3f origin = tile_origin(key);
  source.begin({origin, origin + Vec3f{edge, edge, edge}}, boxes);
  guess_crossings();
  source.gradients(parts, {crossings.size(), hermite.x.data(), hermite.y.data(), hermite.z.data(), {}},
                   hermite.value.data(), hermite.gx.data(), hermite.gy.data(), hermite.gz.data());
  // Where the field has a kink between the samples the guess may be off the surface, and a gradient off the
  // surface may be that of a rounded edge. Regula falsi for those few.
  pending.clear();
  for (std::uint32_t i = 0; i < crossings.size(); ++i) pending.push_back(i);
  for (int step = 0; step < kRefinements; ++step) {
    std::erase_if(pending, [&](std::uint32_t i) { return !refine(i); });
    if (pending.empty()) return;
    evaluate_pending(source);
  }
}

/// Field and gradient anew at the crossings that moved.
void TileMesher::Impl::evaluate_pending(GradientSource& source) {
  const std::size_t n = pending.size();
  pending_parts.clear();
  std::size_t part = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t i = pending[k];
    while (parts[part].end <= i) ++part;
    if (pending_parts.empty() || pending_parts.back().box != parts[part].box)
      pending_parts.push_back({parts[part].box, k, k});
    pending_parts.back().end = k + 1;
    moved.x[k] = hermite.x[i];
    moved.y[k] = hermite.y[i];
    moved.z[k] = hermite.z[i];
  }
  source.gradients(pending_parts, {n, moved.x.data(), moved.y.data(), moved.z.data(), {}}, moved.value.data(),
                   moved.gx.data(), moved.gy.data(), moved.gz.data());
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t i = pending[k];
    hermite.value[i] = moved.value[k];
    hermite.gx[i] = moved.gx[k];
    hermite.gy[i] = moved.gy[k];
    hermite.gz[i] = moved.gz[k];
  }
}

/// Moves a crossing whose value is still far from zero. False: it is near enough.
bool TileMesher::Impl::refine(std::uint32_t i) {
  const float v = hermite.value[i], gx = hermite.gx[i], gy = hermite.gy[i], gz = hermite.gz[i];
  const float near = kNearSurface * voxel_m(key.level);
  if (v * v <= near * near * (gx * gx + gy * gy + gz * gz)) return false;
  const Crossing& c = crossings[i];
  const float at = c.axis == 0 ? hermite.x[i] : c.axis == 1 ? hermite.y[i] : hermite.z[i];
  const float t = (at - component(tile_origin(key), c.axis)) / voxel_m(key.level) -
                  static_cast<float>(c.axis == 0   ? c.x
                                     : c.axis == 1 ? c.y
                                                   : c.z);
  Bracket& b = brackets[i];
  if ((v < 0) == (b.low_value < 0)) {
    b.low = t;
    b.low_value = v;
    b.high_value *= 0.5F;  // Illinois: or the other end would never move
  } else {
    b.high = t;
    b.high_value = v;
    b.low_value *= 0.5F;
  }
  place_crossing(i, b.low + (b.high - b.low) * (b.low_value / (b.low_value - b.high_value)));
  return true;
}

/// Where the tangent plane at the estimated crossing is met, and the direction out of the rock.
void TileMesher::Impl::set_points() {
  const Vec3f origin = tile_origin(key);
  const float per_voxel = 1 / voxel_m(key.level);
  points.resize(crossings.size());
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& c = crossings[i];
    SurfacePoint& p = points[i];
    p.at = {(hermite.x[i] - origin.x) * per_voxel, (hermite.y[i] - origin.y) * per_voxel,
            (hermite.z[i] - origin.z) * per_voxel};
    const Vec3f g{hermite.gx[i], hermite.gy[i], hermite.gz[i]};
    const float length = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    if (length > 1e-6F) {  // false for NaN
      const float scale = 1 / length;
      p.normal = g * scale;
      const float offset = std::clamp(hermite.value[i] * scale * per_voxel, -0.5F, 0.5F);
      p.at = p.at - p.normal * offset;
    } else {  // the crest of a noise, the tip of a cone: all that is known is where the rock ends
      const float sign = solid(c.x, c.y, c.z) ? 1.0F : -1.0F;
      p.normal = {c.axis == 0 ? sign : 0.0F, c.axis == 1 ? sign : 0.0F, c.axis == 2 ? sign : 0.0F};
    }
  }
}

// ---- vertices

std::uint32_t TileMesher::Impl::add_vertex(const Vec3i& at, Vec3f normal) {
  std::vector<MeshVertex>& vertices = out->inside.vertices;
  vertices.push_back({static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y),
                      static_cast<std::int16_t>(at.z), encode_normal(normal)});
  normals.push_back(normal);
  return static_cast<std::uint32_t>(vertices.size() - 1);
}

void TileMesher::Impl::make_cycle(CellVertices& cell, unsigned edges, std::uint32_t first_of_cell) {
  const std::size_t base = lattice_index(0, cell.x, cell.y, cell.z);
  const Vec3f corner{static_cast<float>(cell.x), static_cast<float>(cell.y), static_cast<float>(cell.z)};
  VertexFit fit;
  SmoothGroups groups;
  for (unsigned rest = edges; rest != 0; rest &= rest - 1) {
    const auto e = static_cast<std::size_t>(std::countr_zero(rest));
    const SurfacePoint& p = points[crossing_at[base + kEdgeOffset[e]]];
    fit.add({p.at - corner, p.normal});
    groups.add(p.normal);
  }
  Vec3i at = fit.solve();
  // Two sheets of a cell may want the same place; they must not be welded.
  const std::vector<MeshVertex>& vertices = out->inside.vertices;
  const auto taken = [&](std::int32_t x) {
    for (std::size_t v = first_of_cell; v < vertices.size(); ++v)
      if (vertices[v].x == cell.x * kVoxelUnits + x && vertices[v].y == cell.y * kVoxelUnits + at.y &&
          vertices[v].z == cell.z * kVoxelUnits + at.z)
        return true;
    return false;
  };
  while (taken(at.x)) at.x = at.x == kVoxelUnits - kCellMargin ? kCellMargin : at.x + 1;
  const Vec3i units{cell.x * kVoxelUnits + at.x, cell.y * kVoxelUnits + at.y, cell.z * kVoxelUnits + at.z};
  const auto first = static_cast<std::uint32_t>(vertices.size());
  groups.solve();
  for (int g = 0; g < groups.count(); ++g) add_vertex(units, groups.normal(g));
  int k = 0;
  for (unsigned rest = edges; rest != 0; rest &= rest - 1, ++k) {
    const auto e = static_cast<std::size_t>(std::countr_zero(rest));
    cell.of_edge[e] =
        static_cast<std::uint8_t>(first + static_cast<std::uint32_t>(groups.group_of(k)) - first_of_cell);
  }
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
  for (std::size_t c = 0; c < shape.cycles; ++c) make_cycle(cell, shape.edges[c], cell.first);
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
  const Crossing& c = crossings[crossing];
  std::array<std::int32_t, 3> at{c.x * kVoxelUnits, c.y * kVoxelUnits, c.z * kVoxelUnits};
  std::int32_t& along = at[c.axis];
  const auto units =
      static_cast<std::int32_t>(std::floor(component(points[crossing].at, c.axis) * kVoxelUnits + 0.5F));
  along = std::clamp(units, along + kCellMargin, along + kVoxelUnits - kCellMargin);
  vertex = add_vertex({at[0], at[1], at[2]}, points[crossing].normal);
  return vertex;
}

void TileMesher::Impl::make_segment(const CellVertices& cell, int axis, int u, int v) {
  const int iu = (axis + 1) % 3, iv = (axis + 2) % 3;
  const std::array<int, 3> corner{cell.x, cell.y, cell.z};
  std::array<int, 3> along_u = corner, along_v = corner;  // where the crossed edges start
  along_u[static_cast<std::size_t>(iv)] += v;
  along_v[static_cast<std::size_t>(iu)] += u;
  const std::uint32_t a = crossing_at[lattice_index(iu, along_u[0], along_u[1], along_u[2])];
  const std::uint32_t b = crossing_at[lattice_index(iv, along_v[0], along_v[1], along_v[2])];
  const auto on_face = [&](Vec3f p) { return std::array<float, 2>{component(p, iu), component(p, iv)}; };
  const auto local = [&](Vec3f p) {
    const std::array<float, 2> f = on_face(p);
    return std::array<float, 2>{f[0] - static_cast<float>(corner[static_cast<std::size_t>(iu)]),
                                f[1] - static_cast<float>(corner[static_cast<std::size_t>(iv)])};
  };
  std::array<std::int32_t, 2> place = fit_on_face(local(points[a].at), on_face(points[a].normal),
                                                  local(points[b].at), on_face(points[b].normal));
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
  groups.add(points[a].normal);
  groups.add(points[b].normal);
  groups.solve();
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
  centre_at.assign(crossings.size(), kNone);
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
  for (const Crossing& c : crossings) {
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
    const bool flip = !solid(c.x, c.y, c.z);
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
  for (const CellVertices& cell : cells)
    if (outer(cell.x) || outer(cell.y) || outer(cell.z)) out->border.cells.push_back(cell);
  for (const FaceSegment& s : segments)
    if (outer(s.x) || outer(s.y) || outer(s.z)) out->border.segments.push_back(s);
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
  out.border.segments.clear();
  s.samples.load(tiles);
  if (s.samples.uniform()) return;
  s.find_crossings();
  if (s.crossings.empty()) return;
  s.evaluate_gradients(source);
  s.set_points();
  s.make_cells();
  s.make_segments();
  s.make_polygons();
  s.copy_border();
}

}  // namespace vf

#include "mesh/seams.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/check.h"
#include "mesh/cell_table.h"
#include "mesh/edge_polygon.h"
#include "mesh/polygon.h"

namespace vf {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr int kLast = kTileEdge - 1;

bool solid_low_end(const CellVertices& cell, int axis, std::size_t k) {
  const CellEdge edge = cell_edge(static_cast<int>(edge_in_cell(axis, k)));
  return (cell.mask >> edge.from & 1) != 0;
}

}  // namespace

void SeamMesher::begin(const TileMesh& tile, MeshPiece& out) {
  out.anchor = tile.inside.anchor;
  out.vertices.clear();
  out.triangles.clear();
  out_ = &out;
  used_ = 0;
}

int SeamMesher::part_of(const TileMesh& mesh, const std::array<int, 3>& shift_tiles) {
  VF_CHECK(mesh.inside.anchor.level == out_->anchor.level);
  for (int i = 0; i < used_; ++i)
    if (parts_[static_cast<std::size_t>(i)].mesh == &mesh) return i;
  if (parts_.size() == static_cast<std::size_t>(used_)) parts_.emplace_back();
  Part& part = parts_[static_cast<std::size_t>(used_)];
  part.mesh = &mesh;
  for (std::size_t i = 0; i < 3; ++i) part.shift[i] = shift_tiles[i] * kTileEdge * kVoxelUnits;
  part.copied.assign(mesh.inside.vertices.size(), kNone);
  return used_++;
}

std::uint32_t SeamMesher::copy_vertex(int part, std::uint32_t vertex) {
  Part& p = parts_[static_cast<std::size_t>(part)];
  std::uint32_t& copy = p.copied[vertex];
  if (copy != kNone) return copy;
  MeshVertex v = p.mesh->inside.vertices[vertex];
  v.x = static_cast<std::int16_t>(v.x + p.shift[0]);
  v.y = static_cast<std::int16_t>(v.y + p.shift[1]);
  v.z = static_cast<std::int16_t>(v.z + p.shift[2]);
  copy = static_cast<std::uint32_t>(out_->vertices.size());
  out_->vertices.push_back(v);
  return copy;
}

const CellVertices& SeamMesher::cell_in(int part, const std::array<int, 3>& cell) const {
  const std::vector<CellVertices>& cells = parts_[static_cast<std::size_t>(part)].mesh->border.cells;
  const auto it = std::lower_bound(
      cells.begin(), cells.end(), cell, [](const CellVertices& c, const std::array<int, 3>& k) {
        return std::tuple<int, int, int>(c.z, c.y, c.x) < std::tuple(k[2], k[1], k[0]);
      });
  VF_CHECK(it != cells.end() && it->x == cell[0] && it->y == cell[1] && it->z == cell[2]);
  return *it;
}

void SeamMesher::polygon(int axis, const std::array<int, 4>& parts,
                         const std::array<const CellVertices*, 4>& around) {
  const bool flip = !solid_low_end(*around[2], axis, 2);
  if (has_ambiguous_face(axis, around)) {
    const auto find = [&](std::size_t k, const FaceKey& face) {
      return find_segment(parts_[static_cast<std::size_t>(parts[k])].mesh->border.segments, face);
    };
    const auto vertex = [&](std::size_t k, std::uint32_t v) { return copy_vertex(parts[k], v); };
    const EdgeFan fan = fan_of_edge(axis, around, flip, find, vertex);
    triangulate_fan(fan.centre, fan.corners.data(), fan.count, flip, out_->triangles);
    return;
  }
  std::array<PolygonCorner, 4> corners;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint32_t v = copy_vertex(parts[k], vertex_of(*around[k], axis, k));
    const MeshVertex& m = out_->vertices[v];
    corners[k] = {v, {m.x, m.y, m.z}, decode_normal(m.normal)};
  }
  triangulate_quad(axis, corners, flip, out_->triangles);
}

void SeamMesher::add_face(int axis, const TileMesh& low, const TileMesh& high) {
  const auto a = static_cast<std::size_t>(axis);
  std::array<int, 3> shift{};
  shift[a] = -1;
  const int low_part = part_of(low, shift), high_part = part_of(high, {});
  for (const CellVertices& cell : high.border.cells) {
    const std::array<int, 3> at{cell.x, cell.y, cell.z};
    if (at[a] != 0) continue;
    // The cell's two edges in the face that start lowest; each edge is so met once.
    for (const int along : {(axis + 1) % 3, (axis + 2) % 3}) {
      const auto other = static_cast<std::size_t>(3 - axis - along);
      const std::size_t e = edge_in_cell(along, 2);
      if (at[other] == 0 || cell.of_edge[e] == kNotCrossed) continue;
      const std::size_t iu = (static_cast<std::size_t>(along) + 1) % 3,
                        iv = (static_cast<std::size_t>(along) + 2) % 3;
      std::array<const CellVertices*, 4> around{};
      std::array<int, 4> parts{};
      for (std::size_t k = 0; k < 4; ++k) {
        std::array<int, 3> c = at;
        c[iu] += kAroundEdge[k][0];
        c[iv] += kAroundEdge[k][1];
        parts[k] = c[a] < 0 ? low_part : high_part;
        if (c[a] < 0) c[a] = kLast;
        around[k] = &cell_in(parts[k], c);
      }
      polygon(along, parts, around);
    }
  }
}

void SeamMesher::add_edge(int axis, const std::array<const TileMesh*, 4>& tiles) {
  const auto a = static_cast<std::size_t>(axis), iu = (a + 1) % 3, iv = (a + 2) % 3;
  std::array<int, 4> numbers{};
  for (std::size_t t = 0; t < 4; ++t) {
    std::array<int, 3> shift{};
    shift[iu] = static_cast<int>(t & 1) - 1;
    shift[iv] = static_cast<int>(t >> 1) - 1;
    numbers[t] = part_of(*tiles[t], shift);
  }
  for (const CellVertices& cell : tiles[3]->border.cells) {
    const std::array<int, 3> at{cell.x, cell.y, cell.z};
    if (at[iu] != 0 || at[iv] != 0 || cell.of_edge[edge_in_cell(axis, 2)] == kNotCrossed) continue;
    std::array<const CellVertices*, 4> around{};
    std::array<int, 4> parts{};
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<int, 3> c = at;
      c[iu] = kAroundEdge[k][0] < 0 ? kLast : 0;
      c[iv] = kAroundEdge[k][1] < 0 ? kLast : 0;
      parts[k] = numbers[static_cast<std::size_t>((kAroundEdge[k][0] + 1) + 2 * (kAroundEdge[k][1] + 1))];
      around[k] = &cell_in(parts[k], c);
    }
    polygon(axis, parts, around);
  }
}

}  // namespace vf

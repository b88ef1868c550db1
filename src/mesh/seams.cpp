#include "mesh/seams.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "mesh/cell_table.h"
#include "mesh/edge_polygon.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

bool solid_low_end(const CellVertices& cell, int axis, std::size_t k) {
  const CellEdge edge = cell_edge(static_cast<int>(edge_in_cell(axis, k)));
  return (cell.mask >> edge.from & 1) != 0;
}

const CellVertices& cell_in(const TileBorder& border, const std::array<int, 3>& cell) {
  const std::size_t row = static_cast<std::size_t>(cell[2]) * kTileEdge + static_cast<std::size_t>(cell[1]);
  const std::size_t first = border.row[row], count = border.row[row + 1] - first;
  VF_CHECK(count > 0);
  // Cells of a row mostly follow each other without a gap; where there is one, the cell lies before that.
  const CellVertices* const cells = border.cells.data() + first;
  auto i = static_cast<std::size_t>(std::max(0, cell[0] - cells[0].x));
  i = std::min(i, count - 1);
  while (i > 0 && cells[i].x > cell[0]) --i;
  VF_CHECK(cells[i].x == cell[0]);
  return cells[i];
}

}  // namespace

std::uint32_t SeamMesher::copy_vertex(int tile, std::uint32_t vertex) {
  const TileMesh& mesh = *(*tiles_)[static_cast<std::size_t>(tile)];
  std::vector<std::uint32_t>& copied = copied_[static_cast<std::size_t>(tile)];
  if (copied.empty()) copied.assign(mesh.inside.vertices.size(), kNone);
  std::uint32_t& copy = copied[vertex];
  if (copy != kNone) return copy;
  constexpr int kTileUnits = kTileEdge * kVoxelUnits;
  MeshVertex v = mesh.inside.vertices[vertex];
  v.x = static_cast<std::int16_t>(v.x - (tile & 1) * kTileUnits);
  v.y = static_cast<std::int16_t>(v.y - (tile >> 1 & 1) * kTileUnits);
  v.z = static_cast<std::int16_t>(v.z - (tile >> 2) * kTileUnits);
  copy = static_cast<std::uint32_t>(out_->vertices.size());
  out_->vertices.push_back(v);
  const Vec3f n = decode_normal(v.normal);
  corners_.push_back({Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0},
                      Float4{n.x, n.y, n.z, 0}});
  return copy;
}

Triangle* SeamMesher::more_triangles(std::size_t count) {
  std::vector<Triangle>& triangles = out_->triangles;
  triangles.resize(triangles.size() + count);
  return &triangles[triangles.size() - count];
}

void SeamMesher::polygon(int axis, const std::array<int, 4>& tiles,
                         const std::array<const CellVertices*, 4>& around) {
  const bool flip = !solid_low_end(*around[2], axis, 2);
  if (has_ambiguous_face(axis, around)) {
    const auto find = [&](std::size_t k, const FaceKey& face) {
      return find_segment((*tiles_)[static_cast<std::size_t>(tiles[k])]->border.segments, face);
    };
    const auto vertex = [&](std::size_t k, std::uint32_t v) { return copy_vertex(tiles[k], v); };
    const EdgeFan fan = fan_of_edge(axis, around, flip, find, vertex);
    write_fan(fan.centre, fan.corners.data(), fan.count, flip, more_triangles(fan.count));
    return;
  }
  std::array<std::uint32_t, 4> v{};
  for (std::size_t k = 0; k < 4; ++k) v[k] = copy_vertex(tiles[k], vertex_of(*around[k], axis, k));
  const bool first = split_first(axis, corners_[v[0]], corners_[v[1]], corners_[v[2]], corners_[v[3]]);
  write_quad(first, v, flip, more_triangles(2));
}

void SeamMesher::mesh(const TilesBefore& tiles, MeshPiece& out) {
  out.anchor = tiles[0]->inside.anchor;
  out.vertices.clear();
  out.triangles.clear();
  out_ = &out;
  tiles_ = &tiles;
  corners_.clear();
  for (auto& copied : copied_) copied.clear();
  for (const TileMesh* tile : tiles)
    VF_CHECK(tile == nullptr || tile->inside.anchor.level == out.anchor.level);
  for (const CellVertices& cell : tiles[0]->border.cells) {
    const std::array<int, 3> at{cell.x, cell.y, cell.z};
    // The three edges that start at the cell's lowest corner: each lattice edge is so met once.
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t iu = (static_cast<std::size_t>(axis) + 1) % 3,
                        iv = (static_cast<std::size_t>(axis) + 2) % 3;
      if (at[iu] != 0 && at[iv] != 0) continue;  // inside the tile
      if (cell.of_edge[edge_in_cell(axis, 2)] == kNotCrossed) continue;
      std::array<const CellVertices*, 4> around{};
      std::array<int, 4> from{};
      bool all = true;
      for (std::size_t k = 0; k < 4 && all; ++k) {
        std::array<int, 3> c = at;
        c[iu] += kAroundEdge[k][0];
        c[iv] += kAroundEdge[k][1];
        for (std::size_t i = 0; i < 3; ++i) {
          if (c[i] >= 0) continue;
          c[i] = kTileEdge - 1;
          from[k] |= 1 << i;
        }
        const TileMesh* tile = tiles[static_cast<std::size_t>(from[k])];
        all = tile != nullptr;
        if (all) around[k] = &cell_in(tile->border, c);
      }
      if (all) polygon(axis, from, around);
    }
  }
}

}  // namespace vf

#include "mesh/seam_vertices.h"

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

void SeamVertices::begin(MeshPiece& out) {
  out.vertices.clear();
  out.triangles.clear();
  out_ = &out;
  corners_.clear();
  used_ = 0;
  if (++seam_ != 0) return;
  for (From& source : sources_) source.copies.clear();  // numbers of seams start anew
  seam_ = 1;
}

SeamVertices::Source SeamVertices::add_source(const std::vector<MeshVertex>& vertices,
                                              const std::array<int, 3>& origin, int scale) {
  if (sources_.size() == used_) sources_.emplace_back();
  From& source = sources_[used_];
  source.vertices = &vertices;
  for (std::size_t i = 0; i < 3; ++i) source.origin[i] = origin[i] * kVoxelUnits;
  source.scale = scale;
  return used_++;
}

std::uint32_t SeamVertices::copy(Source from, std::uint32_t vertex) {
  From& source = sources_[from];
  if (source.copies.size() < source.vertices->size()) source.copies.resize(source.vertices->size());
  Copy& copy = source.copies[vertex];
  if (copy.seam == seam_) return copy.vertex;
  MeshVertex v = (*source.vertices)[vertex];
  const auto moved = [&](std::int16_t at, std::size_t axis) {
    return static_cast<std::int16_t>(at * source.scale + source.origin[axis]);
  };
  v.x = moved(v.x, 0);
  v.y = moved(v.y, 1);
  v.z = moved(v.z, 2);
  copy = {seam_, add(v)};
  return copy.vertex;
}

std::uint32_t SeamVertices::add(const MeshVertex& v) {
  const auto at = static_cast<std::uint32_t>(out_->vertices.size());
  out_->vertices.push_back(v);
  const Vec3f n = decode_normal(v.normal);
  corners_.push_back({Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0},
                      Float4{n.x, n.y, n.z, 0}});
  return at;
}

Triangle* SeamVertices::more_triangles(std::size_t count) {
  std::vector<Triangle>& triangles = out_->triangles;
  triangles.resize(triangles.size() + count);
  return &triangles[triangles.size() - count];
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

bool solid_low_end(const CellVertices& cell, int axis, std::size_t k) {
  const CellEdge edge = cell_edge(static_cast<int>(edge_in_cell(axis, k)));
  return (cell.mask >> edge.from & 1) != 0;
}

void add_polygon(int axis, const std::array<SeamCell, 4>& around, SeamVertices& vertices) {
  const std::array<const CellVertices*, 4> cells{around[0].cell, around[1].cell, around[2].cell,
                                                 around[3].cell};
  const bool flip = !solid_low_end(*cells[2], axis, 2);
  if (has_ambiguous_face(axis, cells)) {
    const auto find = [&](std::size_t k, const FaceKey& face) {
      return find_segment(around[k].border->segments, face);
    };
    const auto vertex = [&](std::size_t k, std::uint32_t v) { return vertices.copy(around[k].source, v); };
    const EdgeFan fan = fan_of_edge(axis, cells, flip, find, vertex);
    write_fan(fan.centre, fan.corners.data(), fan.count, flip, vertices.more_triangles(fan.count));
    return;
  }
  std::array<std::uint32_t, 4> v{};
  for (std::size_t k = 0; k < 4; ++k) v[k] = vertices.copy(around[k].source, vertex_of(*cells[k], axis, k));
  const bool first = split_first(axis, vertices.corner(v[0]), vertices.corner(v[1]), vertices.corner(v[2]),
                                 vertices.corner(v[3]));
  write_quad(first, v, flip, vertices.more_triangles(2));
}

}  // namespace vf

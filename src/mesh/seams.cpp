#include "mesh/seams.h"

#include <array>
#include <cstddef>

#include "base/check.h"
#include "mesh/cell_table.h"
#include "mesh/edge_polygon.h"
#include "mesh/polygon.h"
#include "mesh/seam_vertices.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

void SeamMesher::mesh(const TilesBefore& tiles, MeshPiece& out) {
  out.anchor = tiles[0]->inside.anchor;
  out.two_levels = false;
  vertices_.begin(out);
  std::array<SeamVertices::Source, 8> sources{};
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    if (tiles[k] == nullptr) continue;
    VF_CHECK(tiles[k]->inside.anchor.level == out.anchor.level);
    const auto down = [k](int axis) { return (k >> axis & 1) != 0 ? -kTileEdge : 0; };
    sources[k] = vertices_.add_source(tiles[k]->inside.vertices, {down(0), down(1), down(2)}, 1);
  }
  for (const CellVertices& cell : tiles[0]->border.cells) {
    const std::array<int, 3> at{cell.x, cell.y, cell.z};
    // The three edges that start at the cell's lowest corner: each lattice edge is so met once.
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t iu = (static_cast<std::size_t>(axis) + 1) % 3,
                        iv = (static_cast<std::size_t>(axis) + 2) % 3;
      if (at[iu] != 0 && at[iv] != 0) continue;  // inside the tile
      if (cell.of_edge[edge_in_cell(axis, 2)] == kNotCrossed) continue;
      std::array<SeamCell, 4> around{};
      bool all = true;
      for (std::size_t k = 0; k < 4 && all; ++k) {
        std::array<int, 3> c = at;
        c[iu] += kAroundEdge[k][0];
        c[iv] += kAroundEdge[k][1];
        std::size_t from = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          if (c[i] >= 0) continue;
          c[i] = kTileEdge - 1;
          from |= std::size_t{1} << i;
        }
        const TileMesh* tile = tiles[from];
        all = tile != nullptr;
        if (all) around[k] = {&cell_in(tile->border, c), &tile->border, sources[from]};
      }
      if (all) add_polygon(axis, around, vertices_);
    }
  }
}

}  // namespace vf

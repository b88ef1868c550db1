#include "mesh/seam_pieces.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/check.h"
#include "mesh/mixed_seam.h"
#include "mesh/polygon.h"
#include "mesh/seam_key.h"
#include "mesh/seam_vertices.h"
#include "mesh/tile_mesh.h"
#include "mesh/transition_face.h"
#include "proof/certificate.h"

namespace vf {

struct SeamPieceMesher::Impl {
  SeamVertices vertices;
  MixedSeam mixed{vertices};
  std::array<TransitionFace, 4> faces;
  // Of the seam in hand.
  SeamKey key;
  std::array<SeamTile, 4> tiles;

  void set_tiles(const std::array<const TileMesh*, 4>& meshes);
  [[nodiscard]] std::size_t tile_at(int line_axis, std::size_t k) const;
  [[nodiscard]] SeamSide side_of(std::size_t fine, int axis, bool high, TransitionFace& face);
  void mesh_one_level();
  void mesh_side_of_two();
  void mesh_edge_of_two();
};

namespace {

std::size_t index(int axis) {
  return static_cast<std::size_t>(axis);
}

}  // namespace

void SeamPieceMesher::Impl::set_tiles(const std::array<const TileMesh*, 4>& meshes) {
  const std::array<TileKey, 4> keys = tiles_of(key);
  for (std::size_t i = 0; i < key.tile_count(); ++i) {
    VF_CHECK(meshes[i] != nullptr && meshes[i]->inside.anchor == keys[i]);
    const int scale = (key.coarse >> i & 1) != 0 ? 2 : 1;
    const auto from = [&](int tile, int own) { return (tile * scale - own) * kTileEdge; };
    SeamTile& tile = tiles[i];
    tile.mesh = meshes[i];
    tile.origin = {from(keys[i].tx, key.at.tx), from(keys[i].ty, key.at.ty), from(keys[i].tz, key.at.tz)};
    tile.scale = scale;
    // A coarse tile may be there twice, one after the other: its vertices once.
    const std::size_t last = i == 3 && meshes[3] == meshes[0] ? 0 : i - 1;
    const bool again = i > 0 && meshes[i] == meshes[last];
    tile.source =
        again ? tiles[last].source : vertices.add_source(tile.mesh->inside.vertices, tile.origin, scale);
  }
}

/// Which tile quadrant k around a line belongs to.
std::size_t SeamPieceMesher::Impl::tile_at(int line_axis, std::size_t k) const {
  if (key.edge) return k;
  const bool across_u = (line_axis + 1) % 3 == key.axis;
  return kAroundEdge[k][across_u ? 0 : 1] < 0 ? 0 : 1;
}

/// The transition cells in a side of a fine tile.
SeamSide SeamPieceMesher::Impl::side_of(std::size_t fine, int axis, bool high, TransitionFace& face) {
  face.load(*tiles[fine].mesh, axis, high);
  SeamSide side;
  side.face = &face;
  side.source = vertices.add_source(face.vertices(), tiles[fine].origin, 1);
  side.origin = tiles[fine].origin;
  return side;
}

/// The crossings are those of the tile on the high side: all tiles there see the same.
void SeamPieceMesher::Impl::mesh_one_level() {
  const SeamTile& high = tiles[key.edge ? 2 : 1];
  for (const BorderCrossing& crossing : high.mesh->border.crossings) {
    const int axis = crossing.axis, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::array<int, 3> at{crossing.x, crossing.y, crossing.z};
    if (key.edge) {
      if (axis != key.axis || at[index(u)] != 0 || at[index(v)] != 0) continue;
    } else {
      const int within = u == key.axis ? v : u;
      if (axis == key.axis || at[key.axis] != 0 || at[index(within)] == 0 || at[index(within)] == kTileEdge)
        continue;
    }
    std::array<SeamCell, 4> around{};
    for (std::size_t k = 0; k < 4; ++k) {
      const SeamTile& tile = tiles[tile_at(axis, k)];
      std::array<int, 3> cell{};
      for (std::size_t i = 0; i < 3; ++i) cell[i] = at[i] - tile.origin[i];
      cell[index(u)] += kAroundEdge[k][0];
      cell[index(v)] += kAroundEdge[k][1];
      around[k] = {&cell_in(tile.mesh->border, cell), &tile.mesh->border, tile.source};
    }
    add_polygon(axis, around, vertices);
  }
}

void SeamPieceMesher::Impl::mesh_side_of_two() {
  const std::size_t fine = (key.coarse & 1) != 0 ? 1 : 0;
  const SeamSide side = side_of(fine, key.axis, fine == 0, faces[0]);
  for (int turn = 1; turn <= 2; ++turn) {
    SeamLine line;
    line.axis = (key.axis + turn) % 3;
    const int across = (key.axis + 3 - turn) % 3;
    const bool across_u = (line.axis + 1) % 3 == across;
    for (std::size_t k = 0; k < 4; ++k) {
      line.quadrant[k] = &tiles[tile_at(line.axis, k)];
      line.side[k] = side;
      line.side[k].across = across;
      // Between quadrants on both sides of the face; else between two of one tile.
      if ((k % 2 == 0) == across_u) line.side[k].face = nullptr;
      line.side[k].low = kAroundEdge[k][across_u ? 0 : 1] < 0;
    }
    for (int at = 1; at < kTileEdge; ++at) {
      line.at[index(across)] = at;
      for (std::uint32_t rest = faces[0].crossed_on_line(line.axis, at); rest != 0;) {
        const int from = std::countr_zero(rest) & ~1;
        rest &= ~(std::uint32_t{3} << from);
        if (at % 2 == 0) {
          mixed.edges_on_coarse_line(line, from);
        } else {
          mixed.edges_between(line, from);
        }
      }
    }
  }
}

void SeamPieceMesher::Impl::mesh_edge_of_two() {
  SeamLine line;
  line.axis = key.axis;
  const int u = (line.axis + 1) % 3, v = (line.axis + 2) % 3;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t next = (k + 1) % 4;
    line.quadrant[k] = &tiles[k];
    if (tiles[k].scale == tiles[next].scale) continue;
    // The side between them is across u for quadrants 0 and 1, 2 and 3, else across v.
    const std::size_t fine = tiles[k].scale == 1 ? k : next;
    const bool across_u = k % 2 == 0;
    const bool high = kAroundEdge[fine][across_u ? 0 : 1] < 0;
    line.side[k] = side_of(fine, across_u ? u : v, high, faces[k]);
    line.side[k].across = across_u ? v : u;
    line.side[k].low = kAroundEdge[k][across_u ? 1 : 0] < 0;
  }
  for (int from = 0; from < kTileEdge; from += 2) mixed.edges_on_coarse_line(line, from);
}

SeamPieceMesher::SeamPieceMesher() : impl_(std::make_unique<Impl>()) {}
SeamPieceMesher::~SeamPieceMesher() = default;
SeamPieceMesher::SeamPieceMesher(SeamPieceMesher&&) noexcept = default;
SeamPieceMesher& SeamPieceMesher::operator=(SeamPieceMesher&&) noexcept = default;

void SeamPieceMesher::mesh(const SeamKey& key, const std::array<const TileMesh*, 4>& tiles, MeshPiece& out) {
  Impl& s = *impl_;
  out.anchor = key.at;
  out.two_levels = key.two_levels();
  s.vertices.begin(out);
  s.mixed.begin(out);
  s.key = key;
  s.set_tiles(tiles);
  if (!key.two_levels()) {
    s.mesh_one_level();
  } else if (key.edge) {
    s.mesh_edge_of_two();
  } else {
    s.mesh_side_of_two();
  }
}

}  // namespace vf

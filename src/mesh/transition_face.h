// The transition cells in one side of a tile, where its neighbour is of the next level; see
// transition_table.h.
//
// They are made of the fine tile's crossings in that side alone, and only as they are asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/tile_mesh.h"
#include "mesh/transition_table.h"
#include "proof/certificate.h"

namespace vf {

struct TransitionCell {
  TransitionMask mask = 0;
  std::array<std::uint32_t, kTransitionEdges> vertex{};  ///< for the polygon around each crossed edge
  /// Of each ambiguous square, by the place of the solid corner on v: the vertices of the segment around that
  /// corner, for the polygons around its end along u and its end along v.
  std::array<std::array<std::array<std::uint32_t, 2>, 2>, kTransitionSquares> segment{};
};

/// One a thread.
class TransitionFace {
 public:
  TransitionFace();
  /// Across `axis`, on the high or the low side. The tile must outlive what is asked here.
  void load(const TileMesh& fine, int axis, bool high);

  /// The crossing of a lattice edge in the side; null: not crossed. `from`: in the tile. [voxels]
  [[nodiscard]] const BorderCrossing* crossing(int axis, const std::array<int, 3>& from) const;
  /// Bit a: some edge along the line starts at its sample a. `across`: the line's place on the other axis.
  [[nodiscard]] std::uint32_t crossed_on_line(int axis, int across) const {
    return lines_[static_cast<std::size_t>(direction(axis))][static_cast<std::size_t>(across)];
  }
  /// Cell i, j in 0 ... 15 on the axes u and v after `axis`, some edge of which is crossed.
  [[nodiscard]] const TransitionCell& cell(int i, int j);
  /// Those of all cells so far; from the tile's first sample.
  [[nodiscard]] const std::vector<MeshVertex>& vertices() const { return vertices_; }
  /// 0: u, 1: v.
  [[nodiscard]] int direction(int axis) const { return axis == iu_ ? 0 : 1; }

 private:
  static constexpr std::size_t kCells = std::size_t{kTileEdge} / 2;
  struct Around;  ///< the crossings of one cell
  [[nodiscard]] const BorderCrossing* crossing_at(int direction, int along, int across) const;
  [[nodiscard]] Around around(int i, int j) const;
  void make_segments(const Around& a, class FacePlaces& places, TransitionCell& cell);
  void make_cycles(const Around& a, class FacePlaces& places, TransitionCell& cell);
  std::uint32_t add_vertex(const Around& a, const std::array<std::int32_t, 2>& at, Vec3f normal);

  const TileMesh* tile_ = nullptr;
  int axis_ = 0, iu_ = 1, iv_ = 2;
  bool high_ = false;
  std::vector<std::uint16_t> at_;  ///< by direction, across, along: crossing + 1
  std::array<std::array<std::uint32_t, std::size_t{kTileEdge} + 1>, 2> lines_{};
  std::vector<TransitionCell> cells_;
  std::vector<std::uint8_t> made_;
  std::vector<MeshVertex> vertices_;
};

}  // namespace vf

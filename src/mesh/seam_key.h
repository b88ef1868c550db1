// Tiles of a view -> the seams between them, each named by what it is made of.
//
// A view is a set of tiles that do not overlap. It is *balanced* when tiles that share a part of a side or of
// an edge differ by one level at most. Nothing is asked of tiles that meet in a point alone: a polygon goes
// around a lattice edge, and no edge is a point.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proof/certificate.h"

namespace vf {

/// A seam closes one side between two tiles or one edge between four. It depends on these tiles alone, and
/// they follow from the key: the same key means the same triangles. Its part of the side or edge is that of
/// one tile of the finest level there.
struct SeamKey {
  /// A cube of that level: the one on the high side of the side or edge, whichever tile it belongs to.
  TileKey at;
  std::uint8_t axis = 0;    ///< across the side, or along the edge
  bool edge = false;        ///< else a side
  std::uint8_t coarse = 0;  ///< bit i: tile i of tiles_of is of the next level

  friend bool operator==(const SeamKey&, const SeamKey&) = default;
  [[nodiscard]] std::size_t tile_count() const { return edge ? 4 : 2; }
  [[nodiscard]] bool two_levels() const { return coarse != 0; }
};
/// Total; by level first.
[[nodiscard]] bool before(const SeamKey& a, const SeamKey& b);
[[nodiscard]] bool before(const TileKey& a, const TileKey& b);

/// A side's tiles: low, high. An edge's: anticlockwise seen from +axis, as kAroundEdge. A coarse tile may be
/// there twice, where the edge lies within its side.
[[nodiscard]] std::array<TileKey, 4> tiles_of(const SeamKey& key);

/// All seams whose tiles are in the view, sorted. Where a tile is missing the view ends, and is open.
[[nodiscard]] std::vector<SeamKey> seams_between(std::span<const TileKey> view);

/// Only those that may have triangles. `surface`: the tiles of the view that have a surface. What a seam's
/// fine tiles see is there to be closed even where a coarse one is too coarse to see it.
[[nodiscard]] std::vector<SeamKey> seams_between(std::span<const TileKey> view,
                                                 std::span<const TileKey> surface);

/// Two tiles that touch in a side or an edge and differ by more than a level.
struct Unbalanced {
  TileKey fine, coarse;
};
/// All of them. [Empty: the view is balanced]
[[nodiscard]] std::vector<Unbalanced> unbalanced_tiles(std::span<const TileKey> tiles);

}  // namespace vf

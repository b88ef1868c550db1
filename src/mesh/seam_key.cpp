#include "mesh/seam_key.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "base/check.h"
#include "mesh/polygon.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

auto order_of(const TileKey& key) {
  return std::tuple(key.level, key.tz, key.ty, key.tx);
}

/// Finds tiles of a view, by one word each: a view of a thousand tiles asks some hundred thousand times.
class TileSet {
 public:
  explicit TileSet(std::span<const TileKey> tiles) : tiles_(tiles.begin(), tiles.end()) {
    std::sort(tiles_.begin(), tiles_.end(), [](const TileKey& a, const TileKey& b) { return before(a, b); });
    for (const TileKey& tile : tiles_) words_.push_back(word_of(tile));
  }
  [[nodiscard]] const std::vector<TileKey>& tiles() const { return tiles_; }
  [[nodiscard]] bool holds(const TileKey& key) const {
    return std::binary_search(words_.begin(), words_.end(), word_of(key));
  }

 private:
  /// In the order of tiles.
  static std::uint64_t word_of(const TileKey& key) {
    constexpr std::int32_t kHalf = 1 << 19;  // far more than a frame reaches
    const auto part = [](std::int32_t at) {
      VF_CHECK(at >= -kHalf && at < kHalf);
      return static_cast<std::uint64_t>(at + kHalf);
    };
    return static_cast<std::uint64_t>(key.level) << 60 | part(key.tz) << 40 | part(key.ty) << 20 |
           part(key.tx);
  }
  std::vector<TileKey> tiles_;
  std::vector<std::uint64_t> words_;
};

TileKey moved(const TileKey& key, const std::array<int, 3>& by) {
  return {key.level, key.tx + by[0], key.ty + by[1], key.tz + by[2]};
}

/// The cubes of the key's own level that its tiles cover there.
std::array<TileKey, 4> cubes_of(const SeamKey& key) {
  std::array<TileKey, 4> cubes{key.at, key.at, key.at, key.at};
  if (!key.edge) {
    std::array<int, 3> down{};
    down[key.axis] = -1;
    cubes[0] = moved(key.at, down);
    return cubes;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    std::array<int, 3> by{};
    by[(key.axis + std::size_t{1}) % 3] = kAroundEdge[k][0];
    by[(key.axis + std::size_t{2}) % 3] = kAroundEdge[k][1];
    cubes[k] = moved(key.at, by);
  }
  return cubes;
}

/// Adds the seam that lies at `key` when all its tiles are there and `own`, a tile of its level, is the first
/// of those: each seam is so added once.
void add_seam(SeamKey key, const TileKey& own, const TileSet& view, const TileSet& surface,
              std::vector<SeamKey>& out) {
  const std::array<TileKey, 4> cubes = cubes_of(key);
  bool first = true;
  for (std::size_t i = 0; i < key.tile_count(); ++i) {
    if (surface.holds(cubes[i])) {
      if (first && cubes[i] != own) return;
      first = false;
    } else if (view.holds(coarser(cubes[i]))) {
      key.coarse = static_cast<std::uint8_t>(key.coarse | 1 << i);
    } else {
      return;
    }
  }
  out.push_back(key);
}

}  // namespace

bool before(const TileKey& a, const TileKey& b) {
  return order_of(a) < order_of(b);
}

bool before(const SeamKey& a, const SeamKey& b) {
  const auto order = [](const SeamKey& k) { return std::tuple(order_of(k.at), k.edge, k.axis, k.coarse); };
  return order(a) < order(b);
}

std::array<TileKey, 4> tiles_of(const SeamKey& key) {
  std::array<TileKey, 4> tiles = cubes_of(key);
  for (std::size_t i = 0; i < key.tile_count(); ++i)
    if ((key.coarse >> i & 1) != 0) tiles[i] = coarser(tiles[i]);
  return tiles;
}

std::vector<SeamKey> seams_between(std::span<const TileKey> view) {
  return seams_between(view, view);
}

std::vector<SeamKey> seams_between(std::span<const TileKey> view, std::span<const TileKey> surface) {
  const TileSet all(view), own(surface);
  std::vector<SeamKey> out;
  for (const TileKey& tile : own.tiles()) {
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        std::array<int, 3> by{};
        by[axis] = side;
        add_seam({moved(tile, by), axis, false, 0}, tile, all, own, out);
      }
      for (const auto& around : kAroundEdge) {
        std::array<int, 3> by{};
        by[(axis + std::size_t{1}) % 3] = around[0] + 1;
        by[(axis + std::size_t{2}) % 3] = around[1] + 1;
        add_seam({moved(tile, by), axis, true, 0}, tile, all, own, out);
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const SeamKey& a, const SeamKey& b) { return before(a, b); });
  return out;
}

std::vector<Unbalanced> unbalanced_tiles(std::span<const TileKey> tiles) {
  const TileSet view(tiles);
  std::vector<Unbalanced> out;
  for (const TileKey& tile : view.tiles()) {
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int axes = (dx != 0 ? 1 : 0) + (dy != 0 ? 1 : 0) + (dz != 0 ? 1 : 0);
          if (axes == 0 || axes == 3) continue;
          TileKey next = coarser(moved(tile, {dx, dy, dz}));
          while (next.level < kMaxLevel) {
            next = coarser(next);
            if (view.holds(next)) out.push_back({tile, next});
          }
        }
      }
    }
  }
  return out;
}

}  // namespace vf

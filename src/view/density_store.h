// Densities of tiles, shared by the meshes that need them: a mesh reads its own tile and the rims of seven
// more.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "proof/certificate.h"

namespace vf {

struct TileKeyOrder {
  bool operator()(const TileKey& a, const TileKey& b) const;
};

/// Thread-safe. Forgets what was not asked for in the longest time beyond its budget; whoever holds a density
/// keeps it.
class DensityStore {
 public:
  explicit DensityStore(std::size_t budget_bytes) : budget_(budget_bytes) {}

  /// Evaluates the bricks of `wanted`; the rest may be classified only.
  using Evaluate = std::function<void(const TileKey& key, BrickMask wanted, TileDensity& out)>;

  /// The density with at least the bricks of `wanted`. Made here when it is not known: two threads that ask
  /// for one tile wait for each other, for no other tile.
  [[nodiscard]] std::shared_ptr<const TileDensity> get(const TileKey& key, BrickMask wanted,
                                                       const Evaluate& evaluate);

  /// Forgets all.
  void clear();
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    std::mutex mutex;  ///< held while it is made
    std::shared_ptr<const TileDensity> density;
    BrickMask have = 0;
    bool made = false;
    std::size_t bytes = 0;                ///< guarded by the store's mutex
    std::list<TileKey>::iterator recent;  ///< the same
  };

  void trim();

  std::size_t budget_;
  mutable std::mutex mutex_;
  std::map<TileKey, std::shared_ptr<Entry>, TileKeyOrder> entries_;
  std::list<TileKey> recent_;  ///< the most recent first
  std::size_t bytes_ = 0;
};

}  // namespace vf

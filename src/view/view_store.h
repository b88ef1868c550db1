// What a scheduler keeps of one source: pieces that are made, what is in hand, fields that are bound.
//
// Not thread-safe: the scheduler's mutex guards it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "view/density_store.h"
#include "view/view_source.h"

namespace vf {

using PieceId = Id<struct PieceTag>;

struct SeamKeyOrder {
  bool operator()(const SeamKey& a, const SeamKey& b) const { return before(a, b); }
};

/// The tiles of a level above each other.
struct ColumnKey {
  int level = 0;
  std::int32_t tx = 0, ty = 0;
  friend auto operator<=>(const ColumnKey&, const ColumnKey&) = default;
};
[[nodiscard]] inline ColumnKey column_of(const TileKey& key) {
  return {key.level, key.tx, key.ty};
}

template <class Product>
struct Kept {
  PieceId id;
  std::shared_ptr<const Product> product;
  std::size_t bytes = 0;
  std::uint64_t used = 0;  ///< tick of the scheduler when it was last wanted
};

/// Fields over a window, or the promise of them.
struct BoundWindow {
  int level = 0;
  Box2f window;
  std::shared_ptr<const ViewFields> fields;  ///< null: in hand
};

struct ViewStore {
  explicit ViewStore(std::shared_ptr<ViewSource> of) : source(std::move(of)) {}

  std::shared_ptr<ViewSource> source;
  std::map<TileKey, Kept<TileProduct>, TileKeyOrder> tiles;
  std::map<SeamKey, Kept<SeamProduct>, SeamKeyOrder> seams;
  std::set<ColumnKey> columns_in_hand;
  std::set<SeamKey, SeamKeyOrder> seams_in_hand;
  std::vector<BoundWindow> fields;  ///< the latest last
  std::optional<Error> error;       ///< what went wrong when binding: the stratum can't be made

  /// World place of the frame's corner, on the content floor. [metres]
  [[nodiscard]] Vec3d origin_m() const;
  /// Fields of that level that hold the window; null: there are none, not even in hand.
  [[nodiscard]] const BoundWindow* find_fields(int level, const Box2f& window) const;
};

}  // namespace vf

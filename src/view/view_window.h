// What one viewer sees of one stratum: the view that is shown, and the next one on its way.
//
// Not thread-safe: the scheduler's mutex guards it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "math/box.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/view_region.h"
#include "view/view_piece.h"
#include "view/view_store.h"

namespace vf {

// Work that a window waits for.
struct BindJob {
  int level = 0;
  Box2f window;
};
struct ColumnJob {
  ColumnKey column;
  std::vector<TileKey> tiles;
  RingSquare square;  ///< of the level: its tiles will be asked for too
  std::shared_ptr<const ViewFields> fields;
};
struct PlanSeamsJob {
  std::uint64_t aim = 0;
  std::vector<TileKey> tiles, surface;
};
struct SeamsJob {
  struct One {
    SeamKey key;
    std::array<std::shared_ptr<const TileProduct>, 4> tiles;
    std::shared_ptr<const ViewFields> fields;
  };
  std::vector<One> seams;
};
using ViewWork = std::variant<BindJob, ColumnJob, PlanSeamsJob, SeamsJob>;

/// A balanced set of tiles with its seams.
struct ViewContent {
  ViewSquares squares;
  std::vector<TileKey> tiles;
  std::vector<SeamKey> seams;  ///< sorted
};

/// The next view of a window, on its way.
struct ViewAim {
  std::uint64_t number = 0;
  ViewContent content;
  std::set<TileKey, TileKeyOrder> missing_tiles;
  std::array<std::deque<ColumnKey>, kMaxLevel + 1> columns;  ///< not taken yet, the most pressing first
  std::map<ColumnKey, std::vector<TileKey>> tiles_of_column;
  bool seams_asked = false, seams_known = false;
  std::set<SeamKey, SeamKeyOrder> missing_seams;
  std::deque<SeamKey> seam_queue;
  // When it is ready: its pieces, listed once, of which the first so many are given or were never missing.
  std::vector<ViewPiece> pieces;
  std::size_t given = 0;
  [[nodiscard]] bool ready() const { return missing_tiles.empty() && seams_known && missing_seams.empty(); }
};

class ViewWindow {
 public:
  explicit ViewWindow(std::shared_ptr<ViewStore> store) : store_(std::move(store)) {}

  [[nodiscard]] ViewStore& store() const { return *store_; }
  [[nodiscard]] const std::shared_ptr<ViewStore>& shared_store() const { return store_; }

  /// Chooses what to aim at and sorts what is missing by what matters. `may_grow`: there is memory for
  /// further levels. `aim_number`: names a new aim.
  void look(const Vec3d& at, const Vec3f& facing, const RingSettings& rings, bool may_grow,
            std::uint64_t& aim_number);
  /// The most pressing work that can be done now and is not in hand; marks it as in hand.
  [[nodiscard]] std::optional<ViewWork> take();
  /// The same for what will be aimed at next, for workers who have nothing better to do.
  [[nodiscard]] std::optional<ViewWork> take_ahead();

  // What has been made, by whomever.
  void tile_made(const TileKey& key);
  void seams_planned(std::uint64_t aim, std::vector<SeamKey> seams);
  void seam_made(const SeamKey& key);

  /// Gives the host what it does not hold yet, up to the budget; when it holds all, the aim becomes what is
  /// shown. False: there is nothing to do.
  bool give(std::size_t upload_bytes, ViewUpdate& update);
  /// A viewer may come to stand in it.
  [[nodiscard]] bool needed() const { return needed_; }
  void set_needed(bool needed) { needed_ = needed; }
  /// Aims at nothing any more.
  void rest() {
    aim_.reset();
    ahead_.reset();
  }
  /// The host holds something of it.
  [[nodiscard]] bool at_host() const { return !at_host_.empty(); }
  /// Takes back all that the host holds.
  void retire(ViewUpdate& update);

  [[nodiscard]] const ViewContent& shown() const { return shown_; }
  [[nodiscard]] const ViewContent* aim() const { return aim_ ? &aim_->content : nullptr; }
  [[nodiscard]] const ViewContent* ahead() const { return ahead_ ? &ahead_->content : nullptr; }
  [[nodiscard]] bool settled() const { return !aim_; }
  /// The best ring of level 0 that is complete: of the aim when that is ready, else of what is shown.
  [[nodiscard]] const ViewContent* ready() const;
  /// Changes when ready() does. 0: there is nothing.
  [[nodiscard]] std::uint64_t ready_number() const {
    return aim_ && aim_->ready() ? aim_->number : shown_number_;
  }
  /// [metres, frame]
  [[nodiscard]] bool stands_on_ready(const Vec3d& at) const;
  [[nodiscard]] std::vector<ViewPiece> shown_pieces() const;

 private:
  [[nodiscard]] ViewAim aim_of(const ViewSquares& squares, std::uint64_t number) const;
  static void sort_columns(ViewAim& aim, const Vec3d& at, const Vec3f& facing);
  [[nodiscard]] static Box2f window_of(const ViewAim& aim, int level, std::int32_t slack_m);
  [[nodiscard]] std::optional<BindJob> bind_ahead();
  [[nodiscard]] BindJob promise_fields(const ViewAim& aim, int level);
  [[nodiscard]] std::optional<ViewWork> take_column(ViewAim& aim);
  [[nodiscard]] std::optional<ViewWork> take_column(ViewAim& aim, int level);
  [[nodiscard]] std::optional<ViewWork> take_seams();
  [[nodiscard]] std::vector<ViewPiece> pieces_of(const ViewContent& content) const;

  std::shared_ptr<ViewStore> store_;
  bool needed_ = true;
  ViewContent shown_;
  std::uint64_t shown_number_ = 0;  ///< of the aim that it was
  std::optional<ViewAim> aim_, ahead_;
  std::vector<PieceId> at_host_;  ///< sorted, but for what was given of an aim in part
};

}  // namespace vf

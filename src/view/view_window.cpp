#include "view/view_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "math/box.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"
#include "view/view_piece.h"
#include "view/view_rings.h"
#include "view/view_store.h"

namespace vf {

namespace {

/// So many seams make a piece of work that is worth its bookkeeping.
constexpr std::size_t kSeamsAJob = 24;

double plan_length(double x, double y) {
  return std::sqrt(x * x + y * y);
}

bool aims_at(const std::optional<ViewAim>& aim, const ViewSquares& squares) {
  return aim && aim->content.squares == squares;
}

bool contains(const RingSquare& square, const Vec3d& at, double margin_m) {
  const auto inside = [&](std::int32_t min, double v) {
    return v >= static_cast<double>(min) + margin_m &&
           v <= static_cast<double>(min + square.width) - margin_m;
  };
  return inside(square.min_x, at.x) && inside(square.min_y, at.y);
}

}  // namespace

void ViewWindow::look(const Vec3d& at, const Vec3f& facing, const RingSettings& rings, bool may_grow,
                      std::uint64_t& aim_number) {
  std::optional<ViewSquares> next =
      next_squares(shown_.squares, rings, static_cast<float>(at.x), static_cast<float>(at.y));
  if (next && next->levels > shown_.squares.levels && next->levels > 1 && !may_grow) next.reset();
  if (!next) return rest();
  if (!aims_at(aim_, *next)) aim_ = aims_at(ahead_, *next) ? *std::move(ahead_) : aim_of(*next, ++aim_number);
  // What comes after that, for workers who would wait for the last pieces and for the host.
  next = next_squares(*next, rings, static_cast<float>(at.x), static_cast<float>(at.y));
  if (next && next->levels > shown_.squares.levels && !may_grow) next.reset();
  if (!next) {
    ahead_.reset();
  } else if (!aims_at(ahead_, *next)) {
    ahead_ = aim_of(*next, ++aim_number);
  }
  for (std::optional<ViewAim>* aim : {&aim_, &ahead_})
    if (*aim) sort_columns(**aim, at, facing);
}

ViewAim ViewWindow::aim_of(const ViewSquares& squares, std::uint64_t number) const {
  ViewAim aim;
  aim.number = number;
  aim.content.squares = squares;
  aim.content.tiles = tiles_in(squares, store_->source->height_m());
  for (const TileKey& key : aim.content.tiles) {
    if (store_->tiles.contains(key)) continue;
    aim.missing_tiles.insert(key);
    std::vector<TileKey>& column = aim.tiles_of_column[column_of(key)];
    if (column.empty()) aim.columns[static_cast<std::size_t>(key.level)].push_back(column_of(key));
    column.push_back(key);
  }
  return aim;
}

void ViewWindow::sort_columns(ViewAim& aim, const Vec3d& at, const Vec3f& facing) {
  const double length = plan_length(static_cast<double>(facing.x), static_cast<double>(facing.y));
  const auto cost = [&](const ColumnKey& c) {
    const double edge = static_cast<double>(tile_m(c.level));
    const double dx = (c.tx + 0.5) * edge - at.x, dy = (c.ty + 0.5) * edge - at.y, d = plan_length(dx, dy);
    // What lies ahead counts as half as far.
    const double ahead =
        length > 0 && d > 0
            ? (dx * static_cast<double>(facing.x) + dy * static_cast<double>(facing.y)) / (d * length)
            : 0;
    return d * (1 - 0.5 * ahead);
  };
  for (auto& queue : aim.columns) {
    std::vector<std::pair<double, ColumnKey>> order;
    for (const ColumnKey& c : queue) order.emplace_back(cost(c), c);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) queue[i] = order[i].second;
  }
}

/// The square with a tile about it: what tiles and seams read.
Box2f ViewWindow::window_of(const ViewAim& aim, int level, std::int32_t slack_m) {
  const RingSquare& s = aim.content.squares.at[static_cast<std::size_t>(level)];
  const auto metres = [](std::int32_t v) { return static_cast<float>(v); };
  const std::int32_t more = static_cast<std::int32_t>(tile_m(level)) + slack_m;
  return {metres(s.min_x - more), metres(s.min_y - more), metres(s.min_x + s.width + more),
          metres(s.min_y + s.width + more)};
}

std::optional<ViewWork> ViewWindow::take() {
  if (!aim_ || store_->error) return std::nullopt;
  if (std::optional<BindJob> job = bind_ahead()) return *job;
  if (std::optional<ViewWork> work = take_column(*aim_)) return work;
  return aim_->missing_tiles.empty() ? take_seams() : std::nullopt;
}

/// Binding the widest squares plans the paths of nine sectors, as long as a hundred columns take, and until
/// it is done nobody can begin on them. So it starts with the step before, once there is something to stand
/// on.
std::optional<BindJob> ViewWindow::bind_ahead() {
  if (!ahead_ || shown_.squares.levels == 0 || ahead_->content.squares.levels == shown_.squares.levels)
    return std::nullopt;
  for (int level = 0; level < ahead_->content.squares.levels; ++level) {
    if (ahead_->columns[static_cast<std::size_t>(level)].empty()) continue;
    if (store_->find_fields(level, window_of(*ahead_, level, 0)) == nullptr)
      return promise_fields(*ahead_, level);
  }
  return std::nullopt;
}

BindJob ViewWindow::promise_fields(const ViewAim& aim, int level) {
  // Near squares move often: theirs may do so once without a new window.
  const std::int32_t slack = level < 2 ? static_cast<std::int32_t>(tile_m(level + 1)) : 0;
  const BindJob job{level, window_of(aim, level, slack)};
  store_->fields.push_back({level, job.window, nullptr});
  return job;
}

std::optional<ViewWork> ViewWindow::take_ahead() {
  if (!ahead_ || store_->error) return std::nullopt;
  return take_column(*ahead_);
}

std::optional<ViewWork> ViewWindow::take_column(ViewAim& aim) {
  for (int level = 0; level < aim.content.squares.levels; ++level)
    if (std::optional<ViewWork> work = take_column(aim, level)) return work;
  return std::nullopt;
}

std::optional<ViewWork> ViewWindow::take_column(ViewAim& aim, int level) {
  auto& queue = aim.columns[static_cast<std::size_t>(level)];
  // Others may have made a column, or be about to.
  const auto next = std::find_if(queue.begin(), queue.end(),
                                 [&](const ColumnKey& c) { return !store_->columns_in_hand.contains(c); });
  if (next == queue.end()) return std::nullopt;
  const BoundWindow* bound = store_->find_fields(level, window_of(aim, level, 0));
  if (bound == nullptr) return promise_fields(aim, level);
  if (bound->fields == nullptr) return std::nullopt;
  ColumnJob job;
  job.column = *next;
  job.square = aim.content.squares.at[static_cast<std::size_t>(level)];
  job.fields = bound->fields;
  queue.erase(next);
  for (const TileKey& key : aim.tiles_of_column[job.column])
    if (aim.missing_tiles.contains(key)) job.tiles.push_back(key);
  if (job.tiles.empty()) return take_column(aim, level);
  store_->columns_in_hand.insert(job.column);
  return job;
}

std::optional<ViewWork> ViewWindow::take_seams() {
  if (!aim_->seams_known) {
    if (aim_->seams_asked) return std::nullopt;
    aim_->seams_asked = true;
    PlanSeamsJob job{aim_->number, aim_->content.tiles, {}};
    for (const TileKey& key : job.tiles)
      if (store_->tiles.at(key).product->mesh.has_surface()) job.surface.push_back(key);
    return job;
  }
  SeamsJob job;
  while (!aim_->seam_queue.empty() && job.seams.size() < kSeamsAJob) {
    const SeamKey key = aim_->seam_queue.front();
    const BoundWindow* bound = store_->find_fields(key.at.level, window_of(*aim_, key.at.level, 0));
    if (bound == nullptr || bound->fields == nullptr) {
      // All its tiles were known, and so nothing was bound for them.
      if (bound != nullptr || !job.seams.empty()) break;
      const BindJob bind{key.at.level, window_of(*aim_, key.at.level, 0)};
      store_->fields.push_back({bind.level, bind.window, nullptr});
      return bind;
    }
    aim_->seam_queue.pop_front();
    if (!aim_->missing_seams.contains(key) || store_->seams_in_hand.contains(key)) continue;
    SeamsJob::One one{key, {}, bound->fields};
    const std::array<TileKey, 4> tiles = tiles_of(key);
    for (std::size_t i = 0; i < key.tile_count(); ++i) one.tiles[i] = store_->tiles.at(tiles[i]).product;
    store_->seams_in_hand.insert(key);
    job.seams.push_back(std::move(one));
  }
  if (job.seams.empty()) return std::nullopt;
  return job;
}

void ViewWindow::tile_made(const TileKey& key) {
  if (aim_) aim_->missing_tiles.erase(key);
  if (ahead_) ahead_->missing_tiles.erase(key);
}

void ViewWindow::seams_planned(std::uint64_t aim, std::vector<SeamKey> seams) {
  if (!aim_ || aim_->number != aim) return;
  aim_->seams_known = true;
  for (const SeamKey& key : seams) {
    if (store_->seams.contains(key)) continue;
    aim_->missing_seams.insert(key);
    aim_->seam_queue.push_back(key);  // sorted: the near levels first
  }
  aim_->content.seams = std::move(seams);
}

void ViewWindow::seam_made(const SeamKey& key) {
  if (aim_) aim_->missing_seams.erase(key);
}

std::vector<ViewPiece> ViewWindow::pieces_of(const ViewContent& content) const {
  std::vector<ViewPiece> out;
  const std::int64_t stratum = store_->source->scope().stratum.index;
  const Vec3d origin = store_->origin_m();
  const auto add = [&](const auto& kept) {
    if (!kept.product->piece().triangles.empty())
      out.push_back({kept.id, stratum, store_->source->frame(), origin, kept.product});
  };
  for (const TileKey& key : content.tiles) add(store_->tiles.at(key));
  for (const SeamKey& key : content.seams) add(store_->seams.at(key));
  return out;
}

std::vector<ViewPiece> ViewWindow::shown_pieces() const {
  return pieces_of(shown_);
}

bool ViewWindow::give(std::size_t upload_bytes, ViewUpdate& update) {
  if (!aim_ || !aim_->ready()) return false;
  std::vector<ViewPiece>& pieces = aim_->pieces;
  if (pieces.empty()) {
    // A host asks every frame, and a view has thousands of pieces: what it holds already goes first.
    std::sort(at_host_.begin(), at_host_.end());
    std::vector<ViewPiece> missing;
    for (ViewPiece& piece : pieces_of(aim_->content)) {
      const bool held = std::binary_search(at_host_.begin(), at_host_.end(), piece.id);
      (held ? pieces : missing).push_back(std::move(piece));
    }
    aim_->given = pieces.size();
    pieces.insert(pieces.end(), missing.begin(), missing.end());
  }
  std::size_t bytes = 0;
  for (; aim_->given < pieces.size(); ++aim_->given) {
    const ViewPiece& piece = pieces[aim_->given];
    bytes += piece.product->bytes();
    if (!update.uploads.empty() && bytes > upload_bytes) return true;
    at_host_.push_back(piece.id);
    update.uploads.push_back(piece);
  }
  update.swap = true;
  std::vector<PieceId> stays;
  for (const ViewPiece& piece : pieces) stays.push_back(piece.id);
  std::sort(stays.begin(), stays.end());
  std::sort(at_host_.begin(), at_host_.end());
  std::set_difference(at_host_.begin(), at_host_.end(), stays.begin(), stays.end(),
                      std::back_inserter(update.retired));
  at_host_ = std::move(stays);
  shown_ = std::move(aim_->content);
  shown_number_ = aim_->number;
  aim_.reset();
  return true;
}

void ViewWindow::retire(ViewUpdate& update) {
  update.swap = true;
  update.retired.insert(update.retired.end(), at_host_.begin(), at_host_.end());
  at_host_.clear();
}

const ViewContent* ViewWindow::ready() const {
  if (aim_ && aim_->ready()) return &aim_->content;
  return shown_.squares.levels > 0 ? &shown_ : nullptr;
}

bool ViewWindow::stands_on_ready(const Vec3d& at) const {
  constexpr double kArmM = 4;  // of a body and what it may reach before the next step of the view
  const ViewContent* content = ready();
  return content != nullptr && contains(content->squares.at[0], at, kArmM);
}

}  // namespace vf

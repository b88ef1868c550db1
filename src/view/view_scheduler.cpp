#include "view/view_scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/crew.h"
#include "base/fp_scope.h"
#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/program.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"
#include "plan/mouths.h"
#include "plan/path_points.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"
#include "view/view_collision.h"
#include "view/view_piece.h"
#include "view/view_source.h"
#include "view/view_store.h"
#include "view/view_window.h"

namespace vf {

namespace {

constexpr double kSectorEdgeM = static_cast<double>(kSectorM);
constexpr double kMostPlaceM = 1e12;
/// A frame serves viewers within this of its corner, so that coordinates stay exact with a view about them.
constexpr double kFrameReachM = 4096;
/// The stratum beyond a passage is made for viewers within this of its axis, and must be there for those who
/// may step into it.
constexpr double kPassageSeenM = 48, kPassageEnteredM = 20;
/// Sources that nobody looks at any more, kept for those who come back.
constexpr std::size_t kIdleSources = 2;
/// Fields that are kept bound for one source.
constexpr std::size_t kMostFields = 16;

Error bad_input(std::string message) {
  return {ErrorCode::kBadInput, {}, std::move(message)};
}

Status check_viewer(const Viewer& v) {
  const auto text = [&](const char* what) {
    return bad_input(fmt::format("viewer {}: {}", v.id.value, what));
  };
  if (v.id.value == 0) return bad_input("a viewer has the id 0; expected another");
  if (!(std::abs(v.at.x) <= kMostPlaceM && std::abs(v.at.y) <= kMostPlaceM))
    return text("the place is out of range; expected |x|, |y| <= 10^12 m");
  if (!(std::isfinite(v.facing.x) && std::isfinite(v.facing.y))) return text("the facing is not finite");
  if (!(v.rings.near_m >= kLeastNearM && v.rings.near_m <= kMostNearM))
    return text("near_m is out of range; expected 16 to 32 m");
  if (!(v.rings.view_m >= kLeastViewM && v.rings.view_m <= kMostViewM))
    return text("view_m is out of range; expected 128 to 512 m");
  if (!(v.rings.min_feature_m >= kLeastMinFeatureM && v.rings.min_feature_m <= kMostMinFeatureM))
    return text("min_feature_m is out of range; expected 0.75 to 100 m");
  return Unit{};
}

struct SeenStratum {
  std::int64_t stratum = 0;
  bool entered = false;  ///< a viewer may be in it within the next steps
};

struct ViewerState {
  Viewer viewer;
  std::vector<std::unique_ptr<ViewWindow>> windows;  ///< that of the viewer's own stratum first
  std::vector<std::unique_ptr<ViewWindow>> leaving;  ///< until something stands in for them
  // Asked for every frame, and made anew only when it has changed.
  std::shared_ptr<const ViewCollision> ground;
  std::vector<std::uint64_t> ground_numbers;  ///< ready_number of each window
};

}  // namespace

struct ViewScheduler::Impl {
  World world;
  std::vector<std::shared_ptr<const BuiltRecipe>> built;
  ViewOptions options;

  mutable std::mutex mutex;
  std::map<ViewerId, ViewerState> viewers;
  std::vector<std::shared_ptr<ViewStore>> stores;  ///< the latest used last
  std::uint64_t next_piece = 1, aims = 0, tick = 0;
  std::size_t piece_bytes = 0, trimmed_at = 0;
  ViewStats made;

  // One a worker, and touched by that worker only.
  std::vector<ViewMaker> makers;
  std::unique_ptr<Crew> crew;  ///< last: its threads use all of the above

  // Viewers.
  void place(ViewerState& state);
  [[nodiscard]] std::vector<SeenStratum> strata_of(const Viewer& viewer, std::int64_t own) const;
  [[nodiscard]] std::shared_ptr<ViewStore> store_for(std::int64_t stratum, const Vec3d& at);
  void aim(ViewerState& state);
  void drop_idle_stores();

  // Work.
  struct Job {
    ViewWork work;
    std::shared_ptr<ViewStore> store;
  };
  std::vector<std::optional<Job>> columns;  ///< of each worker: what its maker is at
  [[nodiscard]] std::optional<Job> take();
  bool run(unsigned worker);
  void bind(const Job& job, const BindJob& bind);
  void begin_column(Job job, unsigned worker);
  void step_column(unsigned worker);
  [[nodiscard]] bool has(const ViewStore& store) const;
  void plan_seams(const Job& job, const PlanSeamsJob& plan);
  void make_seams(const Job& job, const SeamsJob& seams, ViewMaker& maker);
  template <class Visit>
  void for_windows_on(const ViewStore& store, const Visit& visit);

  // Memory.
  template <class Map, class Product>
  void keep(Map& kept, const typename Map::key_type& key, std::shared_ptr<const Product> product);
  [[nodiscard]] std::size_t density_bytes() const;
  void trim();
};

namespace {

/// The place in a store's frame.
Vec3d in_frame(const Vec3d& at, const ViewStore& store) {
  const Vec3d origin = store.origin_m();
  return {at.x - origin.x, at.y - origin.y, at.z - origin.z};
}

}  // namespace

/// The viewer's own stratum, and those that one may step into through a passage that the near ring reaches.
std::vector<SeenStratum> ViewScheduler::Impl::strata_of(const Viewer& viewer, std::int64_t own) const {
  std::vector<SeenStratum> out{{own, true}};
  const auto sx = static_cast<std::int64_t>(std::floor(viewer.at.x / kSectorEdgeM));
  const auto sy = static_cast<std::int64_t>(std::floor(viewer.at.y / kSectorEdgeM));
  const double x = viewer.at.x - static_cast<double>(sx) * kSectorEdgeM,
               y = viewer.at.y - static_cast<double>(sy) * kSectorEdgeM;
  for (const std::int64_t upper : {own - 1, own}) {
    if (upper < 0) continue;
    // Mouths keep far from the borders of sectors: those of others are out of reach.
    const PlanPoint axis = passage_axis(world.seed, upper, sx, sy);
    const double away_m = length(axis - PlanPoint{x, y});
    if (away_m <= kPassageSeenM) out.push_back({upper == own ? own + 1 : upper, away_m <= kPassageEnteredM});
  }
  return out;
}

std::shared_ptr<ViewStore> ViewScheduler::Impl::store_for(std::int64_t stratum, const Vec3d& at) {
  const auto serves = [&](const std::shared_ptr<ViewStore>& store) {
    const Vec3d local = in_frame(at, *store);
    return store->source->scope().stratum.index == stratum && std::abs(local.x) <= kFrameReachM &&
           std::abs(local.y) <= kFrameReachM;
  };
  if (const auto known = std::find_if(stores.begin(), stores.end(), serves); known != stores.end()) {
    std::rotate(known, known + 1, stores.end());
    return stores.back();
  }
  const Frame frame{static_cast<std::int64_t>(std::floor(at.x / kSectorEdgeM)),
                    static_cast<std::int64_t>(std::floor(at.y / kSectorEdgeM))};
  stores.push_back(std::make_shared<ViewStore>(std::make_shared<ViewSource>(
      stratum_scope(world, built, stratum), frame, options.memory_bytes / 8, options.materials)));
  return stores.back();
}

/// Gives a viewer the windows that its place asks for.
void ViewScheduler::Impl::place(ViewerState& state) {
  const Viewer& viewer = state.viewer;
  const std::int64_t own = *stratum_index_at(world, viewer.at.z);
  std::vector<std::unique_ptr<ViewWindow>> windows;
  for (const auto& [stratum, entered] : strata_of(viewer, own)) {
    const std::shared_ptr<ViewStore> store = store_for(stratum, viewer.at);
    std::unique_ptr<ViewWindow> window;
    for (auto* from : {&state.windows, &state.leaving})
      for (auto& known : *from)
        if (known != nullptr && known->shared_store() == store) window = std::move(known);
    if (window == nullptr) window = std::make_unique<ViewWindow>(store);
    window->set_needed(entered);
    windows.push_back(std::move(window));
  }
  for (auto& left : state.windows)
    if (left != nullptr && left->at_host()) {
      left->rest();
      state.leaving.push_back(std::move(left));
    }
  std::erase(state.leaving, nullptr);
  state.windows = std::move(windows);
}

void ViewScheduler::Impl::aim(ViewerState& state) {
  const bool may_grow = piece_bytes + density_bytes() <= options.memory_bytes;
  const std::int64_t own = state.windows.front()->store().source->scope().stratum.index;
  for (const auto& window : state.windows) {
    RingSettings rings = state.viewer.rings;
    rings.near_only = window->store().source->scope().stratum.index != own;
    window->look(in_frame(state.viewer.at, window->store()), state.viewer.facing, rings, may_grow, aims);
  }
}

void ViewScheduler::Impl::drop_idle_stores() {
  std::set<const ViewStore*> used;
  for (const auto& [id, state] : viewers)
    for (const auto* list : {&state.windows, &state.leaving})
      for (const auto& window : *list) used.insert(&window->store());
  std::size_t idle = 0;
  for (std::size_t i = stores.size(); i-- > 0;) {
    if (used.contains(stores[i].get())) continue;
    stores[i]->source->densities().clear();
    if (++idle <= kIdleSources) continue;
    for (const auto& [key, kept] : stores[i]->tiles) piece_bytes -= kept.bytes;
    for (const auto& [key, kept] : stores[i]->seams) piece_bytes -= kept.bytes;
    stores.erase(stores.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::optional<ViewScheduler::Impl::Job> ViewScheduler::Impl::take() {
  // Every viewer's own stratum comes before what anyone sees of others, and that before what comes after.
  for (const bool ahead : {false, true})
    for (std::size_t rank = 0; rank < 3; ++rank)
      for (auto& [id, state] : viewers) {
        if (rank >= state.windows.size()) continue;
        ViewWindow& window = *state.windows[rank];
        if (std::optional<ViewWork> work = ahead ? window.take_ahead() : window.take())
          return Job{*std::move(work), window.shared_store()};
      }
  return std::nullopt;
}

template <class Visit>
void ViewScheduler::Impl::for_windows_on(const ViewStore& store, const Visit& visit) {
  for (auto& [id, state] : viewers)
    for (const auto& window : state.windows)
      if (&window->store() == &store) visit(*window);
}

/// One piece of work, or a part of a column.
bool ViewScheduler::Impl::run(unsigned worker) {
  if (makers[worker].at_work()) {
    step_column(worker);
    return true;
  }
  std::optional<Job> job;
  {
    const std::lock_guard lock(mutex);
    job = take();
  }
  if (!job) return false;
  if (std::holds_alternative<ColumnJob>(job->work)) {
    begin_column(*std::move(job), worker);
    return true;
  }
  if (const auto* work = std::get_if<BindJob>(&job->work)) {
    bind(*job, *work);
  } else if (const auto* plan = std::get_if<PlanSeamsJob>(&job->work)) {
    plan_seams(*job, *plan);
  } else {
    make_seams(*job, std::get<SeamsJob>(job->work), makers[worker]);
  }
  crew->wake();  // what was made may have been what others wait for
  return true;
}

void ViewScheduler::Impl::bind(const Job& job, const BindJob& bind) {
  Result<std::shared_ptr<const ViewFields>> fields = job.store->source->bind(bind.window);
  const std::lock_guard lock(mutex);
  std::vector<BoundWindow>& known = job.store->fields;
  const auto promise = std::find_if(known.begin(), known.end(), [&](const BoundWindow& b) {
    return b.level == bind.level && b.fields == nullptr && b.window.min_x == bind.window.min_x &&
           b.window.min_y == bind.window.min_y && b.window.max_x == bind.window.max_x &&
           b.window.max_y == bind.window.max_y;
  });
  VF_CHECK(promise != known.end());
  ++made.fields_bound;
  if (!fields) {
    job.store->error = fields.error();
    known.erase(promise);
    return;
  }
  promise->fields = *std::move(fields);
  if (known.size() > kMostFields) {
    const auto oldest =
        std::find_if(known.begin(), known.end(), [](const BoundWindow& b) { return b.fields != nullptr; });
    known.erase(oldest);
  }
}

template <class Map, class Product>
void ViewScheduler::Impl::keep(Map& kept, const typename Map::key_type& key,
                               std::shared_ptr<const Product> product) {
  const std::size_t bytes = product->bytes();
  const auto [at, fresh] = kept.try_emplace(key);
  VF_CHECK(fresh);
  at->second = {{next_piece++}, std::move(product), bytes, tick};
  piece_bytes += bytes;
}

/// Whether the store is still one of ours: what is made for one that was dropped is dropped too.
bool ViewScheduler::Impl::has(const ViewStore& store) const {
  return std::any_of(stores.begin(), stores.end(), [&](const auto& s) { return s.get() == &store; });
}

void ViewScheduler::Impl::begin_column(Job job, unsigned worker) {
  const auto& column = std::get<ColumnJob>(job.work);
  const auto edge = static_cast<std::int32_t>(tile_m(column.column.level));
  TileColumn tiles{job.store->source, column.fields, column.tiles, {}};
  for (std::int32_t across = 0; across < 4; ++across) {
    const TileKey& first = column.tiles.front();
    const std::int32_t tx = first.tx + (across & 1), ty = first.ty + (across >> 1);
    tiles.whole[static_cast<std::size_t>(across)] =
        across == 0 || column.square.holds({tx * edge, ty * edge, edge}, 0);
  }
  makers[worker].begin(std::move(tiles));
  columns[worker] = std::move(job);
  step_column(worker);
}

void ViewScheduler::Impl::step_column(unsigned worker) {
  std::vector<std::shared_ptr<const TileProduct>> products;
  if (!makers[worker].step(products)) return;
  const Job job = *std::exchange(columns[worker], std::nullopt);
  const auto& column = std::get<ColumnJob>(job.work);
  {
    const std::lock_guard lock(mutex);
    job.store->columns_in_hand.erase(column.column);
    if (!has(*job.store)) return;
    for (std::size_t i = 0; i < products.size(); ++i) {
      const TileKey& key = column.tiles[i];
      keep(job.store->tiles, key, std::move(products[i]));
      ++made.tiles_made;
      for_windows_on(*job.store, [&](ViewWindow& window) { window.tile_made(key); });
    }
    trim();
  }
  crew->wake();  // what was made may have been what others wait for
}

void ViewScheduler::Impl::plan_seams(const Job& job, const PlanSeamsJob& plan) {
  std::vector<SeamKey> seams = seams_between(plan.tiles, plan.surface);
  const std::lock_guard lock(mutex);
  for_windows_on(*job.store, [&](ViewWindow& window) {
    if (window.aim() != nullptr) window.seams_planned(plan.aim, seams);
  });
}

void ViewScheduler::Impl::make_seams(const Job& job, const SeamsJob& seams, ViewMaker& maker) {
  std::vector<std::shared_ptr<const SeamProduct>> products;
  for (const SeamsJob::One& one : seams.seams) {
    std::array<const TileMesh*, 4> tiles{};
    for (std::size_t i = 0; i < one.key.tile_count(); ++i) tiles[i] = &one.tiles[i]->mesh;
    products.push_back(maker.make_seam(*one.fields, one.key, tiles));
  }
  const std::lock_guard lock(mutex);
  if (!has(*job.store)) return;
  for (std::size_t i = 0; i < products.size(); ++i) {
    const SeamKey& key = seams.seams[i].key;
    job.store->seams_in_hand.erase(key);
    keep(job.store->seams, key, std::move(products[i]));
    ++made.seams_made;
    for_windows_on(*job.store, [&](ViewWindow& window) { window.seam_made(key); });
  }
  trim();
}

std::size_t ViewScheduler::Impl::density_bytes() const {
  std::size_t bytes = 0;
  for (const auto& store : stores) bytes += store->source->densities().bytes();
  return bytes;
}

/// Forgets what was not wanted in the longest time, until there is a tenth of room again.
void ViewScheduler::Impl::trim() {
  const std::size_t densities = density_bytes();
  if (piece_bytes + densities <= options.memory_bytes) {
    trimmed_at = 0;
    return;
  }
  constexpr std::size_t kAgain = std::size_t{1} << 20;
  if (trimmed_at != 0 && piece_bytes < trimmed_at + kAgain) return;
  ++tick;
  for (const auto& [id, state] : viewers)
    for (const auto* list : {&state.windows, &state.leaving})
      for (const auto& window : *list)
        for (const ViewContent* content : {&window->shown(), window->aim(), window->ahead()}) {
          if (content == nullptr) continue;
          ViewStore& store = window->store();
          for (const TileKey& key : content->tiles)
            if (const auto at = store.tiles.find(key); at != store.tiles.end()) at->second.used = tick;
          for (const SeamKey& key : content->seams)
            if (const auto at = store.seams.find(key); at != store.seams.end()) at->second.used = tick;
        }
  struct Idle {
    std::uint64_t used = 0, id = 0;
    ViewStore* store = nullptr;
    const TileKey* tile = nullptr;
    const SeamKey* seam = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Idle> idle;
  for (const auto& store : stores) {
    for (const auto& [key, kept] : store->tiles)
      if (kept.used != tick)
        idle.push_back({kept.used, kept.id.value, store.get(), &key, nullptr, kept.bytes});
    for (const auto& [key, kept] : store->seams)
      if (kept.used != tick)
        idle.push_back({kept.used, kept.id.value, store.get(), nullptr, &key, kept.bytes});
  }
  std::sort(idle.begin(), idle.end(),
            [](const Idle& a, const Idle& b) { return std::tie(a.used, a.id) < std::tie(b.used, b.id); });
  const std::size_t goal = options.memory_bytes - options.memory_bytes / 10;
  for (const Idle& i : idle) {
    if (piece_bytes + densities <= goal) break;
    piece_bytes -= i.bytes;
    if (i.tile != nullptr) i.store->tiles.erase(*i.tile);
    if (i.seam != nullptr) i.store->seams.erase(*i.seam);
  }
  trimmed_at = std::max<std::size_t>(1, piece_bytes);
}

ViewScheduler::ViewScheduler(World world, std::vector<std::shared_ptr<const BuiltRecipe>> built,
                             const ViewOptions& options)
    : impl_(std::make_unique<Impl>()) {
  VF_CHECK(options.workers <= kMostViewWorkers && options.memory_bytes >= kLeastViewMemory);
  impl_->world = std::move(world);
  impl_->built = std::move(built);
  impl_->options = options;
  for (unsigned w = 0; w < std::max(1U, options.workers); ++w) impl_->makers.emplace_back(options.simd);
  impl_->columns.resize(impl_->makers.size());
  Impl* impl = impl_.get();
  impl_->crew =
      std::make_unique<Crew>(options.workers, [impl](unsigned worker) { return impl->run(worker); });
}

ViewScheduler::~ViewScheduler() = default;

Status ViewScheduler::look(std::span<const Viewer> viewers) {
  if (viewers.size() > kMostViewers)
    return bad_input(fmt::format("{} viewers; expected at most {}", viewers.size(), kMostViewers));
  std::set<ViewerId> named;
  for (const Viewer& viewer : viewers) {
    if (const Status status = check_viewer(viewer); !status) return status;
    if (!named.insert(viewer.id).second)
      return bad_input(fmt::format("two viewers have the id {}; expected one", viewer.id.value));
    if (!stratum_index_at(impl_->world, viewer.at.z))
      return bad_input(
          fmt::format("viewer {}: the place is out of the world; expected z <= 0, and at most 10^9 strata",
                      viewer.id.value));
  }
  const FpScope scope;
  {
    const std::lock_guard lock(impl_->mutex);
    const std::uint64_t aims_before = impl_->aims;
    if (std::erase_if(impl_->viewers, [&](const auto& known) { return !named.contains(known.first); }) > 0)
      impl_->trimmed_at = 0;
    for (const Viewer& viewer : viewers) {
      ViewerState& state = impl_->viewers[viewer.id];
      state.viewer = viewer;
      impl_->place(state);
      impl_->aim(state);
    }
    impl_->drop_idle_stores();
    ++impl_->tick;
    if (impl_->aims != aims_before) impl_->trimmed_at = 0;  // what was wanted before may go now
    impl_->trim();
  }
  impl_->crew->wake();
  return Unit{};
}

Result<ViewUpdate> ViewScheduler::poll(ViewerId viewer, std::size_t upload_bytes) {
  ViewUpdate update;
  {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->viewers.find(viewer);
    if (found == impl_->viewers.end())
      return bad_input(fmt::format("no viewer has the id {}; expected one of look()", viewer.value));
    ViewerState& state = found->second;
    for (const auto& window : state.windows)
      if (window->store().error) return *window->store().error;
    for (const auto& window : state.windows)
      if (window->give(upload_bytes, update)) break;
    // What was left goes when the new one shows as much: at once where it is another stratum.
    const ViewWindow& own = *state.windows.front();
    const bool between = !update.uploads.empty() && !update.swap;  // a swap now would show a part
    std::erase_if(state.leaving, [&](const std::unique_ptr<ViewWindow>& left) {
      if (between) return false;
      const bool same =
          left->store().source->scope().stratum.index == own.store().source->scope().stratum.index;
      const int wanted = same ? left->shown().squares.levels : 1;
      if (own.shown().squares.levels < std::max(1, wanted)) return false;
      left->retire(update);
      return true;
    });
    if (update.swap) impl_->aim(state);
  }
  if (update.swap) impl_->crew->wake();
  return update;
}

namespace {

template <class Viewers>
const ViewerState* find_state(const Viewers& viewers, ViewerId viewer) {
  const auto found = viewers.find(viewer);
  return found == viewers.end() ? nullptr : &found->second;
}

}  // namespace

bool ViewScheduler::playable(ViewerId viewer) const {
  const std::lock_guard lock(impl_->mutex);
  const ViewerState* state = find_state(impl_->viewers, viewer);
  if (state == nullptr) return false;
  return std::all_of(state->windows.begin(), state->windows.end(), [&](const auto& window) {
    return !window->needed() || window->stands_on_ready(in_frame(state->viewer.at, window->store()));
  });
}

bool ViewScheduler::settled(ViewerId viewer) const {
  const std::lock_guard lock(impl_->mutex);
  const ViewerState* state = find_state(impl_->viewers, viewer);
  if (state == nullptr) return false;
  return state->leaving.empty() && std::all_of(state->windows.begin(), state->windows.end(),
                                               [](const auto& w) { return w->settled(); });
}

namespace {

CollisionLayer layer_of(const ViewStore& store, const ViewContent& content) {
  CollisionLayer layer;
  layer.origin_m = store.origin_m();
  const auto add = [&](const auto& kept) {
    if (!kept.product->collider.empty()) layer.pieces.push_back(kept.product);
  };
  for (const TileKey& key : content.tiles)
    if (key.level == 0) add(store.tiles.at(key));
  for (const SeamKey& key : content.seams)
    if (key.at.level == 0) add(store.seams.at(key));
  return layer;
}

}  // namespace

std::shared_ptr<const ViewCollision> ViewScheduler::collision(ViewerId viewer) const {
  const std::lock_guard lock(impl_->mutex);
  const auto found = impl_->viewers.find(viewer);
  if (found == impl_->viewers.end())
    return std::make_shared<const ViewCollision>(std::vector<CollisionLayer>{});
  ViewerState& state = found->second;
  std::vector<std::uint64_t> numbers;
  for (const auto& window : state.windows) numbers.push_back(window->ready_number());
  if (state.ground == nullptr || numbers != state.ground_numbers) {
    std::vector<CollisionLayer> layers;
    for (const auto& window : state.windows)
      if (const ViewContent* content = window->ready()) layers.push_back(layer_of(window->store(), *content));
    state.ground = std::make_shared<const ViewCollision>(std::move(layers));
    state.ground_numbers = std::move(numbers);
  }
  return state.ground;
}

std::vector<ViewPiece> ViewScheduler::shown(ViewerId viewer) const {
  std::vector<ViewPiece> out;
  const std::lock_guard lock(impl_->mutex);
  if (const ViewerState* state = find_state(impl_->viewers, viewer))
    for (const auto& window : state->windows) {
      const std::vector<ViewPiece> pieces = window->shown_pieces();
      out.insert(out.end(), pieces.begin(), pieces.end());
    }
  return out;
}

std::vector<TileKey> ViewScheduler::shown_tiles(ViewerId viewer) const {
  const std::lock_guard lock(impl_->mutex);
  const ViewerState* state = find_state(impl_->viewers, viewer);
  return state == nullptr ? std::vector<TileKey>{} : state->windows.front()->shown().tiles;
}

bool ViewScheduler::work(unsigned worker) {
  VF_CHECK(worker < impl_->makers.size());
  const FpScope scope;
  return impl_->run(worker);
}

ViewStats ViewScheduler::stats() const {
  const std::lock_guard lock(impl_->mutex);
  ViewStats stats = impl_->made;
  stats.bytes = impl_->piece_bytes + impl_->density_bytes();
  for (const auto& store : impl_->stores) stats.pieces += store->tiles.size() + store->seams.size();
  stats.over_budget = stats.bytes > impl_->options.memory_bytes;
  return stats;
}

}  // namespace vf

#include "view/view_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/fp_scope.h"
#include "base/result.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/mesh_digest.h"
#include "mesh/view_mesh.h"
#include "plan/mouths.h"
#include "plan/resolve.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"
#include "test_support/shipped_worlds.h"
#include "view/tile_payload.h"

namespace vf {
namespace {

constexpr ViewerId kMe{1};
constexpr std::size_t kAnyBytes = std::size_t{1} << 40;

ViewOptions options(unsigned workers) {
  return {workers, best_simd_level(), std::size_t{256} << 20};
}

std::unique_ptr<ViewScheduler> scheduler_of(const std::string& type, const ViewOptions& with) {
  test::ShippedWorld world = test::open_shipped(type, 7);
  return std::make_unique<ViewScheduler>(std::move(world.world), std::move(world.built), with);
}

Viewer at(double x, double y, double z, const RingSettings& rings = {32, 128, false}) {
  return {kMe, {x, y, z}, {}, rings};
}

/// A host that keeps what it is given, and checks that it is never left without.
class Host {
 public:
  void take(const ViewUpdate& update) {
    for (const ViewPiece& piece : update.uploads)
      EXPECT_TRUE(held_.emplace(piece.id, piece).second) << "sent twice";
    for (const PieceId id : update.retired) EXPECT_EQ(held_.erase(id), 1U) << "retired but never sent";
    if (!update.swap) {
      EXPECT_TRUE(update.retired.empty());
      return;
    }
    visible_.clear();
    for (const auto& [id, piece] : held_) visible_.insert(id);
  }
  [[nodiscard]] const std::set<PieceId>& visible() const { return visible_; }
  [[nodiscard]] std::size_t held() const { return held_.size(); }

 private:
  std::map<PieceId, ViewPiece> held_;
  std::set<PieceId> visible_;
};

std::set<PieceId> ids_of(const std::vector<ViewPiece>& pieces) {
  std::set<PieceId> out;
  for (const ViewPiece& piece : pieces) out.insert(piece.id);
  return out;
}

/// Works and polls until all is shown.
void settle(ViewScheduler& scheduler, Host& host, std::size_t upload_bytes = kAnyBytes, bool by_hand = true) {
  for (int round = 0; !scheduler.settled(kMe); ++round) {
    ASSERT_LT(round, 1'000'000) << "never settles";
    const bool worked = by_hand && scheduler.work(0);
    const Result<ViewUpdate> update = scheduler.poll(kMe, upload_bytes);
    ASSERT_TRUE(update) << update.error().message;
    host.take(*update);
    if (update->swap) {
      EXPECT_EQ(host.visible(), ids_of(scheduler.shown(kMe)));
    }
    if (!worked && !update->swap) std::this_thread::yield();
  }
}

Digest digest_of(const std::vector<ViewPiece>& pieces) {
  Digester digest;
  for (const ViewPiece& piece : pieces) {
    digest.add(digest_of(piece.product->piece()));
    digest.add(digest_of(payload_of(piece, {})));
  }
  return digest.finish();
}

Digest settled_digest(const std::string& type, const ViewOptions& with, const Viewer& viewer) {
  const auto scheduler = scheduler_of(type, with);
  Host host;
  EXPECT_TRUE(scheduler->look({&viewer, 1}));
  settle(*scheduler, host, kAnyBytes, with.workers == 0);
  return digest_of(scheduler->shown(kMe));
}

TEST(ViewScheduler, ShowsTheNearRingFirstAndThenAll) {
  const auto scheduler = scheduler_of("flat_plain", options(0));
  const Viewer viewer = at(500, 500, -20);
  ASSERT_TRUE(scheduler->look({&viewer, 1}));
  EXPECT_FALSE(scheduler->playable(kMe));
  EXPECT_EQ(scheduler->collision(kMe)->triangle_count(), 0U);
  Host host;
  while (!scheduler->playable(kMe)) ASSERT_TRUE(scheduler->work(0));
  const ViewStats near = scheduler->stats();
  EXPECT_GT(scheduler->collision(kMe)->triangle_count(), 1000U) << "before the host polled";
  const Result<ViewUpdate> first = scheduler->poll(kMe, kAnyBytes);
  ASSERT_TRUE(first);
  host.take(*first);
  EXPECT_TRUE(first->swap);
  for (const TileKey& key : scheduler->shown_tiles(kMe)) EXPECT_EQ(key.level, 0);
  settle(*scheduler, host);
  EXPECT_GT(scheduler->stats().tiles_made, near.tiles_made);
  const std::vector<TileKey> tiles = scheduler->shown_tiles(kMe);
  EXPECT_EQ(tiles, tiles_in(wanted_squares(viewer.rings, 500, 500), 24));
  EXPECT_FALSE(scheduler->work(0)) << "work is left when all is shown";
}

// The judge: all of the view at once, without a scheduler, stores or steps.
TEST(ViewScheduler, ShowsWhatTheWholeViewMeshedAtOnceIs) {
  const auto scheduler = scheduler_of("pool_rooms", options(0));
  const Viewer viewer = at(300, 700, -10);
  ASSERT_TRUE(scheduler->look({&viewer, 1}));
  Host host;
  settle(*scheduler, host);
  const test::ShippedWorld world = test::open_shipped("pool_rooms", 7);
  const std::vector<TileKey> tiles = scheduler->shown_tiles(kMe);
  const FpScope scope;
  Result<BoundField> field =
      field_in_window(stratum_scope(world.world, world.built, 0), {}, view_window(tiles));
  ASSERT_TRUE(field);
  const ViewMesh whole =
      mesh_view(std::make_shared<const BoundField>(*std::move(field)), tiles, {best_simd_level(), true}, 1);
  std::vector<Digest> expected, seen;
  for (const MeshPiece* piece : whole.pieces())
    if (!piece->triangles.empty()) expected.push_back(digest_of(*piece));
  for (const ViewPiece& piece : scheduler->shown(kMe)) seen.push_back(digest_of(piece.product->piece()));
  EXPECT_EQ(seen, expected);
}

TEST(ViewScheduler, MakesTheSameWithAnyNumberOfWorkers) {
  const Viewer near = at(700, -120, -20, {32, 128, true}), far = at(-90, 20, -20, {16, 128, false});
  const Digest expected = settled_digest("flat_plain", options(0), near);
  for (const unsigned workers : {1U, 2U, 8U, 16U})
    EXPECT_EQ(settled_digest("flat_plain", options(workers), near), expected) << workers;
  EXPECT_EQ(settled_digest("flat_plain", options(8), far), settled_digest("flat_plain", options(0), far));
}

TEST(ViewSchedulerSlow, MakesTheSameWithAnyNumberOfWorkersFromRandomCameras) {
  std::mt19937 random(11);
  for (const std::string type : {"flat_plain", "maze", "floating_islands"}) {
    const Viewer viewer =
        at(static_cast<double>(random() % 1000), -static_cast<double>(random() % 1000), -20);
    const Digest expected = settled_digest(type, options(0), viewer);
    for (const unsigned workers : {1U, 2U, 8U, 16U})
      EXPECT_EQ(settled_digest(type, options(workers), viewer), expected) << type << ", " << workers;
  }
}

// On every compiler. It changes with the evaluator's version, the mesher, or the type.
TEST(ViewScheduler, KeepsItsBytes) {
  EXPECT_EQ(to_hex(settled_digest("flat_plain", options(0), at(500, 500, -20))),
            "9b38f5dffc9dbcee1ef090516ef7a49e");
}

TEST(ViewSchedulerSlow, MakesTheSameAtEverySimdLevel) {
  const Viewer viewer = at(-300, 90, -20, {16, 128, false});
  const Digest expected = settled_digest("pool_rooms", options(0), viewer);
  for (const SimdLevel level : supported_simd_levels()) {
    ViewOptions with = options(0);
    with.simd = level;
    EXPECT_EQ(settled_digest("pool_rooms", with, viewer), expected) << to_string(level);
  }
}

TEST(ViewScheduler, ShowsTheSameAfterAWalkAsToOneWhoComesFromNowhere) {
  const auto scheduler = scheduler_of("too_clean_hills", options(0));
  Host host;
  std::vector<ViewPiece> after;
  for (double x = 130; x <= 170; x += 20) {
    const Viewer viewer = at(x, 40 + x, -25, {16, 128, false});
    ASSERT_TRUE(scheduler->look({&viewer, 1}));
    settle(*scheduler, host);
    EXPECT_TRUE(scheduler->playable(kMe));
  }
  const std::vector<TileKey> tiles = scheduler->shown_tiles(kMe);
  after = scheduler->shown(kMe);
  // A fresh viewer at the middle of the near square sees the same squares.
  const Viewer fresh = at(168, 208, -25, {16, 128, false});
  const auto other = scheduler_of("too_clean_hills", options(0));
  Host other_host;
  ASSERT_TRUE(other->look({&fresh, 1}));
  settle(*other, other_host);
  std::map<std::string, Digest> fresh_pieces;
  std::size_t common = 0;
  const auto name = [](const MeshPiece& p) {
    return std::to_string(p.anchor.level) + "," + std::to_string(p.anchor.tx) + "," +
           std::to_string(p.anchor.ty) + "," + std::to_string(p.anchor.tz);
  };
  for (const ViewPiece& piece : other->shown(kMe))
    if (dynamic_cast<const TileProduct*>(piece.product.get()) != nullptr)
      fresh_pieces[name(piece.product->piece())] = digest_of(piece.product->piece());
  for (const ViewPiece& piece : after)
    if (const auto known = fresh_pieces.find(name(piece.product->piece()));
        known != fresh_pieces.end() && dynamic_cast<const TileProduct*>(piece.product.get()) != nullptr) {
      ++common;
      EXPECT_EQ(digest_of(piece.product->piece()), known->second);
    }
  EXPECT_GT(common, 30U);
}

TEST(ViewScheduler, KeepsToTheUploadBudget) {
  const auto scheduler = scheduler_of("flat_plain", options(0));
  const Viewer viewer = at(100, 100, -20);
  ASSERT_TRUE(scheduler->look({&viewer, 1}));
  while (!scheduler->playable(kMe)) ASSERT_TRUE(scheduler->work(0));
  Host host;
  std::size_t polls = 0;
  for (bool swapped = false; !swapped; ++polls) {
    const Result<ViewUpdate> update = scheduler->poll(kMe, 100'000);
    ASSERT_TRUE(update);
    std::size_t bytes = 0;
    for (const ViewPiece& piece : update->uploads) bytes += piece.product->bytes();
    EXPECT_TRUE(bytes <= 100'000 || update->uploads.size() == 1) << bytes;
    host.take(*update);
    swapped = update->swap;
  }
  EXPECT_GT(polls, 10U);
}

TEST(ViewScheduler, NeitherGrowsNorStarvesWhenAViewerJumpsEveryFrame) {
  ViewOptions small = options(0);
  small.memory_bytes = kLeastViewMemory;
  const auto scheduler = scheduler_of("flat_plain", small);
  const auto works_until_playable = [&](const Viewer& viewer) {
    EXPECT_TRUE(scheduler->look({&viewer, 1}));
    int works = 0;
    for (; !scheduler->playable(kMe) && works < 10'000; ++works) (void)scheduler->work(0);
    return works;
  };
  const int cold = works_until_playable(at(500, 500, -20, {}));
  Host host;
  std::mt19937 random(5);
  for (int frame = 0; frame < 80; ++frame) {
    const Viewer viewer =
        at(static_cast<double>(random() % 100'000), static_cast<double>(random() % 100'000), -20, {});
    ASSERT_TRUE(scheduler->look({&viewer, 1}));
    for (int i = 0; i < 3; ++i) (void)scheduler->work(0);
    const Result<ViewUpdate> update = scheduler->poll(kMe, kAnyBytes);
    ASSERT_TRUE(update);
    host.take(*update);
    ASSERT_LE(scheduler->stats().bytes, small.memory_bytes + (std::size_t{4} << 20));
  }
  // The column in hand is finished first, step by step.
  const TileSpan span = stratum_tiles(0, 24);
  const int column_tiles = span.last - span.first + 1;
  EXPECT_LE(works_until_playable(at(1'000'500, 500, -20, {})), cold + 6 * column_tiles + 2);
  EXPECT_FALSE(scheduler->stats().over_budget);
}

/// A column may be finished when its place was left so long ago that nothing of it is kept any more.
TEST(ViewScheduler, CountsNothingThatWasMadeForAForgottenPlace) {
  const RingSettings rings{16, 128, false};
  const auto bytes_at_the_end = [&](bool by_a_detour) {
    const auto scheduler = scheduler_of("flat_plain", options(0));
    const auto look = [&](double x) {
      const Viewer viewer{kMe, {x, 500, -20}, {}, rings};
      ASSERT_TRUE(scheduler->look({&viewer, 1}));
    };
    if (by_a_detour) {
      look(500);
      for (int i = 0; i < 4; ++i) EXPECT_TRUE(scheduler->work(0));  // the field, and a column's beginning
      for (const double x : {100'500.0, 200'500.0, 300'500.0}) look(x);
    }
    look(1'000'500);
    while (scheduler->work(0)) {
    }
    return scheduler->stats().bytes;
  };
  EXPECT_EQ(bytes_at_the_end(true), bytes_at_the_end(false));
}

TEST(ViewScheduler, ServesSeveralViewersAndForgetsThem) {
  const auto scheduler = scheduler_of("flat_plain", options(0));
  const RingSettings rings{16, 128, false};
  const std::array<Viewer, 2> both{Viewer{{1}, {100, 100, -20}, {}, rings},
                                   Viewer{{2}, {108, 100, -20}, {}, rings}};
  ASSERT_TRUE(scheduler->look(both));
  while (scheduler->work(0)) {
  }
  EXPECT_TRUE(scheduler->playable({1}) && scheduler->playable({2}));
  const Result<ViewUpdate> one = scheduler->poll({1}, kAnyBytes), two = scheduler->poll({2}, kAnyBytes);
  ASSERT_TRUE(one && two);
  const std::vector<ViewPiece> a = scheduler->shown({1}), b = scheduler->shown({2});
  std::vector<PieceId> shared;
  const std::set<PieceId> ids = ids_of(a);
  for (const ViewPiece& piece : b)
    if (ids.contains(piece.id)) shared.push_back(piece.id);
  EXPECT_GT(shared.size(), a.size() / 3) << "what both see is made once";
  ASSERT_TRUE(scheduler->look({both.data() + 1, 1}));
  const Result<ViewUpdate> gone = scheduler->poll({1}, kAnyBytes);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().message, "no viewer has the id 1; expected one of look()");
  EXPECT_TRUE(scheduler->playable({2}));
}

TEST(ViewScheduler, ShowsTheNextStratumWhereAPassageLeadsThere) {
  test::ShippedWorld world = test::open_shipped("flat_plain", 7);
  const PlanPoint axis = passage_axis(world.world.seed, 0, 0, 0);
  const double floor_z = stratum_at(world.world, 0).content_floor_z_m;
  ViewScheduler scheduler(std::move(world.world), std::move(world.built), options(0));
  const Viewer viewer = at(axis.x + 5, axis.y, floor_z + 8);
  ASSERT_TRUE(scheduler.look({&viewer, 1}));
  Host host;
  settle(scheduler, host);
  std::set<std::int64_t> strata;
  for (const ViewPiece& piece : scheduler.shown(kMe)) strata.insert(piece.stratum);
  EXPECT_EQ(strata, (std::set<std::int64_t>{0, 1}));
  // Further down it is the viewer's own, and the one above stays while the passage is near.
  const Viewer below = at(axis.x + 5, axis.y, floor_z - 20);
  ASSERT_TRUE(scheduler.look({&below, 1}));
  EXPECT_TRUE(scheduler.playable(kMe)) << "it was there before";
  settle(scheduler, host);
  const Viewer away = at(axis.x + 200, axis.y, floor_z - 20);
  ASSERT_TRUE(scheduler.look({&away, 1}));
  settle(scheduler, host);
  strata.clear();
  for (const ViewPiece& piece : scheduler.shown(kMe)) strata.insert(piece.stratum);
  EXPECT_EQ(strata, (std::set<std::int64_t>{1}));
  EXPECT_EQ(host.visible(), ids_of(scheduler.shown(kMe)));
}

TEST(ViewScheduler, GivesGroundToStandOn) {
  const auto scheduler = scheduler_of("flat_plain", options(0));
  const Viewer viewer = at(700, 300, -20);
  ASSERT_TRUE(scheduler->look({&viewer, 1}));
  while (!scheduler->playable(kMe)) ASSERT_TRUE(scheduler->work(0));
  const auto ground = scheduler->collision(kMe);
  EXPECT_EQ(scheduler->collision(kMe), ground) << "made anew without a reason";
  for (double dx = -15; dx <= 15; dx += 3.7) {
    const std::optional<ViewHit> hit = ground->ray({700 + dx, 300, -20}, {0, 0, -1}, 40);
    ASSERT_TRUE(hit) << dx;
    std::vector<ViewContact> contacts;
    ground->touch({hit->at.x, hit->at.y, hit->at.z + 0.2}, {hit->at.x, hit->at.y, hit->at.z + 1.4}, 0.34F,
                  contacts);
    EXPECT_FALSE(contacts.empty());
  }
}

TEST(ViewScheduler, RefusesWhatIsOutOfRange) {
  const auto scheduler = scheduler_of("flat_plain", options(0));
  const auto error = [&](const Viewer& viewer) {
    const Status status = scheduler->look({&viewer, 1});
    return status ? std::string("no error") : status.error().message;
  };
  EXPECT_EQ(error(at(0, 0, 1)),
            "viewer 1: the place is out of the world; expected z <= 0, and at most 10^9 strata");
  EXPECT_EQ(error(at(2e12, 0, -1)), "viewer 1: the place is out of range; expected |x|, |y| <= 10^12 m");
  EXPECT_EQ(error(at(0, 0, -1, {8, 512, false})), "viewer 1: near_m is out of range; expected 16 to 32 m");
  EXPECT_EQ(error(at(0, 0, -1, {32, 1000, false})),
            "viewer 1: view_m is out of range; expected 128 to 512 m");
  EXPECT_EQ(error(at(0, 0, -1, {32, 512, false, 0.5F})),
            "viewer 1: min_feature_m is out of range; expected 0.75 to 100 m");
  EXPECT_EQ(error(at(std::nan(""), 0, -1)),
            "viewer 1: the place is out of range; expected |x|, |y| <= 10^12 m");
  Viewer nobody = at(0, 0, -1);
  nobody.id = {};
  EXPECT_EQ(error(nobody), "a viewer has the id 0; expected another");
  const std::array<Viewer, 2> twins{at(0, 0, -1), at(1, 0, -1)};
  EXPECT_FALSE(scheduler->look(twins));
}

}  // namespace
}  // namespace vf

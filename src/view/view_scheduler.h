// Viewers -> pieces of the surface around them, made in the background, in the order in which they matter.
//
// For a game loop: look() says where viewers are, poll() gives what to upload and when to show it,
// collision() what to stand on. None of them waits for work. What a viewer sees is always a whole, closed
// view: nothing is dropped before what replaces it is ready. The pieces depend on world and place alone,
// never on the number of workers, their order, or what was seen before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "compose/world.h"
#include "field/builder.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/seam_key.h"
#include "proof/certificate.h"
#include "proof/view_region.h"
#include "view/view_collision.h"
#include "view/view_piece.h"
#include "view/view_source.h"

namespace vf {

using ViewerId = Id<struct ViewerTag>;

struct Viewer {
  ViewerId id;     ///< chosen by the host; [!= 0], one for each viewer
  Vec3d at;        ///< [metres, world]
  Vec3f facing{};  ///< any length; 0: all sides matter alike
  RingSettings rings;
};

struct ViewOptions {
  unsigned workers = 0;  ///< threads; 0: the host calls work() itself. [0..64]
  SimdLevel simd = SimdLevel::kScalar;
  std::size_t memory_bytes = std::size_t{256} << 20;  ///< of pieces and densities. [>= 64 MiB]
  bool materials = true;                              ///< false: all vertices are of the first material
};
inline constexpr unsigned kMostViewWorkers = 64;
inline constexpr std::size_t kLeastViewMemory = std::size_t{64} << 20;
inline constexpr std::size_t kMostViewers = 16;

struct ViewStats {
  std::size_t bytes = 0;                                         ///< of pieces and densities
  std::size_t pieces = 0;                                        ///< kept, shown or not
  std::size_t tiles_made = 0, seams_made = 0, fields_bound = 0;  ///< since the beginning
  bool over_budget = false;  ///< what is shown needs more than memory_bytes
};

/// The threads of its own only make pieces; all else happens in the calls. Any thread may call.
class ViewScheduler {
 public:
  /// `built`: one for each entry of world.block.
  ViewScheduler(World world, std::vector<std::shared_ptr<const BuiltRecipe>> built,
                const ViewOptions& options);
  ~ViewScheduler();  ///< waits for the pieces in hand, not for more
  ViewScheduler(const ViewScheduler&) = delete;
  ViewScheduler& operator=(const ViewScheduler&) = delete;

  /// Where all viewers are from now on: those that are not named are forgotten. Work that nobody needs any
  /// more is not begun. Errors, and then nothing changes: a place out of the world, settings out of range.
  Status look(std::span<const Viewer> viewers);

  /// What a viewer's host should do now: uploads until their bytes reach the budget, but one at least when
  /// there is any. After a swap the next poll may bring more. Errors: a stratum that cannot be made.
  [[nodiscard]] Result<ViewUpdate> poll(ViewerId viewer, std::size_t upload_bytes);

  /// The ring of level 0 about the viewer is there, to stand on and to see.
  [[nodiscard]] bool playable(ViewerId viewer) const;
  /// All that was asked for is shown.
  [[nodiscard]] bool settled(ViewerId viewer) const;
  /// What is solid about a viewer, at level 0; empty before there is anything. Stays as it is.
  [[nodiscard]] std::shared_ptr<const ViewCollision> collision(ViewerId viewer) const;
  /// What the viewer sees now, sorted by stratum and key.
  [[nodiscard]] std::vector<ViewPiece> shown(ViewerId viewer) const;
  /// The tiles of it.
  [[nodiscard]] std::vector<TileKey> shown_tiles(ViewerId viewer) const;

  /// Does a small part of the work, a millisecond or so, in the calling thread; false when there is none.
  /// worker < max(1, workers), and no two running calls share it: for hosts with threads of their own, when
  /// `workers` is 0.
  bool work(unsigned worker);

  [[nodiscard]] ViewStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf

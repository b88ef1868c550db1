// VoxelForge: the surface around viewers, made in the background while a game runs.
//
// In a game loop, on any thread, none of these calls waiting for work:
//
//   view.look(viewers);                           // each frame: where they are
//   auto update = view.poll(viewer, 1 << 20);     // at most 1 MiB to upload
//   for (auto& piece : update->uploads) gpu.upload(piece);      // hidden
//   if (update->swap) { gpu.show_all_uploaded(); gpu.drop(update->retired); }
//   if (view.playable(viewer)) physics.step(view.ground(viewer));
//
// What is shown after each swap is a closed surface of several levels of detail, open only at its outer
// border: nothing is dropped before what replaces it is ready. Pieces depend on the world and the place
// alone, never on the number of workers, their order, or what was seen before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "voxelforge/surface.hpp"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

struct Viewer {
  std::uint64_t id = 1;           ///< chosen by the host, one for each viewer. [> 0]
  Point at;                       ///< its z tells the stratum
  std::array<float, 3> facing{};  ///< what lies ahead is made first; 0: all sides alike
  double near_m = 32;             ///< half the edge of the square of level 0 (0.25 m voxels). [16..32]
  double view_m = 512;  ///< half the edge of all that is shown; rounded up to 128, 256 or 512. [128..512]
  /// Thinnest thing that must stay whole far away: voxels are at most min_feature_m / 1.5. Finer levels then
  /// reach further, up to 4 times as far, which ends the view at 256 m below 1.5. [0.75..100] [metres]
  double min_feature_m = 6;
};

struct ViewOptions {
  unsigned workers = 1;                  ///< threads of the view; 0: the host calls View::work. [0..64]
  std::string instruction_set = "best";  ///< one of instruction_sets(), or "best". Never changes the result
  std::size_t memory_mib = 256;          ///< of pieces and densities that are kept. [>= 64]
  bool materials = true;                 ///< false: pieces come without, for those who only stand on them
};

/// A part of the surface: the inside of a tile, or a seam between tiles. Immutable and cheap to copy.
class ViewPiece {
 public:
  [[nodiscard]] std::uint64_t id() const;  ///< the same for every viewer, while the piece is kept
  [[nodiscard]] int level() const;         ///< voxels have an edge of 0.25 m * 2^level
  [[nodiscard]] bool is_seam() const;
  [[nodiscard]] std::int64_t stratum() const;
  [[nodiscard]] Point origin() const;                                 ///< what positions count from
  [[nodiscard]] std::vector<std::array<float, 3>> positions() const;  ///< [metres] exact
  [[nodiscard]] std::vector<std::array<float, 3>> normals() const;    ///< out of the rock; length 1
  /// Up to four materials of each vertex: numbers in the recipe and weights in 1/255, which add up to 255.
  struct Materials {
    std::array<std::uint8_t, 4> index{}, weight{};
  };
  [[nodiscard]] std::vector<Materials> materials() const;
  [[nodiscard]] std::vector<std::array<std::uint32_t, 3>> triangles() const;  ///< anticlockwise from the air
  [[nodiscard]] std::size_t bytes() const;                                    ///< about what it takes here

  /// Canonical bytes, named by the digest that they end with (docs/formats/tile.md).
  [[nodiscard]] std::vector<std::byte> payload() const;

 private:
  friend class View;
  struct Impl;
  explicit ViewPiece(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct ViewUpdate {
  std::vector<ViewPiece> uploads;      ///< to be held ready, hidden
  bool swap = false;                   ///< show all that was uploaded, and drop what is retired
  std::vector<std::uint64_t> retired;  ///< ids
};

/// The triangles of level 0 about a viewer. Immutable; any number of threads may ask.
class ViewGround {
 public:
  [[nodiscard]] std::size_t triangle_count() const;
  /// The nearest triangle along `direction` (any length but 0) within `most_m`.
  [[nodiscard]] std::optional<SurfaceHit> ray(const Point& from, const std::array<double, 3>& direction,
                                              double most_m) const;
  /// Every triangle that the capsule touches.
  [[nodiscard]] std::vector<SurfaceContact> touch(const SurfaceCapsule& capsule) const;

 private:
  friend class View;
  struct Impl;
  explicit ViewGround(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct ViewStats {
  std::size_t bytes = 0;     ///< of pieces and densities
  bool over_budget = false;  ///< what is shown needs more than memory_mib: far levels are left out
};

/// Any thread may call any function. The destructor waits for the pieces in hand.
class View {
 public:
  [[nodiscard]] static Result<View> open(const World& world, const ViewOptions& options = {});

  /// Where all viewers are: those that are not named are forgotten. Up to 16. Errors: out of range; then
  /// nothing changes.
  Status look(std::span<const Viewer> viewers);
  /// What a viewer's host should do now: pieces until their bytes reach `upload_bytes`, but one at least
  /// where there is any. Errors: no such viewer, or a stratum that cannot be made.
  [[nodiscard]] Result<ViewUpdate> poll(std::uint64_t viewer, std::size_t upload_bytes);
  /// The ground about the viewer is there.
  [[nodiscard]] bool playable(std::uint64_t viewer) const;
  /// All that was asked for is shown.
  [[nodiscard]] bool settled(std::uint64_t viewer) const;
  /// Empty before there is any.
  [[nodiscard]] ViewGround ground(std::uint64_t viewer) const;
  /// Does one piece of work, about a millisecond, in the calling thread; false when there is none. `worker`:
  /// no two calls at a time with one number, all below max(1, workers). For hosts with threads of their own.
  bool work(unsigned worker = 0);
  [[nodiscard]] ViewStats stats() const;

 private:
  struct Impl;
  explicit View(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

}  // namespace voxelforge

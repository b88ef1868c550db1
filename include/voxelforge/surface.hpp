// VoxelForge: the ground around a place as triangles, ready to draw and to stand on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

struct SurfaceOptions {
  double radius_m = 32;                  ///< half the edge of the square. [metres] [8..128]
  unsigned workers = 0;                  ///< 0: one a core. Never changes the result. [0..1024]
  std::string instruction_set = "best";  ///< one of instruction_sets(), or "best". Never changes the result
};

/// Triangles of one tile with those that join it to the tiles before it. Positions are exact: a vertex that
/// two tiles share has the same place in both.
struct SurfaceTile {
  Point origin;                                         ///< what positions count from. [metres, world]
  std::vector<std::array<float, 3>> positions;          ///< [metres]
  std::vector<std::array<float, 3>> normals;            ///< out of the rock; length 1; one for each position
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< anticlockwise seen from the air
};

struct SurfaceHit {
  double distance_m = 0;
  Point at;
  std::array<float, 3> normal{};  ///< of the triangle, out of the rock
};

/// A segment with a thickness; a ball when both ends are one.
struct SurfaceCapsule {
  Point from, to;
  double radius_m = 0;  ///< [> 0]
};

struct SurfaceContact {
  Point at;                       ///< nearest point of the ground
  std::array<float, 3> normal{};  ///< out of the rock, towards the capsule; length 1
  double depth_m = 0;             ///< how far the capsule must move along the normal
};

/// The triangles of level 0 (0.25 m voxels) around a place, over the whole height of its stratum: closed
/// above and below, open only at the sides. Immutable and cheap to copy; any number of threads may ask.
class Surface {
 public:
  /// `around`: its x and y are rounded to whole tiles; its z tells the stratum.
  [[nodiscard]] static Result<Surface> build(const World& world, const Point& around,
                                             const SurfaceOptions& options = {});

  [[nodiscard]] std::size_t tile_count() const;
  [[nodiscard]] SurfaceTile tile(std::size_t index) const;
  [[nodiscard]] std::size_t triangle_count() const;
  /// 32 hex digits: the same for the same world, place and engine, wherever it was built.
  [[nodiscard]] std::string digest() const;

  /// The nearest triangle along `direction` (any length but 0) within `most_m`.
  [[nodiscard]] std::optional<SurfaceHit> ray(const Point& from, const std::array<double, 3>& direction,
                                              double most_m) const;
  /// Every triangle that the capsule touches.
  [[nodiscard]] std::vector<SurfaceContact> touch(const SurfaceCapsule& capsule) const;

 private:
  struct Impl;
  explicit Surface(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace voxelforge

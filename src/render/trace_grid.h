// In: a field, a camera. Out: a sparse octree of proven air, proven rock and sampled bricks around the
// camera, finer the nearer, that rays walk through.
//
// Immutable once built; any number of threads may read it. The same grid for any number of workers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/progress.h"
#include "render/brick_measure.h"
#include "render/scene_field.h"
#include "render/vec_ops.h"

namespace vf::render {

struct GridSettings {
  Vec3f eye;
  Vec3f forward{1, 0, 0};       ///< unit; behind it cells are coarser
  float half_angle_rad = 3.2F;  ///< of the cone that is seen
  Box3f bounds;                 ///< nothing is known beyond. [metres]
  float finest_voxel_m = 0.125F;
  int levels = 6;     ///< of cells; the coarsest is the root. [1..8]
  float detail = 24;  ///< a cell of edge e stands only within detail * e of the eye. [> 0]
  unsigned workers = 1;
};

enum class CellState : std::uint8_t { kAir, kSolid, kMixed, kRefined, kOutside };

/// Samples of a mixed cell: 8 x 8 x 8, the outer ones on its faces.
struct Brick {
  const float* values = nullptr;         ///< [512], stored as BrickGeometry says
  const VoxelMeasure* voxels = nullptr;  ///< [343]
  Vec3f low, high;       ///< least and greatest dphi/dx, dphi/dy, dphi/dz from sample to sample
  float steepest = 0;    ///< of them, along any axis
  float margin = 0;      ///< between samples phi is off the trilinear value by no more than this
  bool crossed = false;  ///< some sample is rock and some is air
};

inline constexpr std::uint32_t kNoBrick = 0xFFFFFFFFU;

struct Cell {
  CellState state = CellState::kOutside;
  int level = 0;
  Vec3f min;
  float edge = 0;
  std::uint32_t brick = 0;   ///< of a mixed cell
  std::uint32_t region = 0;  ///< index for part()
  float clear_m = 0;         ///< of proven air: no rock within this of any place in it
};

struct GridRay {
  Vec3f origin, dir;
  float t_min = 0, t_max = 1e9F;
  float forgive_m = 0;  ///< rock within this of t_min does not count: the ray starts on a surface
  float spread = 0;     ///< width of the ray's cone at distance 1: bricks with wider voxels will do
};

struct GridHit {
  bool hit = false;
  float t = 0;  ///< where it hit, or where it left the grid or ended
  std::uint32_t brick = kNoBrick;
  Vec3f normal;  ///< of the sampled surface; unit
};

struct GridNode {
  CellState state = CellState::kAir;
  CellState sampled = CellState::kAir;  ///< the same by the samples alone, for rays that need no proof
  std::uint32_t link = 0;               ///< first of 8 children, or a brick
  std::uint32_t coarse = kNoBrick;      ///< of a refined cell: its own samples, if they show a surface
  float clear_m = 0;                    ///< of proven air: no rock within this of any place in it
};

class TraceGrid {
 public:
  /// The way down to the cell a ray was in last: the next one shares most of it.
  struct Walk {
    std::array<const GridNode*, 9> at{};  ///< by level
    int ix = -1, iy = -1, iz = -1;
    int level = 0;  ///< of the last cell
    std::uint32_t root = 0;
  };

  static TraceGrid build(const SceneField& field, const GridSettings& settings, const Progress& progress);

  [[nodiscard]] Cell cell_at(Vec3f p) const;
  /// The same, quicker for a row of places near each other.
  [[nodiscard]] Cell cell_at(Vec3f p, Walk& walk) const;
  [[nodiscard]] bool inside(Vec3f p) const { return bounds_.contains(p); }
  [[nodiscard]] const Box3f& bounds() const { return bounds_; }
  /// phi between the samples of a mixed cell; p within it.
  [[nodiscard]] float value(const Cell& cell, Vec3f p) const;
  [[nodiscard]] Vec3f gradient(const Cell& cell, Vec3f p) const;
  struct Sampled {
    float value = 0;   ///< between the samples
    float margin = 0;  ///< phi differs by no more, here
    float fall =
        0;  ///< phi falls no faster along the direction, within a voxel's edge of here; < 0: it rises
  };
  [[nodiscard]] Sampled sampled(const Cell& cell, Vec3f p, Vec3f dir) const;
  [[nodiscard]] const Brick& brick(std::uint32_t i) const { return bricks_[i]; }
  [[nodiscard]] std::size_t brick_count() const { return bricks_.size(); }
  [[nodiscard]] const Cell& brick_cell(std::uint32_t i) const { return brick_cells_[i]; }
  /// The field within a region, valid all over its root cell.
  [[nodiscard]] const FieldPart& part(std::uint32_t region) const { return *parts_[region]; }
  /// Length of the voxel edge of the finest cell at p. [metres]
  [[nodiscard]] float voxel_at(Vec3f p) const;

  /// First crossing from air to rock of the sampled field.
  [[nodiscard]] GridHit trace(const GridRay& ray) const;
  /// Length of rock along the ray up to t_max. [metres]
  [[nodiscard]] float rock_along(const GridRay& ray) const;

 private:
  struct RootJob;
  void add_root(const RootJob& job);
  [[nodiscard]] const GridNode* descend(int ix, int iy, int iz, int least, Walk& walk, int& level) const;
  struct Way;
  [[nodiscard]] float march(const Way& way, float forgiven) const;
  [[nodiscard]] int level_for(float voxel_m) const;

  Box3f bounds_;
  Vec3f origin_;
  float finest_edge_ = 1, inverse_finest_ = 1;
  int levels_ = 1;
  int nx_ = 0, ny_ = 0, nz_ = 0;  ///< root cells
  std::vector<GridNode> nodes_;   ///< roots first, z-major
  std::vector<Brick> bricks_;
  std::vector<Cell> brick_cells_;
  std::vector<std::unique_ptr<FieldPart>> parts_;
  std::vector<std::vector<float>> storage_;  ///< samples, a block a root
  std::vector<std::vector<VoxelMeasure>> measures_;
};

/// How fast what changes by `low` to `high` along the axes falls at most along a direction. < 0: it rises.
[[nodiscard]] inline float fall_along(Vec3f dir, Vec3f low, Vec3f high) {
  return -(dir.x * (dir.x > 0 ? low.x : high.x) + dir.y * (dir.y > 0 ? low.y : high.y) +
           dir.z * (dir.z > 0 ? low.z : high.z));
}

/// Where a ray that is within the cell at t leaves it.
[[nodiscard]] float cell_exit(const Cell& cell, Vec3f origin, Vec3f inverse_dir);
[[nodiscard]] Vec3f inverse_of(Vec3f dir);

}  // namespace vf::render

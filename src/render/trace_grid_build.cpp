// Building the octree: bounds decide from coarse to fine, bricks are sampled where neither air nor rock is
// proven.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/tasks.h"
#include "field/interval_evaluator.h"
#include "field/program.h"
#include "math/box.h"
#include "math/interval.h"
#include "math/vec.h"
#include "render/brick_measure.h"
#include "render/scene_field.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr int kCellVoxels = kBrickEdge - 1;  // voxels along a cell: its bricks hold both faces
constexpr float kCoarsestM = 7.1F;  // longest edge of a cell that keeps samples besides its children's
constexpr int kPartLevels = 2;      // a part of the field is narrowed again this many levels below the root

float distance_to(const Box3f& box, Vec3f p) {
  const Vec3f d{std::max(0.0F, std::max(box.min.x - p.x, p.x - box.max.x)),
                std::max(0.0F, std::max(box.min.y - p.y, p.y - box.max.y)),
                std::max(0.0F, std::max(box.min.z - p.z, p.z - box.max.z))};
  return length(d);
}

// Cells out of sight are seen in mirrors and cast shadows only.
float detail_towards(const GridSettings& s, Vec3f centre, float radius) {
  const Vec3f d = centre - s.eye;
  const float l = length(d);
  if (l < 2 * radius + 4) return s.detail;
  const float angle = std::acos(std::clamp(dot(d, s.forward) / l, -1.0F, 1.0F)) - radius / l;
  return angle < s.half_angle_rad ? s.detail : s.detail * 0.5F;
}

Box3f child_box(const Box3f& parent, int child) {
  const float half = (parent.max.x - parent.min.x) * 0.5F;
  Box3f b;
  b.min = {parent.min.x + ((child & 1) != 0 ? half : 0), parent.min.y + ((child & 2) != 0 ? half : 0),
           parent.min.z + ((child & 4) != 0 ? half : 0)};
  b.max = {b.min.x + half, b.min.y + half, b.min.z + half};
  return b;
}

}  // namespace

struct TraceGrid::RootJob {
  std::size_t root = 0;
  GridNode top;
  std::vector<GridNode> nodes;  // below the root; links count from here
  std::vector<Brick> bricks;    // values as offsets until the end
  std::vector<Cell> cells;
  std::vector<float> samples;
  std::vector<VoxelMeasure> measures;
  std::unique_ptr<FieldPart> part;
};

namespace {

struct Open {              // a node whose state is still to be decided
  std::uint32_t node = 0;  // index in RootJob::nodes; the root itself is kTop
  Box3f box;
  const FieldPart* part = nullptr;
};
constexpr std::uint32_t kTop = 0xFFFFFFFFU;

CellState sampled_state(const Brick& brick, float any) {
  if (brick.crossed) return CellState::kMixed;
  return any < 0 ? CellState::kSolid : CellState::kAir;
}

CellState state_of(float lo, float hi) {
  if (lo > 0) return CellState::kAir;
  if (hi < 0) return CellState::kSolid;
  return CellState::kMixed;
}

}  // namespace

// Resolves one root cell by itself, so that the result does not depend on who does it.
class RootBuilder {
 public:
  RootBuilder(FieldProbe& probe, const GridSettings& settings, float gradient_bound)
      : probe_(probe), settings_(settings), gradient_bound_(gradient_bound) {}

  template <class Job>
  void run(Job& job, const Box3f& box) {
    Interval bound;
    job.part = probe_.part(box, &bound);
    job.top.state = state_of(bound.lo, bound.hi);
    job.top.clear_m = std::max(0.0F, bound.lo) / gradient_bound_;
    if (job.top.state != CellState::kMixed) return;
    std::vector<Open> open{{kTop, box, job.part.get()}};
    for (int level = settings_.levels - 1; !open.empty(); --level) {
      narrow(level, open);
      std::vector<Open> next;
      for (const Open& o : open) {
        auto& node = o.node == kTop ? job.top : job.nodes[o.node];
        if (level > 0 && refines(o.box, level)) {
          node.state = CellState::kRefined;
          if (edge_at(level) <= kCoarsestM) node.coarse = coarse_brick(job, o, level);
          node.link = static_cast<std::uint32_t>(job.nodes.size());
          for (int c = 0; c < 8; ++c)
            next.push_back({node.link + static_cast<std::uint32_t>(c), child_box(o.box, c), o.part});
          job.nodes.resize(job.nodes.size() + 8);
        } else {
          sample(job, o, level);
        }
      }
      open = undecided(job, next);
    }
    merge(job);
  }

 private:
  // Eight equal children are one cell: rays cross it in one step. Children stand after their parent.
  template <class Job>
  static void merge(Job& job) {
    const auto merged = [&](auto& node) {
      node.sampled = node.state;
      if (node.state == CellState::kMixed)
        node.sampled =
            sampled_state(job.bricks[node.link], job.samples[std::size_t{node.link} * kBrickSamples]);
      if (node.state != CellState::kRefined) return;
      CellState proven = job.nodes[node.link].state, sampled = job.nodes[node.link].sampled;
      for (std::uint32_t c = 1; c < 8; ++c) {
        if (job.nodes[node.link + c].state != proven) proven = CellState::kRefined;
        if (job.nodes[node.link + c].sampled != sampled) sampled = CellState::kRefined;
      }
      if (proven == CellState::kAir || proven == CellState::kSolid) {
        node.state = proven;
        node.clear_m = job.nodes[node.link].clear_m;
        for (std::uint32_t c = 1; c < 8; ++c)
          node.clear_m = std::min(node.clear_m, job.nodes[node.link + c].clear_m);
      }
      if (sampled == CellState::kAir || sampled == CellState::kSolid) node.sampled = sampled;
    };
    for (std::size_t i = job.nodes.size(); i-- > 0;) merged(job.nodes[i]);
    merged(job.top);
  }

  void narrow(int level, std::vector<Open>& open) {
    if (level != settings_.levels - 1 - kPartLevels) return;
    for (Open& o : open) {
      parts_.push_back(probe_.part(o.box, nullptr));
      o.part = parts_.back().get();
    }
  }

  [[nodiscard]] bool refines(const Box3f& box, int level) const {
    const float edge = settings_.finest_voxel_m * kCellVoxels * static_cast<float>(1 << (level - 1));
    const Vec3f centre = (box.min + box.max) * 0.5F;
    const float detail = detail_towards(settings_, centre, length(box.max - box.min) * 0.5F);
    return distance_to(box, settings_.eye) < edge * detail;
  }

  // Bounds of up to 64 boxes a call; calls never span two parts.
  template <class Job>
  std::vector<Open> undecided(Job& job, const std::vector<Open>& candidates) {
    std::vector<Open> open;
    std::array<float, kMaxBoxes> lo{}, hi{};
    for (std::size_t at = 0; at < candidates.size();) {
      BoxBatch boxes;
      boxes.count = 0;
      std::size_t end = at;
      while (end < candidates.size() && boxes.count < kMaxBoxes &&
             candidates[end].part == candidates[at].part)
        boxes.set(boxes.count++, candidates[end++].box);
      probe_.bounds(*candidates[at].part, boxes, lo.data(), hi.data());
      for (std::size_t i = at; i < end; ++i) {
        const CellState state = state_of(lo[i - at], hi[i - at]);
        job.nodes[candidates[i].node].state = state;
        job.nodes[candidates[i].node].clear_m = std::max(0.0F, lo[i - at]) / gradient_bound_;
        if (state == CellState::kMixed) open.push_back(candidates[i]);
      }
      at = end;
    }
    return open;
  }

  // Samples of a refined cell, if they show a surface: rays that are wide there need no finer ones.
  template <class Job>
  std::uint32_t coarse_brick(Job& job, const Open& open, int level) {
    const float voxel = edge_at(level) / kCellVoxels;
    probe_.brick(*open.part, {open.box.min, voxel}, values_.data());
    measure_ = measure_brick(values_.data());
    return measure_.crossed ? keep(job, open, level) : kNoBrick;
  }

  template <class Job>
  void sample(Job& job, const Open& open, int level) {
    const float voxel = edge_at(level) / kCellVoxels;
    probe_.brick(*open.part, {open.box.min, voxel}, values_.data());
    auto& node = open.node == kTop ? job.top : job.nodes[open.node];
    // Every point of the cell is within half a voxel's diagonal of a sample.
    measure_ = measure_brick(values_.data());
    const float reach = std::min(gradient_bound_ * voxel * 0.8661F, measure_.margin);
    const auto [lo, hi] = std::minmax_element(values_.begin(), values_.end());
    node.state = state_of(*lo - reach, *hi + reach);
    node.clear_m = std::max(0.0F, *lo - reach) / gradient_bound_;
    if (node.state == CellState::kMixed) node.link = keep(job, open, level);
  }

  template <class Job>
  std::uint32_t keep(Job& job, const Open& open, int level) {
    Brick brick;
    brick.low = measure_.low * (kCellVoxels / edge_at(level));
    brick.high = measure_.high * (kCellVoxels / edge_at(level));
    brick.steepest = measure_.steepest() * (kCellVoxels / edge_at(level));
    brick.margin = measure_.margin;
    brick.crossed = measure_.crossed;
    job.bricks.push_back(brick);
    Cell cell;
    cell.state = CellState::kMixed;
    cell.level = level;
    cell.min = open.box.min;
    cell.edge = edge_at(level);
    job.cells.push_back(cell);
    job.samples.insert(job.samples.end(), values_.begin(), values_.end());
    measure_voxels(values_.data(), measure_, voxels_);
    job.measures.insert(job.measures.end(), voxels_.begin(), voxels_.end());
    return static_cast<std::uint32_t>(job.bricks.size() - 1);
  }

  [[nodiscard]] float edge_at(int level) const {
    return settings_.finest_voxel_m * kCellVoxels * static_cast<float>(1 << level);
  }

  FieldProbe& probe_;
  const GridSettings& settings_;
  float gradient_bound_;
  std::vector<std::unique_ptr<FieldPart>> parts_;
  std::array<float, kBrickSamples> values_{};
  BrickMeasure measure_;
  std::array<VoxelMeasure, kBrickVoxels> voxels_{};
};

void TraceGrid::add_root(const RootJob& job) {
  const auto node_base = static_cast<std::uint32_t>(nodes_.size());
  const auto brick_base = static_cast<std::uint32_t>(bricks_.size());
  const auto place = [&](GridNode n) {
    if (n.state == CellState::kRefined) {
      n.link += node_base;
      if (n.coarse != kNoBrick) n.coarse += brick_base;
    }
    if (n.state == CellState::kMixed) n.link += brick_base;
    return n;
  };
  nodes_[job.root] = place(job.top);
  for (const GridNode& n : job.nodes) nodes_.push_back(place(n));
  for (std::size_t i = 0; i < job.bricks.size(); ++i) {
    Brick brick = job.bricks[i];
    brick.values = storage_[job.root].data() + i * kBrickSamples;
    brick.voxels = measures_[job.root].data() + i * kBrickVoxels;
    bricks_.push_back(brick);
    Cell cell = job.cells[i];
    cell.brick = brick_base + static_cast<std::uint32_t>(i);
    cell.region = static_cast<std::uint32_t>(job.root);
    brick_cells_.push_back(cell);
  }
}

TraceGrid TraceGrid::build(const SceneField& field, const GridSettings& settings, const Progress& progress) {
  TraceGrid grid;
  grid.bounds_ = settings.bounds;
  grid.levels_ = settings.levels;
  grid.finest_edge_ = settings.finest_voxel_m * kCellVoxels;
  grid.inverse_finest_ = 1.0F / grid.finest_edge_;
  const float root_edge = grid.finest_edge_ * static_cast<float>(1 << (settings.levels - 1));
  const auto snap = [&](float v) { return std::floor(v / root_edge) * root_edge; };
  const Box3f& b = settings.bounds;
  grid.origin_ = {snap(b.min.x), snap(b.min.y), b.min.z};
  const auto cells = [&](float from, float to) {
    return std::max(1, static_cast<int>(std::ceil((to - from) / root_edge)));
  };
  grid.nx_ = cells(grid.origin_.x, b.max.x);
  grid.ny_ = cells(grid.origin_.y, b.max.y);
  grid.nz_ = cells(grid.origin_.z, b.max.z);
  const auto count = static_cast<std::size_t>(grid.nx_) * static_cast<std::size_t>(grid.ny_) *
                     static_cast<std::size_t>(grid.nz_);

  std::vector<RootJob> jobs(count);
  const unsigned workers = settings.workers == 0 ? default_workers() : settings.workers;
  std::vector<std::unique_ptr<FieldProbe>> probes(workers);
  if (progress) progress("grid", 0, count);
  parallel_for(count, workers, [&](std::size_t i, unsigned worker) {
    if (!probes[worker]) probes[worker] = field.probe();
    const auto nx = static_cast<std::size_t>(grid.nx_), ny = static_cast<std::size_t>(grid.ny_);
    const auto coordinate = [&](float from, std::size_t c) {
      return from + static_cast<float>(c) * root_edge;
    };
    Box3f box;
    box.min = {coordinate(grid.origin_.x, i % nx), coordinate(grid.origin_.y, i / nx % ny),
               coordinate(grid.origin_.z, i / (nx * ny))};
    box.max = {box.min.x + root_edge, box.min.y + root_edge, box.min.z + root_edge};
    jobs[i].root = i;
    RootBuilder(*probes[worker], settings, field.gradient_bound()).run(jobs[i], box);
  });
  grid.nodes_.resize(count);
  grid.parts_.resize(count);
  grid.storage_.resize(count);
  grid.measures_.resize(count);
  for (RootJob& job : jobs) {
    grid.parts_[job.root] = std::move(job.part);
    grid.storage_[job.root] = std::move(job.samples);
    grid.measures_[job.root] = std::move(job.measures);
    grid.add_root(job);
  }
  if (progress) progress("grid", count, count);
  return grid;
}

}  // namespace vf::render

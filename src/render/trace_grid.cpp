#include "render/trace_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/vec.h"
#include "render/brick_measure.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr float kNudgeM = 0.0004F;  // past a face: half a step of the sample grid

// The eight samples around q, and where in their cube it lies.
struct Corner {
  const float* at = nullptr;
  float fx = 0, fy = 0, fz = 0;
};

// x, y, z: in voxels, 0 to 7.
Corner corner_at(const float* values, float x, float y, float z) {
  const auto locate = [](float q, float& fraction) {
    const int i = std::clamp(static_cast<int>(q), 0, 6);
    fraction = std::clamp(q - static_cast<float>(i), 0.0F, 1.0F);
    return i;
  };
  Corner c;
  const int i = locate(x, c.fx), j = locate(y, c.fy), k = locate(z, c.fz);
  c.at = values + k * 64 + j * 8 + i;
  return c;
}

Corner corner_at(const float* values, const Cell& cell, Vec3f p) {
  const Vec3f q = (p - cell.min) * (7.0F / cell.edge);
  return corner_at(values, q.x, q.y, q.z);
}

float trilinear(const Corner& c) {
  const float* v = c.at;
  const float a = lerp(lerp(v[0], v[1], c.fx), lerp(v[8], v[9], c.fx), c.fy);
  const float b = lerp(lerp(v[64], v[65], c.fx), lerp(v[72], v[73], c.fx), c.fy);
  return lerp(a, b, c.fz);
}

}  // namespace

Vec3f inverse_of(Vec3f dir) {
  const auto inverse = [](float d) { return std::fabs(d) > 1e-12F ? 1.0F / d : std::copysign(1e12F, d); };
  return {inverse(dir.x), inverse(dir.y), inverse(dir.z)};
}

float cell_exit(const Cell& cell, Vec3f origin, Vec3f inverse_dir) {
  const auto exit = [&](float from, float o, float inverse) {
    return ((inverse > 0 ? from + cell.edge : from) - o) * inverse;
  };
  return std::min(
      exit(cell.min.x, origin.x, inverse_dir.x),
      std::min(exit(cell.min.y, origin.y, inverse_dir.y), exit(cell.min.z, origin.z, inverse_dir.z)));
}

int TraceGrid::level_for(float voxel_m) const {
  const float share = voxel_m * 7.0F * inverse_finest_;
  return share < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(std::min(share, 256.0F)))) - 1;
}

// The node that holds a finest cell; null outside. Stops early at a refined node not above `least` with
// samples of its own.
const GridNode* TraceGrid::descend(int ix, int iy, int iz, int least, Walk& walk, int& level) const {
  const int top = levels_ - 1;
  // The lowest level whose cell holds both this place and the last one.
  const auto apart = static_cast<unsigned>((ix ^ walk.ix) | (iy ^ walk.iy) | (iz ^ walk.iz));
  level = std::max(static_cast<int>(std::bit_width(apart)), walk.level);
  if (level > top) {
    const int rx = ix >> top, ry = iy >> top, rz = iz >> top;
    if (rx >= nx_ || ry >= ny_ || rz >= nz_) return nullptr;
    walk.root = static_cast<std::uint32_t>((rz * ny_ + ry) * nx_ + rx);
    level = top;
    walk.at[static_cast<std::size_t>(level)] = &nodes_[walk.root];
  }
  walk.ix = ix, walk.iy = iy, walk.iz = iz;
  const GridNode* node = walk.at[static_cast<std::size_t>(level)];
  while (node->state == CellState::kRefined && (level > least || node->coarse == kNoBrick)) {
    if (least >= 0 && node->sampled != CellState::kRefined) break;
    --level;
    const int child = ((ix >> level) & 1) | (((iy >> level) & 1) << 1) | (((iz >> level) & 1) << 2);
    node = &nodes_[node->link + static_cast<std::uint32_t>(child)];
    walk.at[static_cast<std::size_t>(level)] = node;
  }
  walk.level = level;
  return node;
}

Cell TraceGrid::cell_at(Vec3f p) const {
  Walk walk;
  return cell_at(p, walk);
}

Cell TraceGrid::cell_at(Vec3f p, Walk& walk) const {
  Cell cell;
  if (!bounds_.contains(p)) return cell;
  const int ix = static_cast<int>((p.x - origin_.x) * inverse_finest_);
  const int iy = static_cast<int>((p.y - origin_.y) * inverse_finest_);
  const int iz = static_cast<int>((p.z - origin_.z) * inverse_finest_);
  int level = 0;
  const GridNode* node = descend(ix, iy, iz, -1, walk, level);
  if (node == nullptr) return cell;
  cell.state = node->state;
  cell.level = level;
  cell.edge = finest_edge_ * static_cast<float>(1 << level);
  cell.min = {origin_.x + static_cast<float>(ix >> level) * cell.edge,
              origin_.y + static_cast<float>(iy >> level) * cell.edge,
              origin_.z + static_cast<float>(iz >> level) * cell.edge};
  cell.brick = node->link;
  cell.region = walk.root;
  cell.clear_m = node->clear_m;
  return cell;
}

float TraceGrid::voxel_at(Vec3f p) const {
  const Cell cell = cell_at(p);
  return cell.state == CellState::kOutside ? finest_edge_ : cell.edge / 7.0F;
}

float TraceGrid::value(const Cell& cell, Vec3f p) const {
  return trilinear(corner_at(bricks_[cell.brick].values, cell, p));
}

TraceGrid::Sampled TraceGrid::sampled(const Cell& cell, Vec3f p, Vec3f dir) const {
  const Brick& brick = bricks_[cell.brick];
  const Corner c = corner_at(brick.values, cell, p);
  const auto at = static_cast<std::size_t>(c.at - brick.values);
  const VoxelMeasure& m = brick.voxels[(at >> 6) * 49 + ((at >> 3) & 7) * 7 + (at & 7)];
  const auto steps = [](const std::array<std::int8_t, 3>& v) {
    return Vec3f{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  };
  Sampled out;
  out.value = trilinear(c);
  out.margin = brick.margin * (1.0F / 255.0F) * static_cast<float>(m.margin);
  out.fall = brick.steepest * (1.0F / 127.0F) * fall_along(dir, steps(m.low), steps(m.high));
  return out;
}

Vec3f TraceGrid::gradient(const Cell& cell, Vec3f p) const {
  const Corner c = corner_at(bricks_[cell.brick].values, cell, p);
  const float* v = c.at;
  const auto along = [](float a, float b, float d, float e, float u, float w) {
    return lerp(lerp(a, b, u), lerp(d, e, u), w);
  };
  const float scale = 7.0F / cell.edge;
  return {along(v[1] - v[0], v[9] - v[8], v[65] - v[64], v[73] - v[72], c.fy, c.fz) * scale,
          along(v[8] - v[0], v[9] - v[1], v[72] - v[64], v[73] - v[65], c.fx, c.fz) * scale,
          along(v[64] - v[0], v[65] - v[1], v[72] - v[8], v[73] - v[9], c.fx, c.fy) * scale};
}

// A ray on its way through the cells of a grid.
struct TraceGrid::Way {
  const TraceGrid& grid;
  const GridRay& ray;
  Vec3f inverse;
  float t, end;  // end: of the ray within the grid
  Walk walk;
  const GridNode* node = nullptr;
  float edge = 0, exit = 0;
  Vec3f cell_min;

  Way(const TraceGrid& g, const GridRay& r)
      : grid(g), ray(r), inverse(inverse_of(r.dir)), t(r.t_min), end(r.t_max) {
    const auto clip = [&](float low, float high, float o, float inv) {
      const float a = (low - o) * inv, b = (high - o) * inv;
      t = std::max(t, std::min(a, b)), end = std::min(end, std::max(a, b));
    };
    clip(g.bounds_.min.x, g.bounds_.max.x, r.origin.x, inverse.x);
    clip(g.bounds_.min.y, g.bounds_.max.y, r.origin.y, inverse.y);
    clip(g.bounds_.min.z, g.bounds_.max.z, r.origin.z, inverse.z);
  }

  // The cell at t. False at the end.
  bool enter() {
    if (t >= end) return false;
    const Vec3f p = ray.origin + ray.dir * t - grid.origin_;
    const int ix = std::max(0, static_cast<int>(p.x * grid.inverse_finest_));
    const int iy = std::max(0, static_cast<int>(p.y * grid.inverse_finest_));
    const int iz = std::max(0, static_cast<int>(p.z * grid.inverse_finest_));
    const int least = ray.spread > 0 ? grid.level_for(ray.spread * (t - ray.t_min)) : 0;
    int level = 0;
    node = grid.descend(ix, iy, iz, least, walk, level);
    if (node == nullptr) return false;
    edge = grid.finest_edge_ * static_cast<float>(1 << level);
    const auto low = [&](int i) { return static_cast<float>(i >> level) * edge; };
    cell_min = grid.origin_ + Vec3f{low(ix), low(iy), low(iz)};
    const auto leave = [&](float from, float o, float inv) {
      return ((inv > 0 ? from + edge : from) - o) * inv;
    };
    exit = std::min(
        leave(cell_min.x, ray.origin.x, inverse.x),
        std::min(leave(cell_min.y, ray.origin.y, inverse.y), leave(cell_min.z, ray.origin.z, inverse.z)));
    exit = std::max(exit, t) + kNudgeM;
    return true;
  }
  [[nodiscard]] bool solid() const { return node->sampled == CellState::kSolid; }
  [[nodiscard]] bool air() const { return node->sampled == CellState::kAir; }
  [[nodiscard]] std::uint32_t brick() const {
    return node->state == CellState::kRefined ? node->coarse : node->link;
  }
  void leave() { t = node->state == CellState::kAir ? exit + node->clear_m : exit; }
};

GridHit TraceGrid::trace(const GridRay& ray) const {
  const float forgiven = ray.t_min + ray.forgive_m;
  GridHit hit;
  Way way(*this, ray);
  for (; way.enter(); way.leave()) {
    if (way.air()) continue;
    if (way.solid()) {
      if (way.t < forgiven) continue;
      hit.hit = true;
      hit.t = way.t;
      hit.normal = ray.dir * -1.0F;
      return hit;
    }
    const float t = march(way, forgiven);
    if (t < 0) continue;
    hit.hit = true;
    hit.t = t;
    hit.brick = way.brick();
    hit.normal = normalized(gradient(brick_cells_[hit.brick], ray.origin + ray.dir * t));
    return hit;
  }
  hit.t = std::min(way.t, ray.t_max);
  return hit;
}

// Where the ray enters rock between the samples of its cell; < 0: nowhere.
float TraceGrid::march(const Way& way, float forgiven) const {
  const Brick& b = bricks_[way.brick()];
  const GridRay& ray = way.ray;
  const float scale = 7.0F / way.edge;
  // In voxels from the cell's corner.
  const Vec3f from = (ray.origin - way.cell_min) * scale, step = ray.dir * scale;
  // Between samples the trilinear value changes no faster than from one to the next.
  constexpr float kNever = 1e30F;
  const float fall = fall_along(ray.dir, b.low, b.high), rise = fall_along(ray.dir * -1.0F, b.low, b.high);
  const float per_fall = fall > 1e-6F ? 1 / fall : kNever, per_rise = rise > 1e-6F ? 1 / rise : kNever;
  const float least = 0.28F / scale, end = std::min(way.exit, way.end);
  float before = 0, t_before = way.t;
  for (float t = way.t; t < end;) {
    const float v =
        trilinear(corner_at(b.values, from.x + step.x * t, from.y + step.y * t, from.z + step.z * t));
    if (v <= 0 && t >= forgiven) return before > 0 ? lerp(t_before, t, before / (before - v)) : t;
    before = v;
    t_before = t;
    float free = v > 0 ? v * per_fall : -v * per_rise;
    if (v <= 0) free = std::min(free, std::max(0.0F, forgiven - t));
    t += std::max(free, least);
  }
  return -1;
}

float TraceGrid::rock_along(const GridRay& ray) const {
  float rock = 0;
  Way way(*this, ray);
  for (; way.enter(); way.leave()) {
    const float end = std::min(way.exit, way.end);
    if (way.air()) continue;
    if (way.solid()) {
      rock += end - way.t;
      continue;
    }
    const Brick& b = bricks_[way.brick()];
    const float scale = 7.0F / way.edge, step = 1 / scale;
    for (float t = way.t + step * 0.5F; t < end; t += step) {
      const Vec3f q = (ray.origin + ray.dir * t - way.cell_min) * scale;
      if (trilinear(corner_at(b.values, q.x, q.y, q.z)) <= 0) rock += std::min(step, end - t + step * 0.5F);
    }
  }
  return rock;
}

}  // namespace vf::render

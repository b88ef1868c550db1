#include "render/trace_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vf::render {
namespace {

constexpr float kNudgeM = 0.0004F;  // past a face: half a step of the sample grid
constexpr int kMaxVisits = 4096;

// The eight samples around q, and where in their cube it lies.
struct Corner {
  const float* at = nullptr;
  float fx = 0, fy = 0, fz = 0;
};

Corner corner_at(const float* values, const Cell& cell, Vec3f p) {
  const float scale = 7.0F / cell.edge;
  const auto locate = [&](float v, float from, float& fraction) {
    const float q = std::clamp((v - from) * scale, 0.0F, 7.0F);
    const int i = std::min(6, static_cast<int>(q));
    fraction = q - static_cast<float>(i);
    return i;
  };
  Corner c;
  const int i = locate(p.x, cell.min.x, c.fx);
  const int j = locate(p.y, cell.min.y, c.fy);
  const int k = locate(p.z, cell.min.z, c.fz);
  c.at = values + k * 64 + j * 8 + i;
  return c;
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

Cell TraceGrid::cell_at(Vec3f p) const {
  Walk walk;
  return find(p, -1, walk);
}

int TraceGrid::level_for(float voxel_m) const {
  const float share = voxel_m * 7.0F * inverse_finest_;
  return share < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(std::min(share, 256.0F)))) - 1;
}

Cell TraceGrid::find(Vec3f p, int least, Walk& walk) const {
  Cell cell;
  if (!bounds_.contains(p)) return cell;
  // (Levels below `least` are not looked at where a coarser brick shows the surface.)
  const int ix = static_cast<int>((p.x - origin_.x) * inverse_finest_);
  const int iy = static_cast<int>((p.y - origin_.y) * inverse_finest_);
  const int iz = static_cast<int>((p.z - origin_.z) * inverse_finest_);
  const int top = levels_ - 1;
  // The lowest level whose cell holds both this place and the last one.
  const auto apart = static_cast<unsigned>((ix ^ walk.ix) | (iy ^ walk.iy) | (iz ^ walk.iz));
  int level = static_cast<int>(std::bit_width(apart));
  while (level <= top && walk.at[static_cast<std::size_t>(level)] == nullptr) ++level;
  if (level > top) {
    const int rx = ix >> top, ry = iy >> top, rz = iz >> top;
    if (rx >= nx_ || ry >= ny_ || rz >= nz_) return cell;
    walk.root = static_cast<std::uint32_t>((rz * ny_ + ry) * nx_ + rx);
    level = top;
    walk.at[static_cast<std::size_t>(level)] = &nodes_[walk.root];
  }
  walk.ix = ix, walk.iy = iy, walk.iz = iz;
  const Node* node = walk.at[static_cast<std::size_t>(level)];
  while (node->state == CellState::kRefined && (level > least || node->coarse == kNoBrick)) {
    --level;
    const int child = ((ix >> level) & 1) | (((iy >> level) & 1) << 1) | (((iz >> level) & 1) << 2);
    node = &nodes_[node->link + static_cast<std::uint32_t>(child)];
    walk.at[static_cast<std::size_t>(level)] = node;
  }
  for (int below = level - 1; below >= 0; --below) walk.at[static_cast<std::size_t>(below)] = nullptr;
  const bool coarse = node->state == CellState::kRefined;
  cell.state = coarse ? CellState::kMixed : node->state;
  cell.level = level;
  cell.edge = finest_edge_ * static_cast<float>(1 << level);
  cell.min = {origin_.x + static_cast<float>(ix >> level) * cell.edge,
              origin_.y + static_cast<float>(iy >> level) * cell.edge,
              origin_.z + static_cast<float>(iz >> level) * cell.edge};
  cell.brick = coarse ? node->coarse : node->link;
  cell.region = walk.root;
  return cell;
}

float TraceGrid::voxel_at(Vec3f p) const {
  const Cell cell = cell_at(p);
  return cell.state == CellState::kOutside ? finest_edge_ : cell.edge / 7.0F;
}

float TraceGrid::value(const Cell& cell, Vec3f p) const {
  return trilinear(corner_at(bricks_[cell.brick].values, cell, p));
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

GridHit TraceGrid::trace(const GridRay& ray) const {
  const Vec3f inverse = inverse_of(ray.dir);
  const float forgiven = ray.t_min + ray.forgive_m;
  GridHit hit;
  Walk walk;
  float t = ray.t_min;
  for (int visit = 0; visit < kMaxVisits && t < ray.t_max; ++visit) {
    const Vec3f entry = ray.origin + ray.dir * t;
    const Cell cell = find(entry, ray.spread > 0 ? level_for(ray.spread * (t - ray.t_min)) : -1, walk);
    if (cell.state == CellState::kOutside) break;
    const float exit = std::max(cell_exit(cell, ray.origin, inverse), t) + kNudgeM;
    if (cell.state == CellState::kSolid && t >= forgiven) {
      hit.hit = true;
      hit.t = t;
      hit.normal = ray.dir * -1.0F;
      return hit;
    }
    if (cell.state == CellState::kMixed) {
      const Brick& b = bricks_[cell.brick];
      const float rate = std::fabs(ray.dir.x) * b.slope.x + std::fabs(ray.dir.y) * b.slope.y +
                         std::fabs(ray.dir.z) * b.slope.z + 1e-6F;
      const float least = cell.edge * 0.04F;  // a quarter of a voxel
      const float end = std::min(exit, ray.t_max);
      float before = 0, t_before = t;
      bool have = false;
      for (float s = t; s < end;) {
        const Vec3f p = ray.origin + ray.dir * s;
        const float v = trilinear(corner_at(b.values, cell, p));
        if (v <= 0 && s >= forgiven) {
          hit.hit = true;
          hit.t = have ? lerp(t_before, s, before / (before - v)) : s;
          hit.brick = cell.brick;
          hit.normal = normalized(gradient(cell, ray.origin + ray.dir * hit.t));
          return hit;
        }
        have = v > 0;
        before = v;
        t_before = s;
        s += std::max(std::fabs(v) / rate, least);
      }
    }
    t = exit;
  }
  hit.t = std::min(t, ray.t_max);
  return hit;
}

float TraceGrid::rock_along(const GridRay& ray) const {
  const Vec3f inverse = inverse_of(ray.dir);
  Walk walk;
  float t = ray.t_min, rock = 0;
  for (int visit = 0; visit < kMaxVisits && t < ray.t_max; ++visit) {
    const Cell cell = find(ray.origin + ray.dir * t, -1, walk);
    if (cell.state == CellState::kOutside) break;
    const float exit = std::max(cell_exit(cell, ray.origin, inverse), t) + kNudgeM;
    const float end = std::min(exit, ray.t_max);
    if (cell.state == CellState::kSolid) rock += end - t;
    if (cell.state == CellState::kMixed) {
      const float step = cell.edge / 7.0F;
      for (float s = t + step * 0.5F; s < end; s += step)
        if (value(cell, ray.origin + ray.dir * s) <= 0) rock += std::min(step, end - s + step * 0.5F);
    }
    t = exit;
  }
  return rock;
}

}  // namespace vf::render

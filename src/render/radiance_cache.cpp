#include "render/radiance_cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/tasks.h"
#include "math/box.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/lights.h"
#include "render/sampling.h"
#include "render/surface.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr int kSlots = 48;
constexpr float kGlowReachM = 48;  // glowing surfaces are seen this far by gathering rays
constexpr float kBlockM = 5;       // of the spread glow
constexpr std::size_t kChunk = 512;

int side_of(Vec3f n) {
  const float ax = std::fabs(n.x), ay = std::fabs(n.y), az = std::fabs(n.z);
  if (ax >= ay && ax >= az) return n.x > 0 ? 0 : 1;
  if (ay >= az) return n.y > 0 ? 2 : 3;
  return n.z > 0 ? 4 : 5;
}

int part_of(const Cell& cell, Vec3f p) {
  const float half = cell.edge * 0.5F;
  return (p.x > cell.min.x + half ? 1 : 0) | (p.y > cell.min.y + half ? 2 : 0) |
         (p.z > cell.min.z + half ? 4 : 0);
}

// Calls seen(p) for each crossing of the surface with the brick's voxel edges.
template <class Seen>
void for_crossings(const Cell& cell, const float* v, const Seen& seen) {
  const float voxel = cell.edge / 7.0F;
  constexpr std::array<int, 3> kStep{1, 8, 64};
  for (int k = 0; k < 8; ++k) {
    for (int j = 0; j < 8; ++j) {
      for (int i = 0; i < 8; ++i) {
        const std::array<int, 3> at{i, j, k};
        const float* p = v + k * 64 + j * 8 + i;
        for (std::size_t a = 0; a < 3; ++a) {
          if (at[a] == 7) continue;
          const float here = p[0], next = p[kStep[a]];
          if ((here < 0) == (next < 0)) continue;
          const float f = here / (here - next);
          std::array<float, 3> q{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)};
          q[a] += f;
          seen(Vec3f{cell.min.x + q[0] * voxel, cell.min.y + q[1] * voxel, cell.min.z + q[2] * voxel});
        }
      }
    }
  }
}

struct Mean {
  Vec3f p, n;
  float count = 0;
  Vec3f nearest, nearest_n;
  float distance = 1e30F;
};

}  // namespace

RadianceCache RadianceCache::build(const TraceGrid& grid, const Recipe& recipe,
                                   const SceneMaterials* materials, const DirectLight& direct,
                                   const AmbientLight& ambient, const CacheSettings& settings) {
  RadianceCache cache;
  cache.grid_ = &grid;
  cache.ambient_ = ambient;
  cache.settings_ = settings;
  cache.find_entries();
  cache.find_looks(recipe, materials, direct);
  if (cache.glows_) cache.spread_glow();
  // Bounces before the last are only seen through the last, which evens them out.
  for (int b = 0; b < settings.bounces; ++b)
    cache.bounce(b + 1 < settings.bounces ? std::max(1, settings.rays / 2) : settings.rays);
  return cache;
}

void RadianceCache::find_entries() {
  const std::size_t bricks = grid_->brick_count();
  std::vector<std::vector<Entry>> found(bricks);
  parallel_for(bricks, settings_.workers, [&](std::size_t i, unsigned) {
    const auto b = static_cast<std::uint32_t>(i);
    const Brick& brick = grid_->brick(b);
    if (!brick.crossed) return;
    const Cell& cell = grid_->brick_cell(b);
    std::array<Mean, kSlots> means{};
    const auto slot_at = [&](Vec3f p, Vec3f& n) {
      n = normalized(grid_->gradient(cell, p));
      return static_cast<std::size_t>(part_of(cell, p) * 6 + side_of(n));
    };
    for_crossings(cell, brick.values, [&](Vec3f p) {
      Vec3f n;
      Mean& m = means[slot_at(p, n)];
      m.p = m.p + p, m.n = m.n + n, m.count += 1;
    });
    for_crossings(cell, brick.values, [&](Vec3f p) {
      Vec3f n;
      Mean& m = means[slot_at(p, n)];
      const Vec3f off = p - m.p * (1.0F / m.count);
      const float d = dot(off, off);
      if (d < m.distance) m.distance = d, m.nearest = p, m.nearest_n = n;
    });
    for (std::size_t s = 0; s < kSlots; ++s) {
      if (means[s].count < 1) continue;
      Entry e;
      e.p = means[s].nearest;
      e.n = normalized(means[s].n);
      e.brick = b;
      e.slot = static_cast<std::uint8_t>(s);
      found[i].push_back(e);
    }
  });
  first_slot_.assign(bricks, -1);
  for (std::size_t i = 0; i < bricks; ++i) {
    if (found[i].empty()) continue;
    first_slot_[i] = static_cast<std::int32_t>(slots_.size());
    slots_.resize(slots_.size() + kSlots, -1);
    for (const Entry& e : found[i]) {
      slots_[static_cast<std::size_t>(first_slot_[i]) + e.slot] = static_cast<std::int32_t>(entries_.size());
      entries_.push_back(e);
    }
  }
}

void RadianceCache::find_looks(const Recipe& recipe, const SceneMaterials* materials,
                               const DirectLight& direct) {
  std::vector<std::unique_ptr<SurfaceShader>> shaders(settings_.workers);
  glows_ = SurfaceShader(recipe, nullptr).anything_glows();
  const std::size_t chunks = (entries_.size() + kChunk - 1) / kChunk;
  parallel_for(chunks, settings_.workers, [&](std::size_t c, unsigned worker) {
    if (!shaders[worker]) shaders[worker] = std::make_unique<SurfaceShader>(recipe, materials);
    const std::size_t from = c * kChunk, count = std::min(kChunk, entries_.size() - from);
    std::vector<SurfaceQuery> queries(count);
    std::vector<SurfaceLook> looks(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Entry& e = entries_[from + i];
      queries[i] = {e.p, e.n, grid_->brick_cell(e.brick).edge * 0.5F};
    }
    shaders[worker]->look(queries, looks);
    for (std::size_t i = 0; i < count; ++i) {
      Entry& e = entries_[from + i];
      e.albedo = looks[i].albedo;
      e.glow = looks[i].emission;
      const auto light = direct.on(e.p, e.n, static_cast<std::uint32_t>(mix64(from + i) & 15U), 0.3F, 4);
      e.direct = light.through;
      const auto share = [](float part, float whole) { return whole > 1e-6F ? part / whole : 1.0F; };
      e.shadow = {share(light.through.x, light.all.x), share(light.through.y, light.all.y),
                  share(light.through.z, light.all.z)};
    }
  });
}

void RadianceCache::spread_glow() {
  const Box3f& b = grid_->bounds();
  const auto blocks = [](float from, float to) {
    return std::max(1, static_cast<int>(std::ceil((to - from) / kBlockM)) + 1);
  };
  block_nx_ = blocks(b.min.x, b.max.x), block_ny_ = blocks(b.min.y, b.max.y),
  block_nz_ = blocks(b.min.z, b.max.z);
  const std::size_t count = static_cast<std::size_t>(block_nx_) * static_cast<std::size_t>(block_ny_) *
                            static_cast<std::size_t>(block_nz_);
  block_glow_.assign(count, {});
  std::vector<float> area(count, 0);
  // Each side gives to the eight blocks around it, as interpolation will take from them.
  for (const Entry& e : entries_) {
    const float edge = grid_->brick_cell(e.brick).edge * 0.5F;
    const Vec3f q = (e.p - b.min) * (1 / kBlockM);
    const int ix = static_cast<int>(q.x), iy = static_cast<int>(q.y), iz = static_cast<int>(q.z);
    const float fx = q.x - static_cast<float>(ix), fy = q.y - static_cast<float>(iy),
                fz = q.z - static_cast<float>(iz);
    for (int c = 0; c < 8; ++c) {
      const int x = ix + (c & 1), y = iy + ((c >> 1) & 1), z = iz + (c >> 2);
      if (x < 0 || y < 0 || z < 0 || x >= block_nx_ || y >= block_ny_ || z >= block_nz_) continue;
      const float w = ((c & 1) != 0 ? fx : 1 - fx) * ((c & 2) != 0 ? fy : 1 - fy) *
                      ((c & 4) != 0 ? fz : 1 - fz) * edge * edge;
      const std::size_t i =
          (static_cast<std::size_t>(z) * static_cast<std::size_t>(block_ny_) + static_cast<std::size_t>(y)) *
              static_cast<std::size_t>(block_nx_) +
          static_cast<std::size_t>(x);
      block_glow_[i] = block_glow_[i] + e.glow * w;
      area[i] += w;
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (area[i] > 0) block_glow_[i] = block_glow_[i] * (1 / area[i]);
}

Vec3f RadianceCache::broad_glow(Vec3f p) const {
  const Vec3f q = (p - grid_->bounds().min) * (1 / kBlockM);
  const int ix = std::clamp(static_cast<int>(q.x), 0, std::max(0, block_nx_ - 2));
  const int iy = std::clamp(static_cast<int>(q.y), 0, std::max(0, block_ny_ - 2));
  const int iz = std::clamp(static_cast<int>(q.z), 0, std::max(0, block_nz_ - 2));
  const float fx = clamp01(q.x - static_cast<float>(ix)), fy = clamp01(q.y - static_cast<float>(iy)),
              fz = clamp01(q.z - static_cast<float>(iz));
  const auto get = [&](int x, int y, int z) {
    return block_glow_[(static_cast<std::size_t>(z) * static_cast<std::size_t>(block_ny_) +
                        static_cast<std::size_t>(y)) *
                           static_cast<std::size_t>(block_nx_) +
                       static_cast<std::size_t>(x)];
  };
  const auto row = [&](int y, int z) { return lerp(get(ix, y, z), get(ix + 1, y, z), fx); };
  return lerp(lerp(row(iy, iz), row(iy + 1, iz), fy), lerp(row(iy, iz + 1), row(iy + 1, iz + 1), fy), fz);
}

void RadianceCache::bounce(int rays_each) {
  std::vector<Vec3f> next(entries_.size());
  const std::size_t chunks = (entries_.size() + kChunk - 1) / kChunk;
  const auto rays = static_cast<std::uint32_t>(rays_each);
  parallel_for(chunks, settings_.workers, [&](std::size_t c, unsigned) {
    const std::size_t end = std::min(entries_.size(), (c + 1) * kChunk);
    for (std::size_t i = c * kChunk; i < end; ++i) {
      const Entry& e = entries_[i];
      const ShadowStart start = shadow_start(*grid_, e.p, e.n);
      const Basis frame = basis_about(e.n);
      const auto block = static_cast<std::uint32_t>(mix64(i) & 15U) * rays;
      Vec3f sum;
      for (std::uint32_t r = 0; r < rays; ++r) {
        GridRay ray;
        ray.origin = start.p;
        ray.dir = frame.to_world(cosine_direction(net_point(block + r)));
        ray.forgive_m = start.forgive_m;
        ray.spread = kGatherSpread;
        sum = sum + arriving(ray, nullptr);
      }
      next[i] = sum * (1.0F / static_cast<float>(rays));
    }
  });
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].arriving = next[i];
}

Outgoing RadianceCache::at(std::uint32_t brick, Vec3f p, Vec3f n) const {
  Outgoing out;
  if (brick >= first_slot_.size() || first_slot_[brick] < 0) return out;
  const Cell& cell = grid_->brick_cell(brick);
  const auto base = static_cast<std::size_t>(first_slot_[brick]);
  // Weights of the two parts along each axis; their centres are half an edge apart.
  const auto second = [&](float v, float from) { return clamp01(2 * (v - from) / cell.edge - 0.5F); };
  const float fx = second(p.x, cell.min.x), fy = second(p.y, cell.min.y), fz = second(p.z, cell.min.z);
  const std::array<std::size_t, 3> sides{n.x > 0 ? 0U : 1U, n.y > 0 ? 2U : 3U, n.z > 0 ? 4U : 5U};
  const std::array<float, 3> facing{n.x * n.x, n.y * n.y, n.z * n.z};
  for (std::size_t part = 0; part < 8; ++part) {
    const float w =
        ((part & 1) != 0 ? fx : 1 - fx) * ((part & 2) != 0 ? fy : 1 - fy) * ((part & 4) != 0 ? fz : 1 - fz) +
        1e-4F;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int32_t i = slots_[base + part * 6 + sides[a]];
      if (i < 0) continue;
      const Entry& e = entries_[static_cast<std::size_t>(i)];
      const float weight = w * (facing[a] * facing[a] + 1e-3F);
      const Vec3f light = e.direct + e.arriving;
      out.reflected = out.reflected + mul(e.albedo, light) * weight;
      out.glow = out.glow + e.glow * weight;
      out.arriving = out.arriving + e.arriving * weight;
      out.shadow = out.shadow + e.shadow * weight;
      out.weight += weight;
    }
  }
  if (out.weight > 0) {
    const float scale = 1.0F / out.weight;
    out.reflected = out.reflected * scale, out.glow = out.glow * scale, out.arriving = out.arriving * scale,
    out.shadow = out.shadow * scale;
  }
  return out;
}

Vec3f RadianceCache::arriving(const GridRay& asked, float* distance) const {
  GridRay ray = asked;
  ray.t_max = glows_ ? kGlowReachM : settings_.ambient_m;
  const GridHit hit = grid_->trace(ray);
  if (distance != nullptr) *distance = hit.hit ? hit.t : ray.t_max;
  const Vec3f open = ambient_.from(ray.dir);
  if (!hit.hit) return open;
  const float near = 1 - clamp01(hit.t / settings_.ambient_m);
  const float w = near * (2 - near);
  const Outgoing seen = at(hit.brick, ray.origin + ray.dir * hit.t, hit.normal);
  if (!glows_) return lerp(open, seen.reflected, w);
  const Vec3f p = ray.origin + ray.dir * hit.t;
  return lerp(open, seen.reflected, w) + lerp(seen.glow, broad_glow(p), smooth_step(1.5F, 6.0F, hit.t));
}

}  // namespace vf::render

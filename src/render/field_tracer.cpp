#include "render/field_tracer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "render/scene_field.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

// Close to the margin the field's own value allows longer steps than the samples do.
constexpr float kFinestM = 1.0F / 1024.0F;
constexpr int kMaxSteps = 400;  // evaluations of one ray
constexpr int kMaxRefinements = 14;
constexpr int kMaxVisits = 4096;

// phi falls no faster than the samples say and than it may be off from one to the next.
float rate_of(float fall, float margin, float voxel) {
  return std::max(fall, 0.0F) * 1.02F + 0.5F * margin / voxel + 1e-5F;
}

}  // namespace

struct FieldTracer::March {
  enum class Phase : std::uint8_t { kMarch, kRefine, kDone };
  Phase phase = Phase::kMarch;
  bool hit = false;
  bool know_low = false;       ///< v_low was evaluated at t_low
  float t = 0;                 ///< where the field is wanted
  float t_low = 0, v_low = 0;  ///< last place known to be air
  float t_high = 0, v_high = 0;
  float rate = 1;            ///< phi falls no faster than this along the ray, in this cell
  float rate_here = 1;       ///< nor than this within a voxel
  float rate_at_border = 1;  ///< nor than this before `inner`, by the steepest slopes of the brick either way
  float inner = 0;           ///< a voxel behind the border: a fold before it shows on one side only
  Vec3f inverse;             ///< of the ray's direction
  float voxel = 1;
  float steepest = 1;  ///< of phi in any direction, in this cell
  Cell cell;           ///< at t, as long as t is below exit
  float exit = -1;
  int steps = 0;
  int same_side = 0;  ///< refinements that moved the same end, counted up for air, down for rock
};

struct FieldTracer::Scratch {
  std::vector<March> marches;
  std::vector<std::uint32_t> active, order;
  std::vector<std::uint64_t> keys;
  std::vector<float> x, y, z, v, gx, gy, gz;
  // Rays whose points one part of the field covers stand together.
  void sort_by_region() {
    keys.clear();
    for (const std::uint32_t i : order) keys.push_back(std::uint64_t{marches[i].cell.region} << 32 | i);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
  }
  void resize_points(std::size_t n) {
    for (auto* a : {&x, &y, &z, &v, &gx, &gy, &gz}) a->resize(n);
  }
};

FieldTracer::FieldTracer(const TraceGrid& grid, const SceneField& field)
    : grid_(&grid), probe_(field.probe()), scratch_(std::make_unique<Scratch>()) {}
FieldTracer::~FieldTracer() = default;
FieldTracer::FieldTracer(FieldTracer&&) noexcept = default;
FieldTracer& FieldTracer::operator=(FieldTracer&&) noexcept = default;

// Moves on through what the grid knows, until the field must be asked at march.t. False when the ray is done.
bool FieldTracer::advance(const Ray& ray, March& m) const {
  TraceGrid::Walk walk;
  for (int visit = 0; visit < kMaxVisits && m.t < ray.t_max; ++visit) {
    const Vec3f p = ray.origin + ray.dir * m.t;
    if (m.t >= m.exit && !enter(ray, p, walk, m)) break;
    if (m.t >= m.exit) continue;  // it was air
    const Brick& brick = grid_->brick(m.cell.brick);
    const TraceGrid::Sampled here = grid_->sampled(m.cell, p, ray.dir);
    m.rate_here = rate_of(here.fall, here.margin, m.voxel);
    if (m.t < m.inner) m.rate_here = std::max(m.rate_here, m.rate_at_border);
    if (here.value - here.margin < 0.2F * m.voxel * m.rate_here) return true;
    const float far = (here.value - brick.margin) / m.rate,
                near = std::min((here.value - here.margin) / m.rate_here, m.voxel);
    m.t = std::min(m.t + std::max(std::max(far, near), m.voxel * 0.2F), m.exit);
    m.t_low = std::max(m.t_low, m.t - kFinestM);
    m.know_low = false;
  }
  m.phase = March::Phase::kDone;
  return false;
}

// Finds the cell at m.t. False when the ray ends: in rock, or where nothing is known. Air is crossed at once:
// then m.t is not below m.exit.
bool FieldTracer::enter(const Ray& ray, Vec3f p, TraceGrid::Walk& walk, March& m) const {
  m.cell = grid_->cell_at(p, walk);
  if (m.cell.state == CellState::kOutside) return false;
  if (m.cell.state == CellState::kSolid) {
    m.hit = true;
    return false;
  }
  const float exit = std::max(cell_exit(m.cell, ray.origin, m.inverse), m.t) + 0.5F * kFinestM;
  if (m.cell.state == CellState::kAir) {
    m.t = exit + m.cell.clear_m;
    m.exit = m.t;
    m.t_low = std::max(m.t_low, m.t - kFinestM);
    m.know_low = false;
    return true;
  }
  const Brick& brick = grid_->brick(m.cell.brick);
  m.exit = exit;
  m.voxel = m.cell.edge / 7;
  m.rate = rate_of(fall_along(ray.dir, brick.low, brick.high), brick.margin, m.voxel);
  m.steepest = 1.2F * brick.steepest;
  m.inner = m.t + m.voxel;
  const auto most = [](float low, float high) { return std::max(-low, high); };
  m.rate_at_border = 1.02F * (std::fabs(ray.dir.x) * most(brick.low.x, brick.high.x) +
                              std::fabs(ray.dir.y) * most(brick.low.y, brick.high.y) +
                              std::fabs(ray.dir.z) * most(brick.low.z, brick.high.z));
  return true;
}

// Takes the field's value at m.t and says where to look next.
void FieldTracer::accept(const Ray& ray, March& m, float v) const {
  const float width = std::max(kFinestM, ray.start_width + ray.spread * m.t);
  ++m.steps;
  if (m.phase == March::Phase::kMarch) {
    if (v > 0 && v < 0.08F * width * m.steepest) {  // a small part of a pixel away: flat ways end here
      m.hit = true;
      m.phase = March::Phase::kDone;
      return;
    }
    if (v > 0) {
      // A step as long as the slope allows; if the last two values point at a place not much further on, to
      // just beyond it, which brackets the surface.
      const float safe = std::max(v / m.rate, std::min(v / m.rate_here, m.voxel));
      float step = std::max(safe, 0.5F * width);
      if (m.know_low && v < m.v_low) {
        const float ahead = v * (m.t - m.t_low) / (m.v_low - v) + 0.4F * width;
        if (ahead > step && ahead < 1.3F * safe + 0.45F * width) step = ahead;
      }
      m.t_low = m.t, m.v_low = v, m.know_low = true;
      if (m.steps >= kMaxSteps) m.hit = true, m.phase = March::Phase::kDone;
      m.t = std::min(m.t + step, m.exit);
      return;
    }
    m.t_high = m.t, m.v_high = v;
    m.phase = March::Phase::kRefine;
    m.steps = 0;
    m.t_low = std::min(m.t_low, m.t);
  } else if (v > 0) {
    m.t_low = m.t, m.v_low = v, m.know_low = true;
    if (++m.same_side > 1) m.v_high *= 0.5F;  // Illinois
    if (m.same_side < 0) m.same_side = 1;
  } else {
    m.t_high = m.t, m.v_high = v;
    if (--m.same_side < -1) m.v_low *= 0.5F;
    if (m.same_side > 0) m.same_side = -1;
  }
  const bool near = m.steps > 0 && std::fabs(v) < 0.12F * width * m.rate_here &&
                    (v > 0 || m.t_high - m.t_low < 0.5F * width);
  if (near) {
    m.hit = true;
    m.phase = March::Phase::kDone;
    return;
  }
  if (m.t_high - m.t_low < 0.2F * width || m.steps > kMaxRefinements || m.t_high <= ray.t_min) {
    m.hit = true;
    m.t = m.know_low && m.v_low > 0 ? lerp(m.t_low, m.t_high, m.v_low / (m.v_low - m.v_high + 1e-20F))
                                    : m.t_high;
    m.phase = March::Phase::kDone;
    return;
  }
  const float share = m.know_low ? std::clamp(m.v_low / (m.v_low - m.v_high + 1e-20F), 0.02F, 0.98F) : 0.5F;
  m.t = lerp(m.t_low, m.t_high, share);
}

void FieldTracer::evaluate(std::span<const Ray> rays) {
  Scratch& s = *scratch_;
  s.order = s.active;
  s.sort_by_region();
  s.resize_points(s.order.size());
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    const Ray& ray = rays[s.order[i]];
    const Vec3f p = ray.origin + ray.dir * s.marches[s.order[i]].t;
    s.x[i] = p.x, s.y[i] = p.y, s.z[i] = p.z;
  }
  for (std::size_t at = 0; at < s.order.size();) {
    const std::uint32_t region = s.marches[s.order[at]].cell.region;
    std::size_t end = at;
    while (end < s.order.size() && s.marches[s.order[end]].cell.region == region) ++end;
    probe_->values(grid_->part(region), end - at, &s.x[at], &s.y[at], &s.z[at], &s.v[at]);
    at = end;
  }
  evaluations_ += s.order.size();
  for (std::size_t i = 0; i < s.order.size(); ++i) accept(rays[s.order[i]], s.marches[s.order[i]], s.v[i]);
}

void FieldTracer::trace(std::span<const Ray> rays, std::span<RayHit> hits) {
  VF_CHECK(rays.size() == hits.size());
  Scratch& s = *scratch_;
  s.marches.assign(rays.size(), March{});
  s.active.resize(rays.size());
  std::iota(s.active.begin(), s.active.end(), 0U);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    s.marches[i].t = s.marches[i].t_low = rays[i].t_min;
    s.marches[i].inverse = inverse_of(rays[i].dir);
  }
  while (!s.active.empty()) {
    std::erase_if(s.active, [&](std::uint32_t i) {
      March& m = s.marches[i];
      return m.phase == March::Phase::kDone || (m.phase == March::Phase::kMarch && !advance(rays[i], m));
    });
    if (!s.active.empty()) evaluate(rays);
  }
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const March& m = s.marches[i];
    hits[i].hit = m.hit;
    hits[i].t = std::min(m.t, rays[i].t_max);
    hits[i].p = rays[i].origin + rays[i].dir * hits[i].t;
  }
  find_normals(hits, rays);
}

void FieldTracer::find_normals(std::span<RayHit> hits, std::span<const Ray> rays) {
  Scratch& s = *scratch_;
  s.order.clear();
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (hits[i].hit) s.order.push_back(static_cast<std::uint32_t>(i));
  s.sort_by_region();
  s.resize_points(s.order.size());
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    const Vec3f p = hits[s.order[i]].p;
    s.x[i] = p.x, s.y[i] = p.y, s.z[i] = p.z;
  }
  for (std::size_t at = 0; at < s.order.size();) {
    const std::uint32_t region = s.marches[s.order[at]].cell.region;
    std::size_t end = at;
    while (end < s.order.size() && s.marches[s.order[end]].cell.region == region) ++end;
    probe_->gradients(grid_->part(region), end - at, &s.x[at], &s.y[at], &s.z[at], &s.v[at], &s.gx[at],
                      &s.gy[at], &s.gz[at]);
    at = end;
  }
  evaluations_ += s.order.size();
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    RayHit& hit = hits[s.order[i]];
    const Ray& ray = rays[s.order[i]];
    Vec3f g{s.gx[i], s.gy[i], s.gz[i]};
    // What is left to the surface, by the value that came with the slope.
    const float most = 0.5F * std::max(kFinestM, ray.start_width + ray.spread * hit.t),
                fall = -dot(g, ray.dir);
    if (fall > 1e-4F) {
      hit.t = std::clamp(hit.t + std::clamp(s.v[i] / fall, -most, most), ray.t_min, ray.t_max);
      hit.p = ray.origin + ray.dir * hit.t;
    }
    if (!(dot(g, g) > 1e-10F)) {
      const Cell cell = grid_->cell_at(hit.p);
      g = cell.state == CellState::kMixed ? grid_->gradient(cell, hit.p) : ray.dir * -1.0F;
    }
    hit.normal = normalized(g);
  }
}

}  // namespace vf::render

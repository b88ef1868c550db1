#include "render/field_tracer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace vf::render {
namespace {

constexpr float kSlopeMargin = 1.2F;  // between samples a brick may be steeper than from sample to sample
constexpr float kFinestM = 1.0F / 1024.0F;
constexpr int kMaxSteps = 400;  // evaluations of one ray
constexpr int kMaxRefinements = 14;
constexpr int kMaxVisits = 4096;

}  // namespace

struct FieldTracer::March {
  enum class Phase : std::uint8_t { kMarch, kRefine, kDone };
  Phase phase = Phase::kMarch;
  bool hit = false;
  bool know_low = false;       ///< v_low was evaluated at t_low
  float t = 0;                 ///< where the field is wanted
  float t_low = 0, v_low = 0;  ///< last place known to be air
  float t_high = 0, v_high = 0;
  float rate = 1;  ///< phi falls no faster than this along the ray, in this cell
  float exit = 0;
  std::uint32_t region = 0;
  int steps = 0;
  int same_side = 0;  ///< refinements that moved the same end, counted up for air, down for rock
};

struct FieldTracer::Scratch {
  std::vector<March> marches;
  std::vector<std::uint32_t> active, order;
  std::vector<float> x, y, z, v, gx, gy, gz;
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
  const Vec3f inverse = inverse_of(ray.dir);
  for (int visit = 0; visit < kMaxVisits; ++visit) {
    if (m.t >= ray.t_max) break;
    const Vec3f p = ray.origin + ray.dir * m.t;
    const Cell cell = grid_->cell_at(p);
    if (cell.state == CellState::kOutside) break;
    const float exit = std::max(cell_exit(cell, ray.origin, inverse), m.t) + 0.5F * kFinestM;
    if (cell.state == CellState::kSolid) {
      m.hit = true;
      m.region = cell.region;
      break;
    }
    if (cell.state == CellState::kAir) {
      m.t = exit;
      m.t_low = std::max(m.t_low, exit - kFinestM);
      m.know_low = false;
      continue;
    }
    const Brick& brick = grid_->brick(cell.brick);
    const float slope = std::fabs(ray.dir.x) * brick.slope.x + std::fabs(ray.dir.y) * brick.slope.y +
                        std::fabs(ray.dir.z) * brick.slope.z;
    m.rate = slope * kSlopeMargin + 1e-5F;
    m.exit = exit;
    m.region = cell.region;
    // Between samples the field is off the straight line by no more than this.
    const float margin = (brick.slope.x + brick.slope.y + brick.slope.z) * cell.edge * (0.5F / 7.0F);
    const float v = grid_->value(cell, p);
    if (v <= margin) return true;
    m.t = std::min(m.t + std::max((v - margin) / m.rate, cell.edge * 0.03F), exit);
    m.t_low = std::max(m.t_low, m.t - kFinestM);
    m.know_low = false;
  }
  m.phase = March::Phase::kDone;
  return false;
}

// Takes the field's value at m.t and says where to look next.
void FieldTracer::accept(const Ray& ray, March& m, float v) const {
  const float width = std::max(kFinestM, ray.start_width + ray.spread * m.t);
  ++m.steps;
  if (m.phase == March::Phase::kMarch) {
    if (v > 0) {
      m.t_low = m.t, m.v_low = v, m.know_low = true;
      if (m.steps >= kMaxSteps) m.hit = true, m.phase = March::Phase::kDone;
      m.t = std::min(m.t + std::max(v / m.rate, 0.5F * width), m.exit);
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
  std::sort(s.order.begin(), s.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ra = s.marches[a].region, rb = s.marches[b].region;
    return ra != rb ? ra < rb : a < b;
  });
  s.resize_points(s.order.size());
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    const Ray& ray = rays[s.order[i]];
    const Vec3f p = ray.origin + ray.dir * s.marches[s.order[i]].t;
    s.x[i] = p.x, s.y[i] = p.y, s.z[i] = p.z;
  }
  for (std::size_t at = 0; at < s.order.size();) {
    const std::uint32_t region = s.marches[s.order[at]].region;
    std::size_t end = at;
    while (end < s.order.size() && s.marches[s.order[end]].region == region) ++end;
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
  for (std::size_t i = 0; i < rays.size(); ++i) s.marches[i].t = s.marches[i].t_low = rays[i].t_min;
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
  normals(hits, rays);
}

void FieldTracer::normals(std::span<RayHit> hits, std::span<const Ray> rays) {
  Scratch& s = *scratch_;
  s.order.clear();
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (hits[i].hit) s.order.push_back(static_cast<std::uint32_t>(i));
  std::sort(s.order.begin(), s.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ra = s.marches[a].region, rb = s.marches[b].region;
    return ra != rb ? ra < rb : a < b;
  });
  s.resize_points(s.order.size());
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    const Vec3f p = hits[s.order[i]].p;
    s.x[i] = p.x, s.y[i] = p.y, s.z[i] = p.z;
  }
  for (std::size_t at = 0; at < s.order.size();) {
    const std::uint32_t region = s.marches[s.order[at]].region;
    std::size_t end = at;
    while (end < s.order.size() && s.marches[s.order[end]].region == region) ++end;
    probe_->gradients(grid_->part(region), end - at, &s.x[at], &s.y[at], &s.z[at], &s.v[at], &s.gx[at],
                      &s.gy[at], &s.gz[at]);
    at = end;
  }
  evaluations_ += s.order.size();
  for (std::size_t i = 0; i < s.order.size(); ++i) {
    RayHit& hit = hits[s.order[i]];
    Vec3f g{s.gx[i], s.gy[i], s.gz[i]};
    if (!(dot(g, g) > 1e-10F)) {
      const Cell cell = grid_->cell_at(hit.p);
      g = cell.state == CellState::kMixed ? grid_->gradient(cell, hit.p) : rays[s.order[i]].dir * -1.0F;
    }
    hit.normal = normalized(g);
  }
}

}  // namespace vf::render

#include "render/beam_tracer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "math/vec.h"
#include "render/trace_grid.h"

namespace vf::render {
namespace {

constexpr int kMostSteps = 96;
constexpr float kLeastStep = 0.6F;  // of the beam's width: shorter ones are left to its rays

}  // namespace

// Moves on through proven air as long as the beam is narrower than what is clear. True when the field must be
// asked at march.t; false when the beam ends there.
bool BeamTracer::advance(const Beam& beam, March& m) const {
  TraceGrid::Walk walk;
  const Vec3f inverse = inverse_of(beam.dir);
  while (m.t < beam.t_max) {
    const Cell cell = grid_->cell_at(beam.origin + beam.dir * m.t, walk);
    if (cell.state == CellState::kOutside || cell.state == CellState::kSolid) return false;
    m.region = cell.region;
    if (cell.state != CellState::kAir) return true;
    // Up to its exit, and as far beyond as the clearance there reaches.
    const float exit = std::max(cell_exit(cell, beam.origin, inverse), m.t);
    const float reach = exit + (cell.clear_m - beam.spread * exit) / (1 + beam.spread);
    if (reach < exit + 0.001F) return true;
    m.t = reach;
  }
  m.t = beam.t_max;
  return false;
}

// Takes the field's value at march.t. False when the beam ends there.
bool BeamTracer::step(const Beam& beam, March& m, float value) const {
  const float width = beam.spread * m.t;
  const float free = (value / bound_ - width) / (1 + beam.spread);
  if (free < kLeastStep * width + 0.01F) return false;
  m.t = std::min(m.t + free, beam.t_max);
  return true;
}

void BeamTracer::trace(std::span<const Beam> beams, std::span<float> free) {
  VF_CHECK(beams.size() == free.size());
  std::fill(free.begin(), free.end(), 0.0F);
  active_.clear();
  for (std::size_t i = 0; i < beams.size(); ++i) active_.push_back({0, 0, static_cast<std::uint32_t>(i)});
  for (int round = 0; round < kMostSteps && !active_.empty(); ++round) {
    std::erase_if(active_, [&](March& m) {
      const bool ask = advance(beams[m.beam], m);
      free[m.beam] = m.t;
      return !ask;
    });
    std::sort(active_.begin(), active_.end(), [](const March& a, const March& b) {
      return a.region != b.region ? a.region < b.region : a.beam < b.beam;
    });
    for (auto* a : {&x_, &y_, &z_, &value_}) a->resize(active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const Beam& beam = beams[active_[i].beam];
      const Vec3f p = beam.origin + beam.dir * active_[i].t;
      x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
    }
    for (std::size_t at = 0; at < active_.size();) {
      std::size_t end = at;
      while (end < active_.size() && active_[end].region == active_[at].region) ++end;
      probe_->values(grid_->part(active_[at].region), end - at, &x_[at], &y_[at], &z_[at], &value_[at]);
      at = end;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      March m = active_[i];
      const bool on = step(beams[m.beam], m, value_[i]);
      free[m.beam] = m.t;
      if (on) active_[kept++] = m;
    }
    active_.resize(kept);
  }
}

}  // namespace vf::render

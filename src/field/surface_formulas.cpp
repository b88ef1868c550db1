#include "field/surface_formulas.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/path_shapes.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/arc_cosine.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

namespace {

constexpr float kNoRouteM = 1024;
constexpr std::size_t kChunk = 1024;
/// A path is that of points so far under its floor, or over its roof. [metres]
constexpr float kUnderM = 1.5F, kOverM = 1;

bool asks_for_paths(const Tape& tape) {
  return std::any_of(tape.ops.begin(), tape.ops.end(), [](const TapeOp& op) {
    const auto input = static_cast<SurfaceInput>(op.param);
    return op.op == Opcode::kSurface &&
           (input == SurfaceInput::kRouteDistance || input == SurfaceInput::kRouteAlong ||
            input == SurfaceInput::kRouteHeight);
  });
}

}  // namespace

SurfaceFormulas::SurfaceFormulas(const BoundField& field, SimdLevel simd)
    : field_(field), full_(full_tape(*field.program)), batch_(field, simd) {
  if (asks_for_paths(full_)) pads_ = path_set(field, PathSet::kPad);
}

void SurfaceFormulas::find_paths(const Box3f& box) {
  const auto input = [&](SurfaceInput i) -> std::vector<float>& {
    return inputs_[static_cast<std::size_t>(i)];
  };
  near_.clear();
  pads_->index.query(box, near_);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Vec3f p{x_[i], y_[i], z_[i]};
    for (const std::uint32_t n : near_) {
      const FeatureInstance& piece = pads_->instances[n];
      const PathView v = view_from(piece, p);
      if (v.above < -kUnderM || v.above > path_value(piece.values, PathValue::kClear) + kOverM) continue;
      // Places count from their edge, as if they were ways.
      const float wider = path_value(piece.values, PathValue::kHalfWidth) - kWayHalfM;
      const float d = std::max(std::max(v.side - wider, 0.0F), v.beyond + (wider > 0 ? kWayHalfM : 0.0F));
      if (d >= input(SurfaceInput::kRouteDistance)[i]) continue;
      input(SurfaceInput::kRouteDistance)[i] = d;
      input(SurfaceInput::kRouteAlong)[i] = v.along;
      input(SurfaceInput::kRouteHeight)[i] = v.above;
    }
  }
}

void SurfaceFormulas::at(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                         std::span<float* const> out) {
  VF_CHECK(points.size() == normals.size() && out.size() == outputs());
  std::vector<float*> to(out.size());
  for (std::size_t first = 0; first < points.size(); first += kChunk) {
    const std::size_t count = std::min(kChunk, points.size() - first);
    for (std::size_t o = 0; o < out.size(); ++o) to[o] = out[o] + first;
    chunk(points.subspan(first, count), normals.subspan(first, count), to);
  }
}

void SurfaceFormulas::chunk(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                            std::span<float* const> out) {
  const std::size_t count = points.size();
  for (auto* v : {&x_, &y_, &z_}) v->resize(count);
  for (auto& input : inputs_) input.assign(count, 0);
  const auto input = [&](SurfaceInput i) -> std::vector<float>& {
    return inputs_[static_cast<std::size_t>(i)];
  };
  Box3f box;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f p = snap_to_grid(points[i]), n = normals[i];
    x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
    input(SurfaceInput::kNormalX)[i] = n.x;
    input(SurfaceInput::kNormalY)[i] = n.y;
    input(SurfaceInput::kNormalZ)[i] = n.z;
    input(SurfaceInput::kSlopeDeg)[i] = static_cast<float>(arc_cosine_deg(static_cast<double>(n.z)));
    input(SurfaceInput::kRouteDistance)[i] = kNoRouteM;
    if (i == 0) box = {p, p};
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  }
  if (pads_ != nullptr) find_paths(box);
  std::array<const float*, static_cast<std::size_t>(SurfaceInput::kCount)> extra{};
  for (std::size_t e = 0; e < extra.size(); ++e) extra[e] = inputs_[e].data();
  batch_.points(tape_in_box(field_, full_, box), {count, x_.data(), y_.data(), z_.data(), extra}, out);
}

}  // namespace vf

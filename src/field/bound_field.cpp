#include "field/bound_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "field/program.h"
#include "math/box.h"

namespace vf {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSector1024 = 1024 * 1024;  // edge of a sector in 1/1024 m
constexpr float kIndexCellM = 16;

/// v / period, rounded down, and what is left.
struct Split {
  Wide whole;
  std::int64_t rest;
};

Split split(Wide v, std::int64_t period) {
  Wide whole = v / period;
  Wide rest = v % period;
  if (rest < 0) {
    rest += period;
    --whole;
  }
  return {whole, static_cast<std::int64_t>(rest)};
}

bool earlier(const FeatureInstance& a, const FeatureInstance& b) {
  if (a.id != b.id) return a.id < b.id;
  if (a.at.x != b.at.x) return a.at.x < b.at.x;
  if (a.at.y != b.at.y) return a.at.y < b.at.y;
  return a.at.z < b.at.z;
}

}  // namespace

std::vector<BoundAxis> bind_axes(const Program& program, Frame frame) {
  std::vector<BoundAxis> out;
  out.reserve(program.frame_axes.size());
  for (const FrameAxis& axis : program.frame_axes) {
    VF_CHECK(axis.period_1024 > 0);
    const Wide corner =
        (static_cast<Wide>(axis.ax) * frame.sx + static_cast<Wide>(axis.ay) * frame.sy) * kSector1024;
    const Split s = split(corner + axis.shift_1024, axis.period_1024);
    // Below 2^24 in 1/1024 m: exact in f32. (Axes without a frame may be longer; their offset is 0.)
    BoundAxis bound;
    bound.offset = static_cast<float>(s.rest) / 1024.0F;
    bound.base = static_cast<std::uint32_t>(static_cast<std::uint64_t>(s.whole));
    out.push_back(bound);
  }
  return out;
}

BoundField bind_field(std::shared_ptr<const Program> program, Frame frame, Box2f window,
                      std::vector<std::vector<FeatureInstance>> sets, std::uint32_t seed_mix) {
  VF_CHECK(program != nullptr);
  VF_CHECK(sets.size() <= program->feature_sets.size());
  BoundField out;
  out.frame = frame;
  out.window = window;
  out.axes = bind_axes(*program, frame);
  out.seed_mix = seed_mix;
  out.absolute_x = static_cast<float>(static_cast<double>(frame.sx) * static_cast<double>(kSectorM));
  out.absolute_y = static_cast<float>(static_cast<double>(frame.sy) * static_cast<double>(kSectorM));
  sets.resize(program->feature_sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    out.shape_axes.push_back(bind_axes(program->feature_sets[i].shape, frame));
    BoundFeatureSet bound;
    bound.instances = std::move(sets[i]);
    std::sort(bound.instances.begin(), bound.instances.end(), earlier);
    std::vector<Box3f> boxes;
    boxes.reserve(bound.instances.size());
    for (const FeatureInstance& f : bound.instances) boxes.push_back(f.value_box);
    bound.index = GridIndex(boxes, kIndexCellM);
    out.sets.push_back(std::move(bound));
  }
  out.program = std::move(program);
  return out;
}

}  // namespace vf

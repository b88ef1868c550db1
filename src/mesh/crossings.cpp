#include "mesh/crossings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/program.h"
#include "math/box.h"
#include "math/rounding.h"
#include "math/vec.h"
#include "mesh/gradient_source.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

constexpr std::size_t kLattice = std::size_t{kTileSamples} * kTileSamples * kTileSamples;

/// A crossing this near to the surface stays where it is. [voxels]
constexpr float kNearSurface = 1.0F / 64;
constexpr int kRefinements = 3;

struct BrickPlace {
  std::uint8_t x = 0, y = 0, z = 0;
};

/// The bricks that hold a tile's samples, along a Morton curve: neighbours in the list are neighbours in
/// space.
constexpr std::array<BrickPlace, 125> kBrickOrder = [] {
  std::array<BrickPlace, 125> order{};
  std::size_t n = 0;
  for (unsigned code = 0; code < 512; ++code) {
    const auto gather = [code](unsigned shift) {
      return static_cast<std::uint8_t>((code >> shift & 1) | (code >> (shift + 3) & 1) << 1 |
                                       (code >> (shift + 6) & 1) << 2);
    };
    const BrickPlace place{gather(0), gather(1), gather(2)};
    if (place.x < kBlockBricks && place.y < kBlockBricks && place.z < kBlockBricks) order[n++] = place;
  }
  return order;
}();

/// Where the crossings lie that start at a brick's samples; of the last bricks only sample 0 counts.
Box3f crossing_box(const TileKey& key, int bx, int by, int bz) {
  const Vec3f o = tile_origin(key);
  const float edge = voxel_m(key.level) * kBrickEdge;
  const auto at = [&](float from, int b) { return from + edge * static_cast<float>(b); };
  const auto end = [&](float from, int b) { return at(from, b < kBlockBricks - 1 ? b + 1 : b); };
  return {{at(o.x, bx), at(o.y, by), at(o.z, bz)}, {end(o.x, bx), end(o.y, by), end(o.z, bz)}};
}

}  // namespace

Crossings::Crossings() : at_(3 * kLattice) {}

template <int kAxis>
void Crossings::add(const TileSamples& samples, int x0, int y, int z, std::uint64_t bits) {
  for (; bits != 0; bits &= bits - 1) {
    const int x = x0 + std::countr_zero(bits);
    const auto i = static_cast<std::uint32_t>(list_.size());
    at_[lattice_index(kAxis, x, y, z)] = i;
    list_.push_back(
        {static_cast<std::uint8_t>(kAxis), static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
         static_cast<std::uint8_t>(z), samples.value(x, y, z),
         samples.value(x + (kAxis == 0 ? 1 : 0), y + (kAxis == 1 ? 1 : 0), z + (kAxis == 2 ? 1 : 0))});
  }
}

/// Edges that start at a sample of the brick and end within the tile's 33 samples.
void Crossings::find_in_brick(const TileSamples& samples, int bx, int by, int bz) {
  constexpr std::uint64_t kInner = (std::uint64_t{1} << kTileEdge) - 1;
  const int end_y = std::min(by * 8 + 8, kTileSamples), end_z = std::min(bz * 8 + 8, kTileSamples);
  const std::uint64_t width = bx < kBlockBricks - 1 ? 0xFF : 1;
  const int x0 = bx * 8;
  for (int z = bz * 8; z < end_z; ++z) {
    for (int y = by * 8; y < end_y; ++y) {
      const std::uint64_t row = samples.row(y, z);
      add<0>(samples, x0, y, z, ((row ^ row >> 1) & kInner) >> x0 & width);
      if (y < kTileEdge) add<1>(samples, x0, y, z, (row ^ samples.row(y + 1, z)) >> x0 & width);
      if (z < kTileEdge) add<2>(samples, x0, y, z, (row ^ samples.row(y, z + 1)) >> x0 & width);
    }
  }
}

void Crossings::find(const TileKey& key, const TileSamples& samples, GradientSource& source) {
  key_ = key;
  list_.clear();
  parts_.clear();
  boxes_.clear();
  for (const BrickPlace& b : kBrickOrder) {
    // A proven brick's signs hold one sample further, so that no edge out of it is crossed.
    if (samples.brick(b.x, b.y, b.z) == nullptr) continue;
    const std::size_t begin = list_.size();
    find_in_brick(samples, b.x, b.y, b.z);
    if (list_.size() == begin) continue;
    parts_.push_back({boxes_.size(), begin, list_.size()});
    boxes_.push_back(crossing_box(key, b.x, b.y, b.z));
  }
  if (list_.empty()) return;
  const float edge = tile_m(key.level);
  const Vec3f origin = tile_origin(key);
  source.begin({origin, origin + Vec3f{edge, edge, edge}}, boxes_);
  hermite_.reserve(list_.size());
  // First guess: where the line between the two samples meets zero.
  for (std::uint32_t i = 0; i < list_.size(); ++i) place(i, list_[i].low / (list_[i].low - list_[i].high));
  source.gradients(parts_, hermite_.points(list_.size()), hermite_.value.data(), hermite_.gx.data(),
                   hermite_.gy.data(), hermite_.gz.data());
  refine(source);
  set_points();
}

/// Puts crossing i at t of its edge, on the grid of points (see snap_to_grid).
void Crossings::place(std::uint32_t i, float t) {
  const Crossing& c = list_[i];
  const Vec3f origin = tile_origin(key_);
  const float voxel = voxel_m(key_.level);
  hermite_.x[i] = origin.x + voxel * static_cast<float>(c.x);
  hermite_.y[i] = origin.y + voxel * static_cast<float>(c.y);
  hermite_.z[i] = origin.z + voxel * static_cast<float>(c.z);
  float& along = c.axis == 0 ? hermite_.x[i] : c.axis == 1 ? hermite_.y[i] : hermite_.z[i];
  along = static_cast<float>(round_to_int((along + voxel * t) * kGridPerM)) * (1.0F / kGridPerM);
}

/// Where the field has a kink between the samples the guess may be off the surface, and a gradient off the
/// surface may be that of a rounded edge. Regula falsi for those few.
void Crossings::refine(GradientSource& source) {
  const float near2 = kNearSurface * kNearSurface * voxel_m(key_.level) * voxel_m(key_.level);
  const auto is_off = [&](std::uint32_t i) {
    const float v = hermite_.value[i], gx = hermite_.gx[i], gy = hermite_.gy[i], gz = hermite_.gz[i];
    return v * v > near2 * (gx * gx + gy * gy + gz * gz);
  };
  pending_.clear();
  brackets_.clear();
  for (std::uint32_t i = 0; i < list_.size(); ++i) {
    if (!is_off(i)) continue;
    pending_.push_back(i);
    brackets_.push_back({0, list_[i].low, 1, list_[i].high});
  }
  for (int step = 0; step < kRefinements && !pending_.empty(); ++step) {
    const std::size_t n = pending_.size();
    moved_.reserve(n);
    pending_parts_.clear();
    std::size_t part = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = pending_[k];
      narrow(i, brackets_[k]);
      while (parts_[part].end <= i) ++part;
      if (pending_parts_.empty() || pending_parts_.back().box != parts_[part].box)
        pending_parts_.push_back({parts_[part].box, k, k});
      pending_parts_.back().end = k + 1;
      moved_.x[k] = hermite_.x[i];
      moved_.y[k] = hermite_.y[i];
      moved_.z[k] = hermite_.z[i];
    }
    source.gradients(pending_parts_, moved_.points(n), moved_.value.data(), moved_.gx.data(),
                     moved_.gy.data(), moved_.gz.data());
    std::size_t kept = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = pending_[k];
      hermite_.value[i] = moved_.value[k];
      hermite_.gx[i] = moved_.gx[k];
      hermite_.gy[i] = moved_.gy[k];
      hermite_.gz[i] = moved_.gz[k];
      if (!is_off(i)) continue;
      pending_[kept] = i;
      brackets_[kept++] = brackets_[k];
    }
    pending_.resize(kept);
    brackets_.resize(kept);
  }
}

/// Cuts the bracket at the crossing's present place and moves it to where the line between the ends meets
/// zero.
void Crossings::narrow(std::uint32_t i, Bracket& b) {
  const Crossing& c = list_[i];
  const Vec3f o = tile_origin(key_);
  const float from = c.axis == 0 ? o.x : c.axis == 1 ? o.y : o.z;
  const float at = c.axis == 0 ? hermite_.x[i] : c.axis == 1 ? hermite_.y[i] : hermite_.z[i];
  const float t = (at - from) / voxel_m(key_.level) - static_cast<float>(c.axis == 0   ? c.x
                                                                         : c.axis == 1 ? c.y
                                                                                       : c.z);
  const float v = hermite_.value[i];
  if ((v < 0) == (b.low_value < 0)) {
    b.low = t;
    b.low_value = v;
    b.high_value *= 0.5F;  // Illinois: or the other end would never move
  } else {
    b.high = t;
    b.high_value = v;
    b.low_value *= 0.5F;
  }
  place(i, b.low + (b.high - b.low) * (b.low_value / (b.low_value - b.high_value)));
}

/// Where the tangent plane at the crossing is met, and the direction out of the rock.
void Crossings::set_points() {
  const Vec3f origin = tile_origin(key_);
  const float per_voxel = 1 / voxel_m(key_.level);
  if (points_.size() < list_.size()) points_.resize(list_.size());
  for (std::size_t i = 0; i < list_.size(); ++i) {
    SurfacePoint& p = points_[i];
    p.at = {(hermite_.x[i] - origin.x) * per_voxel, (hermite_.y[i] - origin.y) * per_voxel,
            (hermite_.z[i] - origin.z) * per_voxel};
    const Vec3f g{hermite_.gx[i], hermite_.gy[i], hermite_.gz[i]};
    const float length = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    if (length > 1e-6F) {  // false for NaN
      const float scale = 1 / length;
      p.normal = g * scale;
      p.at = p.at - p.normal * std::clamp(hermite_.value[i] * scale * per_voxel, -0.5F, 0.5F);
    } else {  // the crest of a noise, the tip of a cone: all that is known is where the rock ends
      const Crossing& c = list_[i];
      const float sign = c.low < 0 ? 1.0F : -1.0F;
      p.normal = {c.axis == 0 ? sign : 0.0F, c.axis == 1 ? sign : 0.0F, c.axis == 2 ? sign : 0.0F};
    }
  }
}

}  // namespace vf

#include "mesh/crossings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/program.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/gradient_source.h"
#include "mesh/grow.h"
#include "mesh/lanes.h"
#include "mesh/simd/mesh_kernels.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

constexpr std::size_t kLattice = std::size_t{kTileSamples} * kTileSamples * kTileSamples;
constexpr std::size_t kMaxInBrick = std::size_t{3} * kBrickSamples;
constexpr std::size_t kLanes = 4;

/// A crossing this near to the surface stays where it is. [voxels]
constexpr float kNearSurface = 1.0F / 16;
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

/// By sample of a brick's layer: what it adds to the words of the layer's first edge, and to its index.
constexpr std::array<std::uint32_t, 64> kEdgeInLayer = [] {
  std::array<std::uint32_t, 64> words{};
  for (std::uint32_t i = 0; i < 64; ++i) words[i] = (i & 7) << LatticeEdge::kX | (i >> 3) << LatticeEdge::kY;
  return words;
}();
constexpr std::array<std::uint32_t, 64> kLatticeInLayer = [] {
  std::array<std::uint32_t, 64> indices{};
  for (int i = 0; i < 64; ++i)
    indices[static_cast<std::size_t>(i)] =
        static_cast<std::uint32_t>(Crossings::lattice_index(0, i & 7, i >> 3, 0));
  return indices;
}();

}  // namespace

Crossings::Crossings(SimdLevel simd) : kernels_(&mesh_kernels(simd)), at_(4 * kLattice) {}

LatticeFrame Crossings::frame() const {
  return {tile_origin(key_), voxel_m(key_.level)};
}

CrossingArrays Crossings::arrays() {
  return {count_, edge_.data(), t_.data(), low_.data(), high_.data()};
}

void Crossings::Hermite::need(std::size_t n) {
  for (auto* v : {&x, &y, &z, &value, &gx, &gy, &gz}) vf::need(*v, n);
}

/// Of a layer's edges along one axis; high(i): the value at the far end of that from sample i.
template <class High>
void Crossings::add(int axis, int x0, int y0, int z, std::uint64_t bits, const float* low, const High& high) {
  const std::uint32_t first = LatticeEdge(axis, x0, y0, z).bits();
  std::uint32_t* const at = &at_[lattice_index(axis, x0, y0, z)];
  std::size_t n = count_;
  for (; bits != 0; bits &= bits - 1, ++n) {
    const auto i = static_cast<std::size_t>(std::countr_zero(bits));
    edge_[n] = LatticeEdge(first + kEdgeInLayer[i]);
    low_[n] = low[i];
    high_[n] = high(i);
    at[kLatticeInLayer[i]] = static_cast<std::uint32_t>(n + 1);
  }
  count_ = n;
}

/// Edges that start at a sample of the brick and end within the tile's 33 samples.
void Crossings::find_in_brick(const TileSamples& samples, int bx, int by, int bz) {
  constexpr std::uint64_t kFirstColumn = 0x0101010101010101U, kLastColumn = kFirstColumn << 7;
  constexpr std::size_t kLayer = kBrickEdge * kBrickEdge;
  for (auto* v : {&low_, &high_}) need(*v, count_ + kMaxInBrick + kMostLanes);
  need(edge_, count_ + kMaxInBrick + kMostLanes);
  const bool last_x = bx == kBlockBricks - 1, last_y = by == kBlockBricks - 1,
             last_z = bz == kBlockBricks - 1;
  // Of the last bricks only sample 0 belongs to the tile.
  const std::uint64_t own = (last_x ? kFirstColumn : ~std::uint64_t{0}) & (last_y ? 0xFF : ~std::uint64_t{0});
  const float* brick = samples.brick(bx, by, bz);
  const float* next_x = last_x ? nullptr : samples.brick(bx + 1, by, bz);
  const float* next_y = last_y ? nullptr : samples.brick(bx, by + 1, bz);
  const float* next_z = last_z ? nullptr : samples.brick(bx, by, bz + 1);
  for (int k = 0; k < (last_z ? 1 : kBrickEdge); ++k) {
    const std::uint64_t here = samples.layer(bx, by, bz, k);
    const std::size_t from = static_cast<std::size_t>(k) * kLayer;
    const float* low = brick + from;
    const int x0 = bx * kBrickEdge, y0 = by * kBrickEdge, z = bz * kBrickEdge + k;
    if (!last_x) {
      const std::uint64_t beyond = samples.layer(bx + 1, by, bz, k) << 7 & kLastColumn;
      add(0, x0, y0, z, (here ^ ((here >> 1 & ~kLastColumn) | beyond)) & own, low,
          [&](std::size_t i) { return (i & 7) == 7 ? next_x[from + i - 7] : low[i + 1]; });
    }
    if (!last_y) {
      const std::uint64_t beyond = samples.layer(bx, by + 1, bz, k) << 56;
      add(1, x0, y0, z, (here ^ (here >> 8 | beyond)) & own, low,
          [&](std::size_t i) { return i >= 56 ? next_y[from + i - 56] : low[i + 8]; });
    }
    if (!last_z) {
      const bool inner = k + 1 < kBrickEdge;
      const float* above = inner ? low + kLayer : next_z;
      add(2, x0, y0, z,
          (here ^ (inner ? samples.layer(bx, by, bz, k + 1) : samples.layer(bx, by, bz + 1, 0))) & own, low,
          [&](std::size_t i) { return above[i]; });
    }
  }
}

void Crossings::find(const TileKey& key, const TileSamples& samples, GradientSource& source) {
  key_ = key;
  count_ = 0;
  parts_.clear();
  boxes_.clear();
  for (const BrickPlace& b : kBrickOrder) {
    // A proven brick's signs hold one sample further, so that no edge out of it is crossed.
    if (samples.brick(b.x, b.y, b.z) == nullptr) continue;
    const std::size_t begin = count_;
    find_in_brick(samples, b.x, b.y, b.z);
    if (count_ == begin) continue;
    parts_.push_back({boxes_.size(), begin, count_});
    boxes_.push_back(crossing_box(key, b.x, b.y, b.z));
  }
  if (count_ == 0) return;
  const float edge = tile_m(key.level);
  const Vec3f origin = tile_origin(key);
  source.begin({origin, origin + Vec3f{edge, edge, edge}}, boxes_);
  guess();
  source.gradients(parts_, hermite_.points(count_), hermite_.value.data(), hermite_.gx.data(),
                   hermite_.gy.data(), hermite_.gz.data());
  refine(source);
  set_points();
}

/// Where the line between the two samples meets zero.
void Crossings::guess() {
  hermite_.need(count_ + kMostLanes);
  need(t_, count_ + kMostLanes);
  for (std::size_t i = count_; i < count_ + kMostLanes; ++i) {  // whole lanes of something
    edge_[i] = LatticeEdge();
    low_[i] = -1;
    high_[i] = 1;
  }
  kernels_->guess(frame(), arrays(), hermite_.arrays());
}

// ---- the few that are off the surface

/// Four of them: -1 or 0.
inline Int4 Crossings::are_off(std::size_t i) const {
  const float near2 = kNearSurface * kNearSurface * voxel_m(key_.level) * voxel_m(key_.level);
  const auto lanes = [i](const std::vector<float>& v) { return load4(v.data() + i); };
  const Float4 v = lanes(hermite_.value), gx = lanes(hermite_.gx), gy = lanes(hermite_.gy),
               gz = lanes(hermite_.gz);
  return v * v > near2 * (gx * gx + gy * gy + gz * gz);
}

float Crossings::slope_along(std::size_t i) const {
  const std::array<const float*, 3> g{hermite_.gx.data(), hermite_.gy.data(), hermite_.gz.data()};
  return g[static_cast<std::size_t>(edge_[i].axis())][i] * voxel_m(key_.level);
}

void Crossings::Pending::need(std::size_t n) {
  vf::need(crossing, n);
  vf::need(edge, n);
  for (auto* v : {&t, &value, &slope, &end_t, &end_value}) vf::need(*v, n);
}

void Crossings::find_pending() {
  Pending& p = pending_;
  p.need(count_ + kMostLanes);
  std::size_t n = 0;
  for (std::size_t i = 0; i < count_;
       i += kLanes) {  // written at once, kept when it is off: no branch to guess
    const Int4 off = are_off(i);
    for (std::uint32_t k = 0; k < kLanes; ++k) {
      p.crossing[n] = static_cast<std::uint32_t>(i) + k;
      n += static_cast<std::size_t>(-off[k]);
    }
  }
  while (n > 0 && p.crossing[n - 1] >= count_) --n;  // of the last lanes
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = p.crossing[k];
    const bool beyond = (hermite_.value[i] < 0) == (low_[i] < 0);
    p.end_t[k] = beyond ? 1.0F : 0.0F;
    p.end_value[k] = beyond ? high_[i] : low_[i];
  }
  p.count = n;
}

/// Where the field has a kink between the samples the guess may be off the surface, and a gradient off the
/// surface may be that of a rounded edge: those few move, and are evaluated again.
void Crossings::refine(GradientSource& source) {
  find_pending();
  for (int i = 0; i < kRefinements && pending_.count > 0; ++i) {
    step();
    source.gradients(pending_parts_, moved_.points(pending_.count), moved_.value.data(), moved_.gx.data(),
                     moved_.gy.data(), moved_.gz.data());
    take_moved();
  }
}

/// To the zero of the parabola that has the field's value and slope at the crossing and its value at the end:
/// always between the two, for their signs differ.
///
/// The line between two values, as in regula falsi, left two thirds of a curved cave's crossings off after
/// one step; this leaves one in twenty.
void Crossings::step() {
  Pending& p = pending_;
  moved_.need(p.count + kMostLanes);
  pending_parts_.clear();
  std::size_t part = 0;
  for (std::size_t k = 0; k < p.count; ++k) {
    const std::size_t i = p.crossing[k];
    p.edge[k] = edge_[i];
    p.t[k] = t_[i];
    p.value[k] = hermite_.value[i];
    p.slope[k] = slope_along(i);
    while (parts_[part].end <= i) ++part;
    if (pending_parts_.empty() || pending_parts_.back().box != parts_[part].box)
      pending_parts_.push_back({parts_[part].box, k, k});
    pending_parts_.back().end = k + 1;
  }
  for (std::size_t k = p.count; k < p.count + kMostLanes; ++k) {  // whole lanes of something
    p.edge[k] = LatticeEdge();
    p.t[k] = p.slope[k] = p.end_t[k] = p.end_value[k] = 0;
    p.value[k] = 1;
  }
  kernels_->step(frame(),
                 {p.count, p.edge.data(), p.t.data(), p.value.data(), p.slope.data(), p.end_t.data(),
                  p.end_value.data()},
                 moved_.arrays());
}

/// Takes over where the pending ones are now, and keeps as pending those that are still off.
void Crossings::take_moved() {
  Pending& p = pending_;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < p.count; ++k) {
    const std::size_t i = p.crossing[k];
    const bool passed = (moved_.value[k] < 0) != (p.value[k] < 0);
    const float end_t = passed ? t_[i] : p.end_t[k], end_value = passed ? p.value[k] : p.end_value[k];
    t_[i] = p.t[k];
    hermite_.x[i] = moved_.x[k];
    hermite_.y[i] = moved_.y[k];
    hermite_.z[i] = moved_.z[k];
    hermite_.value[i] = moved_.value[k];
    hermite_.gx[i] = moved_.gx[k];
    hermite_.gy[i] = moved_.gy[k];
    hermite_.gz[i] = moved_.gz[k];
    p.crossing[kept] = static_cast<std::uint32_t>(i);
    p.end_t[kept] = end_t;
    p.end_value[kept] = end_value;
    kept += static_cast<std::size_t>(-are_off(i)[0]);
  }
  p.count = kept;
}

/// Where the tangent plane at the crossing is met, and the direction out of the rock.
void Crossings::set_points() {
  need(points_, 1 + count_ + kMostLanes);
  static_assert(sizeof(SurfacePoint) == 16 * sizeof(float));
  kernels_->surface_points(frame(), arrays(), hermite_.arrays(),
                           reinterpret_cast<float*>(points_.data() + 1));
}

}  // namespace vf

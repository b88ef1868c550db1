#include "mesh/crossings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "field/program.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/gradient_source.h"
#include "mesh/grow.h"
#include "mesh/lanes.h"
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
constexpr float kNearSurface = 1.0F / 32;
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

/// The coordinate that starts at `bit` of four edges.
Float4 coordinate(Int4 edges, int bit) {
  return to_float((edges >> bit) & 63);
}

Int4 load_edges(const LatticeEdge* edges) {
  static_assert(sizeof(LatticeEdge) == sizeof(std::int32_t));
  Int4 bits;
  std::memcpy(&bits, edges, sizeof bits);
  return bits;
}

}  // namespace

Crossings::Crossings() : at_(4 * kLattice) {}

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
  for (auto* v : {&low_, &high_}) need(*v, count_ + kMaxInBrick + kLanes);
  need(edge_, count_ + kMaxInBrick + kLanes);
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

/// Puts four of `edges` at `t` of their length, on the grid of points (see snap_to_grid), and sets `t` to
/// where they then are.
void Crossings::place(std::size_t i, const LatticeEdge* edges, Hermite& to, float* t) const {
  const Vec3f o = tile_origin(key_);
  const float voxel = voxel_m(key_.level);
  const Int4 bits = load_edges(edges + i), axis = bits & 3;
  const Float4 cx = coordinate(bits, LatticeEdge::kX), cy = coordinate(bits, LatticeEdge::kY),
               cz = coordinate(bits, LatticeEdge::kZ);
  const Float4 x = o.x + voxel * cx, y = o.y + voxel * cy, z = o.z + voxel * cz;
  const Float4 from = axis == 0 ? x : axis == 1 ? y : z;
  const Float4 along = to_float(round_to_int((from + voxel * load4(t + i)) * kGridPerM)) * (1.0F / kGridPerM);
  store4(axis == 0 ? along : x, to.x.data() + i);
  store4(axis == 1 ? along : y, to.y.data() + i);
  store4(axis == 2 ? along : z, to.z.data() + i);
  const Float4 origin = axis == 0 ? splat(o.x) : axis == 1 ? splat(o.y) : splat(o.z);
  store4((along - origin) / voxel - (axis == 0 ? cx : axis == 1 ? cy : cz), t + i);
}

/// Where the line between the two samples meets zero.
void Crossings::guess() {
  hermite_.need(count_ + kLanes);
  need(t_, count_ + kLanes);
  for (std::size_t i = count_; i < count_ + kLanes; ++i) {  // whole lanes of something
    edge_[i] = LatticeEdge();
    low_[i] = -1;
    high_[i] = 1;
  }
  for (std::size_t i = 0; i < count_; i += kLanes) {
    const Float4 low = load4(low_.data() + i);
    store4(low / (low - load4(high_.data() + i)), t_.data() + i);
    place(i, edge_.data(), hermite_, t_.data());
  }
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
  p.need(count_ + kLanes);
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
  moved_.need(p.count + kLanes);
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
  for (std::size_t k = p.count; k < p.count + kLanes; ++k) {  // whole lanes of something
    p.edge[k] = LatticeEdge();
    p.t[k] = p.slope[k] = p.end_t[k] = p.end_value[k] = 0;
    p.value[k] = 1;
  }
  for (std::size_t k = 0; k < p.count; k += kLanes) {
    const auto lanes = [k](const std::vector<float>& v) { return load4(v.data() + k); };
    const Float4 t = lanes(p.t), v = lanes(p.value), way = lanes(p.end_t) - t, slope = lanes(p.slope) * way;
    // v + slope u + bend u^2 on the way, u in [0, 1]. (slope^2 - 4 bend v) is a sum of squares here.
    const Float4 side = slope + 2 * v;
    const Float4 root = sqrt_of(side * side - 4 * lanes(p.end_value) * v);
    store4(t + way * (2 * v / ((v < 0.0F ? -root : root) - slope)), p.t.data() + k);
    place(k, p.edge.data(), moved_, p.t.data());
  }
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
  const Vec3f origin = tile_origin(key_);
  const float per_voxel = 1 / voxel_m(key_.level);
  need(points_, 1 + count_ + kLanes);
  const auto put = [this](Float4 SurfacePoint::* row, std::size_t i, Float4 a, Float4 b, Float4 c, Float4 d) {
    transpose(a, b, c, d);
    points_[i + 1].*row = a;
    points_[i + 2].*row = b;
    points_[i + 3].*row = c;
    points_[i + 4].*row = d;
  };
  for (std::size_t i = 0; i < count_; i += kLanes) {
    const auto lanes = [i](const std::vector<float>& v) { return load4(v.data() + i); };
    const Float4 gx = lanes(hermite_.gx), gy = lanes(hermite_.gy), gz = lanes(hermite_.gz);
    const Float4 length = sqrt_of(gx * gx + gy * gy + gz * gz);
    // Not so (and not for NaN either): the crest of a noise, the tip of a cone. All that is known there is
    // where the rock ends.
    const Int4 known = length > 1e-6F;
    const Float4 scale = 1 / length;
    const Float4 back = clamp_to(lanes(hermite_.value) * scale * per_voxel, splat(-0.5F), splat(0.5F));
    const Int4 axis = load_edges(edge_.data() + i) & 3;
    const Float4 zero{}, sign = lanes(low_) < 0.0F ? splat(1) : splat(-1);
    Float4 nx = gx * scale, ny = gy * scale, nz = gz * scale;
    Float4 x = (lanes(hermite_.x) - origin.x) * per_voxel, y = (lanes(hermite_.y) - origin.y) * per_voxel,
           z = (lanes(hermite_.z) - origin.z) * per_voxel;
    x = known ? x - nx * back : x;
    y = known ? y - ny * back : y;
    z = known ? z - nz * back : z;
    nx = known ? nx : axis == 0 ? sign : zero;
    ny = known ? ny : axis == 1 ? sign : zero;
    nz = known ? nz : axis == 2 ? sign : zero;
    x -= SurfacePoint::kTileMiddle;
    y -= SurfacePoint::kTileMiddle;
    z -= SurfacePoint::kTileMiddle;
    const Float4 d = nx * x + ny * y + nz * z;
    put(&SurfacePoint::squares, i, nx * nx, ny * ny, nz * nz, nx * d);
    put(&SurfacePoint::mixed, i, nx * ny, nx * nz, ny * nz, ny * d);
    put(&SurfacePoint::place, i, x, y, z, nz * d);
    put(&SurfacePoint::normal, i, nx, ny, nz, splat(1));
  }
}

}  // namespace vf

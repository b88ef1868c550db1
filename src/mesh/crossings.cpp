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

/// Edges that start at a sample of the brick and end within the tile's 33 samples.
void Crossings::find_in_brick(const TileSamples& samples, int bx, int by, int bz) {
  constexpr std::uint64_t kInner = (std::uint64_t{1} << kTileEdge) - 1;
  const int end_y = std::min(by * 8 + 8, kTileSamples), end_z = std::min(bz * 8 + 8, kTileSamples);
  const std::uint64_t width = bx < kBlockBricks - 1 ? 0xFF : 1;
  const int x0 = bx * 8;
  std::size_t n = count_;
  for (auto* v : {&low_, &high_}) need(*v, n + kMaxInBrick + kLanes);
  need(edge_, n + kMaxInBrick + kLanes);
  for (int z = bz * 8; z < end_z; ++z) {
    for (int y = by * 8; y < end_y; ++y) {
      const std::uint64_t row = samples.row(y, z);
      const std::uint64_t next_y = y < kTileEdge ? samples.row(y + 1, z) : row,
                          next_z = z < kTileEdge ? samples.row(y, z + 1) : row;
      // Eight bits an axis.
      auto bits = static_cast<std::uint32_t>((((row ^ row >> 1) & kInner) >> x0 & width) |
                                             ((row ^ next_y) >> x0 & width) << 8 |
                                             ((row ^ next_z) >> x0 & width) << 16);
      if (bits == 0) continue;
      const float* from = samples.row_values(bx, y, z);
      const std::array<const float*, 3> to{from + 1, samples.row_values(bx, y + 1, z),
                                           samples.row_values(bx, y, z + 1)};
      const float* last = samples.row_values(bx + 1, y, z);  // where the edge from x = 7 along x ends
      for (; bits != 0; bits &= bits - 1, ++n) {
        const int bit = std::countr_zero(bits), axis = bit >> 3, x = bit & 7;
        edge_[n] = LatticeEdge(axis, x0 + x, y, z);
        low_[n] = from[x];
        high_[n] = *(bit == 7 ? last : to[static_cast<std::size_t>(axis)] + x);
        at_[lattice_index(axis, x0 + x, y, z)] = static_cast<std::uint32_t>(n);
      }
    }
  }
  count_ = n;
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

bool Crossings::is_off(std::size_t i) const {
  const float near2 = kNearSurface * kNearSurface * voxel_m(key_.level) * voxel_m(key_.level);
  const float v = hermite_.value[i], gx = hermite_.gx[i], gy = hermite_.gy[i], gz = hermite_.gz[i];
  return v * v > near2 * (gx * gx + gy * gy + gz * gz);
}

/// Where the field has a kink between the samples the guess may be off the surface, and a gradient off the
/// surface may be that of a rounded edge. Regula falsi for those few.
void Crossings::refine(GradientSource& source) {
  pending_.clear();
  for (std::uint32_t i = 0; i < count_; ++i)
    if (is_off(i)) pending_.push_back({i, 0, low_[i], 1, high_[i]});
  for (int step = 0; step < kRefinements && !pending_.empty(); ++step) {
    const std::size_t n = pending_.size();
    moved_.need(n + kLanes);
    need(pending_edge_, n + kLanes);
    need(pending_t_, n + kLanes);
    pending_parts_.clear();
    std::size_t part = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = pending_[k].crossing;
      narrow(pending_[k]);
      pending_edge_[k] = edge_[i];
      pending_t_[k] = t_[i];
      while (parts_[part].end <= i) ++part;
      if (pending_parts_.empty() || pending_parts_.back().box != parts_[part].box)
        pending_parts_.push_back({parts_[part].box, k, k});
      pending_parts_.back().end = k + 1;
    }
    for (std::size_t k = n; k < n + kLanes; ++k) pending_t_[k] = 0;
    for (std::size_t k = 0; k < n; k += kLanes) place(k, pending_edge_.data(), moved_, pending_t_.data());
    source.gradients(pending_parts_, moved_.points(n), moved_.value.data(), moved_.gx.data(),
                     moved_.gy.data(), moved_.gz.data());
    std::size_t kept = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = pending_[k].crossing;
      t_[i] = pending_t_[k];
      hermite_.x[i] = moved_.x[k];
      hermite_.y[i] = moved_.y[k];
      hermite_.z[i] = moved_.z[k];
      hermite_.value[i] = moved_.value[k];
      hermite_.gx[i] = moved_.gx[k];
      hermite_.gy[i] = moved_.gy[k];
      hermite_.gz[i] = moved_.gz[k];
      if (is_off(i)) pending_[kept++] = pending_[k];
    }
    pending_.resize(kept);
  }
}

/// Cuts the bracket at the crossing's present place and moves it to where the line between the ends meets
/// zero.
void Crossings::narrow(Pending& b) {
  const float t = t_[b.crossing], v = hermite_.value[b.crossing];
  if ((v < 0) == (b.low_value < 0)) {
    b.low = t;
    b.low_value = v;
    b.high_value *= 0.5F;  // Illinois: or the other end would never move
  } else {
    b.high = t;
    b.high_value = v;
    b.low_value *= 0.5F;
  }
  t_[b.crossing] = b.low + (b.high - b.low) * (b.low_value / (b.low_value - b.high_value));
}

/// Where the tangent plane at the crossing is met, and the direction out of the rock.
void Crossings::set_points() {
  const Vec3f origin = tile_origin(key_);
  const float per_voxel = 1 / voxel_m(key_.level);
  need(points_, count_ + kLanes);
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
    Float4 nx = gx * scale, ny = gy * scale, nz = gz * scale, one = splat(1), none{};
    Float4 x = (lanes(hermite_.x) - origin.x) * per_voxel, y = (lanes(hermite_.y) - origin.y) * per_voxel,
           z = (lanes(hermite_.z) - origin.z) * per_voxel;
    x = known ? x - nx * back : x;
    y = known ? y - ny * back : y;
    z = known ? z - nz * back : z;
    nx = known ? nx : axis == 0 ? sign : zero;
    ny = known ? ny : axis == 1 ? sign : zero;
    nz = known ? nz : axis == 2 ? sign : zero;
    transpose(x, y, z, none);
    transpose(nx, ny, nz, one);
    points_[i] = {x, nx};
    points_[i + 1] = {y, ny};
    points_[i + 2] = {z, nz};
    points_[i + 3] = {none, one};
  }
}

}  // namespace vf

// Where the surface crosses the lattice edges of a tile, and which way it faces there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/box.h"
#include "math/vec.h"
#include "mesh/gradient_source.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

/// A lattice edge: from sample x, y, z one further on the axis. One word, so that lanes can take it apart.
class LatticeEdge {
 public:
  LatticeEdge() = default;
  LatticeEdge(int axis, int x, int y, int z)
      : bits_(static_cast<std::uint32_t>(axis) | static_cast<std::uint32_t>(x) << kX |
              static_cast<std::uint32_t>(y) << kY | static_cast<std::uint32_t>(z) << kZ) {}
  [[nodiscard]] int axis() const { return static_cast<int>(bits_ & 3); }
  [[nodiscard]] int x() const { return static_cast<int>(bits_ >> kX & 63); }
  [[nodiscard]] int y() const { return static_cast<int>(bits_ >> kY & 63); }
  [[nodiscard]] int z() const { return static_cast<int>(bits_ >> kZ); }
  [[nodiscard]] std::uint32_t bits() const { return bits_; }

  static constexpr int kX = 2, kY = 8, kZ = 14;  ///< first bit of each coordinate; below them the axis

 private:
  std::uint32_t bits_ = 0;
};

/// Crossings with a change of sign. One a thread. They come brick by brick, so that neighbours lie close in
/// memory.
class Crossings {
 public:
  Crossings();
  /// Of all lattice edges between the samples 0 ... 32.
  void find(const TileKey& key, const TileSamples& samples, GradientSource& source);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::span<const LatticeEdge> edges() const { return {edge_.data(), count_}; }
  [[nodiscard]] bool solid_low_end(std::size_t i) const { return low_[i] < 0; }
  /// In voxels from the tile's first sample.
  [[nodiscard]] const SurfacePoint& point(std::size_t i) const { return points_[i]; }
  /// The crossing on the edge that starts at a sample; only where there is one.
  [[nodiscard]] std::uint32_t at(std::size_t lattice) const { return at_[lattice]; }
  /// The edges that start at one sample lie side by side: those of a cell are in a few lines of the cache.
  [[nodiscard]] static constexpr std::size_t lattice_index(int axis, int x, int y, int z) {
    return static_cast<std::size_t>(((z * kTileSamples + y) * kTileSamples + x) * 4 + axis);
  }

 private:
  /// Points with their values and gradients. [metres, frame]
  struct Hermite {
    std::vector<float> x, y, z, value, gx, gy, gz;
    void need(std::size_t n);
    [[nodiscard]] PointBatch points(std::size_t n) const { return {n, x.data(), y.data(), z.data(), {}}; }
  };
  /// A crossing that is still off the surface, and the part of its edge where the surface must be: places in
  /// [0, 1] and their values.
  struct Pending {
    std::uint32_t crossing = 0;
    float low = 0, low_value = 0, high = 1, high_value = 0;
  };
  void find_in_brick(const TileSamples& samples, int bx, int by, int bz);
  void guess();
  void place(std::size_t i, const LatticeEdge* edges, Hermite& to, float* t) const;
  void refine(GradientSource& source);
  void narrow(Pending& p);
  [[nodiscard]] bool is_off(std::size_t i) const;
  void set_points();

  TileKey key_;
  std::size_t count_ = 0;
  // Of each crossing; longer than `count_`, by whole lanes.
  std::vector<LatticeEdge> edge_;
  std::vector<float> low_, high_;  ///< values at its ends
  std::vector<float> t_;           ///< where it lies between them
  std::vector<SurfacePoint> points_;
  Hermite hermite_;
  std::vector<std::uint32_t> at_;
  std::vector<Box3f> boxes_;      ///< of each brick with crossings
  std::vector<BoxPoints> parts_;  ///< its crossings
  // Of the crossings in hand.
  std::vector<Pending> pending_;
  std::vector<LatticeEdge> pending_edge_;
  std::vector<float> pending_t_;
  Hermite moved_;
  std::vector<BoxPoints> pending_parts_;
};

}  // namespace vf

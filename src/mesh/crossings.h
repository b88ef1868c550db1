// Where the surface crosses the lattice edges of a tile, and which way it faces there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "mesh/gradient_source.h"
#include "mesh/lanes.h"
#include "mesh/simd/mesh_kernels.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

/// A lattice edge: from sample x, y, z one further on the axis. One word, so that lanes can take it apart.
class LatticeEdge {
 public:
  LatticeEdge() = default;
  explicit LatticeEdge(std::uint32_t bits) : bits_(bits) {}
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

/// Lattice edges with a change of sign. One a thread. They come brick by brick, layer by layer and axis by
/// axis: neighbours lie close in memory, and what treats each axis in its own way seldom changes its mind.
class Crossings {
 public:
  explicit Crossings(SimdLevel simd);
  /// Of all lattice edges between the samples 0 ... 32.
  void find(const TileKey& key, const TileSamples& samples, GradientSource& source);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::span<const LatticeEdge> edges() const { return {edge_.data(), count_}; }
  [[nodiscard]] bool solid_low_end(std::size_t i) const { return low_[i] < 0; }
  [[nodiscard]] const SurfacePoint& point(std::size_t i) const { return points_[i + 1]; }
  /// The crossing on the edge that starts at a sample; only where there is one. At `kNoEdge` of any
  /// sample: a point that adds nothing to a sum.
  [[nodiscard]] std::uint32_t at(std::size_t lattice) const { return at_[lattice] - 1; }
  [[nodiscard]] const SurfacePoint& point_at(std::size_t lattice) const { return points_[at_[lattice]]; }
  static constexpr std::uint16_t kNoEdge = 3;
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
    [[nodiscard]] HermiteArrays arrays() {
      return {x.data(), y.data(), z.data(), value.data(), gx.data(), gy.data(), gz.data()};
    }
  };
  /// Crossings that are still off the surface: where they are now, and the end of the part of their edge that
  /// the surface must cross. Longer than `count`, by whole lanes.
  struct Pending {
    std::size_t count = 0;
    std::vector<std::uint32_t> crossing;
    std::vector<LatticeEdge> edge;
    std::vector<float> t, value, slope;   ///< of the place; t in [0, 1], the slope along t
    std::vector<float> end_t, end_value;  ///< its sign is not that of `value`
    void need(std::size_t n);
  };
  void find_in_brick(const TileSamples& samples, int bx, int by, int bz);
  template <class High>
  void add(int axis, int x0, int y0, int z, std::uint64_t bits, const float* low, const High& high);
  void guess();
  void refine(GradientSource& source);
  void find_pending();
  void step();
  void take_moved();
  [[nodiscard]] Int4 are_off(std::size_t i) const;
  [[nodiscard]] float slope_along(std::size_t i) const;
  void set_points();
  [[nodiscard]] LatticeFrame frame() const;
  [[nodiscard]] CrossingArrays arrays();

  const MeshKernels* kernels_;
  TileKey key_;
  std::size_t count_ = 0;
  // Of each crossing; longer than `count_`, by whole lanes.
  std::vector<LatticeEdge> edge_;
  std::vector<float> low_, high_;     ///< values at its ends
  std::vector<float> t_;              ///< where it lies between them
  std::vector<SurfacePoint> points_;  ///< from 1 on; 0 adds nothing
  Hermite hermite_;
  std::vector<std::uint32_t> at_;  ///< into `points_`
  std::vector<Box3f> boxes_;       ///< of each brick with crossings
  std::vector<BoxPoints> parts_;   ///< its crossings
  Pending pending_;
  Hermite moved_;
  std::vector<BoxPoints> pending_parts_;
};

}  // namespace vf

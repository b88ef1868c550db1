// Where the surface crosses the lattice edges of a tile, and which way it faces there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/box.h"
#include "math/vec.h"
#include "mesh/gradient_source.h"
#include "mesh/tile_samples.h"
#include "mesh/vertex_fit.h"
#include "proof/certificate.h"

namespace vf {

/// A lattice edge with a change of sign: from sample x, y, z one further on the axis.
struct Crossing {
  std::uint8_t axis = 0, x = 0, y = 0, z = 0;
  float low = 0, high = 0;  ///< values at its ends
};

/// One a thread. Crossings come brick by brick, so that neighbours lie close in memory.
class Crossings {
 public:
  Crossings();
  /// Of all lattice edges between the samples 0 ... 32.
  void find(const TileKey& key, const TileSamples& samples, GradientSource& source);

  [[nodiscard]] const std::vector<Crossing>& list() const { return list_; }
  /// In voxels from the tile's first sample.
  [[nodiscard]] const SurfacePoint& point(std::uint32_t i) const { return points_[i]; }
  /// The crossing on the edge that starts at a sample; only where there is one.
  [[nodiscard]] std::uint32_t at(std::size_t lattice) const { return at_[lattice]; }
  [[nodiscard]] static constexpr std::size_t lattice_index(int axis, int x, int y, int z) {
    return static_cast<std::size_t>(((axis * kTileSamples + z) * kTileSamples + y) * kTileSamples + x);
  }

 private:
  /// Points with their values and gradients. [metres, frame]
  struct Hermite {
    std::vector<float> x, y, z, value, gx, gy, gz;
    /// Only grows: shrinking would set everything anew at the next tile.
    void reserve(std::size_t n) {
      if (n > x.size())
        for (auto* v : {&x, &y, &z, &value, &gx, &gy, &gz}) v->resize(n);
    }
    [[nodiscard]] PointBatch points(std::size_t n) const { return {n, x.data(), y.data(), z.data(), {}}; }
  };
  /// A part of a lattice edge that the surface crosses: places in [0, 1] and their values.
  struct Bracket {
    float low = 0, low_value = 0, high = 1, high_value = 0;
  };
  void find_in_brick(const TileSamples& samples, int bx, int by, int bz);
  template <int kAxis>
  void add(const TileSamples& samples, int x0, int y, int z, std::uint64_t bits);
  void place(std::uint32_t i, float t);
  void refine(GradientSource& source);
  void narrow(std::uint32_t i, Bracket& bracket);
  void set_points();

  TileKey key_;
  std::vector<Crossing> list_;
  std::vector<std::uint32_t> at_;
  std::vector<SurfacePoint> points_;
  std::vector<Box3f> boxes_;      ///< of each brick with crossings
  std::vector<BoxPoints> parts_;  ///< its crossings
  Hermite hermite_, moved_;
  std::vector<std::uint32_t> pending_;  ///< crossings that are still off the surface
  std::vector<Bracket> brackets_;       ///< of each of them
  std::vector<BoxPoints> pending_parts_;
};

}  // namespace vf

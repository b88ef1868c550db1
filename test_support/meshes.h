// Meshes for tests: tiles of any function, whole blocks of them, and the block's seams.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/ids.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "mesh/seams.h"
#include "mesh/tile_mesher.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"

namespace vf::test {

using FieldFunction = std::function<float(Vec3f)>;
using SampleFunction = std::function<float(int, int, int)>;  ///< of lattice coordinates

/// Every brick evaluated.
inline TileDensity density_of(const TileKey& key, const SampleFunction& f) {
  TileDensity out;
  out.key = key;
  out.verdict.fill(Verdict::kMixed);
  out.reason.fill(Reason::kMixed);
  out.values.resize(std::size_t{kTileBricks} * kBrickSamples);
  for (int b = 0; b < kTileBricks; ++b) {
    out.block[static_cast<std::size_t>(b)] = static_cast<std::int16_t>(b);
    for (int s = 0; s < kBrickSamples; ++s) {
      const int x = (b & 3) * 8 + (s & 7), y = (b >> 2 & 3) * 8 + (s >> 3 & 7), z = (b >> 4) * 8 + (s >> 6);
      out.values[static_cast<std::size_t>(b) * kBrickSamples + static_cast<std::size_t>(s)] =
          f(key.tx * kTileEdge + x, key.ty * kTileEdge + y, key.tz * kTileEdge + z);
    }
  }
  return out;
}

/// Central differences of a function of metres; steps so small that a kink is seen on one side only.
class DifferenceGradients final : public GradientSource {
 public:
  explicit DifferenceGradients(FieldFunction f) : f_(std::move(f)) {}
  void begin(const Box3f&, std::span<const Box3f>) override {}
  void gradients(std::span<const BoxPoints>, const PointBatch& p, float* value, float* gx, float* gy,
                 float* gz) override {
    constexpr float kStep = 1.0F / 1024;
    for (std::size_t i = 0; i < p.count; ++i) {
      const Vec3f at{p.x[i], p.y[i], p.z[i]};
      value[i] = f_(at);
      const auto slope = [&](Vec3f d) { return (f_(at + d) - f_(at - d)) / (2 * kStep); };
      gx[i] = slope({kStep, 0, 0});
      gy[i] = slope({0, kStep, 0});
      gz[i] = slope({0, 0, kStep});
    }
  }

 private:
  FieldFunction f_;
};

/// Directions drawn from the point's bits: for fields that are noise.
class WildGradients final : public GradientSource {
 public:
  void begin(const Box3f&, std::span<const Box3f>) override {}
  void gradients(std::span<const BoxPoints>, const PointBatch& p, float* value, float* gx, float* gy,
                 float* gz) override {
    for (std::size_t i = 0; i < p.count; ++i) {
      const std::uint64_t h = hash_words({static_cast<std::uint64_t>(std::lround(p.x[i] * 1024)),
                                          static_cast<std::uint64_t>(std::lround(p.y[i] * 1024)),
                                          static_cast<std::uint64_t>(std::lround(p.z[i] * 1024))});
      const auto part = [&](int shift) { return static_cast<float>(h >> shift & 0xFFFF) / 32768.0F - 1; };
      value[i] = 0;
      gx[i] = part(0);
      gy[i] = part(16);
      gz[i] = part(32);
    }
  }
};

/// A block of nx * ny * nz tiles from tile `first`, with all seams between them.
struct MeshBlock {
  int nx = 1, ny = 1, nz = 1;
  TileKey first;
  std::vector<TileMesh> tiles;
  std::vector<MeshPiece> seams;

  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>((z * ny + y) * nx + x);
  }
  [[nodiscard]] std::vector<const MeshPiece*> pieces() const {
    std::vector<const MeshPiece*> out;
    for (const TileMesh& t : tiles) out.push_back(&t.inside);
    for (const MeshPiece& s : seams) out.push_back(&s);
    return out;
  }
  /// Where an edge may be open: within one cell of the block's outside.
  [[nodiscard]] auto outside() const {
    const std::int64_t scale = (std::int64_t{1} << first.level) * kVoxelUnits;
    const auto near = [scale](std::int64_t v, std::int32_t tile, int count) {
      return v <= (std::int64_t{tile} * kTileEdge + 1) * scale ||
             v >= (std::int64_t{tile + count} * kTileEdge - 1) * scale;
    };
    return [*this, near](const MeshPoint& a, const MeshPoint& b) {
      const auto out = [&](const MeshPoint& p) {
        return near(p.x, first.tx, nx) || near(p.y, first.ty, ny) || near(p.z, first.tz, nz);
      };
      return out(a) && out(b);
    };
  }
  [[nodiscard]] MeshAudit audit() const {
    const auto all = pieces();
    return audit_mesh(all, outside());
  }
};

inline void add_seams(MeshBlock& block) {
  SeamMesher mesher;
  for (int z = 0; z < block.nz; ++z) {
    for (int y = 0; y < block.ny; ++y) {
      for (int x = 0; x < block.nx; ++x) {
        TilesBefore before{};
        for (int k = 0; k < 8; ++k) {
          const int px = x - (k & 1), py = y - (k >> 1 & 1), pz = z - (k >> 2);
          if (px >= 0 && py >= 0 && pz >= 0)
            before[static_cast<std::size_t>(k)] = &block.tiles[block.index(px, py, pz)];
        }
        mesher.mesh(before, block.seams.emplace_back());
      }
    }
  }
}

inline MeshBlock mesh_block(const TileKey& first, int nx, int ny, int nz, const SampleFunction& f,
                            GradientSource& gradients) {
  MeshBlock block{nx, ny, nz, first, {}, {}};
  MeshBlock halo{nx + 1, ny + 1, nz + 1, first, {}, {}};
  std::vector<TileDensity> densities;
  for (int z = 0; z <= nz; ++z)
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x)
        densities.push_back(density_of({first.level, first.tx + x, first.ty + y, first.tz + z}, f));
  TileMesher mesher(best_simd_level());
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        TileNeighbours tiles;
        for (std::size_t k = 0; k < 8; ++k)
          tiles.at[k] = &densities[halo.index(x + static_cast<int>(k & 1), y + static_cast<int>(k >> 1 & 1),
                                              z + static_cast<int>(k >> 2))];
        mesher.mesh(tiles, gradients, block.tiles.emplace_back());
      }
    }
  }
  add_seams(block);
  return block;
}

/// A block of the function of metres `f`.
inline MeshBlock mesh_block(const TileKey& first, int nx, int ny, int nz, const FieldFunction& f) {
  DifferenceGradients gradients(f);
  const float voxel = voxel_m(first.level);
  return mesh_block(
      first, nx, ny, nz,
      [&](int x, int y, int z) {
        return f(
            {voxel * static_cast<float>(x), voxel * static_cast<float>(y), voxel * static_cast<float>(z)});
      },
      gradients);
}

}  // namespace vf::test
